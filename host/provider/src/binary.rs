//! An opened target.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::elf::{self, Elf};
use crate::file::SourceFile;
use crate::macho::{self, MachO};
use crate::monitor::step;
use crate::{ByteOrder, Format, Identity, Inventory, Monitor, OpenError, ReadError, TargetKind};
use crate::{bundle, escape};

/// An opened target: a file that stays open, and what its header says.
///
/// Everything else is read when it is asked for, and held against the fingerprint of the file that was opened.
#[derive(Debug)]
pub struct Binary {
    pub(crate) file: Arc<SourceFile>,
    pub(crate) image: Image,
    identity: Identity,
}

/// What the headers of a target say, by its format.
#[derive(Debug)]
pub(crate) enum Image {
    Elf(Elf),
    MachO(MachO),
}

/// So many bytes tell the format.
const HEAD: u64 = 4096;
/// Hashing looks up after so many bytes.
const HASH_PIECE: usize = 1 << 20;

impl Binary {
    /// Opens a file, or the program of a macOS application bundle (`.app`).
    ///
    /// Refuses, with the reason, any other directory, what is no regular file (without blocking on it), what can't be
    /// read, what is empty or cut off, and every format but ELF and Mach-O, which it names.
    pub fn open(path: &Path) -> Result<Binary, OpenError> {
        let given = path;
        let path = real_path(path)?;
        let path = if path.is_dir() {
            bundle::program(&path)?
        } else {
            path
        };
        let file = SourceFile::open(&path)?;
        if file.len() == 0 {
            return Err(OpenError::Empty(path));
        }
        let head = file
            .read(0, file.len().min(HEAD))
            .map_err(|error| unreadable(&path, error))?;
        let format = Format::recognise(&head);
        let image = Image::parse(&file, &path, format, &head)?;
        let identity = Identity {
            given: (given != path).then(|| given.to_owned()),
            file_name: escape::display(path.file_name().unwrap_or(path.as_os_str()).as_bytes())
                .into_owned(),
            format,
            kind: image
                .kind(&file)
                .map_err(|error| unreadable(&path, error))?,
            architecture: image.architecture(),
            bits: image.bits(),
            endianness: image.byte_order(),
            size: file.len(),
            fingerprint: file.fingerprint(),
            path,
        };
        Ok(Binary {
            file: Arc::new(file),
            image,
            identity,
        })
    }

    /// What the target is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Whether its path still leads to the file that was opened, with the size and time it had then.
    pub fn is_unchanged(&self) -> bool {
        self.file.is_unchanged()
    }

    /// The SHA-256 of the file, read from beginning to end. Takes a second for every 500 MB or so.
    pub fn sha256(&self, monitor: &dyn Monitor) -> Result<[u8; 32], ReadError> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0u8; HASH_PIECE];
        let total = self.file.len();
        let mut done = 0u64;
        while done < total {
            step(monitor, done, total)?;
            let want = usize::try_from(total - done)
                .unwrap_or(HASH_PIECE)
                .min(HASH_PIECE);
            let piece = buffer.get_mut(..want).unwrap_or(&mut []);
            self.file.fill(piece, done)?;
            hash.update(piece);
            done = done.saturating_add(want as u64);
        }
        self.file.check()?;
        monitor.progress(total, total);
        Ok(hash.finalize().into())
    }

    /// The list of procedures with all their names. Made anew at every call; keep it.
    pub fn inventory(&self, monitor: &dyn Monitor) -> Result<Inventory, ReadError> {
        let name = &self.identity.file_name;
        match &self.image {
            Image::Elf(elf) => elf::inventory(&self.file, elf, name, monitor),
            Image::MachO(macho) => macho::inventory(&self.file, macho, name, monitor),
        }
    }
}

impl Image {
    fn parse(
        file: &SourceFile,
        path: &Path,
        format: Format,
        head: &[u8],
    ) -> Result<Image, OpenError> {
        let path = path.to_owned();
        let truncated = |path, detail| OpenError::Truncated {
            path,
            format,
            detail,
        };
        let malformed = |path, detail| OpenError::Malformed {
            path,
            format,
            detail,
        };
        match format {
            Format::Elf => Elf::parse(file)
                .map(Image::Elf)
                .map_err(|error| match error {
                    elf::HeaderError::Truncated(detail) => truncated(path, detail),
                    elf::HeaderError::Malformed(detail) => malformed(path, detail),
                    elf::HeaderError::Read(error) => unreadable(&path, error),
                }),
            Format::MachO | Format::MachOFat => {
                MachO::parse(file, head)
                    .map(Image::MachO)
                    .map_err(|error| match error {
                        macho::HeaderError::Truncated(detail) => truncated(path, detail),
                        macho::HeaderError::Malformed(detail) => malformed(path, detail),
                        macho::HeaderError::Unsupported(format) => {
                            OpenError::Unsupported { path, format }
                        }
                        macho::HeaderError::Read(error) => unreadable(&path, error),
                    })
            }
            format => Err(OpenError::Unsupported { path, format }),
        }
    }

    fn kind(&self, file: &SourceFile) -> Result<TargetKind, ReadError> {
        match self {
            Image::Elf(elf) => elf.kind(file),
            Image::MachO(macho) => Ok(macho.kind()),
        }
    }

    fn architecture(&self) -> String {
        match self {
            Image::Elf(elf) => elf.architecture(),
            Image::MachO(macho) => macho.architecture(),
        }
    }

    fn bits(&self) -> u8 {
        match self {
            Image::Elf(elf) => {
                if elf.shape.is_64 {
                    64
                } else {
                    32
                }
            }
            Image::MachO(macho) => macho.bits(),
        }
    }

    fn byte_order(&self) -> ByteOrder {
        match self {
            Image::Elf(elf) => elf.byte_order(),
            Image::MachO(macho) => macho.byte_order(),
        }
    }

    /// Which section or segment holds a byte of the file, and where that byte is loaded, if it is.
    pub(crate) fn owner(&self, offset: u64) -> (Option<String>, Option<u64>) {
        match self {
            Image::Elf(elf) => elf.owner(offset),
            Image::MachO(macho) => macho.owner(offset),
        }
    }
}

fn real_path(path: &Path) -> Result<PathBuf, OpenError> {
    std::fs::canonicalize(path).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => OpenError::NotFound(path.to_owned()),
        _ => OpenError::Unreadable {
            path: path.to_owned(),
            cause,
        },
    })
}

fn unreadable(path: &Path, error: ReadError) -> OpenError {
    let cause = match error {
        ReadError::Io(cause) => cause,
        other => io::Error::other(other.to_string()),
    };
    OpenError::Unreadable {
        path: path.to_owned(),
        cause,
    }
}

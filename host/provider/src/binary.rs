//! An opened target.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::file::SourceFile;
use crate::header::HeaderError;
use crate::image::{Image, recognise};
use crate::layout::Layout;
use crate::monitor::step;
use crate::options::Surroundings;
use crate::{Identity, Inventory, Monitor, OpenError, OpenOptions, ReadError, bundle, escape};

/// An opened target: a file that stays open, and what its header says.
///
/// Everything else is read when it is asked for, and held against the fingerprint of the file that was opened.
#[derive(Debug)]
pub struct Binary {
    pub(crate) file: Arc<SourceFile>,
    pub(crate) image: Image,
    identity: Identity,
    near: Surroundings,
}

/// Hashing looks up after so many bytes.
const HASH_PIECE: usize = 1 << 20;

impl Binary {
    /// Opens a file, or the program of a macOS application bundle (`.app`).
    ///
    /// Refuses, with the reason, any other directory, what is no regular file (without blocking on it), what can't be
    /// read, what is empty or cut off, and every format that is not read, which it names.
    pub fn open(path: &Path) -> Result<Binary, OpenError> {
        Binary::open_with(path, &OpenOptions::default())
    }

    /// Opens a file like [`open`](Self::open), and says where its companions may be.
    pub fn open_with(path: &Path, options: &OpenOptions) -> Result<Binary, OpenError> {
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
        let format = recognise(&file).map_err(|error| unreadable(&path, error))?;
        let image = match Image::parse(&file, format) {
            Ok(Some(image)) => image,
            Ok(None) => return Err(OpenError::Unsupported { path, format }),
            Err(HeaderError::Unsupported(format)) => {
                return Err(OpenError::Unsupported { path, format });
            }
            Err(HeaderError::Truncated(detail)) => {
                return Err(OpenError::Truncated {
                    path,
                    format,
                    detail,
                });
            }
            Err(HeaderError::Malformed(detail)) => {
                return Err(OpenError::Malformed {
                    path,
                    format,
                    detail,
                });
            }
            Err(HeaderError::Read(error)) => return Err(unreadable(&path, error)),
        };
        let near = Surroundings {
            path: path.clone(),
            options: options.clone(),
        };
        let traits = image
            .traits(&file, &near)
            .map_err(|error| unreadable(&path, error))?;
        let identity = Identity {
            given: (given != path).then(|| given.to_owned()),
            file_name: escape::display(path.file_name().unwrap_or(path.as_os_str()).as_bytes())
                .into_owned(),
            format,
            kind: traits.kind,
            architecture: traits.architecture,
            bits: traits.bits,
            endianness: traits.endianness,
            size: file.len(),
            fingerprint: file.fingerprint(),
            path,
        };
        Ok(Binary {
            file: Arc::new(file),
            image,
            identity,
            near,
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
        self.image
            .inventory(&self.file, &self.identity.file_name, &self.near, monitor)
    }

    /// How the file is laid out; of an archive or a universal file, only what its parts are. Reads headers, the dynamic section, notes and symbol tables.
    pub fn layout(&self) -> Result<Layout, ReadError> {
        self.image
            .layout(&self.file, &self.identity, Some(&self.near))
    }

    /// How one document of the file is laid out; `None` if there is none of that name.
    pub fn layout_of(&self, document: &str) -> Result<Option<Layout>, ReadError> {
        self.image
            .layout_of(&self.file, &self.identity, &self.near, document)
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

//! The file behind a target: read in exactly the pieces that are asked for, and watched for change.
//!
//! Files are read, not mapped. A mapped file that shrinks kills the process; a read that comes up short is an error
//! like any other.

use std::fs::{File, Metadata, OpenOptions};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{OpenError, ReadError};

/// What tells one state of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Fingerprint {
    /// The device that holds the file.
    pub device: u64,
    /// Its number on the device.
    pub inode: u64,
    /// Bytes.
    pub size: u64,
    /// Last change of the content: seconds since 1970.
    pub modified_seconds: i64,
    /// Nanoseconds of that second.
    pub modified_nanoseconds: i64,
}

impl Fingerprint {
    fn of(metadata: &Metadata) -> Fingerprint {
        Fingerprint {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified_seconds: metadata.mtime(),
            modified_nanoseconds: metadata.mtime_nsec(),
        }
    }
}

/// Larger tables are refused: a sparse file can claim any size without holding it.
const TABLE_LIMIT: u64 = 2 << 30;

/// A file that was opened, with the fingerprint it had then, or a part of one: a member of an archive, a slice, a module.
///
/// Offsets are counted from where the part begins. A clone is the same open file.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    origin: Origin,
    base: u64,
    len: u64,
}

/// Where the bytes come from.
#[derive(Clone, Debug)]
enum Origin {
    Opened(Arc<Opened>),
    /// What was unpacked from a file.
    Memory(Arc<[u8]>),
}

#[derive(Debug)]
struct Opened {
    file: File,
    path: PathBuf,
    fingerprint: Fingerprint,
}

/// Fresh memory is touched in pieces of this size, so that what is zeroed is still in the cache when it is filled.
const PIECE: usize = 256 * 1024;

impl SourceFile {
    /// Opens a regular file. `path` is a real path. Never blocks on a FIFO and never opens a device.
    pub(crate) fn open(path: &Path) -> Result<SourceFile, OpenError> {
        let unreadable = |cause| OpenError::Unreadable {
            path: path.to_owned(),
            cause,
        };
        regular(path, &std::fs::metadata(path).map_err(unreadable)?)?;
        // Between the check and the open the path may become a FIFO; then the open must not wait for a writer.
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(path)
            .map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        regular(path, &metadata)?;
        let fingerprint = Fingerprint::of(&metadata);
        Ok(SourceFile {
            origin: Origin::Opened(Arc::new(Opened {
                file,
                path: path.to_owned(),
                fingerprint,
            })),
            base: 0,
            len: fingerprint.size,
        })
    }

    /// Bytes that were unpacked from a file, as a file.
    pub(crate) fn of_memory(bytes: Vec<u8>) -> SourceFile {
        SourceFile {
            len: bytes.len() as u64,
            origin: Origin::Memory(bytes.into()),
            base: 0,
        }
    }

    /// A part of it; `None` if it doesn't hold those bytes.
    pub(crate) fn part(&self, offset: u64, len: u64) -> Option<SourceFile> {
        self.holds(offset, len).then(|| SourceFile {
            origin: self.origin.clone(),
            base: self.base.saturating_add(offset),
            len,
        })
    }

    /// Where the part begins in the file on disk.
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    /// The state of the file on disk; of bytes in memory only the size.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        match &self.origin {
            Origin::Opened(opened) => opened.fingerprint,
            Origin::Memory(_) => Fingerprint {
                device: 0,
                inode: 0,
                size: self.len,
                modified_seconds: 0,
                modified_nanoseconds: 0,
            },
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Whether the path still leads to the file that was opened, in the state it had.
    pub(crate) fn is_unchanged(&self) -> bool {
        match &self.origin {
            Origin::Opened(opened) => std::fs::metadata(&opened.path)
                .is_ok_and(|now| Fingerprint::of(&now) == opened.fingerprint),
            Origin::Memory(_) => true,
        }
    }

    /// Fails if the open file is no longer in the state in which it was opened.
    pub(crate) fn check(&self) -> Result<(), ReadError> {
        match &self.origin {
            Origin::Opened(opened)
                if Fingerprint::of(&opened.file.metadata()?) != opened.fingerprint =>
            {
                Err(ReadError::Changed)
            }
            _ => Ok(()),
        }
    }

    /// Whether that many bytes stand there.
    pub(crate) fn holds(&self, offset: u64, len: u64) -> bool {
        offset.checked_add(len).is_some_and(|end| end <= self.len())
    }

    /// Reads a piece. The length is the file's own claim, so it is held against the file's size before memory is taken.
    pub(crate) fn read(&self, offset: u64, len: u64) -> Result<Vec<u8>, ReadError> {
        let bytes = self.read_unchecked(offset, len)?;
        self.check()?;
        Ok(bytes)
    }

    /// Like [`read`](Self::read), for a caller that reads many small pieces and calls [`check`](Self::check) after the last.
    pub(crate) fn read_unchecked(&self, offset: u64, len: u64) -> Result<Vec<u8>, ReadError> {
        if !self.holds(offset, len) {
            return Err(ReadError::Damaged(format!(
                "{len} bytes at offset {offset:#x} lie outside its {} bytes",
                self.len()
            )));
        }
        if len > TABLE_LIMIT {
            return Err(ReadError::OutOfMemory(len));
        }
        let wanted = usize::try_from(len).map_err(|_| ReadError::OutOfMemory(len))?;
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(wanted)
            .map_err(|_| ReadError::OutOfMemory(len))?;
        while bytes.len() < wanted {
            let start = bytes.len();
            bytes.resize(wanted.min(start.saturating_add(PIECE)), 0);
            if let Some(piece) = bytes.get_mut(start..) {
                self.fill(piece, offset.saturating_add(start as u64))?;
            }
        }
        Ok(bytes)
    }

    /// Fills a buffer from an offset. A file that ends early has changed.
    pub(crate) fn fill(&self, buffer: &mut [u8], offset: u64) -> Result<(), ReadError> {
        if !self.holds(offset, buffer.len() as u64) {
            return Err(ReadError::Damaged(format!(
                "{} bytes at offset {offset:#x} lie outside its {} bytes",
                buffer.len(),
                self.len
            )));
        }
        let at = self.base.saturating_add(offset);
        match &self.origin {
            Origin::Opened(opened) => {
                opened
                    .file
                    .read_exact_at(buffer, at)
                    .map_err(|error| match error.kind() {
                        std::io::ErrorKind::UnexpectedEof => ReadError::Changed,
                        _ => ReadError::Io(error),
                    })
            }
            Origin::Memory(bytes) => {
                let there = usize::try_from(at)
                    .ok()
                    .and_then(|at| bytes.get(at..)?.get(..buffer.len()))
                    .ok_or(ReadError::Changed)?;
                buffer.copy_from_slice(there);
                Ok(())
            }
        }
    }
}

fn regular(path: &Path, metadata: &Metadata) -> Result<(), OpenError> {
    let kind = metadata.file_type();
    let what = if kind.is_file() {
        return Ok(());
    } else if kind.is_dir() {
        return Err(OpenError::Directory {
            path: path.to_owned(),
            bundle: None,
        });
    } else if kind.is_fifo() {
        "FIFO"
    } else if kind.is_socket() {
        "socket"
    } else if kind.is_char_device() {
        "character device"
    } else if kind.is_block_device() {
        "block device"
    } else {
        "special file"
    };
    Err(OpenError::NotRegular {
        path: path.to_owned(),
        what,
    })
}

//! The file behind a target: read in exactly the pieces that are asked for, and watched for change.
//!
//! Files are read, not mapped. A mapped file that shrinks kills the process; a read that comes up short is an error
//! like any other.

use std::fs::{File, Metadata, OpenOptions};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

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

/// A file that was opened, with the fingerprint it had then.
#[derive(Debug)]
pub(crate) struct SourceFile {
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
        Ok(SourceFile {
            file,
            path: path.to_owned(),
            fingerprint: Fingerprint::of(&metadata),
        })
    }

    pub(crate) fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    pub(crate) fn len(&self) -> u64 {
        self.fingerprint.size
    }

    /// Whether the path still leads to the file that was opened, in the state it had.
    pub(crate) fn is_unchanged(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|now| Fingerprint::of(&now) == self.fingerprint)
    }

    /// Fails if the open file is no longer in the state in which it was opened.
    pub(crate) fn check(&self) -> Result<(), ReadError> {
        if Fingerprint::of(&self.file.metadata()?) == self.fingerprint {
            Ok(())
        } else {
            Err(ReadError::Changed)
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
                "{len} bytes at offset {offset:#x} lie outside the file of {} bytes",
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
        self.file
            .read_exact_at(buffer, offset)
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::UnexpectedEof => ReadError::Changed,
                _ => ReadError::Io(error),
            })
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

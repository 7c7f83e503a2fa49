//! What can go wrong, as cases that a caller acts on.

use std::io;
use std::path::PathBuf;

use crate::Format;

/// Why a target couldn't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is nothing at that path.
    #[error("there is no file at {}", shown(.0))]
    NotFound(PathBuf),
    /// It is a directory. `bundle`: it looks like a macOS application bundle, but its program can't be found.
    #[error("{} is a directory{}", shown(.path), bundle_note(.bundle))]
    Directory {
        /// Its real path.
        path: PathBuf,
        /// If the name ends in `.app`: why no program was found in it.
        bundle: Option<String>,
    },
    /// It is a FIFO, a socket or a device.
    #[error("{} is a {what}, not a regular file", shown(.path))]
    NotRegular {
        /// Its real path.
        path: PathBuf,
        /// `FIFO`, `socket`, `character device`, `block device` or `special file`.
        what: &'static str,
    },
    /// The system refused to open or read it.
    #[error("{} can't be read: {cause}", shown(.path))]
    Unreadable {
        /// The path as given, or the real path if it could be found.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It has no bytes.
    #[error("{} is empty", shown(.0))]
    Empty(PathBuf),
    /// It ends before its own headers do.
    #[error("{} is a truncated {format}: {detail}", shown(.path))]
    Truncated {
        /// Its real path.
        path: PathBuf,
        /// What it is by its first bytes.
        format: Format,
        /// Which part is missing.
        detail: String,
    },
    /// Its headers contradict themselves.
    #[error("{} is a damaged {format}: {detail}", shown(.path))]
    Malformed {
        /// Its real path.
        path: PathBuf,
        /// What it is by its first bytes.
        format: Format,
        /// What is wrong.
        detail: String,
    },
    /// It is of a format that isn't read yet.
    #[error("{} is {}, a format that is not read yet; ELF and Mach-O files are", shown(.path), .format.with_article())]
    Unsupported {
        /// Its real path.
        path: PathBuf,
        /// What it is, by its content.
        format: Format,
    },
}

/// Why reading an open target failed.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Device, inode, size or time of the file are no longer those of the file that was opened.
    #[error("the file changed since it was opened; open it again")]
    Changed,
    /// The system refused.
    #[error("the file can't be read: {0}")]
    Io(#[from] io::Error),
    /// A table asks for more than there is, in a place where nothing can be said without it.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// There isn't enough memory for a table of that size, or it is larger than the 2 GiB that are taken.
    #[error("a table of {0} bytes doesn't fit into memory")]
    OutOfMemory(u64),
    /// The caller's monitor asked to stop.
    #[error("cancelled")]
    Cancelled,
}

/// What is wrong with a query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct QueryError {
    /// Which field of the query.
    pub field: &'static str,
    /// What is wrong with it, in plain English.
    pub reason: String,
}

/// Why a search gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The query itself is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The file couldn't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

fn shown(path: &std::path::Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    crate::escape::display(path.as_os_str().as_bytes()).into_owned()
}

fn bundle_note(bundle: &Option<String>) -> String {
    match bundle {
        None => String::new(),
        Some(why) => format!(", named like an application bundle, but {why}"),
    }
}

//! Why headers couldn't be read, whatever the format.

use crate::{Format, ReadError};

/// Why headers couldn't be read.
#[derive(Debug)]
pub(crate) enum HeaderError {
    /// The file ends before they do.
    Truncated(String),
    /// They contradict themselves.
    Malformed(String),
    /// They lead only to what isn't read.
    Unsupported(Format),
    /// Reading failed.
    Read(ReadError),
}

impl From<ReadError> for HeaderError {
    fn from(error: ReadError) -> HeaderError {
        HeaderError::Read(error)
    }
}

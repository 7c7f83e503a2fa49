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

impl HeaderError {
    /// What is wrong, in words.
    pub(crate) fn reason(&self) -> String {
        match self {
            HeaderError::Truncated(detail) => format!("it is truncated: {detail}"),
            HeaderError::Malformed(detail) => format!("it is damaged: {detail}"),
            HeaderError::Unsupported(format) => {
                format!("it is {}, which is not read", format.with_article())
            }
            HeaderError::Read(error) => error.to_string(),
        }
    }

    /// The error of a reader that opened the file before.
    pub(crate) fn into_read_error(self) -> ReadError {
        match self {
            HeaderError::Read(error) => error,
            other => ReadError::Damaged(other.reason()),
        }
    }
}

impl From<ReadError> for HeaderError {
    fn from(error: ReadError) -> HeaderError {
        HeaderError::Read(error)
    }
}

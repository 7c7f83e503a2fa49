//! Why a session can't do what it was asked.

use crate::component::IndexError;

/// An error of the session, as a tool reports it.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No target is open.
    #[error("no target is open; open one with open_binary")]
    NoTarget,
    /// The provider named isn't one of ours.
    #[error("there is no provider {asked:?}; choose one of: {}", .candidates.join(", "))]
    UnknownProvider {
        /// What was asked for.
        asked: String,
        /// What there is.
        candidates: Vec<String>,
    },
    /// The target can't be opened. Whatever was open before still is.
    #[error(transparent)]
    Open(#[from] rea_provider::OpenError),
    /// The target can't be read.
    #[error(transparent)]
    Read(#[from] rea_provider::ReadError),
    /// The request was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Something of ours failed; the text is for a log.
    #[error("internal error: {0}")]
    Internal(String),
}

impl From<tokio::task::JoinError> for SessionError {
    fn from(error: tokio::task::JoinError) -> Self {
        SessionError::Internal(error.to_string())
    }
}

/// An index error never fails a request: the names are simply not offered.
pub(super) fn index_failure(error: &IndexError) -> Option<String> {
    match error {
        IndexError::Cancelled => None,
        other => Some(other.to_string()),
    }
}

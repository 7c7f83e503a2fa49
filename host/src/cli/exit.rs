//! How the program ends. Exit codes are decided here and nowhere else.

use std::process::ExitCode;

use crate::{
    component::{Defect, Fault},
    session::SessionError,
};

/// Why the program doesn't end with 0.
#[derive(Debug)]
pub(super) enum Failure {
    /// 1: something failed.
    Failed(String),
    /// 2: what was typed is wrong.
    Usage(String),
    /// 3: the target can't be opened or read.
    Target(String),
    /// 1, without a word: the reader of our output went away.
    Silent,
}

impl Failure {
    pub(super) fn report(self) -> ExitCode {
        let (number, message) = match self {
            Failure::Failed(message) => (1, message),
            Failure::Usage(message) => (2, message),
            Failure::Target(message) => (3, message),
            Failure::Silent => return code(1),
        };
        eprintln!("rea: {message}");
        code(number)
    }
}

pub(super) fn code(number: u8) -> ExitCode {
    ExitCode::from(number)
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::NoTarget | SessionError::UnknownProvider { .. } => {
                Failure::Usage(error.to_string())
            }
            SessionError::Open(_) | SessionError::Read(_) => Failure::Target(error.to_string()),
            SessionError::Cancelled | SessionError::Internal(_) => {
                Failure::Failed(error.to_string())
            }
        }
    }
}

impl From<Defect> for Failure {
    fn from(defect: Defect) -> Self {
        Failure::Failed(defect.to_string())
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Failure::Usage(fault.detail)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::Silent,
            _ => Failure::Failed(error.to_string()),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Failure::Failed(error.to_string())
    }
}

//! What goes wrong with the state file, for people: always with the path.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::component::{
    Defect,
    switch::{Problem, StoreFailure, StoreFailureKind, SwitchError},
};

/// Why the state file was not read or not changed. Unless it says otherwise, nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else holds the lock.
    #[error("{} is being changed by {owner}, for more than {} s; try again, or delete {} if that is not so", .state.display(), .waited.as_secs(), .lock.display())]
    Busy {
        /// The state file.
        state: PathBuf,
        /// Its lock.
        lock: PathBuf,
        /// Who holds it, as far as known.
        owner: String,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The lock was taken away while it was held: somebody deleted it.
    #[error("the lock {} was taken away; nothing was changed, try again", .lock.display())]
    Lost {
        /// The lock.
        lock: PathBuf,
    },
    /// The system refused something.
    #[error("can't {action} {}: {source}", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is something that isn't a file.
    #[error("{} is {what}, not a file", .path.display())]
    NotAFile {
        /// Where the state file should be.
        path: PathBuf,
        /// What is there.
        what: &'static str,
    },
    /// All names for a damaged file are taken.
    #[error("{} is damaged, and there are already {count} damaged ones kept beside it; move them away", .path.display())]
    TooManyDamaged {
        /// The state file.
        path: PathBuf,
        /// Number of names.
        count: u32,
    },
    /// The policy refused the change.
    #[error("{}", .0.detail)]
    Refused(Problem),
    /// The component failed. If a change was already written, it stands in the file and is adopted later.
    #[error(transparent)]
    Defect(#[from] Defect),
}

impl StoreError {
    /// For the answer to a command or an HTTP request.
    pub fn failure(&self) -> StoreFailure {
        let kind = match self {
            StoreError::Busy { .. } | StoreError::Lost { .. } => StoreFailureKind::Busy,
            _ => StoreFailureKind::Failed,
        };
        let detail = match self {
            // Its text is for a log.
            StoreError::Defect(_) => "The switch itself failed; its last decision stands.".into(),
            other => sentence(&other.to_string()),
        };
        StoreFailure { kind, detail }
    }
}

/// As a sentence; a path at the beginning stays as it is.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

impl From<SwitchError> for StoreError {
    fn from(error: SwitchError) -> Self {
        match error {
            SwitchError::Refused(problem) => StoreError::Refused(problem),
            SwitchError::Defect(defect) => StoreError::Defect(defect),
        }
    }
}

/// Turns an error of the system into one with the path.
pub(super) fn at<'a>(
    action: &'static str,
    path: &'a Path,
) -> impl FnOnce(io::Error) -> StoreError + use<'a> {
    move |source| StoreError::Io {
        action,
        path: path.to_owned(),
        source,
    }
}

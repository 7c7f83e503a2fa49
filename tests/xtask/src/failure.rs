//! Why a step failed.

use std::fmt;

/// A step that failed: its exit code, its name, and the last it said.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What the runner exits with. Never 0.
    pub(crate) code: u8,
    /// What failed, in one sentence.
    pub(crate) what: String,
    /// The last lines of output, oldest first; empty if it printed nothing.
    pub(crate) tail: Vec<String>,
}

impl Failure {
    /// A failure that the runner itself found.
    pub(crate) fn own(what: impl Into<String>) -> Self {
        Self {
            code: 1,
            what: what.into(),
            tail: Vec::new(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "xtask: {}", self.what)?;
        if !self.tail.is_empty() {
            write!(out, "\n  the last lines were:")?;
        }
        for line in &self.tail {
            write!(out, "\n  | {line}")?;
        }
        Ok(())
    }
}

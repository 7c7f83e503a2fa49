//! Errors that name what was wrong (`wit/toggle.wit`, `problem`).

/// What kind of mistake a [`Problem`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// It isn't JSON.
    Syntax,
    /// Something that must be there is missing.
    Missing,
    /// It is of another type than it must be.
    WrongType,
    /// It is empty.
    Empty,
    /// It holds characters that can't be seen, or that its kind of name can't have.
    Unprintable,
    /// It is there twice.
    Duplicate,
    /// There is no such thing.
    Unknown,
    /// It is longer, or there is more of it, than is allowed.
    TooMuch,
}

impl ProblemKind {
    /// The kind as JSON spells it: the same word as in the contract.
    pub(super) fn word(self) -> &'static str {
        match self {
            ProblemKind::Syntax => "syntax",
            ProblemKind::Missing => "missing",
            ProblemKind::WrongType => "wrong-type",
            ProblemKind::Empty => "empty",
            ProblemKind::Unprintable => "unprintable",
            ProblemKind::Duplicate => "duplicate",
            ProblemKind::Unknown => "unknown",
            ProblemKind::TooMuch => "too-much",
        }
    }
}

/// An error that names what was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of mistake it is.
    pub kind: ProblemKind,
    /// The field, as `servers[1]`; empty if it is the whole.
    pub field: String,
    /// One English sentence for a person. Not for matching.
    pub detail: String,
}

impl Problem {
    pub(super) fn new(
        kind: ProblemKind,
        field: impl Into<String>,
        detail: impl Into<String>,
    ) -> Problem {
        Problem {
            kind,
            field: field.into(),
            detail: detail.into(),
        }
    }
}

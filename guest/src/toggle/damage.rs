//! What is wrong with a state document (`wit/toggle.wit`, `damage`).

/// What kind of damage it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DamageKind {
    /// It is longer than allowed.
    Size,
    /// It isn't UTF-8.
    Encoding,
    /// It isn't JSON.
    Syntax,
    /// It is JSON of another shape.
    Shape,
    /// It was written by a version that this one doesn't know.
    Version,
}

/// A state document that can't be read, or not all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// What is wrong with it.
    pub kind: DamageKind,
    /// The first field that is wrong, as `conversations.a.enabled`; empty if it is the whole.
    pub field: String,
    /// One English sentence for a person.
    pub detail: String,
}

impl Damage {
    pub(super) fn new(
        kind: DamageKind,
        field: impl Into<String>,
        detail: impl Into<String>,
    ) -> Damage {
        Damage {
            kind,
            field: field.into(),
            detail: detail.into(),
        }
    }
}

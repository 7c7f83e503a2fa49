//! Families that the session hands over whole: documents and providers.

use super::presentable::presentable;
use super::{MOST_VALUES, Matches};
use crate::fold::fold;

/// How many names the contract allows.
const MOST_NAMES: usize = 10_000;

/// Of a list of names those that begin with a folded prefix. A list with an empty name, with the same name twice or
/// longer than the contract allows is malformed, and nothing of it is offered.
pub(super) fn matches(mut names: Vec<String>, prefix: &str) -> Matches {
    names.sort_unstable();
    let repeated = names.array_windows().any(|[one, next]| one == next);
    // In byte order an empty name comes first.
    let empty = names.first().is_some_and(String::is_empty);
    if repeated || empty || names.len() > MOST_NAMES {
        return Matches::default();
    }
    names.retain(|name| presentable(name) && fold(name).starts_with(prefix));
    let total = names.len() as u64;
    names.truncate(MOST_VALUES);
    Matches {
        values: names,
        total,
    }
}

//! Families of identifiers. The host keeps them sorted and hands over the first of a prefix; what it hands over is
//! checked before it is offered.

use super::{MOST_VALUES, Matches};
use crate::session::{Family, IdentifierPage, Session};

/// Length of the part after the family's mark: a SHA-256 in hexadecimal.
const DIGITS: usize = 64;

/// Identifiers of a family that begin with a folded prefix.
pub(super) fn matches(session: &dyn Session, family: Family, prefix: &str) -> Matches {
    let Some(mark) = mark(family) else {
        return Matches::default();
    };
    if !may_begin(mark, prefix) {
        return Matches::default();
    }
    match session.identifiers(family, prefix, MOST_VALUES as u32) {
        Ok(page) if well_formed(&page, mark, prefix) => Matches {
            values: page.values,
            total: page.total,
        },
        Ok(_) | Err(_) => Matches::default(),
    }
}

/// What every identifier of a family begins with.
fn mark(family: Family) -> Option<&'static str> {
    match family {
        Family::Evidence | Family::ProcessCapture => Some("ev_"),
        Family::ArtifactManifest => Some("agm_"),
        Family::ArtifactOccurrence => Some("occ_"),
        Family::ResidualUnknown => Some("unk_"),
        Family::Document | Family::Procedure | Family::Provider => None,
    }
}

/// Whether any identifier could begin with this. If not, the host isn't asked: what was typed can be of any length.
fn may_begin(mark: &str, prefix: &str) -> bool {
    match prefix.strip_prefix(mark) {
        Some(digits) => digits.len() <= DIGITS && digits.bytes().all(is_digit),
        None => mark.starts_with(prefix),
    }
}

fn well_formed(page: &IdentifierPage, mark: &str, prefix: &str) -> bool {
    page.values.len() as u64 == page.total.min(MOST_VALUES as u64)
        && page.values.array_windows().all(|[one, next]| one < next)
        && page.values.iter().all(|value| {
            value.starts_with(prefix)
                && value
                    .strip_prefix(mark)
                    .is_some_and(|digits| digits.len() == DIGITS && digits.bytes().all(is_digit))
        })
}

fn is_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

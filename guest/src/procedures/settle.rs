//! Which of the sorted rows are offered: the ambiguity check (C6).

use super::document::Document;
use super::sort::{Entry, SAME};
use super::{append, malformed};
use crate::session::Fault;

/// In a row's tag: the text is the spelling of a place, not a name.
pub(super) const SPELLING: u32 = 1 << 31;
/// In a row's tag: the text isn't ASCII.
pub(super) const EXOTIC: u32 = 1 << 30;
/// What remains of the tag: the place. So many places don't fit into the address space.
const PLACE: u32 = EXOTIC - 1;

/// Settles rows from number `at` on, some `count` of them, and says up to which it came.
///
/// Rows of the same text, which lie together now, are one value if they are of one place, and none otherwise. The
/// spelling of a place is always a value: a name that is spelled so can only stand aside.
pub(super) fn settle(
    rows: &[Entry],
    at: usize,
    count: usize,
    document: &mut Document,
) -> Result<usize, Fault> {
    let mut to = at;
    let mut rest = rows.get(at..).unwrap_or_default();
    while let Some((first, others)) = rest.split_first() {
        if to - at >= count {
            break;
        }
        let others_alike = others.iter().take_while(|row| row.chunk == SAME).count();
        let (alike, next) = others
            .split_at_checked(others_alike)
            .unwrap_or((others, &[]));
        let mut spellings = usize::from(first.tag & SPELLING != 0);
        let mut one_place = true;
        for row in alike {
            spellings += usize::from(row.tag & SPELLING != 0);
            one_place &= row.tag & PLACE == first.tag & PLACE;
        }
        if spellings > 1 {
            return Err(malformed(
                "places",
                format!("Two places of {:?} are spelled alike.", document.name),
            ));
        }
        if one_place || spellings == 1 {
            let offered = if first.tag & EXOTIC == 0 {
                &mut document.plain
            } else {
                &mut document.exotic.starts
            };
            append(offered, first.start)?;
        }
        to += 1 + others_alike;
        rest = next;
    }
    Ok(to)
}

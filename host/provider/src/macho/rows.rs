//! Names as they are kept, and the text of those that no string table of the file holds.

use crate::escape;
use crate::inventory::{NameRow, flag, hash};

/// Longest name that the index takes, in bytes.
pub(crate) const OFFERED_LIMIT: usize = 65_536;
/// The number of the file's string table in a document.
pub(crate) const STRINGS: u16 = 0;
/// The number of the table of names that were put together here.
pub(crate) const MADE: u16 = 1;

/// A row for a name. `flags`: where it stands, its table included, and who sees it.
pub(crate) fn row(offset: u32, name: &[u8], flags: u16) -> NameRow {
    let plain = escape::is_plain_ascii(name);
    let mut flags = flags;
    if name.len() <= OFFERED_LIMIT && (plain || std::str::from_utf8(name).is_ok()) {
        flags |= flag::OFFERED;
    }
    if plain || escape::display(name).as_bytes() == name {
        flags |= flag::PLAIN;
    }
    NameRow {
        offset,
        len: u32::try_from(name.len()).unwrap_or(u32::MAX),
        hash: hash(name),
        place: 0,
        version: 0,
        flags,
    }
}

/// Names that were put together: from the parts of a trie, from a class and a method, with a suffix.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    limit: usize,
}

impl Made {
    /// At most so many bytes: parts may be used again and again, so that a small file could fill the memory.
    pub(crate) fn new(limit: u64) -> Made {
        Made {
            bytes: Vec::new(),
            limit: usize::try_from(limit.min(1 << 31)).unwrap_or(usize::MAX),
        }
    }

    /// Keeps a name in pieces; `None` if there is no more room.
    pub(crate) fn add(&mut self, pieces: &[&[u8]], flags: u16) -> Option<NameRow> {
        let len: usize = pieces.iter().map(|piece| piece.len()).sum();
        let start = self.bytes.len();
        if start.checked_add(len)? > self.limit {
            return None;
        }
        for piece in pieces {
            self.bytes.extend_from_slice(piece);
        }
        let name = self.bytes.get(start..)?;
        Some(row(
            u32::try_from(start).ok()?,
            name,
            (flags & !flag::TABLE) | MADE,
        ))
    }
}

/// Bits of a binding: 0 global, 1 weak, 2 local.
pub(crate) fn binding(rank: u16) -> u16 {
    rank << flag::BINDING_SHIFT
}

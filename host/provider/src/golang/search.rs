//! Where a table may begin in data that no section name tells apart.

use super::looks_like;
use crate::ReadError;
use crate::file::SourceFile;

/// The data is read in pieces of this size. A table begins at a multiple of eight.
const PIECE: u64 = 1 << 20;
/// So many places are tried.
const CANDIDATES: usize = 16;

/// Adds the offsets, counted from `offset`, at which something among these bytes of the file looks like a table.
pub(crate) fn search(
    file: &SourceFile,
    offset: u64,
    size: u64,
    found: &mut Vec<u64>,
) -> Result<(), ReadError> {
    let mut done = 0;
    while done < size && found.len() < CANDIDATES {
        let piece = PIECE.min(size - done);
        let bytes = file.read_unchecked(offset.saturating_add(done), piece)?;
        let heads = bytes.chunks_exact(8).enumerate();
        found.extend(
            heads
                .filter(|(_, head)| looks_like(head))
                .map(|(number, _)| done + number as u64 * 8),
        );
        done += piece;
    }
    found.truncate(CANDIDATES);
    Ok(())
}

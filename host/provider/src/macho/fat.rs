//! Universal files: several images in one file, for one processor each.

use super::header::HeaderError;
use super::machine::Machine;
use super::window::Span;
use crate::file::SourceFile;

/// A slice as the header of a universal file tells it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) machine: Machine,
    pub(crate) span: Span,
}

/// More slices than there are processors are refused.
const SLICES_LIMIT: u32 = 64;

/// Whether the file begins like a universal one, and whether its rows have 64-bit offsets.
pub(crate) fn width(head: &[u8]) -> Option<bool> {
    match head.get(..4)? {
        [0xca, 0xfe, 0xba, 0xbe] => Some(false),
        [0xca, 0xfe, 0xba, 0xbf] => Some(true),
        _ => None,
    }
}

/// The slices, in the order of the file. Never empty.
pub(crate) fn rows(file: &SourceFile, is_64: bool) -> Result<Vec<Row>, HeaderError> {
    let head = file.read(0, file.len().min(8))?;
    let truncated =
        |what: &str| HeaderError::Truncated(format!("{} bytes, and {what} takes more", file.len()));
    let count = be32(&head, 4).ok_or_else(|| truncated("its header"))?;
    if count == 0 || count > SLICES_LIMIT {
        return Err(HeaderError::Malformed(format!(
            "it says that it has {count} slices; 1 to {SLICES_LIMIT} are taken"
        )));
    }
    let row = if is_64 { 32u64 } else { 20 };
    let size = row * u64::from(count);
    if !file.holds(8, size) {
        return Err(truncated(&format!("the list of its {count} slices")));
    }
    let bytes = file.read(8, size)?;
    let rows: Vec<Row> = bytes
        .chunks_exact(if is_64 { 32 } else { 20 })
        .filter_map(|row| {
            let (offset, size) = if is_64 {
                (be64(row, 8)?, be64(row, 16)?)
            } else {
                (be32(row, 8)?.into(), be32(row, 12)?.into())
            };
            Some(Row {
                machine: Machine {
                    kind: be32(row, 0)?,
                    variant: be32(row, 4)?,
                },
                span: Span { offset, size },
            })
        })
        .collect();
    Ok(rows)
}

/// Why a slice of a list can't be read where it stands, if so.
pub(crate) fn misplaced(file: &SourceFile, rows: &[Row], number: usize) -> Option<String> {
    let span = rows.get(number)?.span;
    if span.offset >= file.len() {
        return Some(format!(
            "the slice begins at {:#x}, behind the end of the file",
            span.offset
        ));
    }
    // Slices that share bytes would multiply what a file can make us read.
    let clash = rows.iter().take(number).any(|other| {
        span.offset < other.span.offset.saturating_add(other.span.size)
            && other.span.offset < span.offset.saturating_add(span.size)
    });
    clash.then(|| "the slice overlaps another one".to_owned())
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(field.try_into().ok()?))
}

fn be64(bytes: &[u8], at: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_be_bytes(field.try_into().ok()?))
}

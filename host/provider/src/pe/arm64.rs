//! Rows of the exception directory on ARM64 and 32-bit ARM: begin, and unwind information packed in a word or elsewhere.

use super::memory::Memory;
use super::pdata::{Pdata, Start};
use crate::ReadError;
use crate::coff::machine;
use crate::coff::raw::{u8_at, u32_at};

/// The unwind code that ends a prologue of another part of the function (`end_c`).
const END_C: u8 = 0xe5;

/// Reads rows of 8 bytes. A fragment has no prologue of its own and doesn't tell which function it belongs to.
pub(super) fn read(
    memory: &mut Memory<'_>,
    rows: &[u8],
    pdata: &mut Pdata,
) -> Result<(), ReadError> {
    let is_32 = memory.pe.machine == machine::ARMNT;
    let unit = if is_32 { 2 } else { 4 };
    let mut unread = 0u64;
    for row in rows.chunks_exact(8) {
        let (Some(begin), Some(word)) = (u32_at(row, 0), u32_at(row, 4)) else {
            continue;
        };
        // Bit 0 says Thumb, and everything is.
        let rva = if is_32 { begin & !1 } else { begin };
        if rva == 0 {
            continue;
        }
        pdata.rows += 1;
        let (length, is_fragment) = match word & 3 {
            0 => match elsewhere(memory, word, is_32)? {
                Some(found) => found,
                None => {
                    unread += 1;
                    (0, false)
                }
            },
            packed => ((word >> 2) & 0x7ff, packed == 2),
        };
        pdata.starts.push(Start {
            rva,
            size: length * unit,
            is_fragment,
        });
    }
    if unread > 0 {
        pdata.damage.push(format!(
            "{unread} rows have unwind information outside the file"
        ));
    }
    Ok(())
}

/// Length and kind from a record: 18 bits of length, then flags and counts, then scopes of epilogues, then codes.
fn elsewhere(
    memory: &mut Memory<'_>,
    rva: u32,
    is_32: bool,
) -> Result<Option<(u32, bool)>, ReadError> {
    let bytes = memory.at(rva)?;
    let Some(head) = u32_at(bytes, 0) else {
        return Ok(None);
    };
    let length = head & 0x3_ffff;
    if is_32 {
        return Ok(Some((length, head & (1 << 22) != 0)));
    }
    let one_epilogue = head & (1 << 21) != 0;
    let (mut epilogues, mut words) = ((head >> 22) & 0x1f, head >> 27);
    let mut at = 4usize;
    if epilogues == 0 && words == 0 {
        let Some(more) = u32_at(bytes, 4) else {
            return Ok(None);
        };
        (epilogues, words) = (more & 0xffff, (more >> 16) & 0xff);
        at = 8;
    }
    if !one_epilogue {
        at = at.saturating_add((epilogues as usize).saturating_mul(4));
    }
    let is_fragment = words > 0 && u8_at(bytes, at) == Some(END_C);
    Ok(Some((length, is_fragment)))
}

//! Rows of the exception directory on x64: begin, end, unwind information.

use super::memory::Memory;
use super::pdata::{Pdata, Start};
use crate::ReadError;
use crate::coff::raw::{u8_at, u32_at};

/// The flag of unwind information that continues another row's.
const CHAINED: u8 = 4;

/// Reads rows of 12 bytes. A row that continues another one's function is no start; where it follows directly, the function
/// is so much longer.
pub(super) fn read(
    memory: &mut Memory<'_>,
    rows: &[u8],
    pdata: &mut Pdata,
) -> Result<(), ReadError> {
    let mut unread = 0u64;
    let mut backwards = 0u64;
    for row in rows.chunks_exact(12) {
        let (Some(begin), Some(end), Some(unwind)) =
            (u32_at(row, 0), u32_at(row, 4), u32_at(row, 8))
        else {
            continue;
        };
        if begin == 0 {
            continue;
        }
        pdata.rows += 1;
        if end <= begin {
            backwards += 1;
            continue;
        }
        match parent(memory, unwind)? {
            Parent::None => pdata.starts.push(Start {
                rva: begin,
                size: end - begin,
                is_fragment: false,
            }),
            Parent::Unknown => {
                unread += 1;
                pdata.starts.push(Start {
                    rva: begin,
                    size: end - begin,
                    is_fragment: false,
                });
            }
            Parent::At(parent) => {
                pdata.chained += 1;
                if let Some(last) = pdata.starts.last_mut()
                    && last.rva.checked_add(last.size) == Some(begin)
                    && parent
                        .checked_sub(last.rva)
                        .is_some_and(|inside| inside < last.size)
                {
                    last.size = end - last.rva;
                }
            }
        }
    }
    if unread > 0 {
        pdata.damage.push(format!(
            "{unread} rows have unwind information outside the file, so parts of functions may be listed as functions"
        ));
    }
    if backwards > 0 {
        pdata
            .damage
            .push(format!("{backwards} rows end before they begin"));
    }
    Ok(())
}

/// Which row a row continues.
enum Parent {
    None,
    /// Where that one begins.
    At(u32),
    Unknown,
}

fn parent(memory: &mut Memory<'_>, unwind: u32) -> Result<Parent, ReadError> {
    // Bit 0: it is no unwind information, but another row.
    if unwind & 1 == 1 {
        return Ok(memory.u32(unwind & !1)?.map_or(Parent::Unknown, Parent::At));
    }
    let bytes = memory.at(unwind)?;
    let (Some(head), Some(codes)) = (u8_at(bytes, 0), u8_at(bytes, 2)) else {
        return Ok(Parent::Unknown);
    };
    if (head >> 3) & CHAINED == 0 {
        return Ok(Parent::None);
    }
    // The other row stands behind the codes, of two bytes each, padded to four.
    let behind = 4 + usize::from(codes).next_multiple_of(2) * 2;
    Ok(u32_at(bytes, behind).map_or(Parent::At(0), Parent::At))
}

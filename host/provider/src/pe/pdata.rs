//! The exception directory: where functions start, and how long they are. The directory tells, not the section's name.

use super::header::directory;
use super::memory::Memory;
use super::{arm64, x64};
use crate::ReadError;
use crate::coff::machine;

/// A function, or a part of one that doesn't tell its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Start {
    pub(crate) rva: u32,
    /// Bytes; 0 if not known.
    pub(crate) size: u32,
    pub(crate) is_fragment: bool,
}

/// What the directory tells.
#[derive(Debug, Default)]
pub(crate) struct Pdata {
    pub(crate) rows: u64,
    /// Rows that continue the function of another row.
    pub(crate) chained: u64,
    pub(crate) starts: Vec<Start>,
    pub(crate) damage: Vec<String>,
}

/// Reads the directory; `None` if the image has none.
pub(crate) fn read(memory: &mut Memory<'_>) -> Result<Option<Pdata>, ReadError> {
    let Some(place) = memory
        .pe
        .directory(directory::EXCEPTION)
        .filter(|place| place.size > 0)
    else {
        return Ok(None);
    };
    let mut pdata = Pdata::default();
    let width = match memory.pe.machine {
        machine::AMD64 => 12usize,
        machine::ARM64 | machine::ARMNT => 8,
        other => {
            pdata.damage.push(format!(
                "its rows are not read for {}",
                machine::architecture(other)
            ));
            return Ok(Some(pdata));
        }
    };
    let rows = memory.at_most(place.rva, place.size as usize)?.to_vec();
    if rows.len() < place.size as usize {
        pdata.damage.push(format!(
            "{} bytes are claimed, and the section holds {}",
            place.size,
            rows.len()
        ));
    }
    if width == 12 {
        x64::read(memory, &rows, &mut pdata)?;
    } else {
        arm64::read(memory, &rows, &mut pdata)?;
    }
    pdata.starts.sort_unstable();
    pdata.starts.dedup_by_key(|start| start.rva);
    Ok(Some(pdata))
}

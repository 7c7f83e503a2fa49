//! Which types of resources there are: the first level of the tree, which is all that is read of it.

use super::super::header::directory;
use super::super::memory::Memory;
use crate::ReadError;
use crate::coff::raw::{u16_at, u32_at};
use crate::escape;

/// Types that are listed.
const TYPES: usize = 256;

/// The types, by name.
pub(super) fn types(
    memory: &mut Memory<'_>,
    limitations: &mut Vec<String>,
) -> Result<Vec<String>, ReadError> {
    let Some(place) = memory.pe.directory(directory::RESOURCE) else {
        return Ok(Vec::new());
    };
    let bytes = memory.at_most(place.rva, place.size as usize)?;
    let (Some(named), Some(numbered)) = (u16_at(bytes, 12), u16_at(bytes, 14)) else {
        limitations.push("the resource directory lies outside the file".to_owned());
        return Ok(Vec::new());
    };
    let count = usize::from(named) + usize::from(numbered);
    let rows = bytes.get(16..).unwrap_or(&[]).chunks_exact(8);
    if rows.len() < count || count > TYPES {
        limitations.push(format!("of {count} types of resources not all are listed"));
    }
    Ok(rows
        .take(count.min(TYPES))
        .filter_map(|row| u32_at(row, 0))
        .map(|kind| match kind & 0x8000_0000 {
            0 => known(kind),
            _ => named_type(bytes, (kind & 0x7fff_ffff) as usize),
        })
        .collect())
}

/// A length, then so many units of UTF-16.
fn named_type(bytes: &[u8], at: usize) -> String {
    let len = u16_at(bytes, at).map_or(0, |len| usize::from(len).min(256));
    let units: Vec<u16> = bytes
        .get(at.saturating_add(2)..)
        .unwrap_or(&[])
        .chunks_exact(2)
        .take(len)
        .filter_map(|unit| u16_at(unit, 0))
        .collect();
    escape::display(String::from_utf16_lossy(&units).as_bytes()).into_owned()
}

fn known(kind: u32) -> String {
    let name = match kind {
        1 => "cursor",
        2 => "bitmap",
        3 => "icon",
        4 => "menu",
        5 => "dialog",
        6 => "string-table",
        7 => "font-directory",
        8 => "font",
        9 => "accelerator",
        10 => "raw-data",
        11 => "message-table",
        12 => "cursor-group",
        14 => "icon-group",
        16 => "version",
        17 => "dialog-include",
        19 => "plug-and-play",
        20 => "vxd",
        21 => "animated-cursor",
        22 => "animated-icon",
        23 => "html",
        24 => "manifest",
        other => return format!("{other}"),
    };
    name.to_owned()
}

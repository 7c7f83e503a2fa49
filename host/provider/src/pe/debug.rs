//! The debug directory: which PDB belongs to the image, and what the compiler recorded.

use super::header::directory;
use super::memory::Memory;
use crate::ReadError;
use crate::coff::raw::{padded, u32_at};
use crate::file::SourceFile;

/// An entry.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) kind: u32,
    pub(crate) bytes: Vec<u8>,
}

/// The PDB that belongs to an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PdbLink {
    /// The path that the linker wrote.
    pub(crate) path: Vec<u8>,
    pub(crate) guid: [u8; 16],
    pub(crate) age: u32,
}

/// Entries of a directory that are read, and bytes of each.
const ENTRIES: usize = 64;
const BYTES: u64 = 4096;

/// The entries; none if there is no directory.
pub(crate) fn entries(file: &SourceFile, memory: &mut Memory<'_>) -> Result<Vec<Entry>, ReadError> {
    let Some(place) = memory.pe.directory(directory::DEBUG) else {
        return Ok(Vec::new());
    };
    let len = (place.size as usize).min(ENTRIES * 28);
    let rows = memory.at_most(place.rva, len)?.to_vec();
    let mut entries = Vec::new();
    for row in rows.chunks_exact(28) {
        let word = |at| u32_at(row, at).unwrap_or(0);
        let (kind, size, offset) = (word(12), u64::from(word(16)), u64::from(word(24)));
        let size = size.min(BYTES).min(file.len().saturating_sub(offset));
        entries.push(Entry {
            kind,
            bytes: file.read(offset.min(file.len()), size)?,
        });
    }
    Ok(entries)
}

/// The PDB that the entries name: `RSDS`, GUID, age, path.
pub(crate) fn pdb(entries: &[Entry]) -> Option<PdbLink> {
    entries
        .iter()
        .filter(|entry| entry.kind == 2 && entry.bytes.starts_with(b"RSDS"))
        .find_map(|entry| {
            Some(PdbLink {
                guid: entry.bytes.get(4..20)?.try_into().ok()?,
                age: u32_at(&entry.bytes, 20)?,
                path: padded(entry.bytes.get(24..)?).to_vec(),
            })
        })
}

/// A GUID as Windows writes it.
pub(crate) fn guid(bytes: &[u8; 16]) -> String {
    let [a, b, c, d, e, f, g, h, rest @ ..] = bytes;
    let mut text = format!(
        "{:08X}-{:04X}-{:04X}-",
        u32::from_le_bytes([*a, *b, *c, *d]),
        u16::from_le_bytes([*e, *f]),
        u16::from_le_bytes([*g, *h]),
    );
    for (number, byte) in rest.iter().enumerate() {
        if number == 2 {
            text.push('-');
        }
        text.push_str(&format!("{byte:02X}"));
    }
    text
}

/// The name of a type of entry.
pub(crate) fn kind(kind: u32) -> String {
    let name = match kind {
        1 => "coff",
        2 => "codeview",
        3 => "fpo",
        4 => "misc",
        5 => "exception",
        6 => "fixup",
        7 => "omap-to-source",
        8 => "omap-from-source",
        9 => "borland",
        12 => "features",
        13 => "profile",
        14 => "link-time-code",
        16 => "repro",
        17 => "embedded-portable-pdb",
        19 => "pdb-checksum",
        20 => "extended-dll-characteristics",
        other => return format!("{other}"),
    };
    name.to_owned()
}

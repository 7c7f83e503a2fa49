//! Where a procedure starts, and how that is spelled.

use std::collections::HashMap;
use std::fmt::Write;

use super::{Document, Mode, ProcedureKind};

/// A part of the image that has a name: a section, or a segment where there are no sections.
#[derive(Debug)]
pub(crate) struct Region {
    /// Its number in the file.
    pub(crate) index: u32,
    /// Its name as bytes of the file; empty for a segment.
    pub(crate) name: Vec<u8>,
    /// How it is spelled in a place; unique in the document. Set by [`label`].
    pub(crate) label: String,
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// Where it stands in the file, if it has bytes there.
    pub(crate) file_offset: Option<u64>,
    pub(crate) executable: bool,
    pub(crate) is_segment: bool,
}

impl Region {
    pub(crate) fn contains(&self, address: u64) -> bool {
        address
            .checked_sub(self.address)
            .is_some_and(|inside| inside < self.size)
    }

    /// The name for people.
    pub(crate) fn shown(&self) -> String {
        if self.is_segment {
            format!("segment {}", self.index)
        } else {
            crate::escape::display(&self.name).into_owned()
        }
    }
}

/// A label longer than this would be repeated in every spelling; such a section goes by its number.
const LABEL_LIMIT: usize = 512;

/// Gives every region the label by which its places are told apart: its name, with its number where names repeat.
pub(crate) fn label(regions: &mut [Region]) {
    let mut count: HashMap<String, u32> = HashMap::new();
    for region in regions.iter_mut() {
        region.label = label_of(&region.name);
        *count.entry(region.label.clone()).or_default() += 1;
    }
    for region in regions {
        if region.label.is_empty() || count.get(&region.label) != Some(&1) {
            let _ = write!(region.label, "#{}", region.index);
        }
    }
}

/// A section's name as part of a spelling: no blanks, nothing but visible ASCII, `#` only before a number.
fn label_of(name: &[u8]) -> String {
    let mut label = String::with_capacity(name.len());
    for &byte in name {
        match byte {
            b'\\' => label.push_str("\\\\"),
            b'#' | 0..=0x20 | 0x7f.. => {
                let _ = write!(label, "\\x{byte:02x}");
            }
            _ => label.push(char::from(byte)),
        }
    }
    if label.len() > LABEL_LIMIT {
        String::new()
    } else {
        label
    }
}

/// Where a procedure starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) address: u64,
    /// Bytes it takes, as far as known; 0 if not.
    pub(crate) size: u64,
    /// Its region: a position in the document's list.
    pub(crate) region: u32,
    /// Its first row of names.
    pub(crate) first_name: u32,
    pub(crate) kind: ProcedureKind,
    pub(crate) mode: Option<Mode>,
    /// Another place of the document has the same address.
    pub(crate) shares_address: bool,
    /// The size comes from unwind information, as no symbol tells one.
    pub(crate) size_is_unwind: bool,
}

impl Document {
    /// Writes the spelling of a place behind a text.
    pub(crate) fn spell(&self, place: &Place, out: &mut String) {
        let _ = write!(out, "{:#x}", place.address);
        if place.shares_address
            && let Some(region) = self.regions.get(place.region as usize)
        {
            out.push('@');
            out.push_str(&region.label);
        }
    }

    /// How a place is spelled: `0x` and its address in lower-case hexadecimal without leading zeros; where two places of
    /// the document have the same address, `@` and the section follow. `None` if there is no such place.
    pub fn spelling(&self, place: u32) -> Option<String> {
        let mut out = String::new();
        self.spell(self.places.get(place as usize)?, &mut out);
        Some(out)
    }

    /// The bytes that [`spell`](Self::spell) writes.
    pub(crate) fn spelling_len(place: &Place, regions: &[Region]) -> u64 {
        let digits = u64::from(64 - place.address.leading_zeros())
            .div_ceil(4)
            .max(1);
        let label = if place.shares_address {
            regions
                .get(place.region as usize)
                .map_or(0, |region| region.label.len() as u64 + 1)
        } else {
            0
        };
        digits + 2 + label
    }

    /// The rows of a place's names.
    pub(crate) fn name_range(&self, place: u32) -> std::ops::Range<usize> {
        let first = |number: u32| {
            self.places
                .get(number as usize)
                .map_or(self.names.len(), |place| place.first_name as usize)
        };
        first(place)..first(place.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(index: u32, name: &[u8]) -> Region {
        Region {
            index,
            name: name.to_vec(),
            label: String::new(),
            address: 0,
            size: 0,
            file_offset: None,
            executable: true,
            is_segment: false,
        }
    }

    #[test]
    fn labels_of_sections_are_unique_and_visible() {
        let mut regions: Vec<Region> = [
            &b".text"[..],
            b".text",
            b".text#1",
            b"a b",
            b"",
            &[0xff; 200],
        ]
        .iter()
        .zip(1..)
        .map(|(name, index)| region(index, name))
        .collect();
        label(&mut regions);
        let labels: Vec<&str> = regions.iter().map(|region| region.label.as_str()).collect();
        assert_eq!(
            labels,
            [".text#1", ".text#2", ".text\\x231", "a\\x20b", "#5", "#6"]
        );
    }
}

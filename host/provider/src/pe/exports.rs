//! The export directory: slots first, then the names that are attached to them.

use std::collections::HashMap;

use super::header::directory;
use super::memory::Memory;
use crate::ReadError;
use crate::coff::raw::{u16_at, u32_at};

/// A slot that isn't empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) index: u32,
    /// Of code or data; or, for a forwarder, of its text.
    pub(crate) rva: u32,
    pub(crate) is_forwarder: bool,
    pub(crate) named: bool,
}

/// A name and what it is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name_rva: u32,
    /// Position in [`Exports::slots`].
    pub(crate) slot: u32,
}

/// An export directory.
#[derive(Debug, Default)]
pub(crate) struct Exports {
    /// What the DLL calls itself: where that text stands.
    pub(crate) name_rva: u32,
    pub(crate) ordinal_base: u32,
    /// Slots of the table, empty ones too.
    pub(crate) total: u64,
    pub(crate) slots: Vec<Slot>,
    /// In the order of the table of names.
    pub(crate) names: Vec<Named>,
    /// Rows of the table of names.
    pub(crate) names_total: u64,
    pub(crate) damage: Vec<String>,
}

impl Exports {
    /// Reads the directory; `None` if the image has none.
    pub(crate) fn read(memory: &mut Memory<'_>) -> Result<Option<Exports>, ReadError> {
        let Some(place) = memory.pe.directory(directory::EXPORT) else {
            return Ok(None);
        };
        let mut exports = Exports::default();
        let Some(header) = memory.exactly(place.rva, 40)?.map(<[u8]>::to_vec) else {
            exports.damage.push(format!(
                "the directory at {:#x} lies outside the file",
                place.rva
            ));
            return Ok(Some(exports));
        };
        let word = |at| u32_at(&header, at).unwrap_or(0);
        exports.name_rva = word(12);
        exports.ordinal_base = word(16);
        let (slots, names) = (word(20), word(24));
        let (slots_rva, names_rva, indices_rva) = (word(28), word(32), word(36));
        exports.total = slots.into();
        exports.names_total = names.into();
        let is_forwarder = |rva: u32| {
            rva.checked_sub(place.rva)
                .is_some_and(|inside| inside < place.size)
        };

        let rows = memory.at_most(slots_rva, (slots as usize).saturating_mul(4))?;
        if rows.len() / 4 < slots as usize {
            exports.damage.push(format!(
                "{slots} slots are claimed, and the section holds {}",
                rows.len() / 4
            ));
        }
        exports.slots = (0u32..)
            .zip(rows.chunks_exact(4))
            .filter_map(|(index, row)| {
                let rva = u32_at(row, 0).filter(|rva| *rva != 0)?;
                Some(Slot {
                    index,
                    rva,
                    is_forwarder: is_forwarder(rva),
                    named: false,
                })
            })
            .collect();
        exports.attach(memory, names, names_rva, indices_rva)?;
        Ok(Some(exports))
    }

    /// Finds the slot of every name. The numbers of the slots have 16 bits and no sign.
    fn attach(
        &mut self,
        memory: &mut Memory<'_>,
        count: u32,
        names_rva: u32,
        indices_rva: u32,
    ) -> Result<(), ReadError> {
        let count = count as usize;
        let indices = memory
            .at_most(indices_rva, count.saturating_mul(2))?
            .to_vec();
        let names = memory.at_most(names_rva, count.saturating_mul(4))?;
        let rows = (names.len() / 4).min(indices.len() / 2);
        if rows < count {
            self.damage.push(format!(
                "{count} names are claimed, and the sections hold {rows}"
            ));
        }
        let positions: HashMap<u32, u32> = (0u32..)
            .zip(&self.slots)
            .map(|(position, slot)| (slot.index, position))
            .collect();
        let mut lost = 0u64;
        for (name, index) in names
            .chunks_exact(4)
            .zip(indices.chunks_exact(2))
            .take(rows)
        {
            let (Some(name_rva), Some(index)) = (u32_at(name, 0), u16_at(index, 0)) else {
                continue;
            };
            match positions.get(&u32::from(index)) {
                Some(&slot) => {
                    if let Some(slot) = self.slots.get_mut(slot as usize) {
                        slot.named = true;
                    }
                    self.names.push(Named { name_rva, slot });
                }
                None => lost += 1,
            }
        }
        if lost > 0 {
            self.damage.push(format!(
                "{lost} names belong to a slot that is empty or not there"
            ));
        }
        Ok(())
    }

    /// The ordinal of a slot.
    pub(crate) fn ordinal(&self, slot: Slot) -> u32 {
        self.ordinal_base.wrapping_add(slot.index)
    }
}

//! Relocations, as far as they tell where code is: which symbol a slot of the offset table takes, and which pointers to code
//! stand in arrays and descriptors.

use std::collections::HashMap;

use object::elf;

use super::Elf;
use super::dynamic::Dynamic;
use crate::ReadError;
use crate::file::SourceFile;

/// What the loader puts into a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The address of a symbol of the dynamic table, by its number.
    Symbol(u32),
    /// What a resolver answers.
    Resolved,
}

/// What was read.
#[derive(Debug, Default)]
pub(crate) struct Relocations {
    /// By address.
    pub(crate) slots: HashMap<u64, Slot>,
    /// Pointers into the image, by their own address, in the wanted ranges.
    pub(crate) pointers: HashMap<u64, u64>,
    /// Why it isn't all of it.
    pub(crate) damage: Vec<String>,
}

/// A table of relocations in the file.
#[derive(Clone, Copy, Debug)]
struct Table {
    offset: u64,
    size: u64,
    has_addend: bool,
}

/// The numbers by which a processor calls what it knows.
#[derive(Clone, Copy, Debug)]
struct Kinds {
    slot: u32,
    data: u32,
    relative: u32,
    resolved: u32,
}

/// Tables are read in pieces of so many rows.
const ROWS: u64 = 1 << 14;
/// Slots and pointers that are kept; no real file has as many.
const KEPT: usize = 4 << 20;

fn kinds(machine: u16) -> Option<Kinds> {
    let [slot, data, relative, resolved] = match machine {
        3 => [7, 6, 8, 42],
        // PowerPC64: pointers alone are wanted.
        21 => [u32::MAX, u32::MAX, 22, u32::MAX],
        40 => [22, 21, 23, 160],
        62 => [7, 6, 8, 37],
        183 => [1026, 1025, 1027, 1032],
        243 => [5, u32::MAX, 3, 58],
        _ => return None,
    };
    Some(Kinds {
        slot,
        data,
        relative,
        resolved,
    })
}

impl Relocations {
    /// Reads the relocations that a loader applies. `wanted` are ranges of addresses in which pointers are looked for.
    pub(crate) fn read(
        file: &SourceFile,
        elf: &Elf,
        dynamic: Option<&Dynamic>,
        wanted: &[(u64, u64)],
    ) -> Result<Relocations, ReadError> {
        let mut this = Relocations::default();
        let Some(kinds) = kinds(elf.header.machine).filter(|_| !elf.is_relocatable()) else {
            return Ok(this);
        };
        for table in tables(elf, dynamic, &mut this.damage) {
            this.take(file, elf, kinds, wanted, table)?;
        }
        file.check()?;
        Ok(this)
    }

    fn take(
        &mut self,
        file: &SourceFile,
        elf: &Elf,
        kinds: Kinds,
        wanted: &[(u64, u64)],
        table: Table,
    ) -> Result<(), ReadError> {
        let shape = elf.shape;
        let row = shape.word() * if table.has_addend { 3 } else { 2 };
        if !file.holds(table.offset, table.size) {
            self.damage.push(format!(
                "{} bytes of relocations at {:#x} lie outside the file",
                table.size, table.offset
            ));
            return Ok(());
        }
        let mut done = 0;
        while done < table.size {
            let piece = (table.size - done).min(ROWS * row);
            let bytes = file.read_unchecked(table.offset + done, piece)?;
            for row in bytes.chunks_exact(usize::try_from(row).unwrap_or(usize::MAX)) {
                let Some((address, info)) = shape
                    .word_at(row, 0)
                    .zip(shape.word_at(row, if shape.is_64 { 8 } else { 4 }))
                else {
                    continue;
                };
                let (symbol, kind) = if shape.is_64 {
                    (info >> 32, info & 0xffff_ffff)
                } else {
                    (info >> 8, info & 0xff)
                };
                let (symbol, kind) = (
                    u32::try_from(symbol).unwrap_or(0),
                    u32::try_from(kind).unwrap_or(0),
                );
                if self.slots.len() + self.pointers.len() >= KEPT {
                    self.damage.push(format!("more than {KEPT} relocations"));
                    return Ok(());
                }
                if kind == kinds.relative {
                    let is_wanted = |range: &(u64, u64)| (range.0..range.1).contains(&address);
                    if table.has_addend
                        && wanted.iter().any(is_wanted)
                        && let Some(addend) = shape.word_at(row, if shape.is_64 { 16 } else { 8 })
                    {
                        self.pointers.insert(address, addend);
                    }
                } else if (kind == kinds.slot || kind == kinds.data) && symbol != 0 {
                    self.slots.insert(address, Slot::Symbol(symbol));
                } else if kind == kinds.resolved {
                    self.slots.insert(address, Slot::Resolved);
                }
            }
            done += piece;
        }
        Ok(())
    }
}

/// The tables that the dynamic section tells of; in a static program those that are loaded.
fn tables(elf: &Elf, dynamic: Option<&Dynamic>, damage: &mut Vec<String>) -> Vec<Table> {
    let Some(dynamic) = dynamic else {
        let form = |kind: u32| match kind {
            kind if kind == elf::SHT_REL.0 => Some(false),
            kind if kind == elf::SHT_RELA.0 => Some(true),
            _ => None,
        };
        return elf
            .sections
            .iter()
            .filter(|section| section.flags & elf::SHF_ALLOC.0 != 0)
            .filter_map(|section| {
                Some(Table {
                    offset: section.offset,
                    size: section.size,
                    has_addend: form(section.kind)?,
                })
            })
            .collect();
    };
    let plt_has_addend = dynamic.get(elf::DT_PLTREL) != Some(17);
    [
        (elf::DT_RELA, elf::DT_RELASZ, true),
        (elf::DT_REL, elf::DT_RELSZ, false),
        (elf::DT_JMPREL, elf::DT_PLTRELSZ, plt_has_addend),
    ]
    .into_iter()
    .filter_map(|(address, size, has_addend)| {
        let (address, size) = (dynamic.get(address)?, dynamic.get(size)?);
        let Some((offset, behind)) = elf.file_range(address) else {
            if size > 0 {
                damage.push(format!(
                    "relocations at {address:#x} lie outside the loaded segments"
                ));
            }
            return None;
        };
        Some(Table {
            offset,
            size: size.min(behind),
            has_addend,
        })
    })
    .collect()
}

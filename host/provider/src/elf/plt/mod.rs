//! Stubs of imported functions: pieces of code that jump to where a slot of the global offset table says.
//!
//! A stub has the name of the symbol that the loader puts into its slot, and `@plt` behind it. Which slot that is is read from
//! its instructions, never from its position: tables have heads, second tables, gaps and edits (rizin 153, angr 339, samply
//! 778).

mod aarch64;
mod arm;
mod x86;

use object::elf;

use super::Elf;
use super::header::string_at;
use super::regions::is_plt_name;
use super::relocs::Slot;
use super::starts::Finder;
use super::symbols::SymbolTable;
use crate::ReadError;
use crate::coverage::Ledger;
use crate::inventory::{Candidate, Mode, ProcedureKind, flag, name_row};

/// A piece of code that jumps through a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stub {
    start: u64,
    size: u64,
    slot: u64,
    mode: Option<Mode>,
}

/// What the code of a table was read as.
#[derive(Debug, Default, PartialEq, Eq)]
struct Decoded {
    stubs: Vec<Stub>,
    /// Bytes that are none of the instructions such tables are made of.
    unknown: u64,
}

/// The dynamic symbols while they are at hand.
pub(crate) struct Imports<'a> {
    pub(crate) rows: &'a [u8],
    pub(crate) strings: &'a [u8],
    /// The number of these strings in the document.
    pub(crate) table: u16,
    /// The number of the text `plt` in the document's list of versions.
    pub(crate) suffix: u16,
}

impl SymbolTable {
    /// Whether slots refer to this table.
    pub(crate) fn is_of_slots(&self) -> bool {
        self.dynamic && !self.rows.is_empty()
    }
}

/// Adds every stub. Coverage says what couldn't be read.
pub(crate) fn add(
    finder: &Finder<'_>,
    imports: Option<&Imports<'_>>,
    candidates: &mut Vec<Candidate>,
    ledger: &mut Ledger,
) -> Result<(), ReadError> {
    let Finder {
        file,
        elf,
        regions,
        dynamic,
        relocations,
        ..
    } = *finder;
    if elf.is_relocatable() {
        return Ok(());
    }
    if regions.are_segments {
        if dynamic.is_some_and(|dynamic| dynamic.get(elf::DT_JMPREL).is_some()) {
            ledger.places_partial.push(
                "stubs of imported functions are not found, as no section says where they are"
                    .to_owned(),
            );
        }
        return Ok(());
    }
    let got = dynamic
        .and_then(|dynamic| dynamic.get(elf::DT_PLTGOT))
        .or_else(|| {
            elf.section_named(b".got.plt")
                .or_else(|| elf.section_named(b".got"))
                .map(|section| section.address)
        });
    for (number, region) in (0u32..).zip(&regions.list) {
        if !region.executable || !is_plt_name(&region.name) {
            continue;
        }
        let source = region.shown();
        let Some(offset) = region.file_offset else {
            continue;
        };
        let code = file.read(offset, region.size)?;
        let decoded = match elf.header.machine {
            3 | 62 => x86::decode(&code, region.address, elf.header.machine == 62, got),
            40 => arm::decode(&code, region.address, arm_is_little(elf)),
            183 => aarch64::decode(&code, region.address),
            _ => {
                ledger.places_partial.push(format!(
                    "stubs of imported functions ({source}) are not read for this processor"
                ));
                continue;
            }
        };
        let mut found = 0;
        for stub in &decoded.stubs {
            // The head of a table jumps through a slot that no relocation fills.
            let Some(slot) = relocations.slots.get(&stub.slot) else {
                continue;
            };
            found += 1;
            let name = imports.and_then(|imports| imports.name(elf, *slot));
            candidates.push(Candidate {
                address: stub.start,
                size: stub.size,
                region: number,
                kind: ProcedureKind::ImportStub,
                mode: stub.mode,
                name,
                inferred: false,
            });
        }
        let mut damage = relocations.damage.clone();
        if decoded.unknown > 0 {
            damage.push(format!(
                "{} bytes are none of the instructions that such tables are made of",
                decoded.unknown
            ));
        }
        ledger
            .places_partial
            .extend(damage.iter().map(|why| format!("{source}: {why}")));
        ledger.source(&source, found, damage);
    }
    Ok(())
}

impl Imports<'_> {
    /// The name of the stub whose slot takes a symbol.
    fn name(&self, elf: &Elf, slot: Slot) -> Option<crate::inventory::NameRow> {
        let Slot::Symbol(number) = slot else {
            return None;
        };
        let symbol = elf.shape.symbol(self.rows, number)?;
        let text = string_at(self.strings, symbol.name).filter(|text| !text.is_empty())?;
        let mut row = name_row(text, symbol.name, self.table);
        row.flags |= flag::SUFFIX;
        row.version = self.suffix;
        Some(row)
    }
}

/// Instructions are little-endian in big-endian images for ARMv6 and later (BE8).
fn arm_is_little(elf: &Elf) -> bool {
    const BE8: u32 = 0x0080_0000;
    elf.shape.endian == object::Endianness::Little || elf.header.flags & BE8 != 0
}

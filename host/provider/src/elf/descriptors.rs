//! Function descriptors of 64-bit PowerPC (ELFv1): a function symbol leads to `.opd`, whose first doubleword leads to the code.

use std::collections::HashMap;

use object::elf;

use super::Elf;
use super::raw::Symbol;
use super::relocs::Relocations;
use crate::ReadError;
use crate::file::SourceFile;

/// The descriptors; none for any other processor.
#[derive(Debug, Default)]
pub(crate) struct Descriptors {
    section: u32,
    address: u64,
    bytes: Vec<u8>,
    /// In a linked file, by address: what the loader will put there.
    pointers: HashMap<u64, u64>,
    /// In a relocatable file, by offset: section and offset of the code.
    targets: HashMap<u64, (u16, u64)>,
}

/// R_PPC64_ADDR64.
const ADDRESS: u32 = 38;
/// SHN_LORESERVE: from here on a section's number is none.
const RESERVED: u16 = 0xff00;

impl Descriptors {
    pub(crate) fn read(file: &SourceFile, elf: &Elf) -> Result<Descriptors, ReadError> {
        let mut this = Descriptors::default();
        if elf.header.machine != elf::EM_PPC64.0 {
            return Ok(this);
        }
        let Some(number) = elf
            .sections
            .iter()
            .position(|section| elf.section_name(section) == b".opd")
        else {
            return Ok(this);
        };
        let Some(section) = elf.sections.get(number) else {
            return Ok(this);
        };
        this.section = u32::try_from(number).unwrap_or(0);
        this.address = section.address;
        // A debug file keeps the header alone.
        this.bytes = elf.section_bytes(file, section)?.unwrap_or_default();
        if elf.is_relocatable() {
            this.read_targets(file, elf)?;
        }
        Ok(this)
    }

    fn read_targets(&mut self, file: &SourceFile, elf: &Elf) -> Result<(), ReadError> {
        let is_ours = |section: &&super::raw::Section| {
            section.kind == elf::SHT_RELA.0 && section.info == self.section
        };
        let Some(table) = elf.sections.iter().find(is_ours) else {
            return Ok(());
        };
        let Some(symbols) = elf.sections.get(table.link as usize) else {
            return Ok(());
        };
        let (Ok(rows), Ok(symbols)) = (
            elf.section_bytes(file, table)?,
            elf.section_bytes(file, symbols)?,
        ) else {
            return Ok(());
        };
        for row in rows.chunks_exact(24) {
            let field = |at| elf.shape.word_at(row, at);
            let (Some(offset), Some(info), Some(addend)) = (field(0), field(8), field(16)) else {
                continue;
            };
            let number = u32::try_from(info >> 32).unwrap_or(0);
            if info & 0xffff_ffff == u64::from(ADDRESS)
                && let Some(symbol) = elf.shape.symbol(&symbols, number)
                && symbol.section != 0
                && symbol.section < RESERVED
            {
                let target = (symbol.section, symbol.value.wrapping_add(addend));
                self.targets.insert(offset, target);
            }
        }
        Ok(())
    }

    /// The addresses that they take in a linked file.
    pub(crate) fn range(&self) -> Option<(u64, u64)> {
        let size = self.bytes.len() as u64;
        (size > 0).then(|| (self.address, self.address.saturating_add(size)))
    }

    /// Takes what the loader will put into them.
    pub(crate) fn apply(&mut self, relocations: &Relocations) {
        if let Some((start, end)) = self.range() {
            self.pointers.extend(
                relocations
                    .pointers
                    .iter()
                    .filter(|(address, _)| (start..end).contains(address)),
            );
        }
    }

    /// The code behind an address of a linked file, if a descriptor stands there.
    pub(crate) fn code(&self, elf: &Elf, address: u64) -> Option<u64> {
        if let Some(code) = self.pointers.get(&address) {
            return Some(*code);
        }
        let inside = usize::try_from(address.checked_sub(self.address)?).ok()?;
        elf.shape
            .word_at(&self.bytes, inside)
            .filter(|code| *code != 0)
    }

    /// The symbol of the code, if a function's symbol leads to a descriptor.
    pub(crate) fn follow(&self, elf: &Elf, symbol: Symbol) -> Option<Symbol> {
        if self.bytes.is_empty() {
            return None;
        }
        if elf.is_relocatable() {
            let (section, value) = *self
                .targets
                .get(&symbol.value)
                .filter(|_| u32::from(symbol.section) == self.section)?;
            return Some(Symbol {
                section,
                value,
                ..symbol
            });
        }
        Some(Symbol {
            value: self.code(elf, symbol.value)?,
            ..symbol
        })
    }
}

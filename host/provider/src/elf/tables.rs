//! Where symbol tables are: by section headers, or by the dynamic section.

use object::elf;

use super::Elf;
use super::dynamic::Dynamic;
use super::hashes::{self, Count};
use super::raw::Section;
use super::symbols::SymbolTable;
use super::versions::{Tables, Versions};
use crate::ReadError;
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::inventory::TextTable;

/// A name knows its string table by a number of three bits; three are left for names from elsewhere.
const TABLES: usize = 5;
/// Version definitions without a section are read up to this many bytes.
const VERSION_LIMIT: u64 = 4 << 20;

/// All symbol tables of a file.
pub(crate) fn symbol_tables(
    file: &SourceFile,
    elf: &Elf,
    ledger: &mut Ledger,
) -> Result<Vec<SymbolTable>, ReadError> {
    let mut found = Vec::new();
    let is_table =
        |section: &&Section| section.kind == elf::SHT_SYMTAB.0 || section.kind == elf::SHT_DYNSYM.0;
    for section in elf.sections.iter().filter(is_table) {
        // In a debug file the dynamic table is left without bytes; that is no damage, as its kind is changed too.
        if found.len() == TABLES {
            ledger.naming_partial.push(format!(
                "more than {TABLES} symbol tables: the rest is not read"
            ));
            break;
        }
        found.push(by_section(file, elf, section)?);
    }
    let has_dynamic = elf
        .sections
        .iter()
        .any(|section| section.kind == elf::SHT_DYNSYM.0);
    if let Some(damage) = &elf.sections_damaged {
        ledger.naming_unknown.push(format!(
            "the section headers are damaged, so a .symtab can't be found: {damage}"
        ));
    }
    if !has_dynamic && !elf.is_relocatable() {
        match Dynamic::read(file, elf)? {
            Some(dynamic) => {
                if let Some(damage) = &dynamic.damage {
                    ledger
                        .naming_partial
                        .push(format!("the dynamic section: {damage}"));
                }
                if let Some(address) = dynamic.get(elf::DT_SYMTAB)
                    && found.len() < TABLES
                {
                    found.push(by_dynamic(file, elf, &dynamic, address)?);
                }
            }
            None if elf.sections.is_empty() && elf.sections_damaged.is_none() => {
                ledger.naming_unknown.push("there are neither section headers nor a dynamic section: a symbol table can't be found".to_owned());
            }
            None => {}
        }
    }
    Ok(found)
}

fn by_section(file: &SourceFile, elf: &Elf, section: &Section) -> Result<SymbolTable, ReadError> {
    let dynamic = section.kind == elf::SHT_DYNSYM.0;
    let mut damage = Vec::new();
    let rows = take(elf, file, section, &mut damage)?;
    if !section.size.is_multiple_of(elf.shape.symbol_size()) {
        damage.push(format!(
            "its size {} is no multiple of a symbol's",
            section.size
        ));
    }
    let number = elf
        .sections
        .iter()
        .position(|other| std::ptr::eq(other, section))
        .unwrap_or(usize::MAX);
    let linked = |kind: u32| {
        elf.sections
            .iter()
            .find(|other| other.kind == kind && other.link as usize == number)
    };
    let strings_section = elf
        .sections
        .get(section.link as usize)
        .filter(|_| section.link != 0);
    let (strings, text) = match strings_section {
        Some(table) => {
            let mut of_strings = Vec::new();
            let bytes = take(elf, file, table, &mut of_strings)?;
            damage.extend(
                of_strings
                    .into_iter()
                    .map(|why| format!("its string table: {why}")),
            );
            (
                bytes,
                TextTable {
                    source: None,
                    file_offset: table.offset,
                    len: table.size,
                },
            )
        }
        None => {
            damage.push("it has no string table".to_owned());
            (
                Vec::new(),
                TextTable {
                    source: None,
                    file_offset: 0,
                    len: 0,
                },
            )
        }
    };
    // A table that couldn't be read is empty, for whoever reads it again too.
    let text = if strings.is_empty() {
        TextTable {
            source: None,
            file_offset: 0,
            len: 0,
        }
    } else {
        text
    };
    let sections = match linked(elf::SHT_SYMTAB_SHNDX.0) {
        Some(section) => take(elf, file, section, &mut damage)?,
        None => Vec::new(),
    };
    let mut of_versions = Vec::new();
    let mut tables = Tables::default();
    if dynamic && let Some(numbers) = linked(elf::SHT_GNU_VERSYM.0) {
        tables.numbers = take(elf, file, numbers, &mut of_versions)?;
        for (kind, bytes) in [
            (elf::SHT_GNU_VERDEF.0, &mut tables.defined),
            (elf::SHT_GNU_VERNEED.0, &mut tables.needed),
        ] {
            if let Some(section) = elf.sections.iter().find(|section| section.kind == kind) {
                *bytes = take(elf, file, section, &mut of_versions)?;
            }
        }
    }
    let mut versions = Versions::parse(elf.shape, tables, &strings);
    versions.damage.extend(of_versions);
    let source = crate::escape::display(elf.section_name(section)).into_owned();
    let source = match source.as_str() {
        "" if dynamic => ".dynsym".to_owned(),
        "" => ".symtab".to_owned(),
        _ => source,
    };
    Ok(SymbolTable {
        source,
        dynamic,
        rows,
        sections,
        strings,
        text,
        versions,
        damage,
    })
}

/// A section's bytes; if there are none to be had, why is added to the damage.
fn take(
    elf: &Elf,
    file: &SourceFile,
    section: &Section,
    damage: &mut Vec<String>,
) -> Result<Vec<u8>, ReadError> {
    match elf.section_bytes(file, section)? {
        Ok(bytes) => Ok(bytes),
        Err(why) => {
            damage.push(why);
            Ok(Vec::new())
        }
    }
}

fn by_dynamic(
    file: &SourceFile,
    elf: &Elf,
    dynamic: &Dynamic,
    address: u64,
) -> Result<SymbolTable, ReadError> {
    let mut damage = Vec::new();
    let count = match hashes::count(file, elf, dynamic, address)? {
        Some(Count::Known(count)) => count,
        Some(Count::AtMost(count)) => {
            damage.push("no hash table tells how many symbols there are; those before the next table were read".to_owned());
            count
        }
        None => {
            damage.push(format!(
                "DT_SYMTAB {address:#x} lies outside the loaded segments"
            ));
            0
        }
    };
    let rows_size = count.saturating_mul(elf.shape.symbol_size());
    let rows = piece(file, elf, address, rows_size, &mut damage)?;
    let strings_at = dynamic.get(elf::DT_STRTAB).unwrap_or(0);
    let strings_size = dynamic.get(elf::DT_STRSZ).unwrap_or(0);
    let strings = piece(file, elf, strings_at, strings_size, &mut damage)?;
    let file_offset = elf.file_range(strings_at).map_or(0, |(offset, _)| offset);
    let text = TextTable {
        source: None,
        file_offset: if strings.is_empty() { 0 } else { file_offset },
        len: strings.len() as u64,
    };
    let mut tables = Tables::default();
    if let Some(numbers) = dynamic.get(elf::DT_VERSYM) {
        tables.numbers = piece(file, elf, numbers, count.saturating_mul(2), &mut damage)?;
        for (tag, bytes) in [
            (elf::DT_VERDEF, &mut tables.defined),
            (elf::DT_VERNEED, &mut tables.needed),
        ] {
            if let Some((offset, behind)) =
                dynamic.get(tag).and_then(|address| elf.file_range(address))
            {
                *bytes = file.read(
                    offset,
                    behind
                        .min(VERSION_LIMIT)
                        .min(file.len().saturating_sub(offset)),
                )?;
            }
        }
    }
    let versions = Versions::parse(elf.shape, tables, &strings);
    Ok(SymbolTable {
        source: "DT_SYMTAB".to_owned(),
        dynamic: true,
        rows,
        sections: Vec::new(),
        strings,
        text,
        versions,
        damage,
    })
}

/// So many bytes of the image, as far as its segment and the file have them.
pub(crate) fn piece(
    file: &SourceFile,
    elf: &Elf,
    address: u64,
    size: u64,
    damage: &mut Vec<String>,
) -> Result<Vec<u8>, ReadError> {
    let Some((offset, behind)) = elf
        .file_range(address)
        .filter(|(offset, _)| *offset < file.len())
    else {
        if size > 0 {
            damage.push(format!(
                "{size} bytes at address {address:#x} lie outside the loaded segments"
            ));
        }
        return Ok(Vec::new());
    };
    let there = size.min(behind).min(file.len().saturating_sub(offset));
    if there < size {
        damage.push(format!(
            "of {size} bytes at address {address:#x} only {there} are there"
        ));
    }
    file.read(offset, there)
}

//! The inventory of an ELF file.

use std::sync::Arc;

use object::elf;

use super::Elf;
use super::regions::Regions;
use super::symbols::{SymbolTable, Walk};
use super::{starts, tables, unread};
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::inventory::{Candidate, Document, Parts, ProcedureKind, TextTable, assemble, flag};
use crate::monitor::step;
use crate::options::Surroundings;
use crate::{Monitor, ReadError};

/// Reads every source of names and places.
pub(crate) fn document(
    file: &Arc<SourceFile>,
    elf: &Elf,
    document: &str,
    near: Option<&Surroundings>,
    monitor: &dyn Monitor,
) -> Result<Document, ReadError> {
    step(monitor, 0, file.len())?;
    let regions = Regions::of(elf, file);
    let mut ledger = Ledger::default();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut versions: Vec<Box<[u8]>> = Vec::new();
    let mut texts: Vec<TextTable> = Vec::new();
    let mut bytes: Vec<Vec<u8>> = Vec::new();
    let mut has_symtab = false;
    for table in tables::symbol_tables(file, elf, &mut ledger)? {
        step(monitor, texts.iter().map(|text| text.len).sum(), file.len())?;
        has_symtab |= !table.dynamic && !table.rows.is_empty();
        let walk = Walk {
            elf,
            regions: &regions,
            table: u16::try_from(texts.len()).unwrap_or(u16::MAX),
            source: if table.dynamic {
                flag::DYNSYM
            } else {
                flag::SYMTAB
            },
            first_version: u16::try_from(versions.len()).unwrap_or(u16::MAX),
        };
        let found = walk.run(&table, &mut candidates);
        account(&mut ledger, &table, found);
        let SymbolTable {
            strings,
            text,
            versions: of_table,
            ..
        } = table;
        versions.extend(of_table.names);
        texts.push(text);
        bytes.push(strings);
    }
    starts::add(file, elf, &regions, &mut candidates, &mut ledger)?;
    unread::note(file, elf, has_symtab, &mut ledger)?;
    step(monitor, file.len(), file.len())?;
    file.check()?;
    let mut document = assemble(Parts {
        document: document.to_owned(),
        file: Arc::clone(file),
        regions: regions.list,
        candidates,
        versions,
        tables: texts,
        bytes,
        coverage: ledger.coverage(),
        relocatable: elf.is_relocatable(),
        is_arm: elf.header.machine == elf::EM_ARM.0,
    })?;
    if has_symtab {
        // Unwind information that knows more functions than the symbols proves that symbols were removed.
        let unnamed = document
            .kinds()
            .iter()
            .find(|(kind, _)| *kind == ProcedureKind::Inferred)
            .map_or(0, |(_, count)| *count);
        if unnamed > 0 {
            document.add_place_reason(format!(
                "{unnamed} places have no symbol, so symbols of others may be missing too"
            ));
        }
    }
    Ok(document)
}

fn account(ledger: &mut Ledger, table: &SymbolTable, found: super::symbols::Found) {
    let source = &table.source;
    let mut damage = table.damage.clone();
    damage.extend(table.versions.damage.iter().cloned());
    if found.damaged_names > 0 {
        damage.push(format!(
            "{} names run out of the string table",
            found.damaged_names
        ));
    }
    if found.damaged_versions > 0 {
        damage.push(format!(
            "{} symbols have a version that no table explains",
            found.damaged_versions
        ));
    }
    if found.descriptors > 0 {
        damage.push(format!(
            "{} functions are named at their descriptors (.opd), which are not followed yet",
            found.descriptors
        ));
    }
    ledger
        .naming_partial
        .extend(damage.iter().map(|reason| format!("{source}: {reason}")));
    if found.descriptors > 0 || !table.damage.is_empty() {
        ledger
            .places_partial
            .extend(damage.iter().map(|reason| format!("{source}: {reason}")));
    }
    ledger.outside = ledger.outside.saturating_add(found.outside);
    ledger.source(source, found.rows, damage);
}

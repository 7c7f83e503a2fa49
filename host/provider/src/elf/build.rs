//! The inventory of an ELF file.

use std::sync::Arc;

use object::elf;

use super::Elf;
use super::descriptors::Descriptors;
use super::dynamic::Dynamic;
use super::regions::Regions;
use super::relocs::Relocations;
use super::starts::Finder;
use super::symbols::{SymbolTable, Walk};
use super::{go, starts, tables, unread};
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::inventory::{Candidate, Document, Parts, ProcedureKind, TextTable, assemble, flag};
use crate::monitor::step;
use crate::options::Surroundings;
use crate::{Monitor, ReadError};

/// What a document is made of so far.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) ledger: Ledger,
    pub(super) candidates: Vec<Candidate>,
    pub(super) versions: Vec<Box<[u8]>>,
    pub(super) texts: Vec<TextTable>,
    pub(super) bytes: Vec<Vec<u8>>,
    /// The rows of the dynamic table, and the number of its strings.
    pub(super) dynamic_rows: Option<(Vec<u8>, u16)>,
    /// A table of all symbols was read.
    pub(super) has_symtab: bool,
    /// Go's table of functions was read.
    pub(super) has_go: bool,
    /// The debug file that the program asks for was not found.
    pub(super) missing_companion: Option<String>,
}

impl Gathered {
    /// Takes the functions of a symbol table. `walk` is told the numbers of texts here.
    pub(super) fn take(&mut self, table: SymbolTable, walk: Walk<'_>) {
        self.has_symtab |= !table.dynamic && !table.rows.is_empty();
        let walk = Walk {
            table: u16::try_from(self.texts.len()).unwrap_or(u16::MAX),
            first_version: u16::try_from(self.versions.len()).unwrap_or(u16::MAX),
            ..walk
        };
        let number = walk.table;
        let found = walk.run(&table, &mut self.candidates);
        account(&mut self.ledger, &table, found);
        let is_of_slots = table.is_of_slots() && self.dynamic_rows.is_none();
        let SymbolTable {
            strings,
            text,
            versions,
            rows,
            ..
        } = table;
        if is_of_slots {
            self.dynamic_rows = Some((rows, number));
        }
        self.versions.extend(versions.names);
        self.texts.push(text);
        self.bytes.push(strings);
    }
}

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
    let dynamic = if elf.is_relocatable() {
        None
    } else {
        Dynamic::read(file, elf)?
    };
    let dynamic = dynamic.as_ref();
    let mut descriptors = Descriptors::read(file, elf)?;
    let arrays = starts::arrays(elf, dynamic);
    let wanted: Vec<(u64, u64)> = arrays
        .iter()
        .map(starts::Array::range)
        .chain(descriptors.range())
        .chain(go::header(elf))
        .collect();
    let relocations = Relocations::read(file, elf, dynamic, &wanted)?;
    descriptors.apply(&relocations);
    let mut gathered = Gathered::default();
    for table in tables::symbol_tables(file, elf, &mut gathered.ledger)? {
        let done = gathered.texts.iter().map(|text| text.len).sum();
        step(monitor, done, file.len())?;
        let source = if table.dynamic {
            flag::DYNSYM
        } else {
            flag::SYMTAB
        };
        let walk = Walk {
            elf,
            regions: &regions,
            descriptors: &descriptors,
            is_foreign: false,
            table: 0,
            source,
            first_version: 0,
        };
        gathered.take(table, walk);
    }
    let finder = Finder {
        file,
        elf,
        regions: &regions,
        dynamic,
        descriptors: &descriptors,
        relocations: &relocations,
        arrays: &arrays,
    };
    finder.add(&mut gathered.candidates, &mut gathered.ledger)?;
    gathered.add_stubs(&finder)?;
    gathered.add_go(&finder)?;
    gathered.add_debugdata(&finder)?;
    let companion = match near {
        Some(near) => gathered.add_companion(&finder, near)?,
        None => None,
    };
    unread::note(elf, &mut gathered);
    step(monitor, file.len(), file.len())?;
    file.check()?;
    let has_symtab = gathered.has_symtab;
    let mut document = assemble(Parts {
        document: document.to_owned(),
        file: Arc::clone(file),
        regions: regions.list,
        candidates: gathered.candidates,
        versions: gathered.versions,
        tables: gathered.texts,
        bytes: gathered.bytes,
        coverage: gathered.ledger.coverage(),
        relocatable: elf.is_relocatable(),
        is_arm: elf.header.machine == elf::EM_ARM.0,
    })?;
    document.set_companions(companion.into_iter().collect());
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
            "{} functions are named at their descriptors (.opd), which lead to no code",
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

//! The inventory of an image.

use std::sync::Arc;

use super::exports::Exports;
use super::header::Pe;
use super::imports::Imports;
use super::load_config::LoadConfig;
use super::memory::Memory;
use super::pdb::Pdb;
use super::{debug, go, names, pdb, starts, stubs, unread};
use crate::coff::account;
use crate::coff::regions::Regions;
use crate::coff::symbols::Walk;
use crate::coff::table::SymbolTable;
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::inventory::{
    Candidate, Document, NameRow, Parts, ProcedureKind, TextTable, assemble, flag, name_row,
};
use crate::monitor::step;
use crate::options::Surroundings;
use crate::{Monitor, ReadError};

/// Numbers of the string tables of a document.
pub(super) const SYMBOLS: u16 = 0;
pub(super) const EXPORTS: u16 = 1;
const MADE: u16 = 2;
const GO: u16 = 3;

/// A string table and its bytes, if there is one.
pub(super) type Named = Option<(TextTable, Vec<u8>)>;

/// Names that don't stand in the image as one piece: those of stubs, of a PDB, and exports outside their section.
#[derive(Debug, Default)]
pub(super) struct Made {
    bytes: Vec<u8>,
}

/// Together they take no more.
const MADE_LIMIT: usize = 1 << 30;

impl Made {
    /// Adds a name; where it stands, or `None` if there is no more room.
    pub(super) fn add(&mut self, name: &[u8]) -> Option<u32> {
        let at = self.bytes.len();
        if at.checked_add(name.len())? > MADE_LIMIT {
            return None;
        }
        self.bytes.extend_from_slice(name);
        u32::try_from(at).ok()
    }

    /// The row of a name that was added.
    pub(super) fn row(&self, at: u32, name: &[u8], source: u16, binding: u16) -> NameRow {
        let mut row = name_row(name, at, MADE);
        row.flags |= source | (binding << flag::BINDING_SHIFT);
        row
    }

    /// The row of a name that this program made.
    pub(super) fn derived(&self, at: u32, name: &[u8]) -> NameRow {
        // Behind every name that the file has itself.
        self.row(at, name, flag::UNTYPED, 2)
    }
}

/// Reads every source of names and places. Without `near` no PDB is looked for.
pub(crate) fn document(
    file: &Arc<SourceFile>,
    pe: &Pe,
    name: &str,
    near: Option<&Surroundings>,
    monitor: &dyn Monitor,
) -> Result<Document, ReadError> {
    step(monitor, 0, file.len())?;
    let regions = Regions::of(file, &pe.sections, Some(pe.image_base));
    let mut memory = Memory::new(file, pe);
    let mut ledger = Ledger::default();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut made = Made::default();

    let empty = || (TextTable::made(0), Vec::new());
    let mut named = 0u64;
    let (symbol_text, symbol_bytes) = match pe.symbols {
        Some(place) => {
            let table = SymbolTable::read(file, place)?;
            let walk = Walk {
                regions: &regions,
                sections: &pe.sections,
                machine: pe.machine,
                table: SYMBOLS,
            };
            let found = walk.run(&table, &mut candidates);
            account(&mut ledger, &table, found);
            named = found.named;
            (table.text, table.bytes)
        }
        None => empty(),
    };
    step(monitor, symbol_text.len, file.len())?;
    let mut ordinals = Vec::new();
    let (export_text, export_bytes) = match Exports::read(&mut memory)? {
        Some(exports) => {
            let mut taken = names::Taken {
                regions: &regions,
                candidates: &mut candidates,
                made: &mut made,
                ledger: &mut ledger,
                ordinals: &mut ordinals,
            };
            taken.exports(&mut memory, &exports)?
        }
        None => empty(),
    };
    let load_config = LoadConfig::read(&mut memory)?;
    starts::add(
        file,
        &mut memory,
        &regions,
        load_config.as_ref(),
        &mut candidates,
        &mut ledger,
    )?;
    let link = debug::pdb(&debug::entries(file, &mut memory)?);
    let found = pdb::find(near, link.as_ref())?;
    let has_pdb = matches!(&found, Pdb::Read(_));
    let companion = found.companion();
    pdb::add(found, pe, &regions, &mut made, &mut candidates, &mut ledger);
    let imports = Imports::read(&mut memory)?;
    let count = stubs::add(file, pe, &regions, &imports, &mut made, &mut candidates)?;
    if count > 0 {
        ledger.source("import stubs", count, imports.damage);
    }
    let names_are_known = named > 0 || has_pdb;
    let go = if names_are_known {
        None
    } else {
        go::add(file, &memory, &regions, GO, &mut candidates, &mut ledger)?
    };
    unread::note(file, &mut memory, load_config.as_ref(), &mut ledger)?;
    if !names_are_known {
        ledger.places_partial.push(
            "there is neither a COFF symbol table nor a PDB: functions that are not exported and have no unwind information \
             may be missing"
                .to_owned(),
        );
    }
    drop(memory);
    step(monitor, file.len(), file.len())?;
    file.check()?;
    let made_text = TextTable::made(made.bytes.len() as u64);
    let mut tables = vec![symbol_text, export_text, made_text];
    let mut bytes = vec![symbol_bytes, export_bytes, made.bytes];
    if let Some((text, names)) = go {
        tables.push(text);
        bytes.push(names);
    }
    let mut document = assemble(Parts {
        document: name.to_owned(),
        file: Arc::clone(file),
        regions: regions.list,
        candidates,
        versions: Vec::new(),
        tables,
        bytes,
        coverage: ledger.coverage(),
        relocatable: false,
        is_arm: pe.is_arm(),
    })?;
    document.set_ordinals(ordinals);
    document.set_companions(companion.into_iter().collect());
    if names_are_known {
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

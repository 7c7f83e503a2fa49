//! The inventory of an object file.

use std::sync::Arc;

use super::Coff;
use super::machine::is_arm;
use super::regions::Regions;
use super::symbols::{Found, Walk};
use super::table::SymbolTable;
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::inventory::{Document, Parts, assemble};
use crate::monitor::step;
use crate::{Monitor, ReadError};

/// Reads the symbol table, the only source an object has: its unwind information has no addresses yet.
pub(crate) fn document(
    file: &Arc<SourceFile>,
    coff: &Coff,
    name: &str,
    monitor: &dyn Monitor,
) -> Result<Document, ReadError> {
    step(monitor, 0, file.len())?;
    let regions = Regions::of(file, &coff.sections, None);
    let mut ledger = Ledger::default();
    let mut candidates = Vec::new();
    let mut texts = Vec::new();
    let mut bytes = Vec::new();
    match coff.symbols {
        Some(place) => {
            let table = SymbolTable::read(file, place)?;
            let walk = Walk {
                regions: &regions,
                sections: &coff.sections,
                machine: coff.machine,
                table: 0,
            };
            let found = walk.run(&table, &mut candidates);
            account(&mut ledger, &table, found);
            texts.push(table.text);
            bytes.push(table.bytes);
        }
        None => {
            ledger
                .places_partial
                .push("there is no symbol table".to_owned());
        }
    }
    for (name, why) in [
        (
            &b".pdata"[..],
            "its addresses are not filled in yet, so it tells nothing",
        ),
        (
            b".eh_frame",
            "its addresses are not filled in yet, so it tells nothing",
        ),
    ] {
        if coff.sections.iter().any(|section| section.name == name) {
            let name = String::from_utf8_lossy(name);
            ledger.source(&name, 0, vec![format!("in an object file {why}")]);
        }
    }
    step(monitor, file.len(), file.len())?;
    file.check()?;
    assemble(Parts {
        document: name.to_owned(),
        file: Arc::clone(file),
        regions: regions.list,
        candidates,
        versions: Vec::new(),
        tables: texts,
        bytes,
        coverage: ledger.coverage(),
        relocatable: true,
        is_arm: is_arm(coff.machine),
    })
}

/// Notes what was read of a symbol table.
pub(crate) fn account(ledger: &mut Ledger, table: &SymbolTable, found: Found) {
    const SOURCE: &str = "COFF symbol table";
    let mut damage = table.damage.clone();
    if found.damaged_names > 0 {
        damage.push(format!(
            "{} names run out of the string table",
            found.damaged_names
        ));
    }
    let reasons = || damage.iter().map(|reason| format!("{SOURCE}: {reason}"));
    ledger.naming_partial.extend(reasons());
    if !table.damage.is_empty() {
        ledger.places_partial.extend(reasons());
    }
    ledger.outside = ledger.outside.saturating_add(found.outside);
    ledger.source(SOURCE, found.rows, damage);
}

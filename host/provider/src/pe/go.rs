//! Go's table of functions in a Windows image, in which no section is its own.

use super::build::Named;
use super::memory::Memory;
use crate::ReadError;
use crate::coff::regions::Regions;
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::golang::{Code, Table, search};
use crate::inventory::{Candidate, TextTable};

/// Adds every function of the table, if the image is Go's; its names are then the text of number `number`.
pub(super) fn add(
    file: &SourceFile,
    memory: &Memory<'_>,
    regions: &Regions,
    number: u16,
    candidates: &mut Vec<Candidate>,
    ledger: &mut Ledger,
) -> Result<Named, ReadError> {
    if !is_go(memory)? {
        return Ok(None);
    }
    let pe = memory.pe;
    let region = |address| regions.at(address);
    let code = Code {
        relocated: None,
        text: pe
            .section_named(b".text")
            .and_then(|text| pe.address(text.rva)),
        entry: pe.address(pe.entry),
        region: &region,
    };
    for section in pe
        .sections
        .iter()
        .filter(|section| !section.is_executable())
    {
        let (offset, size) = pe.section_range(section);
        let size = size.min(file.len().saturating_sub(offset));
        let mut heads = Vec::new();
        search(file, offset, size, &mut heads)?;
        for inside in heads {
            let at = offset.saturating_add(inside);
            let bytes = file.read(at, size - inside)?;
            let Ok(table) = Table::parse(&bytes) else {
                continue;
            };
            let Ok(start) = table.start(&bytes, &code) else {
                continue;
            };
            let damage = table.add(start, &bytes, number, &code, candidates);
            let rows = table.functions.len() as u64;
            ledger.damaged(&format!("pclntab (Go {})", table.layout), rows, damage);
            let names = table.text(&bytes).to_vec();
            let from = at.saturating_add(table.names.start as u64);
            return Ok(Some((TextTable::of_file(from, names.len() as u64), names)));
        }
    }
    ledger
        .naming_partial
        .push("Go's table of functions (pclntab) was not found".to_owned());
    Ok(None)
}

/// The Go linker begins the code with the identity of the build, if that isn't left out; and only it makes a section of that name.
fn is_go(memory: &Memory<'_>) -> Result<bool, ReadError> {
    if memory.pe.section_named(b".symtab").is_some() {
        return Ok(true);
    }
    match memory.pe.section_named(b".text").map(|text| text.rva) {
        Some(rva) => Ok(memory.glance(rva, 16)?.starts_with(b"\xff Go build ID:")),
        None => Ok(false),
    }
}

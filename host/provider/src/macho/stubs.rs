//! Stubs of imported functions, named by the indirect symbol table.

use super::commands::{Section, kind};
use super::header::Image;
use super::machine::ARM64;
use super::regions::Regions;
use super::rows::{self, Made};
use super::symbols::SymbolTable;
use crate::ReadError;
use crate::file::SourceFile;
use crate::inventory::{Candidate, ProcedureKind, flag};

/// What follows the imported name: as in ELF, so that one spelling serves every format.
const SUFFIX: &[u8] = b"@plt";
/// A row of the table that is no symbol: a local or an absolute one.
const NO_SYMBOL: u32 = 0x8000_0000 | 0x4000_0000;

/// More faults than this say nothing new.
const DAMAGE: usize = 16;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) rows: u64,
    pub(crate) damage: Vec<String>,
    /// Names that were lost with that.
    pub(crate) unnamed: u64,
}

/// Adds every stub of sections of type S_SYMBOL_STUBS. Sections without such a table (`__objc_stubs`) are named by
/// symbols alone.
pub(crate) fn add(
    file: &SourceFile,
    image: &Image,
    regions: &Regions,
    table: &SymbolTable,
    made: &mut Made,
    candidates: &mut Vec<Candidate>,
) -> Result<Found, ReadError> {
    let mut found = Found::default();
    let sections = || {
        (0u32..)
            .zip(&image.commands.sections)
            .filter(|(_, section)| section.kind() == kind::SYMBOL_STUBS && section.size > 0)
    };
    // A companion for debuggers keeps the section's header and not the table.
    if sections().next().is_none() || regions.are_segments || image.is_debug() {
        return Ok(found);
    }
    let indirect = match image.commands.indirect {
        Some(blob) => image.window(file).table(
            "the indirect symbol table",
            blob.offset,
            blob.size,
            &mut found.damage,
        )?,
        None => Vec::new(),
    };
    // Each row belongs to one stub, so that many sections can't share a table to become many stubs.
    let mut left = indirect.len() as u64 / 4;
    for (region, section) in sections() {
        let size = stub_size(image, section);
        if found.damage.len() > DAMAGE {
            break;
        }
        if size == 0 {
            found.damage.push(format!(
                "the stubs of section {} have no size",
                section_name(regions, region)
            ));
            continue;
        }
        let count = section.size / size;
        if count > left {
            found.damage.push(format!(
                "section {} has {count} stubs, and the indirect symbol table {left} rows for them",
                section_name(regions, region)
            ));
        }
        let count = count.min(left);
        left -= count;
        for number in 0..count {
            let Some(address) = section.address.checked_add(number * size) else {
                break;
            };
            let row = usize::try_from(u64::from(section.reserved1) + number)
                .ok()
                .and_then(|row| image.shape.u32_at(&indirect, row.checked_mul(4)?));
            let name = match row {
                Some(row) if row & NO_SYMBOL != 0 => None,
                Some(row) => {
                    let name = table
                        .symbol(image, row)
                        .and_then(|symbol| table.name(symbol))
                        .filter(|name| !name.is_empty())
                        .and_then(|name| {
                            made.add(&[name, SUFFIX], flag::SYMTAB | rows::binding(2))
                        });
                    found.unnamed += u64::from(name.is_none());
                    name
                }
                None => {
                    found.unnamed += 1;
                    None
                }
            };
            found.rows += 1;
            candidates.push(Candidate {
                address,
                size,
                region,
                kind: ProcedureKind::ImportStub,
                mode: None,
                name,
                inferred: false,
            });
        }
    }
    if found.unnamed > 0 {
        found.damage.push(format!(
            "{} stubs have no name that can be read",
            found.unnamed
        ));
    }
    Ok(found)
}

/// Bytes of a stub. Go's linker writes the size of an x86 stub (6) for ARM64 too, where stubs take three instructions.
fn stub_size(image: &Image, section: &Section) -> u64 {
    match u64::from(section.reserved2) {
        6 if image.machine.kind == ARM64 && section.size.is_multiple_of(12) => 12,
        size => size,
    }
}

fn section_name(regions: &Regions, region: u32) -> String {
    regions
        .list
        .get(region as usize)
        .map(crate::inventory::Region::shown)
        .unwrap_or_default()
}

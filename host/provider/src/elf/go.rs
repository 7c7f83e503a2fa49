//! Go's table of functions in an ELF file.

use super::Elf;
use super::build::Gathered;
use super::starts::Finder;
use crate::ReadError;
use crate::file::SourceFile;
use crate::golang::{Code, Table, search};
use crate::inventory::TextTable;

/// Where a table begins: address, offset in the file, bytes that may belong to it.
#[derive(Clone, Copy, Debug)]
struct Place {
    address: u64,
    offset: u64,
    size: u64,
}

/// Bytes of a header, in which the start of the code stands.
const HEADER: u64 = 128;

/// The section of the table; in position-independent programs it has the second name.
fn section(elf: &Elf) -> Option<&super::raw::Section> {
    elf.section_named(b".gopclntab")
        .or_else(|| elf.section_named(b".data.rel.ro.gopclntab"))
        .filter(|section| section.kind != object::elf::SHT_NOBITS.0)
}

/// The addresses of the header, in which the loader may fill in where the code starts.
pub(super) fn header(elf: &Elf) -> Option<(u64, u64)> {
    section(elf).map(|section| (section.address, section.address.saturating_add(HEADER)))
}

impl Gathered {
    /// Adds every function of the table.
    pub(super) fn add_go(&mut self, finder: &Finder<'_>) -> Result<(), ReadError> {
        let (file, elf) = (finder.file, finder.elf);
        if elf.is_relocatable() {
            return Ok(());
        }
        let is_told = section(elf).is_some();
        let source = if is_told { ".gopclntab" } else { "pclntab" };
        let mut why = None;
        for place in places(file, elf)? {
            let bytes = file.read(place.offset, place.size)?;
            let table = Table::parse(&bytes).and_then(|table| {
                let region = |address| finder.regions.at(address);
                let start = table.start(&bytes, &code(finder, place, &table, &region))?;
                Ok((table, start))
            });
            match table {
                Ok((table, start)) => {
                    self.add_table(finder, place, &table, start, &bytes, source);
                    return Ok(());
                }
                Err(error) => why = Some(error),
            }
        }
        // Without a section a magic that leads to no table is chance.
        if let Some(why) = why.filter(|_| is_told) {
            self.ledger.damaged(source, 0, vec![why]);
        } else if is_go(elf) {
            let why = "Go's table of functions (pclntab) was not found".to_owned();
            self.ledger.naming_partial.push(why);
        }
        Ok(())
    }

    fn add_table(
        &mut self,
        finder: &Finder<'_>,
        place: Place,
        table: &Table,
        start: u64,
        bytes: &[u8],
        source: &str,
    ) {
        let names = table.text(bytes);
        let number = u16::try_from(self.texts.len()).unwrap_or(u16::MAX);
        let region = |address| finder.regions.at(address);
        let code = code(finder, place, table, &region);
        let damage = table.add(start, bytes, number, &code, &mut self.candidates);
        let source = format!("{source} (Go {})", table.layout);
        let rows = table.functions.len() as u64;
        self.ledger.damaged(&source, rows, damage);
        self.has_go = true;
        self.texts.push(TextTable {
            source: None,
            file_offset: place.offset.saturating_add(table.names.start as u64),
            len: names.len() as u64,
        });
        self.bytes.push(names.to_vec());
    }
}

/// What the file says about its code.
fn code<'a>(
    finder: &Finder<'_>,
    place: Place,
    table: &Table,
    region: &'a dyn Fn(u64) -> Option<u32>,
) -> Code<'a> {
    let at = place.address.wrapping_add(table.text_start_at as u64);
    Code {
        relocated: finder.relocations.pointers.get(&at).copied(),
        text: finder.elf.section_named(b".text").map(|text| text.address),
        entry: Some(finder.elf.header.entry),
        region,
    }
}

/// Whether Go's linker left a mark.
fn is_go(elf: &Elf) -> bool {
    [&b".go.buildinfo"[..], b".note.go.buildid", b".gosymtab"]
        .into_iter()
        .any(|name| elf.section_named(name).is_some())
}

/// Where a table may begin: at its section, else wherever something in a segment without code looks like one.
fn places(file: &SourceFile, elf: &Elf) -> Result<Vec<Place>, ReadError> {
    if let Some(section) = section(elf) {
        let place = Place {
            address: section.address,
            offset: section.offset,
            size: section.size,
        };
        return Ok(if file.holds(place.offset, place.size) {
            vec![place]
        } else {
            Vec::new()
        });
    }
    if !is_go(elf) && !elf.sections.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for segment in &elf.segments {
        let is_data =
            segment.kind == object::elf::PT_LOAD.0 && segment.flags & object::elf::PF_X.0 == 0;
        if !is_data || !file.holds(segment.offset, segment.file_size) {
            continue;
        }
        let mut heads = Vec::new();
        search(file, segment.offset, segment.file_size, &mut heads)?;
        found.extend(heads.into_iter().map(|inside| Place {
            address: segment.address.saturating_add(inside),
            offset: segment.offset.saturating_add(inside),
            size: segment.file_size - inside,
        }));
    }
    found.truncate(CANDIDATES);
    file.check()?;
    Ok(found)
}

/// So many places are tried.
const CANDIDATES: usize = 16;

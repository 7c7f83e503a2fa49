//! Go's table of functions in an ELF file.

use super::Elf;
use super::build::Gathered;
use super::starts::Finder;
use crate::ReadError;
use crate::file::SourceFile;
use crate::golang::{Function, Table, looks_like};
use crate::inventory::{Candidate, ProcedureKind, TextTable, flag, name_row};

/// Where a table begins: address, offset in the file, bytes that may belong to it.
#[derive(Clone, Copy, Debug)]
struct Place {
    address: u64,
    offset: u64,
    size: u64,
}

/// The table is looked for in pieces of this size. It begins at a multiple of eight.
const PIECE: u64 = 1 << 20;
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
                let start = text_start(finder, place, &table, &bytes)?;
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
        let names = bytes.get(table.names.clone()).unwrap_or(&[]);
        let number = u16::try_from(self.texts.len()).unwrap_or(u16::MAX);
        let mut outside = 0u64;
        for function in &table.functions {
            let address = start.wrapping_add(function.entry);
            let Some(region) = finder.regions.at(address) else {
                outside += 1;
                continue;
            };
            let from = function.name as usize;
            let text = names
                .get(from..from.saturating_add(function.name_len as usize))
                .unwrap_or(&[]);
            let mut row = name_row(text, function.name, number);
            // The table doesn't say who sees a function.
            row.flags |= flag::RUNTIME | (2 << flag::BINDING_SHIFT);
            let candidate = Candidate {
                address,
                size: 0,
                region,
                kind: ProcedureKind::Function,
                mode: None,
                name: (!text.is_empty()).then_some(row),
                inferred: false,
            };
            self.candidates.push(candidate);
            // Its size is the distance to the next function: not a symbol's.
            self.candidates.push(Candidate {
                size: function.size,
                kind: ProcedureKind::Inferred,
                name: None,
                inferred: true,
                ..candidate
            });
        }
        let mut damage = Vec::new();
        if table.damaged > 0 {
            damage.push(format!("{} rows lead to no function", table.damaged));
        }
        if outside > 0 {
            damage.push(format!("{outside} functions lie outside the code"));
        }
        let source = format!("{source} (Go {})", table.layout);
        let rows = table.functions.len() as u64;
        if damage.is_empty() {
            self.ledger.source(&source, rows, damage);
        } else {
            self.ledger.damaged(&source, rows, damage);
        }
        self.has_go = true;
        self.texts.push(TextTable {
            source: None,
            file_offset: place.offset.saturating_add(table.names.start as u64),
            len: names.len() as u64,
        });
        self.bytes.push(names.to_vec());
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
        let mut done = 0;
        while done < segment.file_size && found.len() < CANDIDATES {
            let size = PIECE.min(segment.file_size - done);
            let bytes = file.read_unchecked(segment.offset + done, size)?;
            let heads = bytes.chunks_exact(8).enumerate();
            for (number, _) in heads.filter(|(_, head)| looks_like(head)) {
                let inside = done + number as u64 * 8;
                found.push(Place {
                    address: segment.address.saturating_add(inside),
                    offset: segment.offset + inside,
                    size: segment.file_size - inside,
                });
            }
            done += size;
        }
    }
    found.truncate(CANDIDATES);
    file.check()?;
    Ok(found)
}

/// So many places are tried.
const CANDIDATES: usize = 16;

/// The address from which entries are counted, so that functions lie in code. Fails if none is proven.
fn text_start(
    finder: &Finder<'_>,
    place: Place,
    table: &Table,
    bytes: &[u8],
) -> Result<u64, String> {
    if !table.is_relative {
        return if fits(finder, table, 0) {
            Ok(0)
        } else {
            Err("its functions lie outside the code".to_owned())
        };
    }
    let at = place.address.wrapping_add(table.text_start_at as u64);
    let relocated = finder.relocations.pointers.get(&at).copied();
    let told = relocated
        .or(Some(table.text_start))
        .filter(|start| *start != 0);
    if let Some(start) = told {
        return if fits(finder, table, start) {
            Ok(start)
        } else {
            Err("its functions lie outside the code".to_owned())
        };
    }
    // Nobody tells. The start of the code is right if the first function of the program is where the program starts.
    let start = finder
        .elf
        .section_named(b".text")
        .map(|text| text.address)
        .ok_or("the start of the code is not known")?;
    let names = bytes.get(table.names.clone()).unwrap_or(&[]);
    let is_first = |function: &&Function| {
        names
            .get(function.name as usize..)
            .is_some_and(|name| name.starts_with(b"_rt0_"))
            && start.wrapping_add(function.entry) == finder.elf.header.entry
    };
    if table.functions.iter().find(is_first).is_some() {
        Ok(start)
    } else {
        Err("the start of the code is not known".to_owned())
    }
}

/// Whether most functions lie in code.
fn fits(finder: &Finder<'_>, table: &Table, start: u64) -> bool {
    let inside = table
        .functions
        .iter()
        .filter(|function| {
            finder
                .regions
                .at(start.wrapping_add(function.entry))
                .is_some()
        })
        .count();
    inside > table.functions.len() / 2
}

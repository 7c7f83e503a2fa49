//! Exported names as candidates.

use super::build::{EXPORTS, Made};
use super::exports::{Exports, Named, Slot};
use super::memory::Memory;
use crate::ReadError;
use crate::coff::raw::text;
use crate::coff::regions::Regions;
use crate::coverage::Ledger;
use crate::elf::is_fragment;
use crate::inventory::{Candidate, Mode, NameRow, ProcedureKind, TextTable, flag, name_row};

/// Where the exports go.
pub(super) struct Taken<'a> {
    pub(super) regions: &'a Regions,
    pub(super) candidates: &'a mut Vec<Candidate>,
    pub(super) made: &'a mut Made,
    pub(super) ledger: &'a mut Ledger,
    /// Addresses of exported procedures, with their ordinals.
    pub(super) ordinals: &'a mut Vec<(u64, u32)>,
}

/// The part of a section that holds the names.
struct Span {
    rva: u32,
    text: TextTable,
    bytes: Vec<u8>,
}

impl Taken<'_> {
    /// Adds a candidate for every exported procedure, and gives the string table of their names. Data and forwarders are no
    /// procedures.
    pub(super) fn exports(
        &mut self,
        memory: &mut Memory<'_>,
        exports: &Exports,
    ) -> Result<(TextTable, Vec<u8>), ReadError> {
        let is_arm = memory.pe.is_arm();
        let mut damage = exports.damage.clone();
        let mut outside = 0u64;
        let places: Vec<Option<Candidate>> = exports
            .slots
            .iter()
            .map(|slot| {
                if slot.is_forwarder {
                    return None;
                }
                let place = self.place(*slot, is_arm);
                if place.is_none() && !self.regions.holds_rva(slot.rva) {
                    outside += 1;
                }
                place
            })
            .collect();
        for (slot, place) in exports.slots.iter().zip(&places) {
            if let Some(place) = place {
                self.ordinals.push((place.address, exports.ordinal(*slot)));
                if !slot.named {
                    self.candidates.push(*place);
                }
            }
        }
        let span = span(memory, exports)?;
        let mut damaged = 0u64;
        // Names may overlap; together they take no more than a few times what holds them.
        let mut budget = span.bytes.len().saturating_mul(4).saturating_add(16 << 20);
        for named in &exports.names {
            let Some(Some(place)) = places.get(named.slot as usize) else {
                continue;
            };
            let row = self.row(memory, &span, *named, &mut budget)?;
            if row.is_none() {
                damaged += 1;
            }
            let kind = match &row {
                Some((_, true)) => ProcedureKind::Fragment,
                _ => place.kind,
            };
            self.candidates.push(Candidate {
                kind,
                name: row.map(|(row, _)| row),
                ..*place
            });
        }
        if damaged > 0 {
            damage.push(format!("{damaged} names can't be read"));
        }
        const SOURCE: &str = "export directory";
        let reasons = || damage.iter().map(|why| format!("{SOURCE}: {why}"));
        self.ledger.naming_partial.extend(reasons());
        self.ledger.places_partial.extend(reasons());
        self.ledger.outside = self.ledger.outside.saturating_add(outside);
        self.ledger
            .source(SOURCE, exports.slots.len() as u64, damage);
        Ok((span.text, span.bytes))
    }

    fn place(&self, slot: Slot, is_arm: bool) -> Option<Candidate> {
        let rva = if is_arm { slot.rva & !1 } else { slot.rva };
        let (address, region) = self.regions.at_rva(rva)?;
        Some(Candidate {
            address,
            size: 0,
            region,
            kind: ProcedureKind::Function,
            mode: is_arm.then_some(Mode::Thumb),
            name: None,
            inferred: false,
        })
    }

    /// The row of a name, and whether it is that of a fragment. `None` if it can't be read or is empty.
    fn row(
        &mut self,
        memory: &mut Memory<'_>,
        span: &Span,
        named: Named,
        budget: &mut usize,
    ) -> Result<Option<(NameRow, bool)>, ReadError> {
        let inside = named
            .name_rva
            .checked_sub(span.rva)
            .filter(|inside| (*inside as usize) < span.bytes.len());
        let name = match inside {
            Some(inside) => span.bytes.get(inside as usize..).and_then(text),
            None => memory.text(named.name_rva)?,
        };
        let Some(name) = name.filter(|name| !name.is_empty() && name.len() <= *budget) else {
            return Ok(None);
        };
        *budget -= name.len();
        let is_fragment = is_fragment(name);
        let row = match inside {
            Some(offset) => {
                let mut row = name_row(name, offset, EXPORTS);
                row.flags |= flag::DYNSYM;
                Some(row)
            }
            None => {
                let at = self.made.add(name);
                at.map(|at| self.made.row(at, name, flag::DYNSYM, 0))
            }
        };
        Ok(row.map(|row| (row, is_fragment)))
    }
}

/// From the first name to the last, in the section that holds the first one in the table.
fn span(memory: &mut Memory<'_>, exports: &Exports) -> Result<Span, ReadError> {
    let nothing = Span {
        rva: 0,
        text: TextTable::made(0),
        bytes: Vec::new(),
    };
    let Some(section) = exports
        .names
        .first()
        .and_then(|named| memory.pe.section_at(named.name_rva))
        .and_then(|number| memory.pe.sections.get(number))
    else {
        return Ok(nothing);
    };
    let end = section.rva.saturating_add(section.memory_size());
    let here = || {
        exports
            .names
            .iter()
            .map(|named| named.name_rva)
            .filter(|rva| (section.rva..end).contains(rva))
    };
    let (Some(first), Some(last)) = (here().min(), here().max()) else {
        return Ok(nothing);
    };
    let tail = memory.text(last)?.map_or(0, |name| name.len() + 1);
    let Some((file_offset, _)) = memory.file_range(first) else {
        return Ok(nothing);
    };
    let len = (last.saturating_sub(first) as usize).saturating_add(tail);
    let bytes = memory.at_most(first, len)?.to_vec();
    Ok(Span {
        rva: first,
        text: TextTable::of_file(file_offset, bytes.len() as u64),
        bytes,
    })
}

//! From symbols and starts, in any order, to a document.

use std::cmp::Ordering;
use std::sync::Arc;

use super::row::{NameRow, Style, flag};
use super::{Document, Extent, Mode, Place, ProcedureKind, Region, Text, TextTable, place};
use crate::file::SourceFile;
use crate::{Coverage, ReadError};

/// A symbol, or a start without a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// A position in the list of regions.
    pub(crate) region: u32,
    pub(crate) kind: ProcedureKind,
    pub(crate) mode: Option<Mode>,
    /// Its name; its `place` is set here. A symbol may have none.
    pub(crate) name: Option<NameRow>,
    /// It is no symbol: unwind information or a header tells that code starts here.
    pub(crate) inferred: bool,
}

/// What a document is made from.
pub(crate) struct Parts {
    pub(crate) document: String,
    pub(crate) file: Arc<SourceFile>,
    pub(crate) regions: Vec<Region>,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) versions: Vec<Box<[u8]>>,
    pub(crate) tables: Vec<TextTable>,
    pub(crate) bytes: Vec<Vec<u8>>,
    pub(crate) coverage: Coverage,
    /// Addresses are offsets in sections: a place is a section first, then an address.
    pub(crate) relocatable: bool,
    pub(crate) is_arm: bool,
}

/// Makes the document. `coverage.unoffered_names` is set here.
pub(crate) fn assemble(mut parts: Parts) -> Result<Document, ReadError> {
    place::label(&mut parts.regions);
    let mut candidates = std::mem::take(&mut parts.candidates);
    let relocatable = parts.relocatable;
    let key = |c: &Candidate| {
        if relocatable {
            (u64::from(c.region), c.address)
        } else {
            (c.address, u64::from(c.region))
        }
    };
    // The text's position makes the order of equal keys the same at every run.
    candidates.sort_unstable_by_key(|c| {
        (
            key(c),
            c.inferred,
            c.name
                .map(|row| (row.flags & flag::TABLE, row.offset, row.flags)),
        )
    });
    adopt_starts(&mut candidates, relocatable);

    let names = Names {
        bytes: &parts.bytes,
        versions: &parts.versions,
    };
    let mut places: Vec<Place> = Vec::new();
    let mut rows: Vec<NameRow> = Vec::new();
    for group in candidates.chunk_by(|a, b| key(a) == key(b)) {
        let Some(first) = group.first() else { continue };
        let number = count(places.len())?;
        let first_name = count(rows.len())?;
        let start = rows.len();
        rows.extend(
            group
                .iter()
                .filter_map(|candidate| candidate.name)
                .map(|row| NameRow {
                    place: number,
                    ..row
                }),
        );
        names.settle(&mut rows, start);
        let symbols = || group.iter().filter(|candidate| !candidate.inferred);
        let symbol_size = symbols().map(|candidate| candidate.size).max().unwrap_or(0);
        let unwind_size = group
            .iter()
            .filter(|candidate| candidate.inferred)
            .map(|candidate| candidate.size)
            .max()
            .unwrap_or(0);
        places.push(Place {
            address: first.address,
            size: if symbol_size != 0 {
                symbol_size
            } else {
                unwind_size
            },
            region: first.region,
            first_name,
            kind: group
                .iter()
                .map(|candidate| candidate.kind)
                .min_by_key(rank_of_kind)
                .unwrap_or(ProcedureKind::Inferred),
            mode: symbols()
                .find_map(|candidate| candidate.mode)
                .or_else(|| group.iter().find_map(|candidate| candidate.mode)),
            shares_address: false,
            size_is_unwind: symbol_size == 0 && unwind_size != 0,
        });
    }
    drop(candidates);
    count(rows.len())?;
    places.shrink_to_fit();
    rows.shrink_to_fit();

    let by_address = relocatable.then(|| order_by_address(&places));
    mark_shared(&mut places, by_address.as_deref());
    let mut unoffered = Vec::new();
    let mut extent = Extent {
        places: count(places.len())?,
        place_bytes: places
            .iter()
            .map(|place| Document::spelling_len(place, &parts.regions))
            .sum(),
        naming_complete: parts.coverage.naming.is_complete(),
        ..Extent::default()
    };
    for (row, number) in rows.iter().zip(0u32..) {
        if row.has(flag::OFFERED) {
            extent.names = extent.names.saturating_add(1);
            extent.name_bytes = extent.name_bytes.saturating_add(names.len(*row));
        } else {
            unoffered.push(number);
        }
    }
    parts.coverage.unoffered_names = unoffered.len() as u64;
    Ok(Document {
        name: parts.document,
        regions: parts.regions,
        places,
        names: rows,
        versions: parts.versions,
        text: Text::new(parts.file, parts.tables, parts.bytes),
        unoffered,
        by_address,
        extent,
        coverage: parts.coverage,
        is_arm: parts.is_arm,
        sizes_reach_next: false,
    })
}

/// A start that is no symbol belongs to the symbol at its address, in whichever of two overlapping sections that is.
fn adopt_starts(candidates: &mut [Candidate], relocatable: bool) {
    if relocatable {
        return;
    }
    for group in candidates.chunk_by_mut(|a, b| a.address == b.address) {
        if let Some(region) = group
            .iter()
            .find(|candidate| !candidate.inferred)
            .map(|candidate| candidate.region)
        {
            for start in group.iter_mut().filter(|candidate| candidate.inferred) {
                start.region = region;
            }
            group.sort_by_key(|candidate| candidate.region);
        } else if let Some(region) = group.first().map(|candidate| candidate.region) {
            group
                .iter_mut()
                .for_each(|candidate| candidate.region = region);
        }
    }
}

/// Which of the kinds of several symbols is the place's.
fn rank_of_kind(kind: &ProcedureKind) -> u8 {
    match kind {
        ProcedureKind::IfuncResolver => 0,
        ProcedureKind::Function => 1,
        ProcedureKind::ImportStub => 2,
        ProcedureKind::Fragment => 3,
        ProcedureKind::Label => 4,
        ProcedureKind::Inferred => 5,
    }
}

fn order_by_address(places: &[Place]) -> Vec<u32> {
    let mut order: Vec<u32> = (0u32..).zip(places).map(|(number, _)| number).collect();
    order.sort_by_key(|number| places.get(*number as usize).map(|place| place.address));
    order
}

fn mark_shared(places: &mut [Place], by_address: Option<&[u32]>) {
    match by_address {
        None => {
            for group in places
                .chunk_by_mut(|a, b| a.address == b.address)
                .filter(|group| group.len() > 1)
            {
                group
                    .iter_mut()
                    .for_each(|place| place.shares_address = true);
            }
        }
        Some(order) => {
            let address = |number: &u32| places.get(*number as usize).map(|place| place.address);
            let shared: Vec<u32> = order
                .chunk_by(|a, b| address(a) == address(b))
                .filter(|group| group.len() > 1)
                .flatten()
                .copied()
                .collect();
            for number in shared {
                if let Some(place) = places.get_mut(number as usize) {
                    place.shares_address = true;
                }
            }
        }
    }
}

/// Places and names are numbered with 32 bits; a file that needs more is larger than 64 GB.
fn count(len: usize) -> Result<u32, ReadError> {
    u32::try_from(len)
        .map_err(|_| ReadError::Damaged("it holds more than four billion names".to_owned()))
}

/// The text of names while the tables are at hand.
struct Names<'a> {
    bytes: &'a [Vec<u8>],
    versions: &'a [Box<[u8]>],
}

impl Names<'_> {
    fn raw(&self, row: NameRow) -> &[u8] {
        let start = row.offset as usize;
        let end = start.saturating_add(row.len as usize);
        self.bytes
            .get(row.table())
            .and_then(|table| table.get(start..end))
            .unwrap_or(&[])
    }

    fn version(&self, row: NameRow) -> &[u8] {
        row.version()
            .and_then(|version| self.versions.get(usize::from(version)))
            .map_or(&[], |version| version)
    }

    fn len(&self, row: NameRow) -> u64 {
        u64::from(row.len) + row.style().separator().len() as u64 + self.version(row).len() as u64
    }

    fn compare(&self, a: NameRow, b: NameRow) -> Ordering {
        if a.style() == Style::Bare && b.style() == Style::Bare {
            return self.raw(a).cmp(self.raw(b));
        }
        let bytes = |row: NameRow| {
            self.raw(row)
                .iter()
                .chain(row.style().separator().as_bytes())
                .chain(self.version(row))
        };
        bytes(a).cmp(bytes(b))
    }

    /// Makes one row of every text among the rows from `start` on, and puts the primary one first.
    fn settle(&self, rows: &mut Vec<NameRow>, start: usize) {
        let Some(group) = rows.get_mut(start..).filter(|group| group.len() > 1) else {
            return;
        };
        // Equal texts next to each other, the one that knows its version first.
        group.sort_by(|a, b| {
            self.len(*a)
                .cmp(&self.len(*b))
                .then_with(|| self.compare(*a, *b))
                .then_with(|| (a.style() == Style::Bare).cmp(&(b.style() == Style::Bare)))
        });
        let mut kept = start;
        for next in start..rows.len() {
            let Some(&row) = rows.get(next) else { break };
            if let Some(before) = kept
                .checked_sub(1)
                .filter(|before| *before >= start)
                .and_then(|before| rows.get_mut(before))
                && self.len(*before) == self.len(row)
                && self.compare(*before, row) == Ordering::Equal
            {
                *before = merged(*before, row);
                continue;
            }
            if let Some(slot) = rows.get_mut(kept) {
                *slot = row;
            }
            kept += 1;
        }
        rows.truncate(kept);
        if let Some(group) = rows.get_mut(start..) {
            // Stable: within equal ranks they stay shortest first, then in byte order.
            group.sort_by_key(|row| rank(*row));
        }
    }
}

/// The order of names of a place: functions before labels, then global before weak before local, visible before hidden;
/// the bare form of a hidden version comes behind the versioned one.
fn rank(row: NameRow) -> (bool, u16, bool, bool) {
    (
        row.has(flag::UNTYPED),
        row.binding(),
        row.has(flag::RESTRICTED),
        row.has(flag::BARE_OF_HIDDEN),
    )
}

/// Two rows of the same text: found in both tables, seen as far as either says.
fn merged(a: NameRow, b: NameRow) -> NameRow {
    let better = if rank(b) < rank(a) { b } else { a };
    let ranking = flag::BINDING | flag::UNTYPED | flag::RESTRICTED | flag::BARE_OF_HIDDEN;
    let sources = (a.flags | b.flags) & (flag::SYMTAB | flag::DYNSYM);
    NameRow {
        flags: (a.flags & !ranking) | (better.flags & ranking) | sources,
        ..a
    }
}

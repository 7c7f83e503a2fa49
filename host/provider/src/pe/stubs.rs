//! Stubs of imported functions: found by their code, named by the slot they jump through.

use std::collections::HashMap;

use super::Pe;
use super::build::Made;
use super::imports::Imports;
use super::thunks::{Shape, Thunk};
use crate::ReadError;
use crate::coff::regions::Regions;
use crate::file::SourceFile;
use crate::inventory::{Candidate, ProcedureKind};

/// Code is looked through in pieces of this size; each begins with a little of the one before.
const PIECE: u64 = 1 << 20;
const OVERLAP: u64 = 32;

/// Adds a candidate for every stub that is proven: the bytes of a jump through a slot that the import directory names, where
/// another source says that code starts, or apart from other code. A jump inside a function is none.
pub(super) fn add(
    file: &SourceFile,
    pe: &Pe,
    regions: &Regions,
    imports: &Imports,
    made: &mut Made,
    candidates: &mut Vec<Candidate>,
) -> Result<u64, ReadError> {
    let Some(shape) = Shape::of(pe) else {
        return Ok(0);
    };
    if imports.list.is_empty() {
        return Ok(0);
    }
    let slots: HashMap<u32, usize> = imports
        .list
        .iter()
        .enumerate()
        .map(|(number, import)| (import.slot, number))
        .collect();
    let mut thunks = find(file, pe, shape, &slots)?;
    thunks.sort_unstable_by_key(|thunk| thunk.rva);
    thunks.dedup_by_key(|thunk| thunk.rva);
    if thunks.is_empty() {
        return Ok(0);
    }
    support(&mut thunks);
    let known = Known::of(candidates);
    let mut names: HashMap<usize, Option<u32>> = HashMap::new();
    let mut stubs: Vec<Candidate> = Vec::new();
    for thunk in &thunks {
        let Some((address, region)) = regions.at_rva(thunk.rva) else {
            continue;
        };
        let starts = known.starts_at(address);
        if !starts && (!thunk.stands_apart || known.holds(address)) {
            continue;
        }
        let Some((&number, import)) = slots
            .get(&thunk.slot)
            .and_then(|number| Some((number, imports.list.get(*number)?)))
        else {
            continue;
        };
        let text = imports.spelled(import);
        let at = *names.entry(number).or_insert_with(|| made.add(&text));
        let name = at.map(|at| made.derived(at, &text));
        stubs.push(Candidate {
            address,
            size: thunk.size.into(),
            region,
            kind: ProcedureKind::ImportStub,
            mode: None,
            name,
            inferred: false,
        });
    }
    // A symbol at a stub names the stub.
    for candidate in candidates.iter_mut() {
        if stubs
            .binary_search_by_key(&candidate.address, |stub| stub.address)
            .is_ok()
        {
            candidate.kind = ProcedureKind::ImportStub;
        }
    }
    let count = stubs.len() as u64;
    candidates.append(&mut stubs);
    Ok(count)
}

/// One that follows another after padding alone supports that other one too.
fn support(thunks: &mut [Thunk]) {
    let mut next: Option<Thunk> = None;
    for thunk in thunks.iter_mut().rev() {
        if let Some(next) = next
            && next.stands_apart
            && next
                .rva
                .checked_sub(thunk.rva)
                .is_some_and(|gap| gap < 2 * thunk.size + 4)
        {
            thunk.stands_apart = true;
        }
        next = Some(*thunk);
    }
}

fn find(
    file: &SourceFile,
    pe: &Pe,
    shape: Shape,
    slots: &HashMap<u32, usize>,
) -> Result<Vec<Thunk>, ReadError> {
    let mut thunks = Vec::new();
    // Sections may overlap in a damaged file; together they are read once.
    let mut budget = file.len();
    for section in pe.sections.iter().filter(|section| section.is_executable()) {
        let (offset, size) = pe.section_range(section);
        let size = size
            .min(section.memory_size().into())
            .min(file.len().saturating_sub(offset));
        if size > budget {
            break;
        }
        budget -= size;
        let mut done = 0u64;
        while done < size {
            let from = done.saturating_sub(OVERLAP);
            // A thunk that is cut by the end is seen whole in the next piece.
            let to = size.min(done.saturating_add(PIECE));
            let bytes = file.read_unchecked(offset.saturating_add(from), to - from)?;
            let rva = u32::try_from(from)
                .ok()
                .and_then(|from| section.rva.checked_add(from));
            if let Some(rva) = rva {
                // The end of the piece before was looked at already, but for what was cut there.
                let seen = usize::try_from(done - from)
                    .unwrap_or(0)
                    .saturating_sub(shape.size() - 1);
                shape.each(&bytes, rva, seen, from == 0, |thunk| {
                    if slots.contains_key(&thunk.slot) {
                        thunks.push(thunk);
                    }
                });
            }
            done = to;
        }
    }
    file.check()?;
    Ok(thunks)
}

/// What the other sources say of an address.
struct Known {
    starts: Vec<u64>,
    /// Where code with a known length starts and ends, by start; the ends never fall.
    ranges: Vec<(u64, u64)>,
}

impl Known {
    fn of(candidates: &[Candidate]) -> Known {
        let mut starts: Vec<u64> = candidates
            .iter()
            // A label may mark any instruction of a function.
            .filter(|candidate| candidate.kind != ProcedureKind::Label)
            .map(|candidate| candidate.address)
            .collect();
        starts.sort_unstable();
        starts.dedup();
        let mut ranges: Vec<(u64, u64)> = candidates
            .iter()
            .filter(|candidate| candidate.size > 0)
            .map(|candidate| {
                let end = candidate.address.saturating_add(candidate.size);
                (candidate.address, end)
            })
            .collect();
        ranges.sort_unstable();
        let mut furthest = 0;
        for (_, end) in &mut ranges {
            furthest = furthest.max(*end);
            *end = furthest;
        }
        Known { starts, ranges }
    }

    fn starts_at(&self, address: u64) -> bool {
        self.starts.binary_search(&address).is_ok()
    }

    /// Whether code of a known length holds the address.
    fn holds(&self, address: u64) -> bool {
        let behind = self.ranges.partition_point(|(start, _)| *start <= address);
        behind
            .checked_sub(1)
            .and_then(|last| self.ranges.get(last))
            .is_some_and(|(_, end)| address < *end)
    }
}

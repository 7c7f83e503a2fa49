//! Building the index in slices.

use super::announced::{self, Extent};
use super::arena::Arena;
use super::document::Document;
use super::exotic::Exotic;
use super::labels::Labels;
use super::pages::{Announced, Tally, rows};
use super::query::Index;
use super::settle::{EXOTIC, SPELLING, settle};
use super::sort::{Entry, Sorter};
use super::{append, malformed, no_memory, screen};
use crate::fold::fold;
use crate::session::{Fault, FaultCode, Inventory, Unavailable};

/// Work of one slice, roughly in nanoseconds of a native build; the sandbox takes about twice as long.
const SLICE: usize = 4_000_000;
/// What asking for a page costs, a byte and a row of it, what settling a row and folding a byte, in the same unit.
const PAGE: usize = 3000;
const PAGE_BYTE: usize = 1;
const PAGE_ROW: usize = 30;
const SETTLE_ROW: usize = 4;
const FOLD_BYTE: usize = 60;

/// How far an index is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Work done, in units of no further meaning.
    pub done_units: u64,
    /// Work in all, as estimated now; at least `done_units`.
    pub all_units: u64,
    /// Whether the index is complete.
    pub done: bool,
}

/// An index that is being built.
pub struct Builder {
    extents: Vec<Extent>,
    labels: Labels,
    /// Those before the current one are finished.
    documents: Vec<Document>,
    /// The rows of the current document. Reserved once, for the largest.
    rows: Vec<Entry>,
    current: usize,
    stage: Stage,
    /// Units of the documents that are finished, and of all as far as known.
    finished_units: u64,
    all_units: u64,
}

/// What is done next with the current document.
enum Stage {
    Places(Tally),
    Names(Tally),
    Sort(Sorter),
    Settle { at: usize },
    Fold { at: usize },
    SortKeys(Sorter),
    Failed(Fault),
}

impl Builder {
    /// Takes note of a snapshot and reserves memory for its index.
    ///
    /// # Errors
    ///
    /// `malformed-input` if a document has no name or two have the same, or if the extents don't fit into the address
    /// space or the memory that there is.
    pub fn begin(extents: Vec<Extent>) -> Result<Self, Fault> {
        announced::check(&extents)?;
        let labels = Labels::new(extents.iter().map(|extent| extent.document.as_str()));
        let documents = extents
            .iter()
            .map(|extent| prepared(extent, &labels))
            .collect::<Result<_, _>>()?;
        let mut rows = Vec::new();
        let largest = extents.iter().map(Extent::rows).max().unwrap_or(0);
        usize::try_from(largest)
            .ok()
            .and_then(|largest| rows.try_reserve_exact(largest).ok())
            .ok_or_else(announced::too_large)?;
        let all_units = extents.iter().map(|extent| 3 * extent.rows()).sum();
        Ok(Self {
            extents,
            labels,
            documents,
            rows,
            current: 0,
            stage: Stage::Places(Tally::default()),
            finished_units: 0,
            all_units,
        })
    }

    /// Does a slice of the work: reads a page or a few small ones, or sorts for some milliseconds.
    ///
    /// # Errors
    ///
    /// `malformed-input` if a page contradicts the contract, `other` if the host can't supply one or memory runs out.
    /// There is no way on after that: the same error comes again.
    pub fn advance(&mut self, inventory: &dyn Inventory) -> Result<Progress, Fault> {
        if let Stage::Failed(fault) = &self.stage {
            return Err(fault.clone());
        }
        let mut budget = SLICE;
        while budget > 0 && self.current < self.documents.len() {
            if let Err(fault) = self.step(inventory, &mut budget) {
                self.documents = Vec::new();
                self.rows = Vec::new();
                self.stage = Stage::Failed(fault.clone());
                return Err(fault);
            }
        }
        Ok(self.progress())
    }

    /// The index.
    ///
    /// # Errors
    ///
    /// `out-of-turn` before `advance` has said that it is done, the error of `advance` after that failed.
    pub fn finish(self) -> Result<Index, Fault> {
        match self.stage {
            Stage::Failed(fault) => Err(fault),
            _ if self.current < self.documents.len() => Err(Fault {
                code: FaultCode::OutOfTurn,
                field: String::new(),
                detail: "The index isn't complete; advance until it is done.".to_owned(),
            }),
            _ => Ok(Index::new(self.documents)),
        }
    }

    /// Does one thing for the current document, and decides what comes next.
    fn step(&mut self, inventory: &dyn Inventory, budget: &mut usize) -> Result<(), Fault> {
        let (Some(document), Some(extent)) = (
            self.documents.get_mut(self.current),
            self.extents.get(self.current),
        ) else {
            return Ok(());
        };
        let number = self.current as u32;
        let rows = &mut self.rows;
        match &mut self.stage {
            Stage::Places(tally) => {
                if read_places(tally, number, extent, inventory, document, rows, budget)? {
                    self.stage = if extent.naming_complete {
                        Stage::Names(Tally::default())
                    } else {
                        sort(document, rows)
                    };
                }
            }
            Stage::Names(tally) => {
                if read_names(
                    tally,
                    number,
                    extent,
                    &self.labels,
                    inventory,
                    document,
                    rows,
                    budget,
                )? {
                    self.stage = sort(document, rows);
                }
            }
            Stage::Sort(sorter) => {
                if sorter.advance(rows, &document.text, budget) {
                    let exotic = rows.iter().filter(|row| row.tag & EXOTIC != 0).count();
                    document
                        .exotic
                        .starts
                        .try_reserve_exact(exotic)
                        .map_err(|_| no_memory())?;
                    self.stage = Stage::Settle { at: 0 };
                }
            }
            Stage::Settle { at } => {
                let to = settle(rows, *at, *budget / SETTLE_ROW + 1, document)?;
                *budget = budget.saturating_sub((to - *at) * SETTLE_ROW);
                *at = to;
                if to >= rows.len() {
                    rows.clear();
                    self.all_units += 2 * document.exotic.starts.len() as u64;
                    document.exotic.text = Arena::expecting(document.exotic.bytes);
                    self.stage = Stage::Fold { at: 0 };
                }
            }
            Stage::Fold { at } => {
                let to = fold_some(document, *at, rows, budget)?;
                *at = to;
                if to >= document.exotic.starts.len() {
                    document.exotic.text.seal();
                    self.stage = Stage::SortKeys(Sorter::new(rows.len()));
                }
            }
            Stage::SortKeys(sorter) => {
                if sorter.advance(rows, &document.exotic.text, budget) {
                    document.exotic.set_keys(rows)?;
                    rows.clear();
                    self.finished_units +=
                        3 * extent.rows() + 2 * document.exotic.starts.len() as u64;
                    self.current += 1;
                    self.stage = Stage::Places(Tally::default());
                    if self.current == self.documents.len() {
                        self.rows = Vec::new();
                    }
                }
            }
            Stage::Failed(_) => {}
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        let all = self.extents.get(self.current).map_or(0, Extent::rows);
        let places = self
            .extents
            .get(self.current)
            .map_or(0, |extent| u64::from(extent.places));
        let here = match &self.stage {
            Stage::Places(tally) => u64::from(tally.rows),
            Stage::Names(tally) => places + u64::from(tally.rows),
            Stage::Sort(sorter) => all + share(sorter.placed(), self.rows.len(), all),
            Stage::Settle { at } => 2 * all + share(*at, self.rows.len(), all),
            Stage::Fold { at } => 3 * all + *at as u64,
            Stage::SortKeys(sorter) => 3 * all + (self.rows.len() + sorter.placed()) as u64,
            Stage::Failed(_) => 0,
        };
        Progress {
            done_units: self.finished_units + here,
            all_units: self.all_units,
            done: self.current >= self.documents.len(),
        }
    }
}

/// Which part of `all` is done, if `done` of `of` are.
fn share(done: usize, of: usize, all: u64) -> u64 {
    (done as u64 * all).checked_div(of as u64).unwrap_or(all)
}

fn prepared(extent: &Extent, labels: &Labels) -> Result<Document, Fault> {
    let rows = usize::try_from(extent.rows()).map_err(|_| announced::too_large())?;
    let mut plain = Vec::new();
    plain
        .try_reserve_exact(rows)
        .map_err(|_| announced::too_large())?;
    Ok(Document {
        name: extent.document.clone(),
        folded_label: labels
            .qualifies(&extent.document)
            .then(|| format!("{}!", fold(&extent.document))),
        text: Arena::reserved(extent.text().ok_or_else(announced::too_large)?)?,
        plain,
        exotic: Exotic::default(),
    })
}

fn sort(document: &mut Document, rows: &[Entry]) -> Stage {
    document.text.seal();
    Stage::Sort(Sorter::new(rows.len()))
}

/// Reads a page of places. Returns whether it was the last.
fn read_places(
    tally: &mut Tally,
    number: u32,
    extent: &Extent,
    inventory: &dyn Inventory,
    document: &mut Document,
    kept: &mut Vec<Entry>,
    budget: &mut usize,
) -> Result<bool, Fault> {
    let first = tally.rows;
    let page = inventory
        .places(number, first)
        .map_err(|reason| unavailable("places", reason))?;
    let of = Announced {
        kind: "places",
        document: &extent.document,
        rows: extent.places,
        bytes: extent.place_bytes,
    };
    let last = tally.count(&page.text, &page.ends, &of)?;
    spend(budget, page.text.len(), page.ends.len());
    for (place, spelling) in (first..).zip(rows(&page.text, &page.ends)) {
        if spelling.is_empty() {
            return Err(malformed(
                "places",
                format!("A place of {:?} has an empty spelling.", extent.document),
            ));
        }
        if screen::offerable_spelling(spelling) {
            keep(document, kept, spelling, place | SPELLING)?;
        }
    }
    Ok(last)
}

/// Reads a page of names. Returns whether it was the last.
#[expect(
    clippy::too_many_arguments,
    reason = "parts of the builder, which are borrowed one by one"
)]
fn read_names(
    tally: &mut Tally,
    number: u32,
    extent: &Extent,
    labels: &Labels,
    inventory: &dyn Inventory,
    document: &mut Document,
    kept: &mut Vec<Entry>,
    budget: &mut usize,
) -> Result<bool, Fault> {
    let page = inventory
        .names(number, tally.rows)
        .map_err(|reason| unavailable("names", reason))?;
    let of = Announced {
        kind: "names",
        document: &extent.document,
        rows: extent.names,
        bytes: extent.name_bytes,
    };
    let last = tally.count(&page.text, &page.ends, &of)?;
    if page.places.len() != page.ends.len()
        || page.places.iter().any(|&place| place >= extent.places)
    {
        return Err(malformed(
            "names",
            format!(
                "A page of {:?} has a name whose place isn't there.",
                extent.document
            ),
        ));
    }
    spend(budget, page.text.len(), page.ends.len());
    for (name, &place) in rows(&page.text, &page.ends).zip(&page.places) {
        if screen::offerable_name(name, &extent.document, labels) {
            keep(document, kept, name, place)?;
        }
    }
    Ok(last)
}

fn spend(budget: &mut usize, bytes: usize, rows: usize) {
    *budget = budget.saturating_sub(PAGE + bytes * PAGE_BYTE + rows * PAGE_ROW);
}

fn keep(document: &mut Document, kept: &mut Vec<Entry>, text: &str, tag: u32) -> Result<(), Fault> {
    let start = document.text.push(text)?;
    let mut tag = tag;
    if !text.is_ascii() {
        tag |= EXOTIC;
        document.exotic.bytes += text.len() as u64 + 1;
    }
    append(
        kept,
        Entry {
            chunk: 0,
            start,
            tag,
        },
    )
}

/// Makes the folded keys of values outside ASCII from number `at` on, and says up to which it came.
fn fold_some(
    document: &mut Document,
    at: usize,
    keys: &mut Vec<Entry>,
    budget: &mut usize,
) -> Result<usize, Fault> {
    let Exotic { starts, text, .. } = &mut document.exotic;
    let mut to = at;
    for &start in starts.get(at..).unwrap_or_default() {
        if *budget == 0 {
            break;
        }
        let value = document.text.value(start);
        let key = text.push(&fold(value))?;
        append(
            keys,
            Entry {
                chunk: 0,
                start: key,
                tag: to as u32,
            },
        )?;
        *budget = budget.saturating_sub((value.len() + 1) * FOLD_BYTE);
        to += 1;
    }
    Ok(to)
}

fn unavailable(field: &str, reason: Unavailable) -> Fault {
    let why = match reason {
        Unavailable::NoTarget => "no target is open",
        Unavailable::Cold => "nothing has read the target yet",
        Unavailable::InTransition => "the target is changing",
        Unavailable::Unsupported => "it has no inventory",
        Unavailable::Failed => "the provider failed",
    };
    Fault {
        code: FaultCode::Other,
        field: field.to_owned(),
        detail: format!(
            "The host can't supply a page of the snapshot: {why}. Begin anew with a new snapshot."
        ),
    }
}

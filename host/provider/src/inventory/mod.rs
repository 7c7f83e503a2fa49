//! An immutable inventory: documents, their places, and the names of these.
//!
//! A *place* is where a procedure starts: a section (or a segment, where a file has no sections) and an address. It has
//! any number of *names*. Both are numbered from 0 in an order that never changes: places by address (in a relocatable
//! file by section, then address), names by place, the primary name first.
//!
//! Names are not copied: a row keeps where its text stands in a string table of the file. The tables are in memory
//! until [`Document::release_text`]; afterwards names are read from the file again, and are an error if it changed.

mod assemble;
mod contain;
mod page;
mod place;
mod procedure;
mod resolve;
mod row;
mod search;
mod text;

use std::sync::Arc;

pub(crate) use assemble::{Candidate, Parts, assemble};
pub use contain::Contained;
pub use page::{NamePage, PlacePage};
pub(crate) use place::{Place, Region};
pub use procedure::{
    Binding, Mode, NameSources, Procedure, ProcedureKind, ProcedureName, ProcedurePage,
    SymbolVersion,
};
pub use resolve::ResolveError;
pub(crate) use row::{NameRow, Style, flag, hash};
pub(crate) use search::compile;
pub use search::{MatchMode, NameHit, NameQuery, NameSearch};
pub(crate) use text::{Text, TextTable};

use crate::{Completeness, Coverage};

/// The documents of a target, in a fixed order. An ELF file is one document.
#[derive(Clone, Debug)]
pub struct Inventory {
    documents: Vec<Arc<Document>>,
}

impl Inventory {
    pub(crate) fn new(documents: Vec<Document>) -> Inventory {
        Inventory {
            documents: documents.into_iter().map(Arc::new).collect(),
        }
    }

    /// All documents. Never empty, and no two have the same name.
    pub fn documents(&self) -> &[Arc<Document>] {
        &self.documents
    }

    /// The document of that name, exactly.
    pub fn document(&self, name: &str) -> Option<&Arc<Document>> {
        self.documents
            .iter()
            .find(|document| document.name() == name)
    }
}

/// One program image: a file, or one slice of it.
#[derive(Debug)]
pub struct Document {
    name: String,
    regions: Vec<Region>,
    places: Vec<Place>,
    names: Vec<NameRow>,
    versions: Vec<Box<[u8]>>,
    text: Text,
    /// The numbers of the name rows that aren't offered, ascending.
    unoffered: Vec<u32>,
    /// The places by address, where their own order is another one.
    by_address: Option<Vec<u32>>,
    extent: Extent,
    coverage: Coverage,
    is_arm: bool,
    /// The format tells no sizes: each reaches to the next start.
    sizes_reach_next: bool,
}

/// How much a document holds, exactly, as the index over it is told before it reads the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Number of places.
    pub places: u32,
    /// Bytes of the spellings of all places.
    pub place_bytes: u64,
    /// Number of name rows that are offered.
    pub names: u32,
    /// Bytes of all offered names.
    pub name_bytes: u64,
    /// Whether every source of names was read to its end.
    pub naming_complete: bool,
}

impl Document {
    /// The name: the file name, escaped if it isn't printable. Never empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What was read of it, and what not.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Numbers of places and names, and their bytes.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// How many places are of each kind, every kind included.
    pub fn kinds(&self) -> Vec<(ProcedureKind, u32)> {
        let count = |kind| {
            self.places
                .iter()
                .filter(|place| place.kind == kind)
                .count()
        };
        ProcedureKind::ALL
            .into_iter()
            .map(|kind| (kind, u32::try_from(count(kind)).unwrap_or(u32::MAX)))
            .collect()
    }

    /// Adds a reason why places may be missing.
    pub(crate) fn add_place_reason(&mut self, reason: String) {
        let mut reasons = self.coverage.places.reasons().to_vec();
        reasons.push(reason);
        self.coverage.places = Completeness::Partial(reasons);
    }

    /// Says that sizes are told by where the next procedure starts.
    pub(crate) fn set_sizes_reach_next(&mut self) {
        self.sizes_reach_next = true;
    }

    /// Gives the string tables back. From now on names are read from the file when they are asked for.
    pub fn release_text(&self) {
        self.text.release();
    }
}

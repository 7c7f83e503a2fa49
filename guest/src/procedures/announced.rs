//! What a snapshot says that it holds, and whether that can be.

use std::collections::BTreeSet;

use super::arena;
use super::malformed;
use super::sort::Entry;
use crate::session::Fault;

/// What a document of the snapshot holds. The numbers are exact: pages that bring more or fewer rows or bytes are
/// malformed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The document's name. Never empty, and no two are alike.
    pub document: String,
    /// Number of places.
    pub places: u32,
    /// Bytes of all spellings of places together.
    pub place_bytes: u64,
    /// Rows of names.
    pub names: u32,
    /// Bytes of all names together.
    pub name_bytes: u64,
    /// Whether every source of names was read to its end. If not, no name is offered, and the names aren't read.
    pub naming_complete: bool,
}

impl Extent {
    /// Rows that are read.
    pub(super) fn rows(&self) -> u64 {
        u64::from(self.places)
            + if self.naming_complete {
                u64::from(self.names)
            } else {
                0
            }
    }

    /// Bytes of text that are read.
    fn bytes(&self) -> Option<u64> {
        let names = if self.naming_complete {
            self.name_bytes
        } else {
            0
        };
        self.place_bytes.checked_add(names)
    }

    /// Bytes that the text of the document takes.
    pub(super) fn text(&self) -> Option<u64> {
        self.bytes()?
            .checked_add(self.rows())?
            .checked_add(arena::PADDING as u64)
    }
}

/// The address space of the sandbox. The same everywhere, so that a native build refuses what the component refuses.
const ADDRESS_SPACE: u64 = u32::MAX as u64;

/// Bytes that the index over a snapshot reserves, or nothing if that is more than a number can say. Pages in flight
/// and what is needed outside ASCII (see the module) come on top.
#[must_use]
pub fn memory_needed(extents: &[Extent]) -> Option<u64> {
    let mut kept = 0_u64;
    for extent in extents {
        let offsets = extent.rows().checked_mul(size_of::<u32>() as u64)?;
        kept = kept
            .checked_add(extent.text()?)?
            .checked_add(offsets)?
            .checked_add(extent.document.len() as u64)?;
    }
    let largest = extents.iter().map(Extent::rows).max().unwrap_or(0);
    largest
        .checked_mul(size_of::<Entry>() as u64)?
        .checked_add(kept)
}

/// Refuses what can't be a snapshot.
pub(super) fn check(extents: &[Extent]) -> Result<(), Fault> {
    let mut seen = BTreeSet::new();
    for extent in extents {
        if extent.document.is_empty() {
            return Err(malformed(
                "documents",
                "A document has an empty name.".to_owned(),
            ));
        }
        if !seen.insert(extent.document.as_str()) {
            return Err(malformed(
                "documents",
                format!(
                    "Two documents are named {:?}; each needs a name of its own.",
                    extent.document
                ),
            ));
        }
        if u64::from(extent.places) > extent.place_bytes {
            return Err(malformed(
                "documents",
                format!(
                    "{:?} announces {} places but {} bytes of spellings; no spelling is empty.",
                    extent.document, extent.places, extent.place_bytes
                ),
            ));
        }
    }
    match memory_needed(extents) {
        Some(bytes) if bytes <= ADDRESS_SPACE => Ok(()),
        Some(_) | None => Err(too_large()),
    }
}

/// The extents don't fit into the address space, or into what the host grants of it.
pub(super) fn too_large() -> Fault {
    malformed(
        "documents",
        "The announced rows and bytes are more than this instance can hold.".to_owned(),
    )
}

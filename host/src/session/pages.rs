//! An inventory as the pages that the component reads.

use std::sync::Arc;

use rea_provider::{Document, Inventory};

use crate::component::{Extent, NamePage, PlacePage, SnapshotPages, Unavailable};

/// The pages of one inventory.
pub(super) struct Pages(pub(super) Arc<Inventory>);

impl Pages {
    /// What the documents hold, in the order of their numbers.
    pub(super) fn extents(&self) -> Vec<Extent> {
        self.0
            .documents()
            .iter()
            .map(|document| {
                let extent = document.extent();
                Extent {
                    document: document.name().to_owned(),
                    places: extent.places,
                    place_bytes: extent.place_bytes,
                    names: extent.names,
                    name_bytes: extent.name_bytes,
                    naming_complete: extent.naming_complete,
                }
            })
            .collect()
    }

    fn document(&self, number: u32) -> Result<&Arc<Document>, Unavailable> {
        // The number is the guest's.
        usize::try_from(number)
            .ok()
            .and_then(|number| self.0.documents().get(number))
            .ok_or(Unavailable::Unsupported)
    }
}

impl SnapshotPages for Pages {
    fn places(&self, document: u32, first: u32) -> Result<PlacePage, Unavailable> {
        let page = self.document(document)?.place_page(first);
        Ok(PlacePage {
            text: page.text,
            ends: page.ends,
        })
    }

    fn names(&self, document: u32, first: u32) -> Result<NamePage, Unavailable> {
        let page = self.document(document)?.name_page(first).map_err(|error| {
            tracing::warn!("a page of names can't be read: {error}");
            Unavailable::Failed
        })?;
        Ok(NamePage {
            text: page.text,
            ends: page.ends,
            places: page.places,
        })
    }
}

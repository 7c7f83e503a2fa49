//! What the component asks of its host.

use super::convert::{family_out, unavailable};
use super::imports;
use crate::session;

/// The host's side of `session` and `inventory`.
pub(super) struct Host;

impl session::Session for Host {
    fn documents(&self) -> Result<Vec<String>, session::Unavailable> {
        imports::session::documents().map_err(unavailable)
    }

    fn providers(&self) -> Vec<String> {
        imports::session::providers()
    }

    fn identifiers(
        &self,
        family: session::Family,
        prefix: &str,
        limit: u32,
    ) -> Result<session::IdentifierPage, session::Unavailable> {
        imports::session::identifiers(family_out(family), prefix, limit)
            .map(|page| session::IdentifierPage {
                values: page.values,
                total: page.total,
            })
            .map_err(unavailable)
    }

    fn tools(&self) -> Vec<String> {
        imports::session::tools()
    }

    fn retained_operations(&self) -> Vec<String> {
        imports::session::retained_operations()
    }
}

impl session::Inventory for Host {
    fn places(
        &self,
        document: u32,
        first: u32,
    ) -> Result<session::PlacePage, session::Unavailable> {
        imports::inventory::places(document, first)
            .map(|page| session::PlacePage {
                text: page.text,
                ends: page.ends,
            })
            .map_err(unavailable)
    }

    fn names(&self, document: u32, first: u32) -> Result<session::NamePage, session::Unavailable> {
        imports::inventory::names(document, first)
            .map(|page| session::NamePage {
                text: page.text,
                ends: page.ends,
                places: page.places,
            })
            .map_err(unavailable)
    }
}

//! What the component may ask, answered from whatever the host puts behind two traits.

use std::sync::Arc;

use wasmtime::{
    StoreLimits,
    component::{HasSelf, Linker},
};

pub use super::bindings::rea::guide::{
    inventory::{NamePage, PlacePage},
    session::IdentifierPage,
    types::{Family, Fault, FaultCode, Unavailable},
};
use super::bindings::{
    Guide,
    rea::guide::{inventory, session, types},
};

/// The running session, as it is at the moment of the call (`wit/session.wit`).
///
/// Called on the thread of an instance, while a request waits: answer from what is in memory, don't wait.
pub trait SessionView: Send + Sync {
    /// Names of the documents of the active target, if its provider is ready.
    ///
    /// # Errors
    /// The reason why there are none.
    fn documents(&self) -> Result<Vec<String>, Unavailable>;

    /// Ids of the providers that can be chosen, `auto` among them.
    fn providers(&self) -> Vec<String>;

    /// The first `limit` identifiers of a family that begin with `prefix`, and how many do in all.
    ///
    /// # Errors
    /// `Unsupported` for a family that has no identifiers.
    fn identifiers(
        &self,
        family: Family,
        prefix: &str,
        limit: u32,
    ) -> Result<IdentifierPage, Unavailable>;

    /// Names of the tools served, in catalogue order.
    fn tools(&self) -> Vec<String>;

    /// Operations whose evidence is retained, sorted.
    fn retained_operations(&self) -> Vec<String>;
}

/// The pages of one inventory snapshot (`wit/inventory.wit`).
pub trait SnapshotPages: Send + Sync {
    /// Spellings of a document's places from number `first` on.
    ///
    /// # Errors
    /// The reason why they can't be had.
    fn places(&self, document: u32, first: u32) -> Result<PlacePage, Unavailable>;

    /// Names of a document from row `first` on.
    ///
    /// # Errors
    /// The reason why they can't be had.
    fn names(&self, document: u32, first: u32) -> Result<NamePage, Unavailable>;
}

/// What a store owns.
pub(super) struct Context {
    pub(super) session: Arc<dyn SessionView>,
    pub(super) snapshot: Option<Arc<dyn SnapshotPages>>,
    pub(super) limits: StoreLimits,
}

/// At most this many identifiers are given at once, whatever the guest asks for.
const MOST_IDENTIFIERS: u32 = 100;

impl types::Host for Context {}

impl session::Host for Context {
    fn documents(&mut self) -> wasmtime::Result<Result<Vec<String>, Unavailable>> {
        Ok(self.session.documents())
    }

    fn providers(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.session.providers())
    }

    fn identifiers(
        &mut self,
        family: Family,
        prefix: String,
        limit: u32,
    ) -> wasmtime::Result<Result<IdentifierPage, Unavailable>> {
        // The limit is the guest's number.
        Ok(self
            .session
            .identifiers(family, &prefix, limit.min(MOST_IDENTIFIERS)))
    }

    fn tools(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.session.tools())
    }

    fn retained_operations(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.session.retained_operations())
    }
}

impl inventory::Host for Context {
    fn places(
        &mut self,
        document: u32,
        first: u32,
    ) -> wasmtime::Result<Result<PlacePage, Unavailable>> {
        Ok(match &self.snapshot {
            Some(snapshot) => snapshot.places(document, first),
            None => Err(Unavailable::Unsupported),
        })
    }

    fn names(
        &mut self,
        document: u32,
        first: u32,
    ) -> wasmtime::Result<Result<NamePage, Unavailable>> {
        Ok(match &self.snapshot {
            Some(snapshot) => snapshot.names(document, first),
            None => Err(Unavailable::Unsupported),
        })
    }
}

/// Gives a linker the two interfaces, and so all that a component can reach.
pub(super) fn add_to_linker(linker: &mut Linker<Context>) -> wasmtime::Result<()> {
    Guide::add_to_linker::<_, HasSelf<_>>(linker, |context| context)
}

//! What a session is at this moment, readable without waiting. The component's view of it.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock,
    atomic::{AtomicUsize, Ordering},
};

use super::{ledger::Ledger, providers, target::Target};
use crate::component::{Family, IdentifierPage, SessionView, Unavailable};

/// The state that the session changes and that completion reads.
pub(super) struct State {
    active: RwLock<Option<Arc<Target>>>,
    transitions: AtomicUsize,
    /// How often the session was closed: evidence of a target belongs to the stretch in which it was opened.
    closings: AtomicUsize,
    ledger: Mutex<Ledger>,
    tools: Vec<String>,
}

impl State {
    pub(super) fn new(tools: Vec<String>) -> State {
        State {
            active: RwLock::new(None),
            transitions: AtomicUsize::new(0),
            closings: AtomicUsize::new(0),
            ledger: Mutex::new(Ledger::default()),
            tools,
        }
    }

    /// The active target, whether or not it is being replaced.
    pub(super) fn active(&self) -> Option<Arc<Target>> {
        // A poisoned lock means a thread died while it held it; the value, one pointer, is whole all the same.
        self.active
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn activate(&self, target: Option<Arc<Target>>) -> Option<Arc<Target>> {
        let mut active = self.active.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *active, target)
    }

    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks a transition as long as the guard lives: completion of target values is empty meanwhile.
    pub(super) fn transition(&self) -> Transition<'_> {
        self.transitions.fetch_add(1, Ordering::AcqRel);
        Transition(self)
    }

    /// The active target if no transition is under way.
    pub(super) fn settled(&self) -> Result<Arc<Target>, Unavailable> {
        if self.transitions.load(Ordering::Acquire) > 0 {
            return Err(Unavailable::InTransition);
        }
        self.active().ok_or(Unavailable::NoTarget)
    }

    /// How often the session was closed.
    pub(super) fn closings(&self) -> usize {
        self.closings.load(Ordering::Acquire)
    }

    /// Forgets target and evidence; gives back the target and how many records there were.
    pub(super) fn close(&self) -> (Option<Arc<Target>>, usize) {
        self.closings.fetch_add(1, Ordering::AcqRel);
        let mut ledger = self.ledger();
        let records = ledger.evidence().len();
        ledger.clear();
        (self.activate(None), records)
    }

    pub(super) fn tool_names(&self) -> &[String] {
        &self.tools
    }
}

/// See [`State::transition`].
pub(super) struct Transition<'a>(&'a State);

impl Drop for Transition<'_> {
    fn drop(&mut self) {
        self.0.transitions.fetch_sub(1, Ordering::AcqRel);
    }
}

/// An archive may have more documents than anyone completes; these are enough.
const DOCUMENTS: usize = 10_000;

impl SessionView for State {
    fn documents(&self) -> Result<Vec<String>, Unavailable> {
        let target = self.settled()?;
        let ready = target.ready().ok_or(Unavailable::Cold)?;
        Ok(ready.document_names(DOCUMENTS))
    }

    fn providers(&self) -> Vec<String> {
        providers::selectable()
    }

    fn identifiers(
        &self,
        family: Family,
        prefix: &str,
        limit: u32,
    ) -> Result<IdentifierPage, Unavailable> {
        match family {
            Family::Evidence => Ok(self.ledger().evidence().page(prefix, limit)),
            // Nothing in this server makes any of these yet, so there are none.
            Family::ProcessCapture
            | Family::ArtifactManifest
            | Family::ArtifactOccurrence
            | Family::ResidualUnknown => Ok(IdentifierPage {
                values: Vec::new(),
                total: 0,
            }),
            Family::Document | Family::Procedure | Family::Provider => {
                Err(Unavailable::Unsupported)
            }
        }
    }

    fn tools(&self) -> Vec<String> {
        self.tools.clone()
    }

    fn retained_operations(&self) -> Vec<String> {
        self.ledger().operations().map(str::to_owned).collect()
    }
}

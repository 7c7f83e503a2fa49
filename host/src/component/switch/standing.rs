//! How each agent stands: the last decision, kept where a trap can't reach it.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use super::Held;

/// How one agent stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The conversation that it belongs to.
    pub conversation: String,
    /// The position of that.
    pub enabled: bool,
    /// The names that are out of reach, in byte order. While a server connects anew, names that no tool has now may be
    /// among them.
    pub mask: Arc<[String]>,
    /// The sections that are empty, in the order of the governed servers.
    pub sections: Arc<[String]>,
}

impl Standing {
    pub(super) fn held(&self) -> Held {
        Held {
            mask: self.mask.to_vec(),
            sections: self.sections.to_vec(),
        }
    }
}

/// Hears how an agent stands, whenever that changes, in the order of the decisions and before the call that led to it
/// returns. It runs on the thread of the instance: it must not wait.
pub type Listener = dyn Fn(&str, &Standing) + Send + Sync;

/// All of them.
#[derive(Default)]
pub(super) struct Standings {
    agents: RwLock<HashMap<String, Arc<Standing>>>,
}

impl Standings {
    pub(super) fn of(&self, agent: &str) -> Option<Arc<Standing>> {
        let agents = self.agents.read().unwrap_or_else(PoisonError::into_inner);
        agents.get(agent).cloned()
    }

    /// Whether that is something else than before.
    pub(super) fn set(&self, agent: &str, standing: &Arc<Standing>) -> bool {
        let mut agents = self.agents.write().unwrap_or_else(PoisonError::into_inner);
        let before = agents.insert(agent.to_owned(), Arc::clone(standing));
        before.is_none_or(|before| before != *standing)
    }

    pub(super) fn remove(&self, agent: &str) {
        let mut agents = self.agents.write().unwrap_or_else(PoisonError::into_inner);
        agents.remove(agent);
    }
}

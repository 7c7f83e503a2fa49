//! The live agents: what is in place for each, and what must be done so that it is as it should be.

use std::rc::Rc;

use super::names::NameSet;

/// What the host has in place for an agent on behalf of the switch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The names that the mask denies.
    pub mask: Vec<String>,
    /// The sections that are shadowed.
    pub sections: Vec<String>,
}

/// What the host must do for one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The agent.
    pub agent: String,
    /// The conversation that it belongs to.
    pub conversation: String,
    /// The position of that.
    pub enabled: bool,
    /// All names that its mask denies from now on; if empty, it has none. Left out: as before.
    pub mask: Option<Vec<String>>,
    /// All sections that are shadowed from now on. Left out: as before.
    pub sections: Option<Vec<String>>,
}

/// What is to be done for one agent. What is left out stays as it is.
pub(super) struct Work {
    pub(super) mask: Option<Vec<String>>,
    pub(super) sections: Option<Vec<String>>,
}

/// A live agent.
pub(super) struct Live {
    /// What is deniable for it, if other than for everybody.
    pub(super) names: Option<Rc<NameSet>>,
    held: Held,
}

impl Live {
    pub(super) fn new(names: Option<Rc<NameSet>>, held: Held) -> Live {
        let mut live = Live {
            names,
            held: Held::default(),
        };
        live.hold(held);
        live
    }

    /// Takes note of what is in place.
    pub(super) fn hold(&mut self, mut held: Held) {
        held.mask.sort_unstable();
        held.mask.dedup();
        self.held = held;
    }

    /// What must be done so that this agent is as `enabled` says, and takes it for done: the same question asked
    /// twice has nothing left the second time.
    pub(super) fn settle(
        &mut self,
        enabled: bool,
        everybody: &NameSet,
        sections: &[String],
    ) -> Option<Work> {
        let names = self.names.as_deref().unwrap_or(everybody);
        let mask = if enabled {
            (!self.held.mask.is_empty()).then(Vec::new)
        } else if names.is_covered_by(&self.held.mask) {
            None
        } else {
            Some(names.governed().map(|(name, _)| name.to_owned()).collect())
        };
        let wanted = if enabled { &[] } else { sections };
        let sections = (!same(wanted, &self.held.sections)).then(|| wanted.to_vec());
        if mask.is_none() && sections.is_none() {
            return None;
        }
        if let Some(mask) = &mask {
            self.held.mask.clone_from(mask);
        }
        if let Some(sections) = &sections {
            self.held.sections.clone_from(sections);
        }
        Some(Work { mask, sections })
    }

    /// What must be done so that nothing is in place.
    pub(super) fn lift(&mut self) -> Option<Work> {
        self.settle(true, &NameSet::default(), &[])
    }
}

/// Whether two lists name the same sections.
fn same(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().all(|name| other.contains(name))
}

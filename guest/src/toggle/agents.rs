//! The live agents: what is in place for each, and what must be done so that it is as it should be.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::names::{Load, NameSet};

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
    /// Which of [`Orders::masks`] its mask denies from now on; if that is empty, it has none. Left out: as before.
    pub mask: Option<u32>,
    /// All sections that are shadowed from now on. Left out: as before.
    pub sections: Option<Vec<String>>,
}

/// What the host must do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// The masks that are asked for, each once: agents share them.
    pub masks: Vec<Rc<[String]>>,
    /// One order for each agent for which there is something to do.
    pub agents: Vec<Order>,
}

impl Orders {
    /// The number of a mask among those asked for.
    pub(super) fn number(
        &mut self,
        mask: Rc<[String]>,
        known: &mut BTreeMap<*const String, u32>,
    ) -> u32 {
        // Of shared masks there is one in memory; empty ones are all alike.
        let key = if mask.is_empty() {
            std::ptr::null()
        } else {
            mask.as_ptr()
        };
        *known.entry(key).or_insert_with(|| {
            self.masks.push(mask);
            u32::try_from(self.masks.len() - 1).unwrap_or(u32::MAX)
        })
    }
}

/// What is to be done for one agent. What is left out stays as it is.
pub(super) struct Work {
    pub(super) mask: Option<Rc<[String]>>,
    pub(super) sections: Option<Vec<String>>,
}

/// A live agent.
pub(super) struct Live {
    /// What is deniable for it, if other than for everybody.
    pub(super) names: Option<Rc<NameSet>>,
    mask: Rc<[String]>,
    sections: Vec<String>,
}

impl Live {
    pub(super) fn new(names: Option<Rc<NameSet>>, held: Held) -> Live {
        let mut live = Live {
            names,
            mask: Rc::from([]),
            sections: Vec::new(),
        };
        live.hold(held);
        live
    }

    /// Takes note of what is in place.
    pub(super) fn hold(&mut self, mut held: Held) {
        held.mask.sort_unstable();
        held.mask.dedup();
        self.mask = held.mask.into();
        self.sections = held.sections;
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
            (!self.mask.is_empty()).then(|| Rc::from([]))
        } else if names.is_covered_by(&self.mask) {
            if *names.mask() == self.mask {
                // Kept once for all who have it.
                self.mask = Rc::clone(names.mask());
            }
            None
        } else {
            Some(Rc::clone(names.mask()))
        };
        let wanted = if enabled { &[] } else { sections };
        let sections = (!same(wanted, &self.sections)).then(|| wanted.to_vec());
        if mask.is_none() && sections.is_none() {
            return None;
        }
        if let Some(mask) = &mask {
            self.mask = Rc::clone(mask);
        }
        if let Some(sections) = &sections {
            self.sections.clone_from(sections);
        }
        Some(Work { mask, sections })
    }

    /// What must be done so that nothing is in place.
    pub(super) fn lift(&mut self) -> Option<Work> {
        self.settle(true, &NameSet::default(), &[])
    }

    /// Counts what is kept for this agent alone.
    pub(super) fn weigh(&self, everybody: &Rc<NameSet>, load: &mut Load) {
        let names = self.names.as_ref().unwrap_or(everybody);
        if !Rc::ptr_eq(names, everybody) {
            names.weigh(load);
        }
        if !Rc::ptr_eq(&self.mask, names.mask()) {
            load.count(&self.mask);
        }
    }
}

/// Whether two lists name the same sections.
fn same(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().all(|name| other.contains(name))
}

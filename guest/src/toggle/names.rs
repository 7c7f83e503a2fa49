//! A set of deniable names, and which of them are governed.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::naming::Owners;
use super::problem::{Problem, ProblemKind};

/// Names in one call at most.
pub(super) const MOST_NAMES: usize = 200_000;

/// Bytes of names in one call at most.
pub(super) const MOST_TEXT: usize = 16 << 20;

/// Counts what one call brings, or what is kept.
#[derive(Clone, Copy, Default)]
pub(super) struct Load {
    names: usize,
    bytes: usize,
}

impl Load {
    /// Counts names.
    pub(super) fn count(&mut self, names: &[String]) {
        self.names = self.names.saturating_add(names.len());
        for name in names {
            self.bytes = self.bytes.saturating_add(name.len());
        }
    }

    /// Counts names. Fails with the field beyond the bounds.
    pub(super) fn add(&mut self, field: &str, names: &[String]) -> Result<(), Problem> {
        self.count(names);
        if self.names > MOST_NAMES || self.bytes > MOST_TEXT {
            return Err(Problem::new(
                ProblemKind::TooMuch,
                field,
                format!("{MOST_NAMES} names of {MOST_TEXT} bytes together are the most."),
            ));
        }
        Ok(())
    }
}

/// Deniable names in byte order, each once.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NameSet {
    /// Those of governed servers: what a mask denies. Shared with the agents that have it.
    governed: Rc<[String]>,
    /// The place of the server of each of these.
    places: Vec<u16>,
    /// All others.
    others: Vec<String>,
}

impl Default for NameSet {
    fn default() -> Self {
        NameSet {
            governed: Rc::from([]),
            places: Vec::new(),
            others: Vec::new(),
        }
    }
}

impl NameSet {
    pub(super) fn new(names: Vec<String>, owners: &Owners) -> NameSet {
        let (mut governed, mut others) = (Vec::new(), Vec::new());
        for name in names {
            match owners.governed(&name) {
                Some(place) => governed.push((name, place)),
                None => others.push(name),
            }
        }
        governed.sort_unstable();
        governed.dedup();
        others.sort_unstable();
        others.dedup();
        let (governed, places): (Vec<String>, Vec<u16>) = governed.into_iter().unzip();
        NameSet {
            governed: governed.into(),
            places,
            others,
        }
    }

    /// The mask that hides what is governed.
    pub(super) fn mask(&self) -> &Rc<[String]> {
        &self.governed
    }

    /// The governed names, with the place of the server of each.
    pub(super) fn governed(&self) -> impl Iterator<Item = (&str, u16)> {
        self.governed
            .iter()
            .map(String::as_str)
            .zip(self.places.iter().copied())
    }

    /// Whether a mask (in byte order, each name once) hides exactly the governed names: all of them, and no other that
    /// is deniable. Names that aren't there now do no harm.
    pub(super) fn is_covered_by(&self, mask: &[String]) -> bool {
        *self.governed == *mask
            || (self
                .governed
                .iter()
                .all(|name| mask.binary_search(name).is_ok())
                && !mask
                    .iter()
                    .any(|masked| self.others.binary_search(masked).is_ok()))
    }

    /// Counts all names.
    pub(super) fn weigh(&self, load: &mut Load) {
        load.count(&self.governed);
        load.count(&self.others);
    }
}

/// Equal sets, kept once: most agents have what most agents have.
pub(super) struct Pool(BTreeSet<Rc<NameSet>>);

impl Pool {
    pub(super) fn with(everybody: &Rc<NameSet>) -> Pool {
        Pool([Rc::clone(everybody)].into())
    }

    pub(super) fn share(&mut self, set: NameSet) -> Rc<NameSet> {
        if let Some(known) = self.0.get(&set) {
            return Rc::clone(known);
        }
        let set = Rc::new(set);
        self.0.insert(Rc::clone(&set));
        set
    }
}

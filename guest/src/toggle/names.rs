//! A set of deniable names, and which of them are governed.

use std::rc::Rc;

use super::naming::Owners;
use super::problem::{Problem, ProblemKind};

/// Names in one call at most.
pub(super) const MOST_NAMES: usize = 200_000;

/// Bytes of names in one call at most.
pub(super) const MOST_TEXT: usize = 16 << 20;

/// Counts what one call brings.
#[derive(Default)]
pub(super) struct Load {
    names: usize,
    bytes: usize,
}

impl Load {
    /// Adds names. Fails with the field beyond the bounds.
    pub(super) fn add(&mut self, field: &str, names: &[String]) -> Result<(), Problem> {
        self.names = self.names.saturating_add(names.len());
        for name in names {
            self.bytes = self.bytes.saturating_add(name.len());
        }
        if self.names > MOST_NAMES || self.bytes > MOST_TEXT {
            return Err(Problem::new(
                ProblemKind::TooMuch,
                field,
                format!(
                    "One call can bring {MOST_NAMES} names of {MOST_TEXT} bytes together at most."
                ),
            ));
        }
        Ok(())
    }
}

/// Deniable names in byte order, each once.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct NameSet {
    /// Those of governed servers, with the place of the server.
    governed: Vec<(String, u16)>,
    /// All others.
    others: Vec<String>,
}

impl NameSet {
    pub(super) fn new(names: Vec<String>, owners: &Owners) -> NameSet {
        let mut set = NameSet::default();
        for name in names {
            match owners.governed(&name) {
                Some(place) => set.governed.push((name, place)),
                None => set.others.push(name),
            }
        }
        set.governed.sort_unstable();
        set.governed.dedup();
        set.others.sort_unstable();
        set.others.dedup();
        set
    }

    /// The same set as `known`, where it has the same names: most agents have what all have.
    pub(super) fn shared(self, known: &Rc<NameSet>) -> Rc<NameSet> {
        if self == **known {
            Rc::clone(known)
        } else {
            Rc::new(self)
        }
    }

    /// The governed names, with the place of the server of each.
    pub(super) fn governed(&self) -> impl ExactSizeIterator<Item = (&str, u16)> {
        self.governed
            .iter()
            .map(|(name, place)| (name.as_str(), *place))
    }

    /// Whether a mask (in byte order, each name once) hides exactly the governed names: all of them, and no other that
    /// is deniable. Names that aren't there now do no harm.
    pub(super) fn is_covered_by(&self, mask: &[String]) -> bool {
        let exact = mask.len() == self.governed.len()
            && mask
                .iter()
                .zip(&self.governed)
                .all(|(masked, (name, _))| masked == name);
        exact
            || (self
                .governed
                .iter()
                .all(|(name, _)| mask.binary_search(name).is_ok())
                && !mask
                    .iter()
                    .any(|masked| self.others.binary_search(masked).is_ok()))
    }
}

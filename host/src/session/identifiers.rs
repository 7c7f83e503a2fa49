//! A sorted set of identifiers that answers a prefix in logarithmic time, whatever the records weigh.

use crate::component::IdentifierPage;

/// Identifiers in ascending byte order, each once.
#[derive(Debug, Default)]
pub struct Identifiers(Vec<String>);

impl Identifiers {
    /// Adds one; `false` if it was there.
    pub fn insert(&mut self, identifier: &str) -> bool {
        match self
            .0
            .binary_search_by(|known| known.as_str().cmp(identifier))
        {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, identifier.to_owned());
                true
            }
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first `limit` that begin with `prefix`, and how many do.
    pub fn page(&self, prefix: &str, limit: u32) -> IdentifierPage {
        let start = self.0.partition_point(|known| known.as_str() < prefix);
        let tail = self.0.get(start..).unwrap_or_default();
        let count = tail.partition_point(|known| known.starts_with(prefix));
        let shown = count.min(usize::try_from(limit).unwrap_or(usize::MAX));
        IdentifierPage {
            values: tail.get(..shown).unwrap_or_default().to_vec(),
            total: u64::try_from(count).unwrap_or(u64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_finds_its_stretch_and_counts_all_of_it() {
        let mut set = Identifiers::default();
        for id in ["ev_b", "ev_a", "ev_b", "unk_a", "agm_z"] {
            set.insert(id);
        }
        assert_eq!(set.len(), 4);
        let page = set.page("ev_", 1);
        assert_eq!((page.values, page.total), (vec!["ev_a".to_owned()], 2));
        assert_eq!(set.page("", 100).total, 4);
        assert_eq!(set.page("ev_c", 100).total, 0);
        assert_eq!(set.page("zz", 100).total, 0);
    }
}

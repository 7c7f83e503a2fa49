//! Values outside ASCII: found under their folded keys, given in the order of their own spelling.
//!
//! The keys that begin with a prefix lie together, but the values they belong to are scattered. So that the first
//! hundred of very many are found quickly, each block of keys knows its least value.

use std::ops::Range;

use super::arena::Arena;
use super::no_memory;
use super::sort::Entry;
use crate::session::Fault;

/// Keys in a block. A search looks at every block of what it found, and into at most a hundred.
const BLOCK: usize = 64;

/// A value under its folded key.
#[derive(Clone, Copy, Debug)]
struct Key {
    /// Where the key begins in the text of keys.
    start: u32,
    /// Which of the values it is, in byte order.
    rank: u32,
}

/// The values of a document that aren't ASCII.
#[derive(Debug, Default)]
pub(super) struct Exotic {
    /// Where each begins in the text of the document, in byte order of the values.
    pub(super) starts: Vec<u32>,
    /// Bytes of the rows outside ASCII that were read, terminators included: about as long are their keys.
    pub(super) bytes: u64,
    /// The folded keys.
    pub(super) text: Arena,
    /// In byte order of the keys.
    keys: Vec<Key>,
    /// The least rank of each full block of `keys`.
    least: Vec<u32>,
}

impl Exotic {
    /// Takes over the keys, sorted; the tag of each is its rank.
    pub(super) fn set_keys(&mut self, sorted: &[Entry]) -> Result<(), Fault> {
        self.keys
            .try_reserve_exact(sorted.len())
            .map_err(|_| no_memory())?;
        self.keys.extend(sorted.iter().map(|entry| Key {
            start: entry.start,
            rank: entry.tag,
        }));
        let (blocks, _) = self.keys.as_chunks::<BLOCK>();
        self.least
            .try_reserve_exact(blocks.len())
            .map_err(|_| no_memory())?;
        self.least.extend(
            blocks
                .iter()
                .filter_map(|block| block.iter().map(|key| key.rank).min()),
        );
        Ok(())
    }

    /// Which keys begin with a folded prefix.
    pub(super) fn find(&self, prefix: &[u8]) -> Range<usize> {
        // A NUL would be taken for the end of a key.
        if prefix.contains(&0) {
            return 0..0;
        }
        let head = |key: &Key| self.text.bytes(key.start, prefix.len());
        let lo = self.keys.partition_point(|key| head(key) < prefix);
        let tail = self.keys.get(lo..).unwrap_or_default();
        lo..lo + tail.partition_point(|key| head(key) == prefix)
    }

    /// The offsets of the values of some keys: the first `room` in byte order of the values.
    pub(super) fn first(&self, found: Range<usize>, room: usize) -> Vec<u32> {
        let mut ranks: Vec<u32> = if found.len() == self.keys.len() {
            (0..self.starts.len().min(room) as u32).collect()
        } else {
            self.candidates(found, room)
        };
        keep_least(&mut ranks, room);
        ranks.sort_unstable();
        ranks
            .iter()
            .filter_map(|&rank| self.starts.get(rank as usize).copied())
            .collect()
    }

    /// Ranks among which are the `room` least of some keys.
    fn candidates(&self, found: Range<usize>, room: usize) -> Vec<u32> {
        let ranks_of = |range: Range<usize>| {
            self.keys
                .get(range)
                .unwrap_or_default()
                .iter()
                .map(|key| key.rank)
        };
        let full = found.start.div_ceil(BLOCK)..found.end / BLOCK;
        if full.len() <= room {
            return ranks_of(found).collect();
        }
        // A block whose least is behind the `room` least of other blocks has nothing to add.
        let least = self.least.get(full.clone()).unwrap_or_default();
        let mut blocks: Vec<(u32, usize)> = least.iter().copied().zip(full.clone()).collect();
        keep_least(&mut blocks, room);
        let inside = blocks
            .iter()
            .flat_map(|&(_, block)| ranks_of(block * BLOCK..(block + 1) * BLOCK));
        ranks_of(found.start..full.start * BLOCK)
            .chain(inside)
            .chain(ranks_of(full.end * BLOCK..found.end))
            .collect()
    }
}

/// Keeps the `room` least, in no order.
fn keep_least<T: Ord>(items: &mut Vec<T>, room: usize) {
    if room < items.len() {
        items.select_nth_unstable(room);
        items.truncate(room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exotic(ranks: &[u32]) -> Exotic {
        let mut exotic = Exotic {
            starts: (0..ranks.len() as u32).collect(),
            ..Exotic::default()
        };
        let keys: Vec<Entry> = ranks
            .iter()
            .map(|&tag| Entry {
                chunk: 0,
                start: 0,
                tag,
            })
            .collect();
        exotic.set_keys(&keys).unwrap();
        exotic
    }

    proptest! {
        #[test]
        fn the_first_of_any_stretch(
            ranks in Just((0..3000).collect::<Vec<u32>>()).prop_shuffle(),
            (lo, hi) in (0_usize..=3000, 0_usize..=3000),
            room in 0_usize..20,
        ) {
            let (lo, hi) = (lo.min(hi), lo.max(hi));
            let mut expected = ranks[lo..hi].to_vec();
            expected.sort_unstable();
            expected.truncate(room);
            prop_assert_eq!(exotic(&ranks).first(lo..hi, room), expected);
        }
    }
}

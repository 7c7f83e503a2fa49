//! Sorting offsets by the text they stand for, in slices.
//!
//! A multikey sort on chunks of eight bytes: sort by the first chunk of each value, then every run of equal chunks by
//! the next one. So a common prefix, long as those of C++ names are, is read once and not once a comparison. Large
//! groups are first divided at the highest bit in which their chunks differ, at most 64 times a chunk whatever
//! the input is, until they are small enough to be sorted in one go. Altogether each value is read once, and the
//! work is at most proportional to the bytes that must be looked at to tell the values apart.

use super::arena::{Arena, ended};

/// A row while it is sorted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The eight bytes that the row is compared by at the moment. After the sort: 0 or [`SAME`].
    pub(super) chunk: u64,
    /// Where the text begins.
    pub(super) start: u32,
    /// What the row stands for; the sort only carries it along.
    pub(super) tag: u32,
}

/// In `chunk` after the sort: the text is that of the row before.
pub(super) const SAME: u64 = 1;

/// Groups up to this are sorted by a chunk in one go, about a millisecond's work.
const LEAF: usize = 1 << 15;
/// Runs up to this are sorted by comparing whole texts.
const SMALL: usize = 8;

/// Units of work, roughly nanoseconds: reading a chunk, looking at one, comparing by one while sorting (times the
/// logarithm of the group), comparing two chunks of whole texts.
const READ: usize = 30;
const LOOK: usize = 4;
const ORDER: usize = 2;
const COMPARE: usize = 8;

/// What all chunks of a group have in common.
#[derive(Clone, Copy)]
struct Bits {
    and: u64,
    or: u64,
}

impl Bits {
    const NONE: Self = Self {
        and: u64::MAX,
        or: 0,
    };

    fn add(&mut self, chunk: u64) {
        self.and &= chunk;
        self.or |= chunk;
    }
}

/// Something to be done with the entries from `lo` to `hi`, whose texts are alike up to `depth`.
#[derive(Clone, Copy)]
enum Task {
    /// Read the chunks at `depth`; those before `at` have been read.
    Read {
        lo: usize,
        hi: usize,
        depth: usize,
        at: usize,
        bits: Bits,
    },
    /// Bring entries without a bit before those with it; those before `left` and from `right` on are in place.
    Divide {
        lo: usize,
        hi: usize,
        depth: usize,
        bit: u64,
        left: usize,
        right: usize,
        clear: Bits,
        set: Bits,
    },
    /// The entries are in order of their chunks: sort each run of equal chunks further.
    Runs { lo: usize, hi: usize, depth: usize },
}

/// A sort in progress. It works on the same entries and the same text in every slice.
pub(super) struct Sorter {
    /// What remains, last first. Earlier entries are always done first, so this has at most a few tasks a chunk of
    /// the longest text.
    tasks: Vec<Task>,
    /// Entries before this are in place.
    placed: usize,
}

impl Sorter {
    /// To sort so many entries.
    pub(super) fn new(count: usize) -> Self {
        let whole = Task::Read {
            lo: 0,
            hi: count,
            depth: 0,
            at: 0,
            bits: Bits::NONE,
        };
        Self {
            tasks: vec![whole],
            placed: 0,
        }
    }

    /// How many entries are in their places.
    pub(super) fn placed(&self) -> usize {
        self.placed
    }

    /// Sorts until the budget is used up or all is done, and says whether all is done.
    pub(super) fn advance(
        &mut self,
        entries: &mut [Entry],
        text: &Arena,
        budget: &mut usize,
    ) -> bool {
        while *budget > 0 {
            let Some(task) = self.tasks.pop() else {
                return true;
            };
            let used = match task {
                Task::Read {
                    lo,
                    hi,
                    depth,
                    at,
                    bits,
                } => {
                    let to = hi.min(at + *budget / READ + 1);
                    let bits = read(group(entries, at, to), text, depth, bits);
                    if to < hi {
                        self.tasks.push(Task::Read {
                            lo,
                            hi,
                            depth,
                            at: to,
                            bits,
                        });
                        (to - at) * READ
                    } else {
                        (to - at) * READ + self.route(entries, lo, hi, depth, bits)
                    }
                }
                Task::Divide {
                    lo,
                    hi,
                    depth,
                    bit,
                    left,
                    right,
                    mut clear,
                    mut set,
                } => {
                    let steps = (right - left).min(*budget / LOOK + 1);
                    let before = divide(
                        group(entries, left, right),
                        steps,
                        bit,
                        &mut clear,
                        &mut set,
                    );
                    let (left, right) = (left + before, right - (steps - before));
                    if left < right {
                        self.tasks.push(Task::Divide {
                            lo,
                            hi,
                            depth,
                            bit,
                            left,
                            right,
                            clear,
                            set,
                        });
                        steps * LOOK
                    } else {
                        let behind = self.tasks.len();
                        let mut used = steps * LOOK;
                        used += self.route(entries, lo, left, depth, clear);
                        let front = self.tasks.split_off(behind);
                        used += self.route(entries, left, hi, depth, set);
                        self.tasks.extend(front);
                        used
                    }
                }
                Task::Runs { lo, hi, depth } => self.runs(entries, text, lo, hi, depth, *budget),
            };
            *budget = budget.saturating_sub(used.max(1));
        }
        self.tasks.is_empty()
    }

    /// Decides what happens to a group whose chunks are read. Returns the work done.
    fn route(
        &mut self,
        entries: &mut [Entry],
        lo: usize,
        hi: usize,
        depth: usize,
        bits: Bits,
    ) -> usize {
        let count = hi.saturating_sub(lo);
        if count == 0 {
            return 1;
        }
        let differing = bits.and ^ bits.or;
        if differing == 0 {
            if ended(bits.or) {
                return self.alike(entries, lo, hi);
            }
            let depth = depth + size_of::<u64>();
            self.tasks.push(Task::Read {
                lo,
                hi,
                depth,
                at: lo,
                bits: Bits::NONE,
            });
            return 1;
        }
        if count > LEAF {
            let bit = 1 << differing.ilog2();
            self.tasks.push(Task::Divide {
                lo,
                hi,
                depth,
                bit,
                left: lo,
                right: hi,
                clear: Bits::NONE,
                set: Bits::NONE,
            });
            return 1;
        }
        group(entries, lo, hi).sort_unstable_by_key(|entry| entry.chunk);
        self.tasks.push(Task::Runs { lo, hi, depth });
        count * (count.ilog2() as usize + 1) * ORDER
    }

    /// Goes over runs of equal chunks until one of them needs more than a moment.
    fn runs(
        &mut self,
        entries: &mut [Entry],
        text: &Arena,
        mut lo: usize,
        hi: usize,
        depth: usize,
        budget: usize,
    ) -> usize {
        let depth_below = depth + size_of::<u64>();
        let mut used = 0;
        while lo < hi {
            if used >= budget {
                self.tasks.push(Task::Runs { lo, hi, depth });
                return used;
            }
            let rest = group(entries, lo, hi);
            let Some(chunk) = rest.first().map(|entry| entry.chunk) else {
                break;
            };
            let count = rest.iter().take_while(|entry| entry.chunk == chunk).count();
            let end = lo + count;
            if count == 1 || ended(chunk) {
                used += self.alike(entries, lo, end);
            } else if count <= SMALL {
                used += self.small(entries, text, lo, end, depth_below);
            } else {
                self.tasks.push(Task::Runs { lo: end, hi, depth });
                self.tasks.push(Task::Read {
                    lo,
                    hi: end,
                    depth: depth_below,
                    at: lo,
                    bits: Bits::NONE,
                });
                return used + count * LOOK;
            }
            lo = end;
        }
        used
    }

    /// A run of one text.
    fn alike(&mut self, entries: &mut [Entry], lo: usize, hi: usize) -> usize {
        let mut chunk = 0;
        for entry in group(entries, lo, hi) {
            entry.chunk = chunk;
            chunk = SAME;
        }
        self.placed = hi;
        (hi - lo) * LOOK
    }

    /// A few texts that are alike up to a depth.
    fn small(
        &mut self,
        entries: &mut [Entry],
        text: &Arena,
        lo: usize,
        hi: usize,
        depth: usize,
    ) -> usize {
        let mut compared = 0;
        let run = group(entries, lo, hi);
        run.sort_unstable_by(|one, other| {
            compare(text, one.start, other.start, depth, &mut compared)
        });
        let mut before = None;
        for entry in run {
            let same = before.is_some_and(|start| {
                compare(text, start, entry.start, depth, &mut compared).is_eq()
            });
            entry.chunk = if same { SAME } else { 0 };
            before = Some(entry.start);
        }
        self.placed = hi;
        compared * COMPARE + (hi - lo) * READ
    }
}

fn group(entries: &mut [Entry], lo: usize, hi: usize) -> &mut [Entry] {
    entries.get_mut(lo..hi).unwrap_or_default()
}

fn read(entries: &mut [Entry], text: &Arena, depth: usize, mut bits: Bits) -> Bits {
    for entry in entries {
        entry.chunk = text.chunk(entry.start, depth);
        bits.add(entry.chunk);
    }
    bits
}

/// Looks at `steps` of the entries: those without the bit gather at the front, those with it at the back. Returns how
/// many had no bit.
fn divide(
    entries: &mut [Entry],
    steps: usize,
    bit: u64,
    clear: &mut Bits,
    set: &mut Bits,
) -> usize {
    let (mut left, mut right) = (0, entries.len());
    for _ in 0..steps {
        let Some(chunk) = entries.get(left).map(|entry| entry.chunk) else {
            break;
        };
        if chunk & bit == 0 {
            clear.add(chunk);
            left += 1;
        } else {
            set.add(chunk);
            right = right.saturating_sub(1);
            entries.swap(left, right);
        }
    }
    left
}

fn compare(
    text: &Arena,
    one: u32,
    other: u32,
    mut depth: usize,
    compared: &mut usize,
) -> std::cmp::Ordering {
    loop {
        let (a, b) = (text.chunk(one, depth), text.chunk(other, depth));
        *compared += 1;
        if a != b || ended(a) {
            return a.cmp(&b);
        }
        depth += size_of::<u64>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sorts in slices of a budget; gives the texts and, of each, whether it is marked as the one before.
    fn sorted(values: &[String], slice: usize) -> Vec<(String, bool)> {
        let mut arena = Arena::default();
        let mut entries: Vec<Entry> = values
            .iter()
            .map(|value| Entry {
                chunk: 0,
                start: arena.push(value).unwrap(),
                tag: 0,
            })
            .collect();
        arena.seal();
        let mut sorter = Sorter::new(entries.len());
        let mut placed = 0;
        loop {
            let mut budget = slice;
            let done = sorter.advance(&mut entries, &arena, &mut budget);
            assert!(sorter.placed() >= placed);
            placed = sorter.placed();
            if done {
                break;
            }
        }
        assert_eq!(placed, entries.len());
        entries
            .iter()
            .map(|entry| (arena.value(entry.start).to_owned(), entry.chunk == SAME))
            .collect()
    }

    fn expected(values: &[String]) -> Vec<(String, bool)> {
        let mut values = values.to_vec();
        values.sort();
        (0..values.len())
            .map(|at| (values[at].clone(), at > 0 && values[at] == values[at - 1]))
            .collect()
    }

    proptest! {
        #[test]
        fn any_slices_sort_alike(
            values in prop::collection::vec("(abcdefgh|abcdefghijklmnop|\u{10ffff})?[aAé]{0,10}", 0..80),
            slice in 1_usize..3000,
        ) {
            prop_assert_eq!(sorted(&values, slice), expected(&values));
        }
    }

    /// More than a leaf, alike in long stretches: division, long common prefixes and repetitions all occur.
    #[test]
    fn large_groups_are_divided() {
        let values: Vec<String> = (0_u64..200_000)
            .map(|n| {
                let n = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
                match n % 4 {
                    0 => "the same".to_owned(),
                    1 => format!("a long common prefix, then {}", n % 50_000),
                    2 => format!("{}", n % 1000),
                    _ => format!("\u{e000}{n}"),
                }
            })
            .collect();
        assert_eq!(sorted(&values, 100_000), expected(&values));
    }
}

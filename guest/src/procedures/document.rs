//! The values of one document, and finding those that begin with something.

use super::arena::Arena;
use super::exotic::Exotic;

/// The values of one document.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// Its name.
    pub(super) name: String,
    /// The folded key of `<name>!`, under which its values are found when no document is chosen. Nothing if they
    /// can't be offered so.
    pub(super) folded_label: Option<String>,
    /// The text of all values, and of the rows that turned out not to be any.
    pub(super) text: Arena,
    /// The ASCII values in byte order.
    pub(super) plain: Vec<u32>,
    /// The others.
    pub(super) exotic: Exotic,
}

/// A stretch of [`Document::plain`] whose values are alike, but for case, up to a depth; and exactly alike among
/// each other.
#[derive(Clone, Copy)]
struct Stretch {
    lo: usize,
    hi: usize,
    depth: usize,
}

impl Document {
    /// How many values there are.
    pub(super) fn total(&self) -> u64 {
        (self.plain.len() + self.exotic.starts.len()) as u64
    }

    /// How many values begin with a folded prefix, and the first `room` of them in byte order.
    pub(super) fn find(&self, prefix: &str, room: usize) -> (u64, Vec<&str>) {
        let (mut total, plain) = self.find_plain(prefix.as_bytes(), room);
        let found = self.exotic.find(prefix.as_bytes());
        total += found.len() as u64;
        let exotic = self.exotic.first(found, room);
        let plain_only = exotic.is_empty();
        let mut values: Vec<&str> = plain
            .into_iter()
            .chain(exotic)
            .map(|start| self.text.value(start))
            .collect();
        if !plain_only {
            // Two ascending stretches; nothing of the one is in the other.
            values.sort();
            values.truncate(room);
        }
        (total, values)
    }

    /// Descends the sorted array byte by byte. Where both cases of a letter occur the stretch divides; upper case
    /// comes first, so stretches are found in the order of their values.
    ///
    /// There are never more stretches than values that match: a name in all its case variants costs a visit to
    /// each of them, reading each once as far as the prefix goes, and nothing grows with the number of variants that
    /// don't occur. What is remembered grows with the prefix only.
    fn find_plain(&self, prefix: &[u8], room: usize) -> (u64, Vec<u32>) {
        let (mut total, mut first) = (0, Vec::new());
        // A NUL would be taken for the end of a value. What isn't ASCII has another array.
        if prefix.iter().any(|byte| !byte.is_ascii() || *byte == 0) {
            return (total, first);
        }
        let mut open = vec![Stretch {
            lo: 0,
            hi: self.plain.len(),
            depth: 0,
        }];
        while let Some(mut stretch) = open.pop() {
            while stretch.lo < stretch.hi
                && let Some(&byte) = prefix.get(stretch.depth)
            {
                let (upper, lower) = self.narrow(stretch, byte);
                stretch = if upper.lo == upper.hi {
                    lower
                } else {
                    if lower.lo < lower.hi {
                        open.push(lower);
                    }
                    upper
                };
            }
            let found = self.plain.get(stretch.lo..stretch.hi).unwrap_or_default();
            total += found.len() as u64;
            first.extend(found.iter().take(room.saturating_sub(first.len())));
        }
        (total, first)
    }

    /// Of a stretch the values that go on with a byte: with its upper case, and with itself. Either may be empty; for
    /// a byte that has no upper case the first is.
    fn narrow(&self, stretch: Stretch, byte: u8) -> (Stretch, Stretch) {
        let Stretch { lo, hi, depth } = stretch;
        let next = |lo, hi| Stretch {
            lo,
            hi,
            depth: depth + 1,
        };
        let none = next(lo, lo);
        let upper = byte.to_ascii_uppercase();
        let starts = self.plain.get(lo..hi).unwrap_or_default();
        let at = |start: &u32| self.text.byte(*start, depth);
        let (Some(first), Some(last)) = (starts.first().map(at), starts.last().map(at)) else {
            return (none, none);
        };
        // Names begin alike for long, so this spares most searches.
        if first == last {
            return if first == byte {
                (none, next(lo, hi))
            } else if first == upper {
                (next(lo, hi), none)
            } else {
                (none, none)
            };
        }
        // First everything from the upper to the lower case, what is between them included; then its two ends.
        let (from, to) = self.between(lo, hi, depth, upper, byte);
        let inside = self.plain.get(from..to).unwrap_or_default();
        let (Some(first), Some(last)) = (inside.first().map(at), inside.last().map(at)) else {
            return (none, none);
        };
        if first == last || upper == byte {
            return if first == upper && upper != byte {
                (next(from, to), none)
            } else if first == byte {
                (none, next(from, to))
            } else {
                (none, none)
            };
        }
        let uppers = if first == upper {
            inside.partition_point(|start| at(start) == upper)
        } else {
            0
        };
        let others = if last == byte {
            inside.partition_point(|start| at(start) < byte)
        } else {
            inside.len()
        };
        (next(from, from + uppers), next(from + others, to))
    }

    /// Of values that are alike up to a depth, those that go on with a byte from `least` to `most`.
    fn between(
        &self,
        mut lo: usize,
        mut hi: usize,
        depth: usize,
        least: u8,
        most: u8,
    ) -> (usize, usize) {
        let at = |start: &u32| self.text.byte(*start, depth);
        // Both ends are looked for together as long as they can be: every look is at another corner of the memory.
        while lo < hi {
            let middle = lo + (hi - lo) / 2;
            let byte = self.plain.get(middle).map_or(0, at);
            if byte < least {
                lo = middle + 1;
            } else if byte > most {
                hi = middle;
            } else {
                let before = self.plain.get(lo..middle).unwrap_or_default();
                let behind = self.plain.get(middle..hi).unwrap_or_default();
                return (
                    lo + before.partition_point(|start| at(start) < least),
                    middle + behind.partition_point(|start| at(start) <= most),
                );
            }
        }
        (lo, lo)
    }
}

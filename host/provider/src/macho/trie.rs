//! The exports trie: names shared by their beginnings, walked with bounds.

use super::raw::{string_at, uleb};

/// What a name of the trie stands for. Offsets count from the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Export {
    /// Something of this image.
    Regular { offset: u64, weak: bool },
    /// A stub that others call, and the function that picks the implementation.
    Resolver {
        stub: u64,
        resolver: u64,
        weak: bool,
    },
    /// Something of another library.
    Reexport,
    /// A number that is no address.
    Absolute,
    /// A thread-local variable.
    ThreadLocal,
}

/// What a walk says besides the names.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) rows: u64,
    pub(crate) damage: Vec<String>,
}

/// Names are followed up to this length.
const NAME_LIMIT: usize = super::rows::OFFERED_LIMIT;

/// Calls for every export, in the order of the trie.
///
/// Every node is taken once, so a loop ends the walk of its branch; and all names together may take sixty-four times
/// the trie's bytes, which no real one comes near.
pub(crate) fn walk(bytes: &[u8], mut call: impl FnMut(&[u8], Export)) -> Walked {
    let mut walked = Walked::default();
    if bytes.is_empty() {
        return walked;
    }
    let mut seen = vec![false; bytes.len()];
    let mut name: Vec<u8> = Vec::new();
    let mut budget = (bytes.len() as u64).saturating_mul(64).saturating_add(4096);
    let (mut unread, mut again, mut long) = (0u64, 0u64, 0u64);
    // Nodes that are open: where the next edge stands, how many are left, and how long the name is there.
    let mut open: Vec<(usize, u8, usize)> = Vec::new();
    let mut next = Some(0usize);
    loop {
        if let Some(at) = next.take() {
            match seen.get_mut(at) {
                None => unread += 1,
                Some(seen) if *seen => again += 1,
                Some(seen) => {
                    *seen = true;
                    match node(bytes, at) {
                        Some((export, edges, count)) => {
                            if let Some(export) = export {
                                let cost = name.len() as u64;
                                if cost > budget {
                                    walked.damage.push(
                                        "the names are longer together than any linker makes them"
                                            .to_owned(),
                                    );
                                    return walked;
                                }
                                budget -= cost;
                                walked.rows += 1;
                                call(&name, export);
                            }
                            open.push((edges, count, name.len()));
                        }
                        None => unread += 1,
                    }
                }
            }
        }
        let Some((edge, left, len)) = open.last_mut() else {
            break;
        };
        name.truncate(*len);
        if *left == 0 {
            open.pop();
            continue;
        }
        *left -= 1;
        let read = string_at(bytes, *edge)
            .and_then(|label| Some((label, uleb(bytes, *edge + label.len() + 1)?)));
        let Some((label, (child, behind))) = read else {
            unread += 1;
            *left = 0;
            continue;
        };
        *edge = behind;
        if name.len() + label.len() > NAME_LIMIT {
            long += 1;
            continue;
        }
        name.extend_from_slice(label);
        next = Some(usize::try_from(child).unwrap_or(usize::MAX));
    }
    for (count, what) in [
        (unread, "nodes can't be read"),
        (again, "edges lead to a node that was read before: a loop"),
        (long, "names are longer than 65536 bytes"),
    ] {
        if count > 0 {
            walked.damage.push(format!("{count} {what}"));
        }
    }
    walked
}

/// A node: its export if it ends a name, where its edges begin, and how many there are.
fn node(bytes: &[u8], at: usize) -> Option<(Option<Export>, usize, u8)> {
    let (size, body) = uleb(bytes, at)?;
    let behind = body.checked_add(usize::try_from(size).ok()?)?;
    let export = if size == 0 {
        None
    } else {
        let body = bytes.get(body..behind)?;
        let (flags, at) = uleb(body, 0)?;
        let weak = flags & 4 != 0;
        Some(match (flags & 0x08 != 0, flags & 3) {
            (true, _) => Export::Reexport,
            (_, 1) => Export::ThreadLocal,
            (_, 2) => Export::Absolute,
            (_, 0) => {
                let (offset, at) = uleb(body, at)?;
                if flags & 0x10 != 0 {
                    Export::Resolver {
                        stub: offset,
                        resolver: uleb(body, at)?.0,
                        weak,
                    }
                } else {
                    Export::Regular { offset, weak }
                }
            }
            _ => return None,
        })
    };
    Some((export, behind.checked_add(1)?, *bytes.get(behind)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(bytes: &[u8]) -> (Vec<(String, Export)>, Walked) {
        let mut found = Vec::new();
        let walked = walk(bytes, |name, export| {
            found.push((String::from_utf8_lossy(name).into_owned(), export));
        });
        (found, walked)
    }

    /// `_a` and `_ab`, a re-export `_r`, a thread-local `_t`, a resolver `_s`.
    fn trie() -> Vec<u8> {
        let mut bytes = vec![0, 1, b'_', 0, 5];
        bytes.extend([0, 4]);
        bytes.extend([b'a', 0, 19, b'r', 0, 27, b't', 0, 34, b's', 0, 40]);
        // _a at 19
        bytes.extend([2, 0, 0x10, 1, b'b', 0, 47, 0xff]);
        // _r at 27
        bytes.extend([4, 8, 1, b'x', 0, 0, 0xff]);
        // _t at 34
        bytes.extend([2, 1, 0x20, 0, 0xff, 0xff]);
        // _s at 40
        bytes.extend([4, 0x10, 0x80, 0x01, 0x30, 0, 0xff]);
        // _ab at 47
        bytes.extend([2, 4, 0x14, 0]);
        bytes
    }

    #[test]
    fn every_kind_of_export_is_told_apart() {
        let (found, walked) = names(&trie());
        let expected = [
            (
                "_a",
                Export::Regular {
                    offset: 0x10,
                    weak: false,
                },
            ),
            (
                "_ab",
                Export::Regular {
                    offset: 0x14,
                    weak: true,
                },
            ),
            ("_r", Export::Reexport),
            ("_t", Export::ThreadLocal),
            (
                "_s",
                Export::Resolver {
                    stub: 0x80,
                    resolver: 0x30,
                    weak: false,
                },
            ),
        ];
        assert_eq!(
            found,
            expected.map(|(name, export)| (name.to_owned(), export))
        );
        assert!(walked.damage.is_empty() && walked.rows == 5);
    }

    /// LIEF 1262, 994: a trie whose edge leads back hangs its reader.
    #[test]
    fn lief_1262_a_loop_ends_and_is_said() {
        for target in [0u8, 5, 19] {
            let mut bytes = trie();
            // The edge from _a to _ab.
            bytes[25] = target;
            let (found, walked) = names(&bytes);
            assert_eq!(found.len(), 4, "{target}");
            assert_eq!(walked.damage.len(), 1, "{:?}", walked.damage);
            assert!(walked.damage[0].contains("loop"));
        }
    }

    #[test]
    fn a_chain_that_makes_endless_names_is_bounded() {
        // Each node ends a name and leads to the next by a label as long as one edge may be.
        let mut bytes = Vec::new();
        for _ in 0..3000u32 {
            let start = bytes.len();
            let label = 300;
            let next = start + 4 + label + 1 + 5;
            bytes.extend([2, 0, 1, 1]);
            bytes.extend(vec![b'x'; label]);
            bytes.push(0);
            let next = next as u64;
            for part in 0..5 {
                let byte = ((next >> (7 * part)) & 0x7f) as u8;
                bytes.push(if part < 4 { byte | 0x80 } else { byte });
            }
        }
        bytes.extend([2, 0, 1, 0]);
        let mut total = 0u64;
        let walked = walk(&bytes, |name, _| total += name.len() as u64);
        assert!(total <= bytes.len() as u64 * 64 + 4096);
        assert_eq!(walked.damage.len(), 1);
    }

    #[test]
    fn every_cut_is_an_answer() {
        let whole = trie();
        for cut in 0..whole.len() {
            let (found, walked) = names(&whole[..cut]);
            assert!(found.len() <= 5);
            assert!(cut == 0 || !walked.damage.is_empty(), "{cut}");
        }
    }
}

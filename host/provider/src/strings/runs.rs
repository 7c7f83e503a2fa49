//! Runs of printable characters in bytes that come in pieces.

use super::StringEncoding;
use crate::escape::is_hidden;

/// A run, as offsets in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) encoding: StringEncoding,
    pub(super) match_offset: Option<u64>,
}

/// Longer runs are cut.
const LONGEST: usize = 65_536;

/// A run that goes on.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    /// Where it begins, as an offset in the file.
    start: u64,
    characters: u32,
}

/// Finds runs. The result doesn't depend on how the bytes are cut into pieces.
pub(super) struct Runs {
    min_length: u32,
    utf8: bool,
    utf16: bool,
    /// The next byte to look at, for UTF-8, and for UTF-16.
    at: [u64; 2],
    open_utf8: Option<Open>,
    /// At even and odd offsets.
    open_utf16: [Option<Open>; 2],
    /// Hits that may still be preceded by others.
    pending: Vec<Run>,
    cuts: u64,
}

impl Runs {
    pub(super) fn new(min_length: u32, utf8: bool, utf16: bool) -> Runs {
        Runs {
            min_length,
            utf8,
            utf16,
            at: [0; 2],
            open_utf8: None,
            open_utf16: [None; 2],
            pending: Vec::new(),
            cuts: 0,
        }
    }

    pub(super) fn cuts(&self) -> u64 {
        self.cuts
    }

    /// Looks at a window of the file that begins at `base`. It must hold everything from [`needed_from`](Self::needed_from) on. `last`:
    /// nothing follows. `is_hit` is asked about each run with its bytes.
    pub(super) fn scan(
        &mut self,
        window: &[u8],
        base: u64,
        last: bool,
        mut is_hit: impl FnMut(&mut Run, &[u8]) -> bool,
    ) {
        if self.utf8 {
            self.scan_utf8(window, base, last, &mut is_hit);
        }
        if self.utf16 {
            self.scan_utf16(window, base, last, &mut is_hit);
        }
    }

    /// From which offset on bytes must be shown again, when everything before `done` was shown.
    pub(super) fn needed_from(&self, done: u64) -> u64 {
        let open = [self.open_utf8, self.open_utf16[0], self.open_utf16[1]];
        let at = self
            .at
            .iter()
            .zip([self.utf8, self.utf16])
            .filter(|(_, on)| *on)
            .map(|(at, _)| *at);
        open.into_iter()
            .flatten()
            .map(|open| open.start)
            .chain(at)
            .min()
            .unwrap_or(done)
    }

    /// The hits that begin before an offset, in order. None that begins before [`needed_from`](Self::needed_from) can still come.
    pub(super) fn ready(&mut self, before: u64) -> impl Iterator<Item = Run> {
        self.pending
            .sort_unstable_by_key(|run| (run.start, run.encoding));
        let ready = self.pending.partition_point(|run| run.start < before);
        self.pending.drain(..ready)
    }

    fn scan_utf8(
        &mut self,
        window: &[u8],
        base: u64,
        last: bool,
        is_hit: &mut dyn FnMut(&mut Run, &[u8]) -> bool,
    ) {
        let [at, _] = self.at;
        let mut index = usize::try_from(at - base).unwrap_or(window.len());
        let mut open = self.open_utf8;
        while let Some(rest) = window.get(index..).filter(|rest| !rest.is_empty()) {
            let step = match rest {
                [0x20..=0x7e | b'\t', ..] => Step::Take(1),
                [0..=0x7f, ..] => Step::Break,
                _ => character(rest, last),
            };
            let here = base + index as u64;
            match step {
                Step::Take(size) => {
                    let run = open.get_or_insert(Open {
                        start: here,
                        characters: 0,
                    });
                    run.characters += 1;
                    index += size;
                    if here + size as u64 - run.start >= LONGEST as u64 {
                        self.close(
                            open.take(),
                            here + size as u64,
                            StringEncoding::Utf8,
                            window,
                            base,
                            is_hit,
                        );
                        self.cuts += 1;
                    }
                }
                Step::Break => {
                    self.close(
                        open.take(),
                        here,
                        StringEncoding::Utf8,
                        window,
                        base,
                        is_hit,
                    );
                    index += 1;
                }
                Step::Wait => break,
            }
        }
        let end = base + index as u64;
        if last {
            self.close(open.take(), end, StringEncoding::Utf8, window, base, is_hit);
        }
        self.open_utf8 = open;
        self.at[0] = end;
    }

    fn scan_utf16(
        &mut self,
        window: &[u8],
        base: u64,
        last: bool,
        is_hit: &mut dyn FnMut(&mut Run, &[u8]) -> bool,
    ) {
        let [_, at] = self.at;
        let first = usize::try_from(at - base).unwrap_or(window.len());
        let mut here = at;
        for unit in window.get(first..).unwrap_or(&[]).windows(2) {
            let &[low, high] = unit else { break };
            let parity = usize::from(here & 1 == 1);
            if let Some(slot) = self.open_utf16.get_mut(parity) {
                if high < 6 && is_text_unit(low, high) {
                    let run = slot.get_or_insert(Open {
                        start: here,
                        characters: 0,
                    });
                    run.characters += 1;
                    if here + 2 - run.start >= LONGEST as u64 {
                        let closed = slot.take();
                        self.close(
                            closed,
                            here + 2,
                            StringEncoding::Utf16le,
                            window,
                            base,
                            is_hit,
                        );
                        self.cuts += 1;
                    }
                } else if slot.is_some() {
                    let closed = slot.take();
                    self.close(closed, here, StringEncoding::Utf16le, window, base, is_hit);
                }
            }
            here += 1;
        }
        if last {
            for parity in [0, 1] {
                if let Some(open) = self.open_utf16.get_mut(parity).and_then(Option::take) {
                    let end = open.start + u64::from(open.characters) * 2;
                    self.close(
                        Some(open),
                        end,
                        StringEncoding::Utf16le,
                        window,
                        base,
                        is_hit,
                    );
                }
            }
        }
        self.at[1] = here;
    }

    fn close(
        &mut self,
        open: Option<Open>,
        end: u64,
        encoding: StringEncoding,
        window: &[u8],
        base: u64,
        is_hit: &mut dyn FnMut(&mut Run, &[u8]) -> bool,
    ) {
        let Some(open) = open.filter(|open| open.characters >= self.min_length) else {
            return;
        };
        let mut run = Run {
            start: open.start,
            end,
            encoding,
            match_offset: None,
        };
        let inside = |offset: u64| usize::try_from(offset - base).unwrap_or(usize::MAX);
        let bytes = window
            .get(inside(run.start)..inside(run.end))
            .unwrap_or(&[]);
        if is_hit(&mut run, bytes) {
            self.pending.push(run);
        }
    }
}

enum Step {
    /// A printable character of that many bytes.
    Take(usize),
    /// No text.
    Break,
    /// The window ends inside what may be a character.
    Wait,
}

/// The character at the beginning of bytes that don't begin with ASCII.
fn character(bytes: &[u8], last: bool) -> Step {
    let size = match bytes.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => return Step::Break,
    };
    let Some(candidate) = bytes.get(..size) else {
        return if last { Step::Break } else { Step::Wait };
    };
    match std::str::from_utf8(candidate)
        .ok()
        .and_then(|text| text.chars().next())
    {
        Some(c) if !is_hidden(c) && !is_private(c) => Step::Take(size),
        _ => Step::Break,
    }
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..)
}

/// Latin, Greek and Cyrillic, without control and format characters.
fn is_text_unit(low: u8, high: u8) -> bool {
    match high {
        0 => matches!(low, 0x20..=0x7e | b'\t') || (low >= 0xa0 && low != 0xad),
        1..=4 => true,
        _ => high == 5 && low < 0x30,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(bytes: &[u8], piece: usize) -> Vec<(u64, u64, StringEncoding)> {
        let mut runs = Runs::new(3, true, true);
        let mut found = Vec::new();
        let (mut base, mut done) = (0usize, 0usize);
        while done < bytes.len() {
            done = (done + piece).min(bytes.len());
            runs.scan(
                &bytes[base..done],
                base as u64,
                done == bytes.len(),
                |_, _| true,
            );
            let keep = runs.needed_from(done as u64);
            found.extend(runs.ready(keep));
            base = keep as usize;
        }
        found.extend(runs.ready(u64::MAX));
        found
            .iter()
            .map(|run| (run.start, run.end, run.encoding))
            .collect()
    }

    #[test]
    fn finds_both_encodings_in_order() {
        let mut bytes = b"\0\0abcd\0gr\xc3\xbcn\xff".to_vec();
        bytes.extend("\u{0}Текст\u{0}".encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!(
            all(&bytes, 1000),
            [
                (2, 6, StringEncoding::Utf8),
                (7, 12, StringEncoding::Utf8),
                (15, 25, StringEncoding::Utf16le)
            ]
        );
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(bytes in proptest::collection::vec(prop_oneof![Just(0u8), Just(b'a'), Just(0xc3), Just(0xbc), any::<u8>()], 0..400), piece in 1usize..50) {
            prop_assert_eq!(all(&bytes, piece), all(&bytes, 1000));
        }
    }
}

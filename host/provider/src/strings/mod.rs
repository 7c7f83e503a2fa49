//! Text in a file: runs of printable characters, found by reading the file once from beginning to end.

mod runs;

use regex::bytes::Regex;

use crate::inventory::{MatchMode, compile};
use crate::monitor::step;
use crate::{Binary, Monitor, QueryError, ReadError, SearchError, escape};
use runs::{Run, Runs};

/// How characters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StringEncoding {
    /// ASCII and UTF-8.
    Utf8,
    /// UTF-16 with the low byte first, at even and odd offsets. Only characters up to U+052F (Latin, Greek, Cyrillic): beyond them
    /// most pairs of bytes would be text.
    Utf16le,
}

/// A search for text.
#[derive(Clone, Debug)]
pub struct StringQuery {
    /// What to look for in a run, 1 to 4,096 bytes; without it every run is a hit.
    pub pattern: Option<String>,
    /// How it is meant.
    pub mode: MatchMode,
    /// Whether `a` and `A` differ.
    pub case_sensitive: bool,
    /// Characters that a run has at least: 1 to 4,096.
    pub min_length: u32,
    /// Which runs are looked at; empty: all kinds.
    pub encodings: Vec<StringEncoding>,
}

impl Default for StringQuery {
    fn default() -> StringQuery {
        StringQuery {
            pattern: None,
            mode: MatchMode::Literal,
            case_sensitive: false,
            min_length: 4,
            encodings: Vec::new(),
        }
    }
}

/// A run of text that matches.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct StringHit {
    /// Where the run begins in the file.
    pub file_offset: u64,
    /// Bytes of the run.
    pub bytes: u64,
    /// Where the first match begins in the file, if there was a pattern.
    pub match_offset: Option<u64>,
    /// Where the run is loaded, if it is.
    pub address: Option<u64>,
    /// The section that holds it, or `segment N`; none if no header speaks of these bytes.
    pub section: Option<String>,
    /// How it is written.
    pub encoding: StringEncoding,
    /// The text, escaped reversibly, at most 4,096 bytes of it, with the match in it.
    pub text: String,
    /// Where `text` begins in the file.
    pub text_offset: u64,
    /// Whether `text` is not the whole run.
    pub truncated: bool,
}

/// A page of runs that match.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct StringSearch {
    /// The number of the first hit asked for.
    pub first: u64,
    /// All hits, exactly.
    pub total: u64,
    /// The hits, by file offset, at equal offsets UTF-8 first.
    pub hits: Vec<StringHit>,
    /// Bytes that were scanned, from the beginning of the file: always all of it.
    pub scanned: u64,
    /// Runs longer than 65,536 bytes are cut into pieces of that length; a match across a cut is not found. So many cuts there
    /// were.
    pub cuts: u64,
}

/// The file is read in pieces of this size.
const PIECE: usize = 1 << 20;
/// Bytes of a run that are shown.
const SHOWN: u64 = 4096;
/// Shortest runs that may be asked for at most.
const LENGTH_LIMIT: u32 = 4096;

impl Binary {
    /// The runs of text that match, from hit number `first` on, at most `limit`, with their exact total.
    ///
    /// A run is a longest sequence of printable characters and tabs. The whole file is scanned at every call, headers and what
    /// no header speaks of included.
    pub fn strings(
        &self,
        query: &StringQuery,
        first: u64,
        limit: u32,
        monitor: &dyn Monitor,
    ) -> Result<StringSearch, SearchError> {
        if query.min_length == 0 || query.min_length > LENGTH_LIMIT {
            return Err(QueryError {
                field: "min_length",
                reason: format!("it is {}; 1 to {LENGTH_LIMIT} are taken", query.min_length),
            }
            .into());
        }
        let pattern = query
            .pattern
            .as_deref()
            .map(|pattern| compile(pattern, query.mode, query.case_sensitive))
            .transpose()?;
        let wants = |encoding| query.encodings.is_empty() || query.encodings.contains(&encoding);
        let mut runs = Runs::new(
            query.min_length,
            wants(StringEncoding::Utf8),
            wants(StringEncoding::Utf16le),
        );
        let mut page = Page {
            first,
            last: first.saturating_add(u64::from(limit)),
            total: 0,
            found: Vec::new(),
        };
        let total = self.file.len();
        let mut window: Vec<u8> = Vec::new();
        let mut base = 0u64;
        let mut done = 0u64;
        while done < total {
            step(monitor, done, total)?;
            let want = usize::try_from(total - done).unwrap_or(PIECE).min(PIECE);
            let start = window.len();
            window.resize(start + want, 0);
            if let Some(piece) = window.get_mut(start..) {
                self.file.fill(piece, done)?;
            }
            done = done.saturating_add(want as u64);
            runs.scan(&window, base, done == total, |run, bytes| {
                examine(pattern.as_ref(), run, bytes)
            });
            let keep = runs.needed_from(done);
            page.take(runs.ready(keep));
            window.drain(
                ..usize::try_from(keep.saturating_sub(base))
                    .unwrap_or(0)
                    .min(window.len()),
            );
            base = keep;
        }
        page.take(runs.ready(u64::MAX));
        let hits = page
            .found
            .iter()
            .map(|run| self.describe(run))
            .collect::<Result<_, _>>()?;
        self.file.check()?;
        Ok(StringSearch {
            first,
            total: page.total,
            hits,
            scanned: done,
            cuts: runs.cuts(),
        })
    }

    fn describe(&self, run: &Run) -> Result<StringHit, ReadError> {
        let width = run.encoding.width();
        let matched = run.match_offset.unwrap_or(run.start);
        // A match far inside a long run is shown with a little of what stands before it.
        let mut from = run.start;
        if run.end - run.start > SHOWN && matched - run.start > SHOWN / 2 {
            from = matched - (SHOWN / 4);
        }
        let to = run.end.min(from.saturating_add(SHOWN));
        let mut bytes = self.file.read_unchecked(from, to - from)?;
        // A cut must not split a character.
        if run.encoding == StringEncoding::Utf8 {
            let skip = bytes
                .iter()
                .take_while(|byte| **byte & 0xc0 == 0x80)
                .count();
            bytes.drain(..skip);
            from += skip as u64;
            if let Err(error) = std::str::from_utf8(&bytes) {
                bytes.truncate(error.valid_up_to());
            }
        }
        let text = match run.encoding {
            StringEncoding::Utf8 => escape::display(&bytes).into_owned(),
            StringEncoding::Utf16le => escape::display(decoded(&bytes).as_bytes()).into_owned(),
        };
        let (section, address) = self.image.owner(run.start);
        Ok(StringHit {
            file_offset: run.start,
            bytes: run.end - run.start,
            match_offset: run.match_offset,
            address,
            section,
            encoding: run.encoding,
            truncated: from != run.start || from + (bytes.len() as u64 / width * width) != run.end,
            text,
            text_offset: from,
        })
    }
}

impl StringEncoding {
    /// Bytes of the smallest character.
    fn width(self) -> u64 {
        match self {
            StringEncoding::Utf8 => 1,
            StringEncoding::Utf16le => 2,
        }
    }
}

/// Whether a run is a hit, and where its first match begins.
fn examine(pattern: Option<&Regex>, run: &mut Run, bytes: &[u8]) -> bool {
    let Some(pattern) = pattern else { return true };
    let found = match run.encoding {
        StringEncoding::Utf8 => pattern.find(bytes).map(|found| found.start() as u64),
        StringEncoding::Utf16le => {
            let text = decoded(bytes);
            pattern.find(text.as_bytes()).map(|found| {
                text.get(..found.start())
                    .map_or(0, |before| before.chars().count() as u64 * 2)
            })
        }
    };
    run.match_offset = found.map(|inside| run.start + inside);
    found.is_some()
}

/// Units of a UTF-16 run as text. A run holds no surrogates.
fn decoded(bytes: &[u8]) -> String {
    bytes
        .chunks_exact(2)
        .filter_map(|unit| <[u8; 2]>::try_from(unit).ok())
        .filter_map(|unit| char::from_u32(u16::from_le_bytes(unit).into()))
        .collect()
}

/// The hits of a page, and how many there are in all.
struct Page {
    first: u64,
    last: u64,
    total: u64,
    found: Vec<Run>,
}

impl Page {
    fn take(&mut self, hits: impl Iterator<Item = Run>) {
        for hit in hits {
            if (self.first..self.last).contains(&self.total) {
                self.found.push(hit);
            }
            self.total += 1;
        }
    }
}

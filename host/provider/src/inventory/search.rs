//! Names that match a pattern.

use regex::bytes::{Regex, RegexBuilder};

use super::row::flag;
use super::{ProcedureKind, ProcedureName};
use crate::monitor::step;
use crate::{Document, Monitor, QueryError, SearchError, escape};

/// How a pattern is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MatchMode {
    /// The text itself, anywhere.
    #[default]
    Literal,
    /// A regular expression in the syntax of the `regex` crate, anywhere unless it is anchored.
    Regex,
}

/// A search over names. It looks at names as they are shown: with their version, escaped where they aren't printable.
#[derive(Clone, Debug, Default)]
pub struct NameQuery {
    /// What to look for: 1 to 4,096 bytes.
    pub pattern: String,
    /// How it is meant.
    pub mode: MatchMode,
    /// Whether `a` and `A` differ.
    pub case_sensitive: bool,
    /// Only places of these kinds; empty: all.
    pub kinds: Vec<ProcedureKind>,
}

/// A name that matches.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct NameHit {
    /// The number of the place.
    pub place: u32,
    /// How it is spelled.
    pub spelling: String,
    /// Its address.
    pub address: u64,
    /// Its section.
    pub section: String,
    /// What it is.
    pub kind: ProcedureKind,
    /// The name.
    pub name: ProcedureName,
}

/// A page of names that match.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct NameSearch {
    /// The number of the first hit asked for.
    pub first: u64,
    /// All hits, exactly.
    pub total: u64,
    /// The hits, by place, and within a place in the order of its names.
    pub hits: Vec<NameHit>,
}

/// Longest pattern that is taken from a caller, in bytes.
const PATTERN_LIMIT: usize = 4096;
/// Largest program that a caller's expression may become, in bytes.
const PROGRAM_LIMIT: usize = 4 << 20;
/// Rows between two looks at the monitor.
const ROWS: usize = 16_384;

impl Document {
    /// The names that match, from hit number `first` on, at most `limit`, with their exact total.
    pub fn search(
        &self,
        query: &NameQuery,
        first: u64,
        limit: u32,
        monitor: &dyn Monitor,
    ) -> Result<NameSearch, SearchError> {
        let pattern = compile(&query.pattern, query.mode, query.case_sensitive)?;
        let reader = self.text.bulk_reader()?;
        let last = first.saturating_add(u64::from(limit));
        let mut total = 0u64;
        let mut hits = Vec::new();
        for (number, row) in self.names.iter().enumerate() {
            if number % ROWS == 0 {
                step(monitor, number as u64, self.names.len() as u64)?;
            }
            let Some(place) = self.places.get(row.place as usize) else {
                continue;
            };
            if !query.kinds.is_empty() && !query.kinds.contains(&place.kind) {
                continue;
            }
            let raw = reader.raw(*row)?;
            let matched = if row.has(flag::PLAIN) && row.version().is_none() {
                pattern.is_match(&raw)
            } else {
                let mut text = escape::display(&raw).into_owned();
                if let Some(version) = row
                    .version()
                    .and_then(|version| self.versions.get(usize::from(version)))
                {
                    text.push_str(row.style().separator());
                    text.push_str(&escape::display(version));
                }
                pattern.is_match(text.as_bytes())
            };
            if !matched {
                continue;
            }
            if (first..last).contains(&total) {
                hits.push(NameHit {
                    place: row.place,
                    spelling: self.spelling(row.place).unwrap_or_default(),
                    address: place.address,
                    section: self
                        .regions
                        .get(place.region as usize)
                        .map(super::Region::shown)
                        .unwrap_or_default(),
                    kind: place.kind,
                    name: self.describe_name(&reader, number)?,
                });
            }
            total += 1;
        }
        reader.finish()?;
        Ok(NameSearch { first, total, hits })
    }
}

/// Makes a matcher of a caller's pattern.
pub(crate) fn compile(
    pattern: &str,
    mode: MatchMode,
    case_sensitive: bool,
) -> Result<Regex, QueryError> {
    let wrong = |reason: String| QueryError {
        field: "pattern",
        reason,
    };
    if pattern.is_empty() {
        return Err(wrong("it is empty".to_owned()));
    }
    if pattern.len() > PATTERN_LIMIT {
        return Err(wrong(format!(
            "it has {} bytes; {PATTERN_LIMIT} are taken",
            pattern.len()
        )));
    }
    let source = match mode {
        MatchMode::Literal => regex::escape(pattern),
        MatchMode::Regex => pattern.to_owned(),
    };
    RegexBuilder::new(&source)
        .case_insensitive(!case_sensitive)
        .size_limit(PROGRAM_LIMIT)
        .dfa_size_limit(PROGRAM_LIMIT)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(limit) => {
                wrong(format!("as an expression it takes more than {limit} bytes"))
            }
            other => wrong(format!("it is no regular expression: {other}")),
        })
}

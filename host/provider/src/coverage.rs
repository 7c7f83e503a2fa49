//! How much of what a file holds was read: a claim with its reasons.

/// How complete something is.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "state", content = "reasons", rename_all = "kebab-case")]
pub enum Completeness {
    /// All of it, and that is known.
    Complete,
    /// Something is missing, for these reasons. Never empty.
    Partial(Vec<String>),
    /// It can't be told, for these reasons.
    Unknown(Vec<String>),
}

impl Completeness {
    /// Whether it is known to be complete.
    pub fn is_complete(&self) -> bool {
        matches!(self, Completeness::Complete)
    }

    /// The reasons; none if complete.
    pub fn reasons(&self) -> &[String] {
        match self {
            Completeness::Complete => &[],
            Completeness::Partial(reasons) | Completeness::Unknown(reasons) => reasons,
        }
    }

    pub(crate) fn of(partial: Vec<String>, unknown: Vec<String>) -> Completeness {
        if !unknown.is_empty() {
            Completeness::Unknown(unknown.into_iter().chain(partial).collect())
        } else if !partial.is_empty() {
            Completeness::Partial(partial)
        } else {
            Completeness::Complete
        }
    }
}

/// The coverage of an inventory, twice, and of each source it was made from.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Coverage {
    /// Whether every source of names in the file was read to its end. Only then may a name be said to have one
    /// place.
    pub naming: Completeness,
    /// Whether procedures may be missing. This withholds nothing.
    pub places: Completeness,
    /// What was read, in the order of reading.
    pub sources: Vec<SourceCoverage>,
    /// Function symbols that lie outside everything executable, and so are not listed.
    pub outside: u64,
    /// Names that can't be offered because they are not UTF-8 or are too long. They are in the inventory.
    pub unoffered_names: u64,
}

/// One source of names or places.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SourceCoverage {
    /// Its name in the field: `.symtab`, `.dynsym`, `.eh_frame`, `entry point` ….
    pub source: String,
    /// Rows read from it: symbols, frame descriptions, addresses.
    pub rows: u64,
    /// Whether it was read to its end.
    pub coverage: Completeness,
}

/// What a source tells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tells {
    /// Places with names.
    Names,
    /// Names of places that other sources tell.
    NamesAlone,
    /// Places without names.
    Places,
}

/// What is known of coverage while an inventory is made.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) naming_partial: Vec<String>,
    pub(crate) naming_unknown: Vec<String>,
    pub(crate) places_partial: Vec<String>,
    pub(crate) sources: Vec<SourceCoverage>,
    pub(crate) outside: u64,
}

impl Ledger {
    pub(crate) fn source(&mut self, source: &str, rows: u64, damage: Vec<String>) {
        self.sources.push(SourceCoverage {
            source: source.to_owned(),
            rows,
            coverage: Completeness::of(damage, Vec::new()),
        });
    }

    /// A source of names and places that can't be read to its end.
    pub(crate) fn damaged(&mut self, source: &str, rows: u64, damage: Vec<String>) {
        self.take(source, Tells::Names, rows, damage);
    }

    /// A source, and what its damage means for the whole.
    pub(crate) fn take(&mut self, source: &str, tells: Tells, rows: u64, damage: Vec<String>) {
        let reasons = || damage.iter().map(|why| format!("{source}: {why}"));
        if tells != Tells::Places {
            self.naming_partial.extend(reasons());
        }
        if tells != Tells::NamesAlone {
            self.places_partial.extend(reasons());
        }
        self.source(source, rows, damage);
    }

    /// The coverage, as far as it is known before names are sorted.
    pub(crate) fn coverage(self) -> Coverage {
        Coverage {
            naming: Completeness::of(self.naming_partial, self.naming_unknown),
            places: Completeness::of(self.places_partial, Vec::new()),
            sources: self.sources,
            outside: self.outside,
            unoffered_names: 0,
        }
    }
}

//! The cases in `tests/cases`, as sessions and inventories that a host can be given. `tests/cases/README.md` says
//! what they are made of.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use rea_host::component as host;
use serde::Deserialize;
use serde_json::Value;

/// A file of cases.
#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

/// One case.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Case {
    /// What it is about.
    pub name: String,
    #[serde(default)]
    session: Facts,
    /// The documents of the snapshot, if the instance is to be one of a snapshot.
    pub inventory: Option<Vec<DocumentRows>>,
    #[serde(default = "most_rows")]
    page_rows: usize,
    /// What is asked, and how the session changes in between.
    pub steps: Vec<Step>,
}

fn most_rows() -> usize {
    10_000
}

/// A step: a call, or a change of the session.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub enum Step {
    /// A call.
    Call {
        /// `interface.function`.
        call: String,
        /// Its parameters.
        #[serde(default)]
        with: Vec<Value>,
        /// What it gives.
        #[serde(default)]
        gives: Value,
        /// Or how it fails.
        fails: Option<BTreeMap<String, Value>>,
    },
    /// From here on the session is another one.
    Change {
        /// The facts that differ.
        session: Facts,
    },
}

/// What a session answers.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Facts {
    documents: Option<Answer>,
    providers: Option<Vec<String>>,
    identifiers: Option<BTreeMap<String, Answer>>,
    tools: Option<Vec<String>>,
    retained_operations: Option<Vec<String>>,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Answer {
    List(Vec<String>),
    Not { unavailable: String },
}

/// A document of an inventory.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DocumentRows {
    /// Its name.
    pub document: String,
    places: Vec<String>,
    names: Vec<(String, u32)>,
    naming_complete: bool,
}

/// All cases of a folder, in order of file names.
///
/// # Errors
/// If a file can't be read or isn't one of cases.
pub fn load(folder: &Path) -> Result<Vec<Case>, Box<dyn std::error::Error>> {
    let mut files: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let mut cases = Vec::new();
    for file in files
        .iter()
        .filter(|file| file.path().extension().is_some_and(|end| end == "json"))
    {
        let parsed: File = serde_json::from_slice(&fs::read(file.path())?)
            .map_err(|error| format!("{}: {error}", file.path().display()))?;
        cases.extend(parsed.cases);
    }
    Ok(cases)
}

/// A session whose facts a case can change.
pub struct FakeSession(Mutex<Facts>);

impl FakeSession {
    /// The session with which a case begins.
    pub fn of(case: &Case) -> FakeSession {
        FakeSession(Mutex::new(case.session.clone()))
    }

    /// Carries out a change.
    pub fn change(&self, with: &Facts) {
        let mut facts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let with = with.clone();
        facts.documents = with.documents.or(facts.documents.take());
        facts.providers = with.providers.or(facts.providers.take());
        facts.identifiers = with.identifiers.or(facts.identifiers.take());
        facts.tools = with.tools.or(facts.tools.take());
        facts.retained_operations = with
            .retained_operations
            .or(facts.retained_operations.take());
    }

    fn read<R>(&self, look: impl FnOnce(&Facts) -> R) -> R {
        look(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl host::SessionView for FakeSession {
    fn documents(&self) -> Result<Vec<String>, host::Unavailable> {
        self.read(|facts| match &facts.documents {
            None => Err(host::Unavailable::NoTarget),
            Some(answer) => answer.get(),
        })
    }

    fn providers(&self) -> Vec<String> {
        self.read(|facts| facts.providers.clone())
            .unwrap_or_default()
    }

    fn identifiers(
        &self,
        family: host::Family,
        prefix: &str,
        limit: u32,
    ) -> Result<host::IdentifierPage, host::Unavailable> {
        let known = self.read(|facts| {
            facts
                .identifiers
                .as_ref()
                .and_then(|families| families.get(family_name(family)).cloned())
        });
        let list = known.ok_or(host::Unavailable::Unsupported)?.get()?;
        let matching: Vec<String> = list
            .into_iter()
            .filter(|id| id.starts_with(prefix))
            .collect();
        let total = matching.len() as u64;
        Ok(host::IdentifierPage {
            values: matching.into_iter().take(limit as usize).collect(),
            total,
        })
    }

    fn tools(&self) -> Vec<String> {
        self.read(|facts| facts.tools.clone()).unwrap_or_default()
    }

    fn retained_operations(&self) -> Vec<String> {
        self.read(|facts| facts.retained_operations.clone())
            .unwrap_or_default()
    }
}

impl Answer {
    fn get(&self) -> Result<Vec<String>, host::Unavailable> {
        match self {
            Answer::List(list) => Ok(list.clone()),
            Answer::Not { unavailable } => Err(match unavailable.as_str() {
                "no-target" => host::Unavailable::NoTarget,
                "cold" => host::Unavailable::Cold,
                "in-transition" => host::Unavailable::InTransition,
                "unsupported" => host::Unavailable::Unsupported,
                _ => host::Unavailable::Failed,
            }),
        }
    }
}

/// The name of a family in the contract.
pub fn family_name(family: host::Family) -> &'static str {
    match family {
        host::Family::Document => "document",
        host::Family::Procedure => "procedure",
        host::Family::Provider => "provider",
        host::Family::Evidence => "evidence",
        host::Family::ProcessCapture => "process-capture",
        host::Family::ArtifactManifest => "artifact-manifest",
        host::Family::ArtifactOccurrence => "artifact-occurrence",
        host::Family::ResidualUnknown => "residual-unknown",
    }
}

/// The pages of a case's inventory.
pub struct FakePages {
    documents: Vec<DocumentRows>,
    page_rows: usize,
}

impl FakePages {
    /// The pages of a case, if it has an inventory.
    pub fn of(case: &Case) -> Option<FakePages> {
        let documents = case.inventory.clone()?;
        Some(FakePages {
            documents,
            page_rows: case.page_rows,
        })
    }

    /// Pages of one document, for tests that make their own rows.
    pub fn one(document: &str, places: Vec<String>, names: Vec<(String, u32)>) -> FakePages {
        let rows = DocumentRows {
            document: document.to_owned(),
            places,
            names,
            naming_complete: true,
        };
        FakePages {
            documents: vec![rows],
            page_rows: most_rows(),
        }
    }

    /// What is announced of them.
    pub fn extents(&self) -> Vec<host::Extent> {
        self.documents
            .iter()
            .map(|rows| host::Extent {
                document: rows.document.clone(),
                places: rows.places.len() as u32,
                place_bytes: rows.places.iter().map(|place| place.len() as u64).sum(),
                names: rows.names.len() as u32,
                name_bytes: rows.names.iter().map(|(name, _)| name.len() as u64).sum(),
                naming_complete: rows.naming_complete,
            })
            .collect()
    }

    fn rows(&self, document: u32) -> Result<&DocumentRows, host::Unavailable> {
        self.documents
            .get(document as usize)
            .ok_or(host::Unavailable::Unsupported)
    }
}

impl host::SnapshotPages for FakePages {
    fn places(&self, document: u32, first: u32) -> Result<host::PlacePage, host::Unavailable> {
        let rows = self
            .rows(document)?
            .places
            .iter()
            .skip(first as usize)
            .take(self.page_rows);
        let (mut text, mut ends) = (String::new(), Vec::new());
        for place in rows {
            text.push_str(place);
            ends.push(text.len() as u32);
        }
        Ok(host::PlacePage { text, ends })
    }

    fn names(&self, document: u32, first: u32) -> Result<host::NamePage, host::Unavailable> {
        let rows = self
            .rows(document)?
            .names
            .iter()
            .skip(first as usize)
            .take(self.page_rows);
        let (mut text, mut ends, mut places) = (String::new(), Vec::new(), Vec::new());
        for (name, place) in rows {
            text.push_str(name);
            ends.push(text.len() as u32);
            places.push(*place);
        }
        Ok(host::NamePage { text, ends, places })
    }
}

/// A session that is shared with a host.
pub fn shared(case: &Case) -> Arc<FakeSession> {
    Arc::new(FakeSession::of(case))
}

//! The evidence of one session: records by id, and what of them completes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{evidence::Observation, identifiers::Identifiers};

/// Bytes of results that a session retains. Beyond it a result is still returned whole, without an id: what was
/// retained is never evicted, because somebody may hold its id.
pub const CAPACITY: usize = 256 << 20;

/// What became of an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retention {
    /// It is retained under this id (perhaps it was already).
    Retained {
        /// The evidence id.
        evidence_id: String,
    },
    /// It isn't retained, and why.
    NotRetained {
        /// One sentence for people.
        reason: String,
    },
}

/// The ledger.
#[derive(Default)]
pub struct Ledger {
    records: BTreeMap<String, Observation>,
    evidence: Identifiers,
    operations: BTreeSet<String>,
    bytes: usize,
}

impl Ledger {
    /// Records an observation. The same observation twice is one record.
    pub fn record(&mut self, observation: Observation) -> Retention {
        let evidence_id = match observation.id() {
            Ok(id) => id,
            Err(error) => {
                return Retention::NotRetained {
                    reason: format!("the result has no canonical form: {error}"),
                };
            }
        };
        if self.records.contains_key(&evidence_id) {
            return Retention::Retained { evidence_id };
        }
        let bytes = weight(&observation.normalized_result);
        if self.bytes.saturating_add(bytes) > CAPACITY {
            return Retention::NotRetained {
                reason: format!(
                    "the session's evidence ledger is full ({CAPACITY} bytes); close_binary empties it"
                ),
            };
        }
        self.bytes = self.bytes.saturating_add(bytes);
        self.evidence.insert(&evidence_id);
        self.operations.insert(observation.operation.clone());
        self.records.insert(evidence_id.clone(), observation);
        Retention::Retained { evidence_id }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Ledger::default();
    }

    /// The ids of all records.
    pub fn evidence(&self) -> &Identifiers {
        &self.evidence
    }

    /// Operations that have a record, sorted.
    pub fn operations(&self) -> impl Iterator<Item = &str> {
        self.operations.iter().map(String::as_str)
    }

    /// The record of an id.
    pub fn get(&self, evidence_id: &str) -> Option<&Observation> {
        self.records.get(evidence_id)
    }

    /// Roughly how many bytes the retained results take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// What a value takes in memory, roughly: its text, and a word or two for each node.
fn weight(value: &Value) -> usize {
    let own = size_of::<Value>();
    own + match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| key.len() + own + weight(value))
            .sum(),
    }
}

//! One evidence record: what was observed, of what, by whom, and the id that follows from it.

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The binary that a record speaks of.
#[derive(Clone, Debug, Serialize)]
pub struct Subject {
    /// File name, for people. Not part of the id: a moved file is the same subject.
    pub name: String,
    /// Content of the file.
    pub digest: SubjectDigest,
    /// Format, as `elf`.
    pub format: String,
    /// Architecture, if the format has one.
    pub architecture: Option<String>,
    /// Where the file was. Not part of the id.
    pub local_path: String,
}

/// Digest of a subject's content.
#[derive(Clone, Debug, Serialize)]
pub struct SubjectDigest {
    /// SHA-256 in lower-case hex.
    pub sha256: String,
}

/// Who observed.
#[derive(Clone, Debug, Serialize)]
pub struct ProviderIdentity {
    /// Id, as a client names it.
    pub id: String,
    /// Name, for people.
    pub name: String,
    /// Version, if known.
    pub version: Option<String>,
}

/// A record without its id.
#[derive(Clone, Debug, Serialize)]
pub struct Observation {
    /// Version of this shape.
    pub schema_version: u32,
    /// What was looked at; none if the operation looked at the session alone.
    pub subject: Option<Subject>,
    /// Who looked.
    pub provider: ProviderIdentity,
    /// Kind of statement.
    pub predicate_type: &'static str,
    /// Name of the tool.
    pub operation: String,
    /// Arguments of the tool, defaults filled in.
    pub parameters: Map<String, Value>,
    /// The result, as the caller got it.
    pub normalized_result: Value,
    /// How the result was come by: `observed`, `derived` or `inferred`.
    pub confidence: &'static str,
    /// On whose authority: `shipped-artifact` for what a file itself says.
    pub authority: &'static str,
    /// Where it ran, if anything ran.
    pub environment: Option<Value>,
    /// What the result doesn't cover.
    pub limitations: Vec<String>,
    /// Places that it speaks of.
    pub locations: Vec<Value>,
    /// Other records that it rests on.
    pub evidence_links: Vec<String>,
}

/// The statement that an analysis tool makes.
pub const ANALYSIS: &str = "rea.analysis/v2";

/// The version of [`Observation`].
pub const SCHEMA_VERSION: u32 = 2;

impl Observation {
    /// The id: `ev_` and the SHA-256 of the canonical JSON (RFC 8785) of all but the subject's name and path. Where a
    /// document is named after the file, its name counts without that. The same observation has the same id wherever
    /// the file lies and whatever it is called.
    ///
    /// # Errors
    /// If the result holds a number that JSON can't express.
    pub fn id(&self) -> Result<String, serde_json::Error> {
        let mut value = serde_json::to_value(self)?;
        if let Some(subject) = value.get_mut("subject").and_then(Value::as_object_mut) {
            subject.shift_remove("name");
            subject.shift_remove("local_path");
        }
        if let Some(subject) = &self.subject {
            for part in ["parameters", "normalized_result"] {
                if let Some(part) = value.get_mut(part) {
                    forget_name(part, &subject.name);
                }
            }
        }
        let canonical = serde_json_canonicalizer::to_vec(&value)?;
        let digest = Sha256::digest(&canonical);
        Ok(format!("ev_{}", hex(&digest)))
    }
}

/// Takes the file's name out of the names of documents (`document`, and `name` within `documents`).
fn forget_name(value: &mut Value, file: &str) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| forget_name(item, file)),
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("document", Value::String(name)) => forget_in(name, file),
                    ("documents", Value::Array(documents)) => {
                        for document in documents {
                            if let Some(Value::String(name)) = document.get_mut("name") {
                                forget_in(name, file);
                            }
                        }
                    }
                    (_, other) => forget_name(other, file),
                }
            }
        }
        _ => {}
    }
}

/// A document is named `<file>`, or `<file>:<slice>`.
fn forget_in(name: &mut String, file: &str) {
    if let Some(rest) = name.strip_prefix(file)
        && (rest.is_empty() || rest.starts_with(':'))
    {
        *name = rest.to_owned();
    }
}

/// Lower-case hex of some bytes.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing to a String can't fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn observation(name: &str, path: &str, result: Value) -> Observation {
        Observation {
            schema_version: SCHEMA_VERSION,
            subject: Some(Subject {
                name: name.into(),
                digest: SubjectDigest {
                    sha256: "00".repeat(32),
                },
                format: "elf".into(),
                architecture: Some("x86_64".into()),
                local_path: path.into(),
            }),
            provider: ProviderIdentity {
                id: "native".into(),
                name: "native".into(),
                version: None,
            },
            predicate_type: ANALYSIS,
            operation: "list_documents".into(),
            parameters: Map::new(),
            normalized_result: result,
            confidence: "observed",
            authority: "shipped-artifact",
            environment: None,
            limitations: Vec::new(),
            locations: Vec::new(),
            evidence_links: Vec::new(),
        }
    }

    #[test]
    fn moving_or_renaming_the_file_keeps_the_id() {
        let a = observation("a", "/x/a", json!([1])).id().unwrap();
        assert_eq!(a, observation("b", "/y/b", json!([1])).id().unwrap());
        assert_ne!(a, observation("a", "/x/a", json!([2])).id().unwrap());
        assert!(a.starts_with("ev_") && a.len() == 67);
    }

    #[test]
    fn a_document_named_after_the_file_does_not_tie_the_id_to_it() {
        let result = |name: &str| json!({"document": name, "documents": [{"name": name}], "x": 1});
        let id =
            |file: &str, document: &str| observation(file, "/", result(document)).id().unwrap();
        assert_eq!(id("a", "a"), id("b", "b"));
        assert_eq!(id("a", "a:arm64"), id("b", "b:arm64"));
        assert_ne!(id("a", "a:arm64"), id("a", "a:x86_64"));
        assert_ne!(id("a", "member.o"), id("a", "other.o"));
    }

    #[test]
    fn the_order_of_keys_does_not_matter() {
        let one = observation("a", "/", json!({"x": 1, "y": 2})).id().unwrap();
        assert_eq!(
            one,
            observation("a", "/", json!({"y": 2, "x": 1})).id().unwrap()
        );
    }
}

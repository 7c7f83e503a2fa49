//! Reading a document that anyone may have written.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::super::damage::{Damage, DamageKind};
use super::super::text::{check_id, quoted};
use super::{Document, Entry, Extra, LAST_REVISION, LONGEST_DOCUMENT};

/// What was read.
pub(in super::super) struct Read {
    /// What was readable; none if nothing was.
    pub(in super::super) document: Option<Document>,
    /// What was wrong, if anything.
    pub(in super::super) damage: Option<Damage>,
}

/// Reads a document. None, and text of nothing but white space, is the document of nobody's switch.
pub(in super::super) fn read(bytes: Option<&[u8]>) -> Read {
    let mut first = None;
    match top(bytes.unwrap_or_default(), &mut first) {
        Ok(document) => Read {
            document: Some(document),
            damage: first,
        },
        Err(damage) => Read {
            document: None,
            damage: Some(damage),
        },
    }
}

fn top(bytes: &[u8], first: &mut Option<Damage>) -> Result<Document, Damage> {
    if bytes.len() > LONGEST_DOCUMENT {
        return Err(Damage::new(
            DamageKind::Size,
            "",
            format!("The state file is longer than {LONGEST_DOCUMENT} bytes."),
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Damage::new(
            DamageKind::Encoding,
            "",
            format!(
                "The state file isn't UTF-8 from byte {} on.",
                error.valid_up_to()
            ),
        )
    })?;
    // Some editors begin a file with a byte order mark. It means nothing, and no position is lost for it.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Ok(Document::default());
    }
    let whole: Box<RawValue> = serde_json::from_str(text).map_err(|error| {
        Damage::new(
            DamageKind::Syntax,
            "",
            format!("The state file isn't JSON: {error}."),
        )
    })?;
    let mut fields =
        object(&whole).ok_or_else(|| shape("", "The state file isn't a JSON object"))?;

    match fields.remove("version") {
        None => note(first, shape("version", "The state file says no version")),
        Some(version) => match serde_json::from_str::<u64>(version.get()) {
            Ok(1) => {}
            Ok(other) => {
                return Err(Damage::new(
                    DamageKind::Version,
                    "version",
                    format!(
                        "The state file has version {other}, and this program knows version 1 only."
                    ),
                ));
            }
            Err(_) => {
                return Err(shape(
                    "version",
                    "The version of the state file isn't a number",
                ));
            }
        },
    }
    let mut entries = BTreeMap::new();
    match fields.remove("conversations") {
        None => note(
            first,
            shape("conversations", "The state file has no conversations"),
        ),
        Some(raw) => {
            let conversations = object(&raw).ok_or_else(|| {
                shape(
                    "conversations",
                    "The conversations of the state file aren't an object",
                )
            })?;
            for (id, raw) in conversations {
                if let Some(entry) = entry(&id, &raw, first) {
                    entries.insert(id, entry);
                }
            }
        }
    }
    let highest = entries
        .values()
        .map(|entry| entry.revision)
        .max()
        .unwrap_or(0);
    let revision = revision("revision", fields.remove("revision"), first);
    let mut document = Document {
        revision: revision.max(highest),
        entries,
        extra: fields,
    };
    document.evict();
    Ok(document)
}

fn entry(id: &str, raw: &RawValue, first: &mut Option<Damage>) -> Option<Entry> {
    // The id is shortened and escaped: it is anyone's, and may be megabytes long.
    let field = |name: &str| {
        let shown: String = id.chars().take(64).collect();
        format!("conversations.{}{name}", shown.escape_debug())
    };
    if check_id("", id).is_err() {
        note(
            first,
            shape(
                field(""),
                &format!("{} can't be the id of a conversation", quoted(id)),
            ),
        );
        return None;
    }
    let Some(mut fields) = object(raw) else {
        note(
            first,
            shape(field(""), "The entry of a conversation isn't an object"),
        );
        return None;
    };
    let Some(enabled) = fields
        .remove("enabled")
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
    else {
        note(
            first,
            shape(field(".enabled"), "A position is neither true nor false"),
        );
        return None;
    };
    let revision = revision(&field(".revision"), fields.remove("revision"), first);
    Some(Entry {
        enabled,
        revision,
        extra: fields,
    })
}

/// A revision is anyone's number: what isn't one, or is beyond the last, counts as 0, the oldest.
fn revision(field: &str, raw: Option<Box<RawValue>>, first: &mut Option<Damage>) -> u64 {
    let read = raw
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .filter(|revision| *revision <= LAST_REVISION);
    read.unwrap_or_else(|| {
        note(
            first,
            shape(
                field,
                &format!("A revision isn't a whole number up to {LAST_REVISION}"),
            ),
        );
        0
    })
}

fn object(raw: &RawValue) -> Option<Extra> {
    serde_json::from_str(raw.get()).ok()
}

fn shape(field: impl Into<String>, what: &str) -> Damage {
    Damage::new(DamageKind::Shape, field, format!("{what}."))
}

/// Keeps the first damage: one warning is enough.
fn note(first: &mut Option<Damage>, damage: Damage) {
    first.get_or_insert(damage);
}

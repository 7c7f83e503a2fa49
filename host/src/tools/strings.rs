//! Strings in the file.

use rea_provider::{StringEncoding, StringQuery};
use serde_json::Value;

use super::{
    Call, Effect, Field, Kind, Tool, ToolError,
    outcome::page,
    procedures::{CASE, MODE, match_mode, search_error, small},
    target::{LIMIT, OFFSET, json_of},
};

pub(super) const SEARCH_STRINGS: Tool = Tool {
    name: "search_strings",
    title: "Search strings",
    description: "Runs of printable text in the file (UTF-8 and UTF-16LE) that contain a text or match a regular expression: file \
        offset, address and section where mapped, text. In pages with the exact total; the whole file is scanned.",
    fields: &[
        Field {
            name: "pattern",
            description: "Text to find, or a regular expression (syntax of the Rust regex crate).",
            required: true,
            kind: Kind::Text { min: 1, max: 256 },
        },
        MODE,
        CASE,
        Field {
            name: "min_length",
            description: "Characters that a run has at least.",
            required: false,
            kind: Kind::Integer {
                min: 1,
                max: 4096,
                default: 4,
            },
        },
        Field {
            name: "encoding",
            description: "Which runs to look at.",
            required: false,
            kind: Kind::Choice {
                of: &["any", "utf8", "utf16le"],
            },
        },
        OFFSET,
        LIMIT,
    ],
    effect: Effect::AddsToSession,
    run: |call| Box::pin(search_strings(call)),
};

async fn search_strings(call: &Call<'_>) -> Result<Value, ToolError> {
    let (target, _) = call.ready().await?;
    let query = StringQuery {
        pattern: call.arguments.text("pattern").map(str::to_owned),
        mode: match_mode(call),
        case_sensitive: call.arguments.flag("case_sensitive"),
        min_length: small(call, "min_length"),
        encodings: match call.arguments.text("encoding") {
            Some("utf8") => vec![StringEncoding::Utf8],
            Some("utf16le") => vec![StringEncoding::Utf16le],
            _ => Vec::new(),
        },
    };
    let (offset, limit) = (call.arguments.integer("offset"), small(call, "limit"));
    let binary = target.binary().clone();
    let found = call
        .blocking("searching", move |monitor| {
            binary.strings(&query, offset, limit, monitor)
        })
        .await?
        .map_err(|error| search_error(call, error))?;
    let items = found
        .hits
        .iter()
        .map(json_of)
        .collect::<Result<Vec<_>, _>>()?;
    let mut result = page(found.total, offset, items, "matches");
    if let Some(result) = result.as_object_mut() {
        result.insert("scanned_bytes".into(), found.scanned.into());
    }
    let limitations = match found.cuts {
        0 => Vec::new(),
        cuts => vec![format!(
            "strings: {cuts} runs were longer than 64 KiB and are looked at in pieces"
        )],
    };
    call.found(&target, result, "observed", limitations).await
}

//! Bytes to JSON.

use serde_json::{Value, error::Category};

use crate::{
    diagnostic::{Diagnostic, shorten_text},
    reply::Fault,
};

/// How much of the input is shown before and after the place where reading stopped, in bytes.
const BEFORE: usize = 24;
const AFTER: usize = 16;

/// Reads one JSON value; `None` for a blank line.
///
/// A byte-order mark and the carriage return of a CRLF are let through. Of members of the same name the last wins.
/// The parser itself refuses more than 127 levels.
pub(super) fn read(bytes: &[u8], max_bytes: usize) -> Result<Option<Value>, Fault> {
    if bytes.len() > max_bytes {
        return Err(Fault::too_long(max_bytes));
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
    if text
        .bytes()
        .all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
    {
        return Ok(None);
    }
    serde_json::from_str(text)
        .map(Some)
        .map_err(|error| syntax(text, &error))
}

fn not_utf8(bytes: &[u8], at: usize) -> Fault {
    let byte = bytes.get(at).copied().unwrap_or_default();
    Fault::unreadable(
        Diagnostic {
            path: "message".to_owned(),
            expected: "UTF-8".to_owned(),
            got: format!("byte 0x{byte:02x} at offset {at}"),
        },
        "bytes that are not UTF-8",
    )
}

fn syntax(text: &str, error: &serde_json::Error) -> Fault {
    // The parser says "... at line 1 column 17". A body may have several lines; the place shown says enough.
    let told = error.to_string();
    let reason = told.split(" at line ").next().unwrap_or_default();
    let reason = if reason == "trailing characters" {
        "more than one JSON value"
    } else {
        reason
    };
    let got = match error.classify() {
        Category::Eof => "the end of the message".to_owned(),
        _ => shorten_text(around(text, error.line(), error.column())),
    };
    Fault::unreadable(
        Diagnostic {
            path: "message".to_owned(),
            expected: "one JSON value of at most 127 levels".to_owned(),
            got,
        },
        reason,
    )
}

/// What stands about a line and a column, both counted from 1, the column in bytes.
fn around(text: &str, line: usize, column: usize) -> &str {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let at = start.saturating_add(column).min(text.len());
    let from = text.floor_char_boundary(at.saturating_sub(BEFORE));
    let to = text.ceil_char_boundary(at.saturating_add(AFTER).min(text.len()));
    text.get(from..to).unwrap_or_default()
}

//! What was wrong with an input: one shape for requests, tool arguments and files.

use std::fmt::Write as _;

use rmcp::ErrorData;
use serde::Serialize;
use serde_json::{Value, json};

/// The longest text shown of what a client sent, in characters.
const SHOWN: usize = 80;
/// A client decides how many things are wrong with its message; this many are told.
pub(crate) const TOLD: usize = 16;

/// One thing that was wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Where: names joined by dots, such as `params.arguments.feature`. A name that is no plain word stands
    /// in brackets and quotes, such as `params._meta["io.modelcontextprotocol/protocolVersion"]`.
    pub path: String,
    /// What would have been right, in a few words, such as `string`.
    pub expected: String,
    /// What was there: JSON cut to about 80 characters, or `nothing`.
    pub got: String,
}

impl Diagnostic {
    /// A value of the wrong kind.
    pub fn wrong(path: impl Into<String>, expected: impl Into<String>, got: &Value) -> Self {
        Self {
            path: path.into(),
            expected: expected.into(),
            got: shorten(got),
        }
    }

    /// A value that had to be there and was not.
    pub fn missing(path: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            expected: expected.into(),
            got: "nothing".to_owned(),
        }
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: expected {}, got {}",
            self.path, self.expected, self.got
        )
    }
}

/// The `data` of an error that names what was wrong: `{"errors": [{path, expected, got}, ...]}`. At most 16 are
/// told.
pub fn invalid_params_data(errors: &[Diagnostic]) -> Value {
    let told: Vec<&Diagnostic> = errors.iter().take(TOLD).collect();
    json!({ "errors": told })
}

/// A JSON-RPC -32602 whose message names the first thing that was wrong and whose data names all of them.
pub fn invalid_params(errors: &[Diagnostic]) -> ErrorData {
    ErrorData::invalid_params(
        summary("Invalid params", errors),
        Some(invalid_params_data(errors)),
    )
}

/// One line for an error's message: the first diagnostic, and how many more there are.
pub(crate) fn summary(what: &str, errors: &[Diagnostic]) -> String {
    match errors {
        [] => what.to_owned(),
        [only] => format!("{what}: {only}"),
        [first, rest @ ..] => format!("{what}: {first} (and {} more)", rest.len()),
    }
}

/// A value as JSON on one line, cut to about 80 characters. Control characters and those that change how text is
/// laid out are escaped, so it may stand in a message or on a terminal. The cost does not grow with the value.
pub fn shorten(value: &Value) -> String {
    let mut shown = Bounded(Vec::new());
    // The only error there is, is that the limit was reached.
    let cut = serde_json::to_writer(&mut shown, value).is_err();
    clip(&String::from_utf8_lossy(&shown.0), cut)
}

/// A client's text in quotes, cut and escaped as [`shorten`] does it.
pub fn shorten_text(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    let cut = shown.len() < text.len();
    shown = Value::String(shown).to_string();
    clip(&shown, cut)
}

/// Appends a member's name to a path.
pub(crate) fn join(path: &str, name: &str) -> String {
    let plain = !name.is_empty()
        && name.len() <= SHOWN
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if plain {
        format!("{path}.{name}")
    } else {
        format!("{path}[{}]", shorten_text(name))
    }
}

fn clip(text: &str, cut: bool) -> String {
    let mut shown = String::new();
    let mut count = 0;
    let mut letters = text.chars();
    for letter in letters.by_ref().take(SHOWN) {
        count += 1;
        if unsafe_to_show(letter) {
            // Writing to a String does not fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(letter));
        } else {
            shown.push(letter);
        }
    }
    if cut || (count == SHOWN && letters.next().is_some()) {
        shown.push('…');
    }
    shown
}

/// Controls, line separators, and the marks that reverse or hide text.
fn unsafe_to_show(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Takes four bytes for each character shown, then refuses.
struct Bounded(Vec<u8>);

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = (SHOWN * 4).saturating_sub(self.0.len());
        let taken = bytes.get(..room).unwrap_or(bytes);
        if taken.is_empty() && !bytes.is_empty() {
            return Err(std::io::ErrorKind::WriteZero.into());
        }
        self.0.extend_from_slice(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_values_are_whole() {
        assert_eq!(shorten(&json!({"a": [1, "x"]})), r#"{"a":[1,"x"]}"#);
        assert_eq!(shorten_text("x\"y"), r#""x\"y""#);
    }

    #[test]
    fn what_a_client_sent_is_cut_and_escaped() {
        let long = shorten(&json!("é".repeat(1 << 20)));
        assert!(long.chars().count() <= SHOWN + 1, "{long}");
        assert!(long.ends_with('…'));
        assert_eq!(
            shorten(&json!("a\u{2028}b\u{202e}c\n")),
            r#""a\u{2028}b\u{202e}c\n""#
        );
        assert!(shorten_text(&"k".repeat(500)).chars().count() <= SHOWN + 1);
    }

    #[test]
    fn paths_quote_what_is_no_word() {
        assert_eq!(join("params", "name"), "params.name");
        assert_eq!(join("params", "a.b"), r#"params["a.b"]"#);
        assert!(join("params", &"k".repeat(1 << 16)).len() < 400);
    }

    #[test]
    fn a_client_does_not_decide_how_long_an_answer_is() {
        let many = vec![Diagnostic::missing("params.x", "string"); 1000];
        let data = invalid_params_data(&many);
        assert_eq!(data["errors"].as_array().unwrap().len(), TOLD);
    }
}

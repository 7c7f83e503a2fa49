//! The caller's values as one line of JSON.
//!
//! Whatever a value holds, it must not be able to end the line, to hide from a reader or to reorder what a reader
//! sees; and it must still decode to exactly what the caller sent (G4). JSON's own escapes do both.

use std::collections::BTreeMap;

/// Compact JSON of an object, keys in byte order, printable on one line.
pub(super) fn object(members: &BTreeMap<&'static str, &str>) -> String {
    let members: Vec<_> = members
        .iter()
        .map(|(name, value)| format!("{}:{}", quoted(name), quoted(value)))
        .collect();
    format!("{{{}}}", members.join(","))
}

/// A JSON string whose text has no control, line separating, direction changing or invisible character.
pub(super) fn quoted(value: &str) -> String {
    let json = serde_json::Value::from(value).to_string();
    let mut line = String::with_capacity(json.len());
    for character in json.chars() {
        if is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                line.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            line.push(character);
        }
    }
    line
}

/// The beginning of a client's text, quoted, for an error message.
pub(super) fn quoted_short(value: &str) -> String {
    const SHOWN: usize = 64;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!(
            "{} (shortened)",
            quoted(value.get(..end).unwrap_or_default())
        ),
        None => quoted(value),
    }
}

/// Characters that a reader wouldn't see for what they are. JSON already escapes those below U+0020.
fn is_hidden(character: char) -> bool {
    matches!(character,
        // DEL and the C1 controls, the line break U+0085 among them
        '\u{7f}'..='\u{9f}'
        // soft hyphen, joiners and fillers without a shape of their own
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}'
        // zero width, direction marks
        | '\u{200b}'..='\u{200f}'
        // line and paragraph separator, embeddings and overrides
        | '\u{2028}'..='\u{202e}'
        // word joiner, invisible operators, isolates, deprecated format characters
        | '\u{2060}'..='\u{206f}'
        // byte order mark, interlinear annotation
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        // tags and supplementary variation selectors, which can carry a text that nobody sees
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn object_of(value: &str) -> String {
        object(&BTreeMap::from([("feature", value), ("document", "d")]))
    }

    #[test]
    fn keys_are_sorted_and_the_text_is_compact() {
        assert_eq!(object_of("x y"), r#"{"document":"d","feature":"x y"}"#);
        assert_eq!(object(&BTreeMap::new()), "{}");
    }

    #[test]
    fn every_control_and_separator_is_escaped() {
        let hidden = ('\u{0}'..='\u{1f}')
            .chain('\u{7f}'..='\u{9f}')
            .chain(['\u{85}', '\u{2028}', '\u{2029}', '\u{200e}', '\u{200f}'])
            .chain('\u{202a}'..='\u{202e}')
            .chain('\u{2066}'..='\u{2069}')
            .chain(['\u{feff}', '\u{e0041}']);
        for character in hidden {
            let line = quoted(&format!("a{character}b"));
            assert!(line.is_ascii(), "{line}");
            assert!(line.chars().all(|c| !c.is_control()), "{line}");
            let back: String = serde_json::from_str(&line).unwrap();
            assert_eq!(back, format!("a{character}b"));
        }
        assert_eq!(quoted("\u{2028}\u{85}"), r#""\u2028\u0085""#);
        assert_eq!(quoted("\u{e0041}"), r#""\udb40\udc41""#);
        assert_eq!(quoted("\\\u{2028}"), r#""\\\u2028""#);
    }

    #[test]
    fn ordinary_text_of_any_script_stays_readable() {
        assert_eq!(
            quoted("Suche ß 検索 🙂 \"q\" \\"),
            r#""Suche ß 検索 🙂 \"q\" \\""#
        );
    }

    #[test]
    fn a_long_name_is_shortened_in_errors() {
        let short = quoted_short(&"ä".repeat(500));
        assert!(short.chars().count() < 90, "{short}");
        assert_eq!(quoted_short(&"x".repeat(64)).len(), 66);
    }

    proptest! {
        #[test]
        fn any_value_survives_on_one_line(value in any::<String>()) {
            let line = object_of(&value);
            prop_assert!(!line.chars().any(|c| c.is_control() || is_hidden(c)));
            let back: BTreeMap<String, String> = serde_json::from_str(&line).unwrap();
            prop_assert_eq!(&back["feature"], &value);
            prop_assert_eq!(back.len(), 2);
        }

        #[test]
        fn any_hidden_value_survives(value in "[\\x00-\\x1f\\x7f-\\xa0\u{2000}-\u{2070}\u{feff}\u{e0000}-\u{e01ff}\"\\\\]{0,40}") {
            let line = object_of(&value);
            prop_assert!(!line.chars().any(|c| c.is_control() || is_hidden(c)));
            let back: BTreeMap<String, String> = serde_json::from_str(&line).unwrap();
            prop_assert_eq!(&back["feature"], &value);
        }
    }
}

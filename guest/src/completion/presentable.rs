//! Which text may be offered as a value.

/// Format characters (general category Cf, Unicode 17), inclusive ranges in ascending order.
const FORMAT: [(char, char); 21] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{2066}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0001}', '\u{e0001}'),
    ('\u{e0020}', '\u{e007f}'),
];

/// Whether a value can be shown to a person as it is: no control characters (Cc), no line or paragraph separators
/// and no format characters (Cf).
///
/// Controls would break the line or the terminal that shows the value. Format characters are invisible or turn the
/// direction of what stands around them: two values that look alike would not be the same, and tag characters can
/// carry text that only a model reads. Who needs such a procedure takes its address.
pub(crate) fn presentable(text: &str) -> bool {
    !text.chars().any(hidden)
}

fn hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}')
        || FORMAT
            .binary_search_by(|&(first, last)| {
                if last < c {
                    std::cmp::Ordering::Less
                } else if c < first {
                    std::cmp::Ordering::Greater
                } else {
                    std::cmp::Ordering::Equal
                }
            })
            .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_presentable() {
        for text in [
            "",
            "main",
            "operator new(unsigned long)",
            "Größe",
            "名前",
            "😀",
            "e\u{301}",
            "❤\u{fe0f}",
        ] {
            assert!(presentable(text), "{text:?}");
        }
    }

    #[test]
    fn hidden_characters_are_not() {
        for c in [
            '\0',
            '\n',
            '\u{7f}',
            '\u{85}',
            '\u{ad}',
            '\u{200b}',
            '\u{200d}',
            '\u{202e}',
            '\u{2028}',
            '\u{2029}',
            '\u{2066}',
            '\u{2069}',
            '\u{feff}',
            '\u{e0001}',
            '\u{e0041}',
            '\u{13435}',
        ] {
            assert!(!presentable(&format!("a{c}b")), "{c:?}");
        }
    }

    #[test]
    fn the_table_is_in_order() {
        let flat: Vec<char> = FORMAT
            .iter()
            .flat_map(|&(first, last)| [first, last])
            .collect();
        assert!(flat.is_sorted());
    }
}

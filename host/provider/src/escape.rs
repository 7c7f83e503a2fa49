//! The reversible way in which bytes of a file are shown.
//!
//! Text of a binary is data of a stranger: names need not be Unicode and may hold control characters. What is
//! printable stays as it is. A backslash becomes `\\`. Every byte that is not part of valid UTF-8, and every byte
//! of a character that could break a line, hide or turn text around (control and format characters, line and
//! paragraph separators, the byte order mark), becomes `\xNN` with two lower-case hex digits.
//! [`parse`] gives back the bytes.

use std::borrow::Cow;

/// Shows bytes; borrowed when nothing had to be escaped.
pub fn display(bytes: &[u8]) -> Cow<'_, str> {
    if is_plain_ascii(bytes)
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c == '\\' {
                out.push_str("\\\\");
            } else if is_hidden(c) {
                let mut buffer = [0u8; 4];
                for byte in c.encode_utf8(&mut buffer).bytes() {
                    push_hex(&mut out, byte);
                }
            } else {
                out.push(c);
            }
        }
        for byte in chunk.invalid() {
            push_hex(&mut out, *byte);
        }
    }
    Cow::Owned(out)
}

/// The bytes behind a shown text, or `None` if it is no text that [`display`] makes: a lone backslash, or `\x` without two hex digits.
pub fn parse(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte != b'\\' {
            out.push(byte);
            rest = tail;
            continue;
        }
        match tail {
            [b'\\', tail @ ..] => {
                out.push(b'\\');
                rest = tail;
            }
            [b'x', high, low, tail @ ..] => {
                let high = char::from(*high).to_digit(16)?;
                let low = char::from(*low).to_digit(16)?;
                out.push(u8::try_from(high * 16 + low).ok()?);
                rest = tail;
            }
            _ => return None,
        }
    }
    Some(out)
}

/// Whether [`display`] shows these bytes as they are because all are printable ASCII and none a backslash.
pub(crate) fn is_plain_ascii(bytes: &[u8]) -> bool {
    // No early exit: the compiler makes vector code of this, and nearly every name is plain.
    bytes.iter().fold(true, |plain, &byte| {
        plain & matches!(byte, b' '..=b'[' | b']'..=b'~')
    })
}

/// Characters that don't show, or change how others show.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn push_hex(out: &mut String, byte: u8) {
    out.push_str("\\x");
    for digit in [byte >> 4, byte & 15] {
        out.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shows_what_is_printable_and_escapes_the_rest() {
        assert_eq!(display(b"main"), "main");
        assert_eq!(display("größe".as_bytes()), "größe");
        assert_eq!(display(b"a\\b\n\xff"), "a\\\\b\\x0a\\xff");
        assert_eq!(display("a\u{202e}b".as_bytes()), "a\\xe2\\x80\\xaeb");
        assert_eq!(parse("\\q"), None);
        assert_eq!(parse("\\x4"), None);
    }

    proptest! {
        #[test]
        fn is_reversible(bytes: Vec<u8>) {
            prop_assert_eq!(parse(&display(&bytes)), Some(bytes));
        }

        #[test]
        fn of_text_is_reversible(text: String) {
            prop_assert_eq!(parse(&display(text.as_bytes())), Some(text.into_bytes()));
        }
    }
}

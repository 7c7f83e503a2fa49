//! What "without regard to case and compatibility forms" means: the key under which two spellings are the same.

use std::borrow::Cow;

use caseless::Caseless as _;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

/// How often a text is folded at most. Folding once can leave something to fold again (a compatibility form that
/// only shows after composition); over all of Unicode the second round changes nothing more. The bound is there so
/// that no future table can make this loop endless.
const ROUNDS: usize = 4;

/// The folded key of a text: NFKC, lower case, full case folding, NFKC, repeated until it no longer changes.
///
/// Two texts whose NFKC forms have the same lower case always have the same key: lower-casing is a step on the
/// way. (Its tables, the standard library's, may be a version of Unicode ahead of the folding tables.) Besides,
/// `STRASSE` and `straße` have one key, and so have the two small sigmas.
///
/// ASCII text only has its letters lowered, and is borrowed when there is nothing to lower. A key may be longer than
/// its text, at most eleven times (U+FDFA).
#[must_use]
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    // An ASCII character never composes with what is before it, so a text can be cut there. Most names outside ASCII
    // have few such characters, and the tables are slow.
    let mut key = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| !byte.is_ascii()) {
        // The character before may well compose with what follows.
        let (before, from) = rest
            .split_at_checked(at.saturating_sub(1))
            .unwrap_or(("", rest));
        let length = from
            .bytes()
            .enumerate()
            .skip(1)
            .find(|&(at, byte)| byte.is_ascii() && at > 1)
            .map_or(from.len(), |(at, _)| at);
        let (stretch, behind) = from.split_at_checked(length).unwrap_or((from, ""));
        key.extend(before.chars().map(|c| c.to_ascii_lowercase()));
        key.push_str(&fold_whole(stretch));
        rest = behind;
    }
    key.extend(rest.chars().map(|c| c.to_ascii_lowercase()));
    Cow::Owned(key)
}

fn fold_whole(text: &str) -> String {
    let mut key = round(text);
    for _ in 1..ROUNDS {
        if key.is_ascii() {
            return key.to_ascii_lowercase();
        }
        let again = round(&key);
        if again == key {
            break;
        }
        key = again;
    }
    key
}

fn round(text: &str) -> String {
    let folded: String = normal(text)
        .chars()
        .flat_map(char::to_lowercase)
        .default_case_fold()
        .collect();
    match normal(&folded) {
        Cow::Borrowed(_) => folded,
        Cow::Owned(normal) => normal,
    }
}

/// NFKC, spared where a look at the characters shows that they are in it.
fn normal(text: &str) -> Cow<'_, str> {
    if is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn every_char() -> impl Iterator<Item = char> {
        (0..=u32::from(char::MAX)).filter_map(char::from_u32)
    }

    fn lowered(text: &str) -> String {
        text.nfkc().collect::<String>().to_lowercase()
    }

    #[test]
    fn well_known_pairs_have_one_key() {
        for (one, other) in [
            ("Main", "mAIN"),
            ("ＧＨidra", "ghidra"),
            ("ﬁle", "FILE"),
            ("①Ⅷ", "1viii"),
            ("ſend", "SEND"),
            ("\u{212a}elvin", "kelvin"),
            ("straße", "STRASSE"),
            ("STRAẞE", "strasse"),
            ("ΟΔΟΣ", "οδος"),
            ("οδοσ", "οδος"),
            ("A\u{30a}ngström", "ångstro\u{308}m"),
            ("\u{212b}", "å"),
            ("\u{13a0}", "\u{ab70}"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} and {other}");
        }
        assert_ne!(fold("e"), fold("é"));
        assert_ne!(fold("i"), fold("ı"));
    }

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(fold("main_0"), Cow::Borrowed("main_0")));
        assert_eq!(fold("MAIN_0"), "main_0");
        assert_eq!(fold(""), "");
    }

    /// Whatever lower-casing finds is found: for every character, its key is that of its lower-cased form.
    #[test]
    fn every_character_folds_like_its_lower_case() {
        for c in every_char() {
            let text = c.to_string();
            assert_eq!(fold(&text), fold(&lowered(&text)), "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn folding_every_character_twice_changes_nothing() {
        for c in every_char() {
            let key = fold(c.encode_utf8(&mut [0; 4])).into_owned();
            assert_eq!(fold(&key), key, "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn a_key_is_at_most_eleven_times_as_long() {
        for c in every_char() {
            let key = fold(c.encode_utf8(&mut [0; 4])).len();
            assert!(key <= 11 * c.len_utf8(), "U+{:04X}: {key}", u32::from(c));
        }
    }

    /// Qualified values are matched in two parts, document and rest. That is right because `!` neither composes
    /// nor changes places with a neighbour.
    #[test]
    fn an_exclamation_mark_keeps_its_neighbours_apart() {
        for c in every_char() {
            let alone = fold(c.encode_utf8(&mut [0; 4])).into_owned();
            assert_eq!(
                fold(&format!("{c}!{c}")),
                format!("{alone}!{alone}"),
                "U+{:04X}",
                u32::from(c)
            );
        }
    }

    proptest! {
        #[test]
        fn cutting_at_ascii_changes_nothing(
            text in "([a-zA-Z!=<\u{338}\u{301}\u{308}\u{345}\u{323}]|[ßẞſKÅåΣςİﬁΐᾳǰ가각\u{fdfa}]|\\PC){0,10}",
        ) {
            prop_assert_eq!(fold(&text).into_owned(), fold_whole(&text));
        }

        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,12}") {
            let key = fold(&text).into_owned();
            prop_assert_eq!(fold(&key), key.as_str());
        }

        #[test]
        fn same_lower_case_has_the_same_key(text in "[a-zA-ZßẞſKÅåΣσςİıﬁﬀΐǰŉ\u{300}-\u{34f}Ꭰ-Ꮐ]{0,8}") {
            let other = lowered(&text);
            prop_assert_eq!(fold(&text), fold(&other));
            let upper = text.to_uppercase();
            if lowered(&upper) == other {
                prop_assert_eq!(fold(&upper), fold(&text));
            }
        }
    }
}

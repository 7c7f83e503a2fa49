//! Which names are kept when they are read.

use super::LONGEST_VALUE;
use super::labels::Labels;
use crate::completion::presentable::presentable;

/// Whether a name of a document may be offered, as far as the name alone tells.
pub(super) fn offerable_name(name: &str, document: &str, labels: &Labels) -> bool {
    offerable_spelling(name)
        && !reads_as_address(name)
        && !(name.contains('!') && labels.reads_as_qualified(document, name))
}

/// Whether the spelling of a place may be offered. Unlike a name it should read as an address. It can hold the name
/// of a section, so it is not to be trusted either.
pub(super) fn offerable_spelling(spelling: &str) -> bool {
    !spelling.is_empty()
        && spelling.len() <= LONGEST_VALUE
        && (plain(spelling) || presentable(spelling))
}

/// Whether a tool would take a text for an address: one that begins with `0x`, or has decimal digits alone, to its
/// end or to the first `@`.
fn reads_as_address(text: &str) -> bool {
    let number = text.split_once('@').map_or(text, |(number, _)| number);
    number.starts_with("0x")
        || number.starts_with("0X")
        || (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a text is ASCII without control characters. Almost every name is, so this looks at eight bytes at once.
fn plain(text: &str) -> bool {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut suspicious = 0;
    for word in words {
        let word = u64::from_ne_bytes(*word);
        // Of bytes below 0x80: the top bit shows a byte below 0x20, or one that is 0x7f. Either may be shown falsely
        // next to a true one; what matters is whether any is shown.
        let below_blank = word.wrapping_sub(0x20 * LOW) & !word;
        let delete = word ^ (0x7f * LOW);
        let is_delete = delete.wrapping_sub(LOW) & !delete;
        suspicious |= (word | below_blank | is_delete) & HIGH;
    }
    suspicious == 0 && rest.iter().all(|byte| (0x20..0x7f).contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_are_told_from_names() {
        for address in [
            "0x0",
            "0X1f",
            "0xDEADbeef",
            "0x0@.text",
            "0x10@",
            "0x",
            "0xg",
            "10",
            "007",
            "10@a",
        ] {
            assert!(reads_as_address(address), "{address}");
        }
        for name in ["x10", "1f", "f@10", "main", "00x1"] {
            assert!(!reads_as_address(name), "{name}");
        }
    }

    #[test]
    fn long_and_empty_names_are_left_out() {
        assert!(!offerable_spelling(""));
        assert!(offerable_spelling(&"a".repeat(LONGEST_VALUE)));
        assert!(!offerable_spelling(&"a".repeat(LONGEST_VALUE + 1)));
    }

    proptest! {
        #[test]
        fn eight_bytes_at_once_see_what_one_at_a_time_sees(text in "[\u{0}-\u{9f}]{0,20}") {
            prop_assert_eq!(plain(&text), text.bytes().all(|byte| (0x20..0x7f).contains(&byte)));
        }
    }
}

//! Which ids and names are usable, and how foreign text is shown.

use super::problem::{Problem, ProblemKind};
use crate::completion::presentable::presentable;

/// Characters of an id or of a server's name at most.
pub(super) const LONGEST_NAME: usize = 256;

/// Fails unless `id` is 1-256 visible characters.
pub(super) fn check_id(field: &str, id: &str) -> Result<(), Problem> {
    check_length(field, id)?;
    if visible(id) {
        Ok(())
    } else {
        Err(Problem::new(
            ProblemKind::Unprintable,
            field,
            format!(
                "The id {} has white space or characters that can't be seen; use the id as its host shows it.",
                quoted(id)
            ),
        ))
    }
}

/// Fails if `text` is empty or has more than 256 characters.
pub(super) fn check_length(field: &str, text: &str) -> Result<(), Problem> {
    if text.is_empty() {
        let subject = if field.is_empty() { "The id" } else { field };
        return Err(Problem::new(
            ProblemKind::Empty,
            field,
            format!("{subject} is empty; give 1 to {LONGEST_NAME} characters."),
        ));
    }
    if text.chars().nth(LONGEST_NAME).is_some() {
        return Err(Problem::new(
            ProblemKind::TooMuch,
            field,
            format!(
                "{} is longer than {LONGEST_NAME} characters; give 1 to {LONGEST_NAME}.",
                quoted(text)
            ),
        ));
    }
    Ok(())
}

/// Whether every character can be seen.
pub(super) fn visible(text: &str) -> bool {
    presentable(text) && !text.chars().any(|c| c.is_whitespace() || is_filler(c))
}

/// Whether a person can read the name and tell it from another: inner spaces are allowed, others aren't.
pub(super) fn printable(text: &str) -> bool {
    text.trim() == text
        && presentable(text)
        && !text
            .chars()
            .any(|c| is_filler(c) || (c.is_whitespace() && c != ' '))
}

/// Letters and marks that are drawn as nothing.
fn is_filler(c: char) -> bool {
    matches!(
        c,
        '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{ffa0}'
    )
}

/// Foreign text for a message: in quotes, escaped, at most 60 characters of it.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_ids_are_ids() {
        for id in [
            "a",
            "__proto__",
            "constructor",
            "toString",
            "3f2b8c1e-0000-4000-8000-000000000000",
            "名前",
            "a/b?c#d",
            "\"",
            "\\",
            "😀",
        ] {
            assert_eq!(check_id("", id), Ok(()), "{id:?}");
        }
        assert_eq!(check_id("", &"é".repeat(256)), Ok(()));
    }

    #[test]
    fn ids_that_nobody_can_see_are_refused() {
        let kind = |id: &str| check_id("session", id).map_err(|problem| problem.kind);
        assert_eq!(kind(""), Err(ProblemKind::Empty));
        assert_eq!(kind(&"a".repeat(257)), Err(ProblemKind::TooMuch));
        for id in [
            " ",
            "a b",
            "a\n",
            "\0",
            "\u{200b}",
            "a\u{202e}b",
            "\u{feff}a",
            "\u{3164}",
            "\u{a0}",
            "\u{2800}",
        ] {
            assert_eq!(kind(id), Err(ProblemKind::Unprintable), "{id:?}");
        }
    }

    #[test]
    fn foreign_text_is_escaped_and_cut() {
        assert_eq!(quoted("a\"\n\u{1b}[31m"), "\"a\\\"\\n\\u{1b}[31m\"");
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), 63);
    }
}

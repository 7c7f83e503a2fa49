//! `${NAME}` and `${NAME:-text}` in a configuration.

use rea_front::{Diagnostic, shorten_text};

/// Why a text can't be filled in.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unfilled {
    /// The variable isn't set and has no text in its place.
    Unset(String),
    /// A `${` without its end, or without a name of letters, digits and `_`.
    Malformed,
}

impl Unfilled {
    /// The error for a field; `shown` is what is told of its value.
    pub(super) fn at(&self, path: &str, shown: &str) -> Diagnostic {
        let expected = match self {
            Self::Unset(name) => {
                format!("the environment variable {name} to be set, or ${{{name}:-text}}")
            }
            Self::Malformed => "${NAME} or ${NAME:-text}".to_owned(),
        };
        Diagnostic {
            path: path.to_owned(),
            expected,
            got: shorten_text(shown),
        }
    }
}

/// Fills in the variables. A `$` without a brace is a `$`; what is filled in isn't looked at again.
pub(super) fn expand(
    text: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<String, Unfilled> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        filled.push_str(before);
        let (inside, next) = after.split_once('}').ok_or(Unfilled::Malformed)?;
        let (name, instead) = match inside.split_once(":-") {
            Some((name, instead)) => (name, Some(instead)),
            None => (inside, None),
        };
        let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(letter) {
            return Err(Unfilled::Malformed);
        }
        match (variable(name), instead) {
            (Some(value), _) => filled.push_str(&value),
            (None, Some(instead)) => filled.push_str(instead),
            (None, None) => return Err(Unfilled::Unset(name.to_owned())),
        }
        rest = next;
    }
    filled.push_str(rest);
    Ok(filled)
}

//! The query of a URL, as forms write it.

use super::super::problem::{Problem, ProblemKind};

/// The one value of a field, decoded; none if it isn't there. Other fields don't matter.
///
/// # Errors
/// If the field is there twice, or its value isn't percent-encoded UTF-8.
pub(super) fn value(query: &str, field: &str) -> Result<Option<String>, Problem> {
    let mut found = None;
    for part in query.split('&') {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        // A name that can't be decoded is none that is asked for here.
        if decode(name).as_deref() != Some(field) {
            continue;
        }
        let value = decode(value).ok_or_else(|| {
            Problem::new(
                ProblemKind::Syntax,
                field,
                format!("{field} isn't percent-encoded UTF-8."),
            )
        })?;
        if found.replace(value).is_some() {
            return Err(Problem::new(
                ProblemKind::Duplicate,
                field,
                format!("{field} is there twice; give one."),
            ));
        }
    }
    Ok(found)
}

/// Decodes `%xx` and `+`.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => digit(rest.next()?)? * 16 + digit(rest.next()?)?,
            b'+' => b' ',
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_decoded() {
        for (query, wanted) in [
            ("", None),
            ("x=1", None),
            ("Session=a", None),
            ("session=a", Some("a")),
            ("session", Some("")),
            ("x=1&session=a%2fb%20c%E2%82%AC&y", Some("a/b c€")),
            ("session=a+b%2B", Some("a b+")),
            ("%73ession=a=b", Some("a=b")),
            ("%zz=1&session=a", Some("a")),
        ] {
            assert_eq!(
                value(query, "session").unwrap().as_deref(),
                wanted,
                "{query}"
            );
        }
    }

    #[test]
    fn what_is_ambiguous_or_no_text_is_refused() {
        for (query, kind) in [
            ("session=a&session=a", ProblemKind::Duplicate),
            ("session=a&%73ession=b", ProblemKind::Duplicate),
            ("session=%", ProblemKind::Syntax),
            ("session=%4", ProblemKind::Syntax),
            ("session=%+1", ProblemKind::Syntax),
            ("session=%ff", ProblemKind::Syntax),
            ("session=%éa", ProblemKind::Syntax),
        ] {
            assert_eq!(value(query, "session").unwrap_err().kind, kind, "{query}");
        }
    }
}

//! The query of an address, as forms write it.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// The first value of a field, decoded; none if it isn't there or isn't percent-encoded UTF-8.
pub(crate) fn value(query: &str, field: &str) -> Option<String> {
    query.split('&').find_map(|part| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (decode(name)? == field).then(|| decode(value))?
    })
}

fn decode(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced)
        .decode_utf8()
        .ok()
        .map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_decoded() {
        for (query, wanted) in [
            ("", None),
            ("x=1", None),
            ("parent", Some("")),
            ("parent=a&parent=b", Some("a")),
            ("x&parent=a%2fb+c%E2%82%AC", Some("a/b c€")),
            ("parent=%ff", None),
        ] {
            assert_eq!(value(query, "parent").as_deref(), wanted, "{query}");
        }
    }
}

//! JSON as text: found, cut and pasted without being read into values.
//!
//! Whatever isn't pasted over stays byte for byte as it was sent.

use std::{borrow::Cow, fmt, ops::Range};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The members of an object, in order, their values unread.
#[derive(Debug, Default)]
pub(crate) struct Object<'a> {
    members: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> Object<'a> {
    /// Reads an object; `None` if the text is anything else.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The value of this name; of several the last, as everywhere.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        let mut found = self.members.iter().rev().filter(|(key, _)| key == name);
        found.next().map(|(_, value)| value.get())
    }

    /// All members, in order.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.members
            .iter()
            .map(|(key, value)| (key.as_ref(), value.get()))
    }

    /// The string of this name.
    pub(crate) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        string(self.get(name)?)
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(Text(key)) = map.next_key()? {
                    members.push((key, map.next_value()?));
                }
                Ok(Object { members })
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A string that is borrowed where it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The elements of an array, unread; `None` if the text is no array.
pub(crate) fn elements(text: &str) -> Option<Vec<&str>> {
    let elements: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(elements.into_iter().map(RawValue::get).collect())
}

/// A JSON string; `None` if the text is anything else.
pub(crate) fn string(text: &str) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Text<'_>>(text)
        .ok()
        .map(|Text(text)| text)
}

/// Text as a JSON string.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Where `part`, a piece of `whole`, stands in it.
pub(crate) fn place(whole: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    start..start + part.len()
}

/// `whole` with other text in the place of one piece of it.
pub(crate) fn paste(whole: &str, place: Range<usize>, text: &str) -> String {
    let mut pasted = String::with_capacity(whole.len() + text.len());
    pasted.push_str(whole.get(..place.start).unwrap_or_default());
    pasted.push_str(text);
    pasted.push_str(whole.get(place.end..).unwrap_or_default());
    pasted
}

/// An object with this member: in its old place if it has one, else as the last. Text that is no object stays.
pub(crate) fn with(object: &str, name: &str, value: &str) -> String {
    let Some(members) = Object::read(object) else {
        return object.to_owned();
    };
    if let Some(old) = members.get(name) {
        return paste(object, place(object, old), value);
    }
    let Some(end) = object.rfind('}') else {
        return object.to_owned();
    };
    let comma = if members.members.is_empty() { "" } else { "," };
    paste(object, end..end, &format!("{comma}{}:{value}", quote(name)))
}

/// An object without the members that are to go. Only if there are any is it written anew.
pub(crate) fn without(object: &str, go: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let Some(members) = Object::read(object) else {
        return Cow::Borrowed(object);
    };
    if !members.members().any(|(name, _)| go(name)) {
        return Cow::Borrowed(object);
    }
    let mut left = String::from("{");
    for (name, value) in members.members().filter(|(name, _)| !go(name)) {
        if left.len() > 1 {
            left.push(',');
        }
        left.push_str(&quote(name));
        left.push(':');
        left.push_str(value);
    }
    left.push('}');
    Cow::Owned(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_pasted_over_stays() {
        let object = r#"{ "z" : 1.50 , "name":"a" , "n\u0061me2": 1e3 }"#;
        assert_eq!(
            with(object, "name", "\"b\""),
            r#"{ "z" : 1.50 , "name":"b" , "n\u0061me2": 1e3 }"#
        );
        assert_eq!(with(object, "name2", "2"), object.replace("1e3", "2"));
        assert_eq!(with("{}", "a", "1"), r#"{"a":1}"#);
        assert_eq!(with(r#"{"a":1}"#, "b", "2"), r#"{"a":1,"b":2}"#);
        assert_eq!(with("[1]", "b", "2"), "[1]");
    }

    #[test]
    fn of_a_repeated_member_the_last_counts() {
        let object = r#"{"a":1,"a":2}"#;
        assert_eq!(Object::read(object).unwrap().get("a"), Some("2"));
        assert_eq!(with(object, "a", "3"), r#"{"a":1,"a":3}"#);
    }

    #[test]
    fn members_go_and_the_rest_keeps_its_spelling() {
        let object = r#"{"a": 1.0, "x/b":{"k" :1}, "c":[ ]}"#;
        assert_eq!(without(object, |name| name == "no"), object);
        assert_eq!(
            without(object, |name| name.starts_with("x/")),
            r#"{"a":1.0,"c":[ ]}"#
        );
    }

    #[test]
    fn elements_keep_their_text() {
        assert_eq!(
            elements(r#"[ {"a" :1}, 2.0 ]"#).unwrap(),
            [r#"{"a" :1}"#, "2.0"]
        );
        assert!(elements("{}").is_none());
    }
}

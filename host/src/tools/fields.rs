//! What a tool takes, declared once: the input schema that clients read and the check of what they send come
//! from the same lines.

use rea_front::{Diagnostic, shorten_text};
use serde_json::{Map, Value, json};

/// One argument of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it is for, units included.
    pub description: &'static str,
    /// Whether a call without it is wrong.
    pub required: bool,
    /// What it may hold.
    pub kind: Kind,
}

/// What an argument may hold.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Text of at least `min` and at most `max` characters.
    Text {
        /// Fewest characters.
        min: usize,
        /// Most characters.
        max: usize,
    },
    /// A whole number.
    Integer {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
        /// What counts when it is absent.
        default: u64,
    },
    /// True or false.
    Flag {
        /// What counts when it is absent.
        default: bool,
    },
    /// One of some words.
    Choice {
        /// The words; the first counts when it is absent.
        of: &'static [&'static str],
    },
}

/// Arguments that have passed the check, defaults filled in.
#[derive(Clone, Debug, Default)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Checks what a client sent. `null` counts as absent.
    ///
    /// # Errors
    /// Everything that is wrong, not only the first thing.
    pub fn check(
        fields: &[Field],
        sent: Option<&Map<String, Value>>,
    ) -> Result<Arguments, Vec<Diagnostic>> {
        let mut wrong = Vec::new();
        let mut taken = Map::new();
        for field in fields {
            let value = sent
                .and_then(|sent| sent.get(field.name))
                .filter(|value| !value.is_null());
            match (value, field.default()) {
                (Some(value), _) => match field.admitted(value) {
                    Some(admitted) => {
                        taken.insert(field.name.to_owned(), admitted);
                    }
                    None => wrong.push(Diagnostic::wrong(field.path(), field.expected(), value)),
                },
                (None, Some(default)) => {
                    taken.insert(field.name.to_owned(), default);
                }
                (None, None) if field.required => {
                    wrong.push(Diagnostic::missing(field.path(), field.expected()))
                }
                (None, None) => {}
            }
        }
        for name in sent.into_iter().flat_map(Map::keys) {
            if !fields.iter().any(|field| field.name == name) {
                let names: Vec<_> = fields.iter().map(|field| field.name).collect();
                wrong.push(Diagnostic {
                    path: format!("arguments.{}", member(name)),
                    expected: match names.is_empty() {
                        true => "no arguments".into(),
                        false => format!("one of {}", names.join(", ")),
                    },
                    got: "an unknown argument".into(),
                });
            }
        }
        if wrong.is_empty() {
            Ok(Arguments(taken))
        } else {
            Err(wrong)
        }
    }

    /// A text argument, if it was given.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// A number argument; 0 if the tool has none of that name.
    pub fn integer(&self, name: &str) -> u64 {
        self.0.get(name).and_then(Value::as_u64).unwrap_or_default()
    }

    /// A flag argument.
    pub fn flag(&self, name: &str) -> bool {
        self.0
            .get(name)
            .and_then(Value::as_bool)
            .unwrap_or_default()
    }

    /// All of them, for the evidence record.
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }
}

impl Field {
    fn default(&self) -> Option<Value> {
        match self.kind {
            Kind::Text { .. } => None,
            Kind::Integer { default, .. } => Some(default.into()),
            Kind::Flag { default } => Some(default.into()),
            Kind::Choice { of } => of.first().map(|word| Value::from(*word)),
        }
    }

    /// The value as it is used, if it may be.
    fn admitted(&self, value: &Value) -> Option<Value> {
        let admits = match self.kind {
            Kind::Text { min, max } => value
                .as_str()
                .is_some_and(|text| (min..=max).contains(&text.chars().count())),
            Kind::Integer { min, max, .. } => {
                let number = whole(value)?;
                return (min..=max).contains(&number).then(|| number.into());
            }
            Kind::Flag { .. } => value.is_boolean(),
            Kind::Choice { of } => value.as_str().is_some_and(|word| of.contains(&word)),
        };
        admits.then(|| value.clone())
    }

    fn expected(&self) -> String {
        match self.kind {
            Kind::Text { min, max } => format!("a string of {min} to {max} characters"),
            Kind::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Flag { .. } => "true or false".into(),
            Kind::Choice { of } => format!("one of {}", of.join(", ")),
        }
    }

    fn path(&self) -> String {
        format!("arguments.{}", self.name)
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text { min, max } => {
                json!({"type": "string", "minLength": min.min(1), "maxLength": max})
            }
            Kind::Integer { min, max, default } => {
                json!({"type": "integer", "minimum": min, "maximum": max, "default": default})
            }
            Kind::Flag { default } => json!({"type": "boolean", "default": default}),
            Kind::Choice { of } => json!({"type": "string", "enum": of, "default": of.first()}),
        };
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".into(), self.description.into());
        }
        schema
    }
}

/// A whole number, also one that is written as `5.0`: to JSON Schema that is an integer.
fn whole(value: &Value) -> Option<u64> {
    /// Up to here a floating-point number is exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    value.as_u64().or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
        // In range, so nothing is cut off.
        (0.0..=EXACT).contains(&number).then_some(number as u64)
    })
}

/// The name of an argument that a client made up: as it is if it is a plain word, else quoted and shortened.
fn member(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    match !name.is_empty() && name.len() <= 64 && name.bytes().all(plain) {
        true => name.to_owned(),
        false => shorten_text(name),
    }
}

/// The JSON Schema (2020-12) of a tool that takes these arguments.
pub(super) fn schema(fields: &[Field]) -> Map<String, Value> {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| (field.name.to_owned(), field.schema()))
        .collect();
    let required: Vec<_> = fields
        .iter()
        .filter(|field| field.required)
        .map(|field| field.name)
        .collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema.insert("additionalProperties".into(), false.into());
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &[Field] = &[
        Field {
            name: "path",
            description: "",
            required: true,
            kind: Kind::Text { min: 1, max: 10 },
        },
        Field {
            name: "limit",
            description: "",
            required: false,
            kind: Kind::Integer {
                min: 1,
                max: 5,
                default: 3,
            },
        },
    ];

    #[test]
    fn everything_wrong_is_named_at_once() {
        let sent = json!({"limit": 9, "colour": "red"});
        let wrong = Arguments::check(FIELDS, sent.as_object()).unwrap_err();
        let paths: Vec<_> = wrong.iter().map(|wrong| wrong.path.as_str()).collect();
        assert_eq!(
            paths,
            ["arguments.path", "arguments.limit", "arguments.colour"]
        );
        assert_eq!(wrong[1].got, "9");
    }

    #[test]
    fn defaults_are_filled_in_and_null_is_absent() {
        let sent = json!({"path": "ééééééééé", "limit": 5.0});
        let taken = Arguments::check(FIELDS, sent.as_object()).unwrap();
        assert_eq!(
            taken.integer("limit"),
            5,
            "5.0 is an integer, and characters count"
        );
        let sent = json!({"path": "x", "limit": null});
        let taken = Arguments::check(FIELDS, sent.as_object()).unwrap();
        assert_eq!((taken.text("path"), taken.integer("limit")), (Some("x"), 3));
    }
}

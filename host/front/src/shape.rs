//! What the parameters of a method look like, as data, and the one function that compares.

#[cfg(test)]
mod laws;
mod methods;

use serde_json::{Map, Value};

use crate::{
    diagnostic::{Diagnostic, TOLD, join},
    rules::{Capability, Rules},
};
pub(crate) use methods::{META, find_notification, find_request};

/// A method and its parameters.
#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// What the server must have declared.
    pub(crate) needs: Capability,
    /// In which protocol eras it exists; in the other it is an unknown method.
    pub(crate) era: Era,
    pub(crate) fields: &'static [Field],
}

/// Which revisions of the protocol have a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// Up to 2025-11-25 only.
    Legacy,
    /// From 2026-07-28 on only.
    Modern,
    Both,
}

/// A member of an object. Members that are not named are let through: both eras allow them.
#[derive(Debug)]
pub(crate) struct Field {
    name: &'static str,
    required: bool,
    /// `null` counts as absent.
    nullable: bool,
    kind: Kind,
}

/// What a value must be.
#[derive(Debug)]
pub(crate) enum Kind {
    Text,
    Flag,
    Number,
    /// A string or an integer: request ids and progress tokens.
    Token,
    /// One of these strings.
    Choice(&'static [&'static str]),
    Object(&'static [Field]),
    /// An object with names of the client's choosing and values of one kind.
    Map(&'static Kind),
    List(&'static Kind),
    /// An object whose `type` decides its other members.
    Variant(&'static [Case]),
}

/// One `type` of a [`Kind::Variant`].
#[derive(Debug)]
pub(crate) struct Case {
    tag: &'static str,
    needs: Capability,
    fields: &'static [Field],
}

const fn required(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        required: true,
        nullable: false,
        kind,
    }
}

const fn optional(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        required: false,
        nullable: false,
        kind,
    }
}

/// What a client says of itself: the schema has no `null` there, but clients send it and it harms nobody.
const fn lenient(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        required: false,
        nullable: true,
        kind,
    }
}

/// Every way in which an object differs from its fields, in the order of the fields; at most 16.
pub(crate) fn compare(
    path: &str,
    members: &Map<String, Value>,
    fields: &'static [Field],
    rules: &Rules,
) -> Vec<Diagnostic> {
    let mut found = Found {
        rules,
        errors: Vec::new(),
    };
    found.members(path, members, fields);
    found.errors
}

struct Found<'a> {
    rules: &'a Rules,
    errors: Vec<Diagnostic>,
}

impl Found<'_> {
    fn members(&mut self, path: &str, members: &Map<String, Value>, fields: &'static [Field]) {
        for field in fields {
            match members.get(field.name) {
                Some(Value::Null) if field.nullable => {}
                Some(value) => self.value(&join(path, field.name), value, &field.kind),
                None if field.required => self.tell(Diagnostic::missing(
                    join(path, field.name),
                    self.name(&field.kind),
                )),
                None => {}
            }
        }
    }

    fn value(&mut self, path: &str, value: &Value, kind: &'static Kind) {
        match (kind, value) {
            (Kind::Text, Value::String(_))
            | (Kind::Flag, Value::Bool(_))
            | (Kind::Number, Value::Number(_))
            | (Kind::Token, Value::String(_)) => {}
            (Kind::Token, Value::Number(number)) if number.is_i64() => {}
            (Kind::Choice(choices), Value::String(text)) if choices.contains(&text.as_str()) => {}
            (Kind::Object(fields), Value::Object(members)) => self.members(path, members, fields),
            (Kind::Map(inner), Value::Object(members)) => {
                for (name, value) in members {
                    // Long maps are walked only until enough has been found.
                    if self.errors.len() >= TOLD {
                        break;
                    }
                    if !fits_simply(inner, value) {
                        self.value(&join(path, name), value, inner);
                    }
                }
            }
            (Kind::List(inner), Value::Array(values)) => {
                for (index, value) in values.iter().enumerate() {
                    if self.errors.len() >= TOLD {
                        break;
                    }
                    if !fits_simply(inner, value) {
                        self.value(&format!("{path}[{index}]"), value, inner);
                    }
                }
            }
            (Kind::Variant(cases), Value::Object(members)) => self.variant(path, members, cases),
            _ => self.tell(Diagnostic::wrong(path, self.name(kind), value)),
        }
    }

    fn variant(&mut self, path: &str, members: &Map<String, Value>, cases: &'static [Case]) {
        let tag_path = join(path, "type");
        let Some(tag) = members.get("type") else {
            return self.tell(Diagnostic::missing(tag_path, self.tags(cases)));
        };
        let chosen = cases
            .iter()
            .find(|case| Some(case.tag) == tag.as_str() && self.rules.serves(case.needs));
        match chosen {
            Some(case) => self.members(path, members, case.fields),
            None => self.tell(Diagnostic::wrong(tag_path, self.tags(cases), tag)),
        }
    }

    fn tell(&mut self, error: Diagnostic) {
        if self.errors.len() < TOLD {
            self.errors.push(error);
        }
    }

    fn name(&self, kind: &Kind) -> String {
        match kind {
            Kind::Text => "string".to_owned(),
            Kind::Flag => "boolean".to_owned(),
            Kind::Number => "number".to_owned(),
            Kind::Token => "string or integer".to_owned(),
            Kind::Choice(choices) => one_of(choices.iter().copied()),
            Kind::Object(_) | Kind::Variant(_) => "object".to_owned(),
            Kind::Map(inner) => format!("object of {} values", self.name(inner)),
            Kind::List(inner) => format!("array of {} values", self.name(inner)),
        }
    }

    fn tags(&self, cases: &'static [Case]) -> String {
        one_of(
            cases
                .iter()
                .filter(|case| self.rules.serves(case.needs))
                .map(|case| case.tag),
        )
    }
}

/// Spares a path for each of a hundred thousand good values.
fn fits_simply(kind: &Kind, value: &Value) -> bool {
    matches!((kind, value), (Kind::Text, Value::String(_)))
}

fn one_of<'a>(choices: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = choices.map(|choice| format!("\"{choice}\"")).collect();
    match quoted.as_slice() {
        [only] => only.clone(),
        all => format!("one of {}", all.join(", ")),
    }
}

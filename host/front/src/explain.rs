//! Gives the -32602 of a handler, and of rmcp itself, the diagnostics that every -32602 carries here.

use rmcp::{
    ErrorData,
    model::{ErrorCode, RequestMetaObject},
};
use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, invalid_params_data, join, shorten, shorten_text};

/// What has to be known of a request to explain why it was refused. Small, whatever the request's size.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The member that a refusal of this method is most likely about, and what it held.
    subject: (&'static str, &'static str, String),
    /// Members of `_meta` that the modern era requires and this request lacks.
    unnamed: Vec<&'static str>,
}

impl Asked {
    /// Notes what is needed of an accepted request.
    pub fn of(message: &Value) -> Self {
        let method = message.get("method").and_then(Value::as_str);
        let params = message.get("params");
        let (path, pointer, expected) = match method.unwrap_or_default() {
            "prompts/get" => (
                "params.name",
                "/name",
                "the name of a prompt that is served",
            ),
            "tools/call" => ("params.name", "/name", "the name of a tool that is served"),
            "completion/complete" => (
                "params.ref.name",
                "/ref/name",
                "the name of a prompt that is served",
            ),
            "resources/read" => (
                "params.uri",
                "/uri",
                "the address of a resource that is served",
            ),
            "prompts/list" | "tools/list" | "resources/list" | "resources/templates/list" => (
                "params.cursor",
                "/cursor",
                "a cursor that the last page gave",
            ),
            _ => ("params", "", "parameters that this method takes"),
        };
        let got = params.and_then(|params| params.pointer(pointer));
        Self {
            subject: (path, expected, got.map_or("nothing".to_owned(), shorten)),
            unnamed: unnamed(params),
        }
    }
}

/// Adds `data.errors` to a -32602 that has none; leaves every other error, and other members of `data`, alone.
pub fn explain(error: &mut ErrorData, asked: Option<&Asked>) {
    if error.code != ErrorCode::INVALID_PARAMS {
        return;
    }
    let mut data = match error.data.take() {
        Some(Value::Object(data)) if data.get("errors").is_some_and(Value::is_array) => {
            error.data = Some(Value::Object(data));
            return;
        }
        Some(Value::Object(data)) => data,
        Some(other) => Map::from_iter([("detail".to_owned(), other)]),
        None => Map::new(),
    };
    if let Value::Object(errors) = invalid_params_data(&reasons(&error.message, asked)) {
        data.extend(errors);
    }
    error.data = Some(Value::Object(data));
}

fn reasons(message: &str, asked: Option<&Asked>) -> Vec<Diagnostic> {
    let Some(asked) = asked else {
        return vec![Diagnostic {
            path: "params".to_owned(),
            expected: "parameters that this method takes".to_owned(),
            got: shorten_text(message),
        }];
    };
    // rmcp's one sentence about `_meta`; the members that lack are those that the request did not have.
    if message.contains("_meta") && !asked.unnamed.is_empty() {
        return lacking(&asked.unnamed);
    }
    let (path, expected, got) = asked.subject.clone();
    vec![Diagnostic {
        path: path.to_owned(),
        expected: expected.to_owned(),
        got,
    }]
}

/// What the modern era requires in `_meta` and these parameters lack.
pub(crate) fn unnamed(params: Option<&Value>) -> Vec<&'static str> {
    let meta = params.and_then(|params| params.get("_meta"));
    let lacks = |name: &&str| meta.is_none_or(|meta| meta.get(*name).is_none());
    let names = RequestMetaObject::DRAFT_REQUIRED_KEYS.into_iter();
    names.filter(lacks).collect()
}

/// The diagnostics for members of `_meta` that lack.
pub(crate) fn lacking(names: &[&str]) -> Vec<Diagnostic> {
    let told = names.iter().map(|name| {
        let kind = if name.ends_with("protocolVersion") {
            "string, or `initialize` before this request"
        } else {
            "object, or `initialize` before this request"
        };
        Diagnostic::missing(join("params._meta", name), kind)
    });
    told.collect()
}

//! Answers: what was sent, or why not.

use std::borrow::Cow;

use rea_front::{Asked, explain};
use rmcp::{ErrorData, model::ErrorCode};
use serde_json::{Value, json};

use super::Client;
use crate::{
    raw::{Object, paste, place, with},
    upstream::{Era, Outcome},
};

/// Why a request is not answered with a result.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) ErrorData);

impl Refusal {
    /// There is no such tool, prompt or resource; or it must not be seen, which is the same.
    pub(super) fn unknown(what: &str, name: &str) -> Self {
        let shown = rea_front::shorten_text(name);
        let shown = shown.trim_matches('"');
        Self(ErrorData::invalid_params(
            format!("Unknown {what}: {shown}"),
            None,
        ))
    }

    /// The era or the servers do not have this method.
    pub(super) fn no_method(method: &str) -> Self {
        let shown = rea_front::shorten_text(method);
        let text = format!("Method not found: {}", shown.trim_matches('"'));
        Self(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, text, None))
    }

    /// The server isn't there.
    pub(super) fn down(server: &str, reason: &str) -> Self {
        let text = format!("server `{server}` is down: {reason}");
        let data = json!({"server": server, "state": "down"});
        Self(ErrorData::internal_error(text, Some(data)))
    }
}

impl Client {
    /// Refuses a request. A -32602 says what was wrong, as everywhere in this program.
    pub(super) fn refuse(&self, key: u64, refusal: Refusal, message: &Value) {
        let Refusal(mut error) = refusal;
        explain(&mut error, Some(&Asked::of(message)));
        self.refuse_plainly(key, &Refusal(error));
    }

    /// Refuses a request.
    pub(super) fn refuse_plainly(&self, key: u64, Refusal(error): &Refusal) {
        let mut text = json!({"code": error.code.0, "message": error.message});
        if let (Value::Object(members), Some(data)) = (&mut text, &error.data) {
            members.insert("data".to_owned(), data.clone());
        }
        self.finish(key, "error", &text.to_string());
    }

    /// Answers with a result of our own, or one that has none of what the modern era asks for.
    pub(super) fn result(&self, key: u64, result: &str, era: Era) {
        let result = match era {
            Era::Legacy => Cow::Borrowed(result),
            Era::Modern => complete(result),
        };
        self.finish(key, "result", &result);
    }

    /// Answers with what depends on who asks and when: nobody may keep it.
    pub(super) fn private(&self, key: u64, result: &str, era: Era) {
        match era {
            Era::Legacy => self.finish(key, "result", result),
            Era::Modern => self.finish(key, "result", &uncached(&complete(result))),
        }
    }

    /// Answers with what came of it at a server, as it was sent there.
    pub(super) fn pass_on(
        &self,
        key: u64,
        server: &str,
        method: &str,
        of: Era,
        to: Era,
        outcome: &Outcome,
    ) {
        match outcome {
            Outcome::Result(line, range) => {
                let result = line.get(range.clone()).unwrap_or_default();
                match (of, to) {
                    (Era::Legacy, Era::Modern) if method == "resources/read" => {
                        self.finish(key, "result", &uncached(&complete(result)));
                    }
                    (Era::Legacy, Era::Modern) => self.finish(key, "result", &complete(result)),
                    (Era::Modern, Era::Legacy) if asks_for_input(result) => {
                        let text = format!(
                            "server `{server}` asks for input in the manner of 2026-07-28, which this connection does not have"
                        );
                        self.refuse_plainly(key, &Refusal(ErrorData::internal_error(text, None)));
                    }
                    _ => self.finish(key, "result", result),
                }
            }
            Outcome::Error(line, range) => {
                let error = line.get(range.clone()).unwrap_or_default();
                self.finish(key, "error", &retired(error, to));
            }
            Outcome::Lost(reason) => self.refuse_plainly(key, &Refusal::down(server, reason)),
        }
    }

    fn finish(&self, key: u64, part: &str, text: &str) {
        // Whoever cancelled it wants nothing more of it.
        if let Some(open) = self.flight.end(key) {
            let id = open.id();
            let mut line = String::with_capacity(text.len() + id.len() + 40);
            line.push_str(r#"{"jsonrpc":"2.0","id":"#);
            line.push_str(&id);
            line.push_str(",\"");
            line.push_str(part);
            line.push_str("\":");
            line.push_str(text);
            line.push('}');
            open.outlet.send(line);
        }
    }
}

fn complete(result: &str) -> Cow<'_, str> {
    let has = Object::read(result).is_none_or(|result| result.get("resultType").is_some());
    if has {
        Cow::Borrowed(result)
    } else {
        Cow::Owned(with(result, "resultType", "\"complete\""))
    }
}

fn uncached(result: &str) -> String {
    with(&with(result, "ttlMs", "0"), "cacheScope", "\"private\"")
}

fn asks_for_input(result: &str) -> bool {
    Object::read(result)
        .is_some_and(|result| result.text("resultType").as_deref() == Some("input_required"))
}

/// -32002 (no such resource) does not exist in the modern era.
fn retired(error: &str, to: Era) -> Cow<'_, str> {
    let code = Object::read(error).and_then(|error| error.get("code"));
    match code {
        Some(code) if to == Era::Modern && code == "-32002" => {
            Cow::Owned(paste(error, place(error, code), "-32602"))
        }
        _ => Cow::Borrowed(error),
    }
}

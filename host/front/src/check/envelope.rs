//! The JSON-RPC envelope: which kind of message, whose id.

use rmcp::model::RequestId;
use serde_json::{Map, Value};

use crate::{diagnostic::Diagnostic, reply::Fault};

/// A message whose envelope is in order.
pub(super) enum Envelope {
    Request {
        id: RequestId,
        method: String,
        message: Map<String, Value>,
    },
    Notification {
        method: String,
        message: Map<String, Value>,
    },
    Response {
        message: Map<String, Value>,
    },
    /// A malformed response. Answering it could make two peers answer each other for ever.
    Nothing,
}

/// The id of a request: a string or an integer that fits 64 bits with a sign. `1.0` is a float.
pub(crate) fn id(value: &Value) -> Option<RequestId> {
    match value {
        Value::String(text) => Some(RequestId::String(text.as_str().into())),
        Value::Number(number) => number.as_i64().map(RequestId::Number),
        _ => None,
    }
}

/// Sorts a message. A fault comes with the id to answer under, where one could be read.
pub(super) fn open(value: Value) -> Result<Envelope, (Option<RequestId>, Fault)> {
    let message = match value {
        Value::Object(message) => message,
        Value::Array(_) => {
            let one = "one object; this protocol has no batches";
            return Err((None, fault("message", one, Some(&value))));
        }
        other => return Err((None, fault("message", "object", Some(&other)))),
    };
    let given = message.get("id");
    let read = given.and_then(id);
    let is_reply = message.contains_key("result") || message.contains_key("error");
    let Some(method) = message.get("method") else {
        if is_reply {
            return Ok(response(read, message));
        }
        return Err((read, fault("method", "string", None)));
    };
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        let version = fault("jsonrpc", "\"2.0\"", message.get("jsonrpc"));
        return Err((read, version));
    }
    let Value::String(method) = method else {
        return Err((read, fault("method", "string", Some(method))));
    };
    if is_reply {
        let extra = ["result", "error"]
            .into_iter()
            .find_map(|name| Some((name, message.get(name)?)));
        let (name, value) = extra.unwrap_or(("result", &Value::Null));
        return Err((read, fault(name, "nothing beside a method", Some(value))));
    }
    let method = method.clone();
    match (given, read) {
        (None, _) => Ok(Envelope::Notification { method, message }),
        (Some(_), Some(id)) => Ok(Envelope::Request {
            id,
            method,
            message,
        }),
        (Some(given), None) => {
            let integer = "string, or integer of 64 bits with a sign";
            Err((None, fault("id", integer, Some(given))))
        }
    }
}

fn response(id: Option<RequestId>, message: Map<String, Value>) -> Envelope {
    let one = message.contains_key("result") != message.contains_key("error");
    let two = message.get("jsonrpc").and_then(Value::as_str) == Some("2.0");
    if id.is_some() && one && two {
        Envelope::Response { message }
    } else {
        Envelope::Nothing
    }
}

fn fault(path: &str, expected: &str, got: Option<&Value>) -> Fault {
    Fault::no_request(match got {
        Some(got) => Diagnostic::wrong(path, expected, got),
        None => Diagnostic::missing(path, expected),
    })
}

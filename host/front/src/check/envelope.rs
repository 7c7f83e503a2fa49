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

/// A message that is no message of this protocol, and the id to answer under, where one could be read.
pub(super) struct Refused {
    pub(super) id: Option<RequestId>,
    pub(super) fault: Fault,
}

/// Sorts a message.
pub(super) fn open(value: Value) -> Result<Envelope, Box<Refused>> {
    let message = match value {
        Value::Object(message) => message,
        Value::Array(_) => {
            let one = "one object; this protocol has no batches";
            return refuse(None, "message", one, Some(&value));
        }
        other => return refuse(None, "message", "object", Some(&other)),
    };
    let given = message.get("id");
    let read = given.and_then(id);
    let outcome = ["result", "error"]
        .into_iter()
        .find_map(|name| Some((name, message.get(name)?)));
    let Some(method) = message.get("method") else {
        return match outcome {
            Some(_) => Ok(response(read, message)),
            None => refuse(read, "method", "string", None),
        };
    };
    let version = message.get("jsonrpc");
    if version.and_then(Value::as_str) != Some("2.0") {
        return refuse(read, "jsonrpc", "\"2.0\"", version);
    }
    let Value::String(method) = method else {
        return refuse(read, "method", "string", Some(method));
    };
    if let Some((name, value)) = outcome {
        return refuse(read, name, "nothing beside a method", Some(value));
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
            let allowed = "string, or integer of 64 bits with a sign";
            refuse(None, "id", allowed, Some(given))
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

fn refuse(
    id: Option<RequestId>,
    path: &str,
    expected: &str,
    got: Option<&Value>,
) -> Result<Envelope, Box<Refused>> {
    let fault = Fault::no_request(match got {
        Some(got) => Diagnostic::wrong(path, expected, got),
        None => Diagnostic::missing(path, expected),
    });
    Err(Box::new(Refused { id, fault }))
}

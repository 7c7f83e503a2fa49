//! One message, checked: pure, without I/O, the same for a line and for an HTTP body.

mod envelope;
mod read;

use rmcp::model::RequestId;
use serde_json::Value;

use crate::{
    diagnostic::Diagnostic,
    explain,
    reply::Fault,
    rules::Rules,
    shape::{self, Era, Method},
};
use envelope::Envelope;
pub(crate) use envelope::id;

/// What is to be done with a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// A good message: hand it on. `params: null` has been taken out of it, since it counts as absent.
    Accept(Value),
    /// A bad one: send this error reply, a whole JSON-RPC message, and go on.
    Reply(Value),
    /// Nothing to hand on and nobody to answer: a blank line, or a malformed notification or response.
    Ignore,
}

/// Judges one message.
///
/// `bytes` is a line without its newline, or a whole body. `in_flight` says whether a request of this id has
/// been handed on and not been answered yet; an id may be used again after that.
///
/// Never panics, whatever the bytes. The cost is linear in their number. Replies:
///
/// * -32700 where no JSON could be read: bad syntax, bytes that are not UTF-8, a lone surrogate, more than 127
///   levels, two messages at once. Without id.
/// * -32600 where the JSON is no message of MCP, has too many bytes, or repeats an id in flight. With the id
///   where it is a string or an integer.
/// * -32602 where the parameters are not those of the method. With the id.
///
/// All carry `data.errors` (see [`Diagnostic`]). An unknown method is accepted, if its `params` are an object or
/// absent: to say -32601 is for who knows the methods.
pub fn check(bytes: &[u8], rules: &Rules, in_flight: &dyn Fn(&RequestId) -> bool) -> Verdict {
    let value = match read::read(bytes, rules.max_bytes()) {
        Ok(Some(value)) => value,
        Ok(None) => return Verdict::Ignore,
        Err(fault) => return Verdict::Reply(fault.reply(None)),
    };
    match envelope::open(value) {
        Ok(Envelope::Request {
            id,
            method,
            mut message,
        }) => {
            let judged = if in_flight(&id) {
                Err(twice(&id))
            } else {
                params(&method, &mut message, shape::find_request(&method), rules)
            };
            match judged {
                Ok(()) => Verdict::Accept(Value::Object(message)),
                Err(fault) => Verdict::Reply(fault.reply(Some(&id))),
            }
        }
        Ok(Envelope::Notification {
            method,
            mut message,
        }) => {
            // A request without an id asks for nothing; a notification is never answered.
            let known = shape::find_notification(&method);
            if shape::find_request(&method).is_some()
                || params(&method, &mut message, known, rules).is_err()
            {
                Verdict::Ignore
            } else {
                Verdict::Accept(Value::Object(message))
            }
        }
        Ok(Envelope::Response { message }) => Verdict::Accept(Value::Object(message)),
        Ok(Envelope::Nothing) => Verdict::Ignore,
        Err(refused) => {
            let envelope::Refused { id, fault } = *refused;
            Verdict::Reply(fault.reply(id.as_ref()))
        }
    }
}

/// The id of a message: a string or an integer that fits 64 bits with a sign. `None` where there is none, or one
/// that the protocol does not allow.
pub fn message_id(message: &Value) -> Option<RequestId> {
    message.get("id").and_then(id)
}

/// The reply to a line that is longer than allowed, before anything of it is known.
pub fn too_long(rules: &Rules) -> Value {
    Fault::too_long(rules.max_bytes()).reply(None)
}

/// The reply to a request whose parameters pass the shapes but not rmcp's own types.
pub(crate) fn not_typed(id: &RequestId, method: &str, params: &Value) -> Value {
    let error = Diagnostic::wrong("params", format!("the parameters of {method}"), params);
    Fault::params(&[error]).reply(Some(id))
}

/// Whether parameters of this request were compared with a shape, so that rmcp must know its type.
pub(crate) fn is_shaped(method: &str, params: Option<&Value>, rules: &Rules) -> bool {
    shape::find_request(method).is_some_and(|known| applies(known, params, rules))
}

/// Whether these parameters name a protocol version of the era without sessions.
pub(crate) fn is_modern(params: Option<&Value>) -> bool {
    params
        .and_then(|params| params.pointer("/_meta/io.modelcontextprotocol~1protocolVersion"))
        .and_then(Value::as_str)
        // Versions are dates, so text order is time order.
        .is_some_and(|version| version >= "2026-07-28")
}

fn params(
    method: &str,
    message: &mut serde_json::Map<String, Value>,
    known: Option<&'static Method>,
    rules: &Rules,
) -> Result<(), Fault> {
    if message.get("params") == Some(&Value::Null) {
        message.shift_remove("params");
    }
    let given = message.get("params");
    let empty = serde_json::Map::new();
    let members = match given {
        None => &empty,
        Some(Value::Object(members)) => members,
        Some(other) => {
            return Err(Fault::params(&[Diagnostic::wrong(
                "params", "object", other,
            )]));
        }
    };
    let mut errors = shape::compare("params", members, shape::META, rules);
    if let Some(known) = known.filter(|known| known.name == method && applies(known, given, rules))
    {
        errors.extend(shape::compare("params", members, known.fields, rules));
    }
    if method == "server/discover" {
        // This one has no legacy form; rmcp's type of it would not even tell what lacks.
        errors.extend(explain::lacking(&explain::unnamed(given)));
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Fault::params(&errors))
    }
}

/// A method that this server or this era does not have is unknown, whatever its parameters.
fn applies(method: &Method, params: Option<&Value>, rules: &Rules) -> bool {
    let era = match method.era {
        Era::Both => true,
        Era::Legacy => !is_modern(params),
        Era::Modern => is_modern(params),
    };
    era && rules.serves(method.needs)
}

fn twice(id: &RequestId) -> Fault {
    Fault::no_request(Diagnostic::wrong(
        "id",
        "an id of no request that is still being answered",
        &id.clone().into_json_value(),
    ))
}

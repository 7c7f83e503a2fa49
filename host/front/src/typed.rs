//! From checked JSON to rmcp's types.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage};
use serde::Deserialize as _;
use serde_json::Value;

use crate::{Rules, check, message_id};

/// A message that [`crate::check`] accepted under these rules, as rmcp's type.
///
/// rmcp takes a request whose parameters it cannot read for one of an unknown method. That never passes here: it is
/// refused with -32602.
///
/// # Errors
///
/// The whole reply for a request; `None` for what nobody waits for.
pub fn typed(message: &Value, rules: &Rules) -> Result<ClientJsonRpcMessage, Option<Value>> {
    let method = message.get("method").and_then(Value::as_str);
    let params = message.get("params");
    let refused = || {
        let (id, method) = (message_id(message)?, method?);
        Some(check::not_typed(
            &id,
            method,
            params.unwrap_or(&Value::Null),
        ))
    };
    match ClientJsonRpcMessage::deserialize(message) {
        Ok(JsonRpcMessage::Request(request))
            if matches!(request.request, ClientRequest::CustomRequest(_))
                && method.is_some_and(|method| check::is_shaped(method, params, rules)) =>
        {
            Err(refused())
        }
        Ok(message) => Ok(message),
        Err(error) => {
            tracing::debug!(%error, "a message passed the checks but not rmcp's types");
            Err(refused())
        }
    }
}

//! The error replies that the front itself gives.

use rmcp::model::{ErrorCode, RequestId};
use serde_json::{Map, Value, json};

use crate::diagnostic::{Diagnostic, invalid_params_data, summary};

/// A fault of a message, before it is known to whom it is told.
#[derive(Debug)]
pub(crate) struct Fault {
    code: ErrorCode,
    message: String,
    data: Value,
}

impl Fault {
    /// -32700: no JSON could be read.
    pub(crate) fn unreadable(error: Diagnostic, reason: &str) -> Self {
        let mut data = invalid_params_data(&[error]);
        put(&mut data, "reason", reason.into());
        Self {
            code: ErrorCode::PARSE_ERROR,
            message: format!("Parse error: {reason}"),
            data,
        }
    }

    /// -32600: JSON that is no message of this protocol.
    pub(crate) fn no_request(error: Diagnostic) -> Self {
        let errors = [error];
        Self {
            code: ErrorCode::INVALID_REQUEST,
            message: summary("Invalid request", &errors),
            data: invalid_params_data(&errors),
        }
    }

    /// -32600: more bytes than a message may have.
    pub(crate) fn too_long(limit: usize) -> Self {
        let mut fault = Self::no_request(Diagnostic {
            path: "message".to_owned(),
            expected: format!("at most {limit} bytes"),
            got: "more".to_owned(),
        });
        put(&mut fault.data, "limit", limit.into());
        fault
    }

    /// -32602: the parameters are not those of the method.
    pub(crate) fn params(errors: &[Diagnostic]) -> Self {
        Self {
            code: ErrorCode::INVALID_PARAMS,
            message: summary("Invalid params", errors),
            data: invalid_params_data(errors),
        }
    }

    /// The reply. Without an id the member is left out: `null` is not in the protocol's schema, and clients
    /// that check refuse it.
    pub(crate) fn reply(self, id: Option<&RequestId>) -> Value {
        let mut reply = Map::new();
        reply.insert("jsonrpc".to_owned(), "2.0".into());
        if let Some(id) = id {
            reply.insert("id".to_owned(), id.clone().into_json_value());
        }
        reply.insert(
            "error".to_owned(),
            json!({ "code": self.code.0, "message": self.message, "data": self.data }),
        );
        Value::Object(reply)
    }
}

fn put(data: &mut Value, name: &str, value: Value) {
    if let Value::Object(members) = data {
        members.insert(name.to_owned(), value);
    }
}

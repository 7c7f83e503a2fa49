//! JSON-RPC errors that are given here, and their statuses.

use axum::{
    body::Body,
    http::{Response, StatusCode},
};
use rmcp::{
    ErrorData,
    model::{ErrorCode, JsonRpcMessage, RequestId, ServerJsonRpcMessage},
};
use serde_json::Value;

use crate::refusal::{Refusal, bytes_response, json_response};

/// A reply of the checks.
///
/// What is no message of the protocol gets 400. Parameters of a good message get 200 with the error, as all answers
/// to good messages do: of another status, clients of the first era tell their users the status and not the error.
pub(super) fn refused(reply: Value) -> Response<Body> {
    let error = reply.get("error");
    let code = error
        .and_then(|error| error.get("code"))
        .and_then(Value::as_i64);
    let path = error
        .and_then(|error| error.pointer("/data/errors/0/path"))
        .and_then(Value::as_str)
        .unwrap_or_default();
    let member = path.starts_with("params.") && !path.starts_with("params._meta");
    let status = if code == Some(i64::from(ErrorCode::INVALID_PARAMS.0)) && member {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    json_response(status, &reply)
}

/// An error of ours, with this status.
pub(super) fn error(
    status: StatusCode,
    error: ErrorData,
    id: Option<&RequestId>,
) -> Response<Body> {
    message(status, &JsonRpcMessage::error(error, id.cloned()))
}

/// A whole message as the body.
pub(super) fn message(status: StatusCode, message: &ServerJsonRpcMessage) -> Response<Body> {
    match serde_json::to_vec(message) {
        Ok(body) => bytes_response(status, body),
        Err(error) => {
            tracing::error!(%error, "a message could not be put into JSON");
            Refusal::internal().rpc(None)
        }
    }
}

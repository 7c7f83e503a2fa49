//! Faults of a question, as the protocol reports them.

use rmcp::model::{ErrorCode, ErrorData};
use serde_json::{Value, json};

use crate::component::{Defect, Fault, FaultCode};

/// -32602 for a fault that the component found in the parameters. `parent` is where its fields lie in them.
pub(super) fn refused(parent: &str, fault: &Fault) -> ErrorData {
    let path = match fault.field.is_empty() {
        true => parent.to_owned(),
        false => format!("{parent}.{}", fault.field),
    };
    let (expected, got) = match fault.code {
        FaultCode::UnknownPrompt => ("the name of a prompt in prompts/list", "an unknown name"),
        FaultCode::MissingArgument => ("a string that isn't empty", "nothing"),
        FaultCode::BlankArgument => ("a string that isn't blank", "blanks only"),
        FaultCode::MalformedInput | FaultCode::OutOfTurn | FaultCode::Other => {
            ("valid input", "something else")
        }
    };
    invalid(fault.detail.clone(), &path, expected, got)
}

/// -32602 for one field.
pub(super) fn invalid(message: String, path: &str, expected: &str, got: &str) -> ErrorData {
    ErrorData::new(
        ErrorCode::INVALID_PARAMS,
        message,
        Some(json!({"errors": [{"path": path, "expected": expected, "got": got}]})),
    )
}

/// -32603: ours. What happened is in the log, not in the answer.
pub(super) fn internal(what: &dyn std::fmt::Display) -> ErrorData {
    tracing::error!("{what}");
    ErrorData::new(ErrorCode::INTERNAL_ERROR, "internal error", None::<Value>)
}

/// For a request that was cancelled. The front drops it; nobody reads it.
pub(super) fn cancelled() -> ErrorData {
    ErrorData::new(ErrorCode::INTERNAL_ERROR, "cancelled", None::<Value>)
}

impl From<Defect> for Failure {
    fn from(defect: Defect) -> Self {
        Failure(internal(&defect))
    }
}

/// An error on its way to the client.
pub(super) struct Failure(pub(super) ErrorData);

impl From<Failure> for ErrorData {
    fn from(failure: Failure) -> Self {
        failure.0
    }
}

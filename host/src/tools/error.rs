//! What a tool says when it can't do what it was asked.

use rea_front::{Diagnostic, invalid_params_data};
use rea_provider::{OpenError, ReadError, ResolveError};
use serde_json::{Value, json};

use crate::session::SessionError;

/// A failure, for a model to read and act on.
#[derive(Clone, Debug)]
pub struct ToolError {
    /// A word to branch on.
    pub code: &'static str,
    /// One or two sentences: what was wrong, with what, and what to do.
    pub message: String,
    /// More, as data.
    pub details: Value,
}

impl ToolError {
    /// An error without details.
    pub fn new(code: &'static str, message: impl Into<String>) -> ToolError {
        ToolError {
            code,
            message: message.into(),
            details: Value::Null,
        }
    }

    /// With details.
    pub fn with(mut self, details: Value) -> ToolError {
        self.details = details;
        self
    }

    /// Arguments that didn't pass the check, or turned out to be wrong when they were used. The details have the
    /// shape that errors of the protocol have.
    pub(super) fn arguments(tool: &str, wrong: &[Diagnostic]) -> ToolError {
        let listed: Vec<_> = wrong
            .iter()
            .map(|wrong| {
                format!(
                    "{} must be {}, not {}",
                    wrong.path, wrong.expected, wrong.got
                )
            })
            .collect();
        ToolError::new(
            "invalid_arguments",
            format!("{tool}: {}.", listed.join("; ")),
        )
        .with(invalid_params_data(wrong))
    }

    /// As JSON: `{"error": {code, message, …details}}`.
    pub fn to_json(&self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let (Some(error), Some(details)) = (error.as_object_mut(), self.details.as_object()) {
            error.extend(
                details
                    .iter()
                    .map(|(key, value)| (key.clone(), value.clone())),
            );
        }
        json!({"error": error})
    }
}

impl From<SessionError> for ToolError {
    fn from(error: SessionError) -> Self {
        let message = error.to_string();
        match error {
            SessionError::NoTarget => ToolError::new("target_required", message),
            SessionError::UnknownProvider { candidates, .. } => {
                ToolError::new("unknown_provider", message)
                    .with(json!({"candidate_ids": candidates}))
            }
            SessionError::Open(error) => open_error(&error),
            SessionError::Read(error) => read_error(&error),
            SessionError::Cancelled => ToolError::new("cancelled", message),
            SessionError::Internal(reason) => {
                tracing::error!("{reason}");
                ToolError::new(
                    "internal",
                    "something in this server failed; its log says what",
                )
            }
        }
    }
}

fn open_error(error: &OpenError) -> ToolError {
    let (code, details) = match error {
        OpenError::NotFound(_) => ("not_found", Value::Null),
        OpenError::Directory { .. } => ("directory", Value::Null),
        OpenError::NotRegular { .. } => ("not_a_regular_file", Value::Null),
        OpenError::Unreadable { .. } => ("unreadable", Value::Null),
        OpenError::Empty(_) => ("empty_file", Value::Null),
        OpenError::Truncated { format, .. } => ("truncated", json!({"format": format.to_string()})),
        OpenError::Malformed { format, .. } => ("malformed", json!({"format": format.to_string()})),
        OpenError::Unsupported { format, .. } => (
            "format_not_supported_yet",
            json!({"format": format.to_string()}),
        ),
    };
    let mut message = error.to_string();
    if matches!(error, OpenError::Directory { .. }) {
        message.push_str(&directory_hint());
    }
    ToolError::new(code, message).with(details)
}

/// Which operation takes a directory, if this server has one.
pub(crate) fn directory_hint() -> String {
    match super::find("analyze_javascript_application") {
        Some(tool) => format!("; for a directory there is {}", tool.name),
        None => "; open a file in it".into(),
    }
}

fn read_error(error: &ReadError) -> ToolError {
    let code = match error {
        ReadError::Changed => "file_changed",
        ReadError::Io(_) => "unreadable",
        ReadError::Damaged(_) => "malformed",
        ReadError::OutOfMemory(_) => "too_large",
        ReadError::Cancelled => "cancelled",
    };
    ToolError::new(code, error.to_string())
}

impl From<ReadError> for ToolError {
    fn from(error: ReadError) -> Self {
        read_error(&error)
    }
}

impl From<ResolveError> for ToolError {
    fn from(error: ResolveError) -> Self {
        let message = error.to_string();
        match error {
            ResolveError::NotFound => ToolError::new(
                "not_found",
                format!(
                    "{message}; search_procedures finds names, resolve_containing_procedure takes any address"
                ),
            ),
            ResolveError::Ambiguous { spellings, total } => {
                ToolError::new("ambiguous_procedure", message)
                    .with(json!({"candidates": spellings, "total": total}))
            }
            ResolveError::Malformed(_) => ToolError::new("malformed_address", message),
            ResolveError::Read(error) => error.into(),
        }
    }
}

//! The catalogue of tools. One file a family; each tool is a thin adapter between arguments and the session.

mod error;
mod fields;
mod layout;
mod lifecycle;
mod outcome;
mod procedures;
mod strings;
mod target;

use std::{future::Future, pin::Pin, sync::Arc};

use serde_json::{Map, Value};

pub use error::ToolError;
pub(crate) use error::directory_hint;
pub use fields::{Arguments, Field, Kind};
pub(crate) use procedures::describe_documents;

use crate::session::{Session, Watch};

/// What a call of a tool does besides answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    ReadOnly,
    /// Adds to the session: evidence, or which target is open.
    AddsToSession,
    /// Takes away from the session what can't be had back.
    DiscardsSession,
}

impl Effect {
    /// Whether nothing outside the session changes and nothing of it is lost. Retained evidence is a record of
    /// the reading, not a change of what was read.
    pub fn is_read_only(self) -> bool {
        self == Effect::ReadOnly
    }

    /// Whether something is lost.
    pub fn is_destructive(self) -> bool {
        self == Effect::DiscardsSession
    }
}

type Running<'a> = Pin<Box<dyn Future<Output = Result<Value, ToolError>> + Send + 'a>>;

/// A tool: what clients read of it, and what it does.
pub struct Tool {
    /// Name.
    pub name: &'static str,
    /// Title, for people.
    pub title: &'static str,
    /// What it does, what it returns, what it needs.
    pub description: &'static str,
    /// What it takes.
    pub fields: &'static [Field],
    /// What it does besides answering.
    pub effect: Effect,
    run: for<'a> fn(&'a Call<'a>) -> Running<'a>,
}

/// A call whose arguments were checked.
pub struct Call<'a> {
    tool: &'static Tool,
    session: &'a Arc<Session>,
    arguments: Arguments,
    watch: &'a Watch,
}

/// What a call led to.
pub enum Outcome {
    /// The result.
    Done(Value),
    /// What went wrong; for the model to read, not an error of the protocol.
    Failed(ToolError),
}

/// All tools, in the order in which they are listed.
pub static CATALOGUE: &[Tool] = &[
    lifecycle::BINARY_SESSION,
    lifecycle::OPEN_BINARY,
    lifecycle::CLOSE_BINARY,
    procedures::LIST_DOCUMENTS,
    procedures::LIST_PROCEDURES,
    procedures::SEARCH_PROCEDURES,
    strings::SEARCH_STRINGS,
    procedures::PROCEDURE_ADDRESS,
    procedures::RESOLVE_CONTAINING_PROCEDURE,
    layout::INSPECT_BINARY_LAYOUT,
];

/// The tool of a name.
pub fn find(name: &str) -> Option<&'static Tool> {
    CATALOGUE.iter().find(|tool| tool.name == name)
}

/// Names of all tools, in order.
pub fn names() -> Vec<String> {
    CATALOGUE.iter().map(|tool| tool.name.to_owned()).collect()
}

impl Tool {
    /// The JSON Schema of its arguments.
    pub fn schema(&self) -> Map<String, Value> {
        fields::schema(self.fields)
    }

    /// Checks the arguments and runs the tool.
    pub async fn call(
        &'static self,
        session: &Arc<Session>,
        arguments: Option<&Map<String, Value>>,
        watch: &Watch,
    ) -> Outcome {
        let arguments = match Arguments::check(self.fields, arguments) {
            Ok(arguments) => arguments,
            Err(wrong) => return Outcome::Failed(ToolError::arguments(self.name, &wrong)),
        };
        let call = Call {
            tool: self,
            session,
            arguments,
            watch,
        };
        match (self.run)(&call).await {
            Ok(value) => Outcome::Done(value),
            Err(error) => Outcome::Failed(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_the_schemas_are_small() {
        let mut names = names();
        assert!(names.len() < 40);
        names.sort();
        names.dedup();
        assert_eq!(names.len(), CATALOGUE.len());
        for tool in CATALOGUE {
            let schema = Value::Object(tool.schema()).to_string();
            assert!(schema.len() < 4096, "{}: {} bytes", tool.name, schema.len());
        }
    }
}

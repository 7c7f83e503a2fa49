//! The component that decides, hosted in wasmtime: which instance serves what, and within which limits.
//!
//! [`Guide`] serves prompts and every completion but that of procedures; its instance holds nothing of value
//! and is replaced after a trap. [`ProcedureIndex`] is an instance of its own for each inventory snapshot,
//! dropped with it (WebAssembly memory never shrinks). [`switch`] is the policy of the switch, in one more instance, which is
//! told again after a trap what it was told before.

mod bindings;
mod engine;
mod guide;
mod imports;
mod limits;
mod procedures;
mod program;
pub mod switch;
mod thread;
mod worker;

pub use bindings::exports::rea::guide::{
    completion::{Completions, Request as CompletionRequest},
    procedures::{Extent, Progress as IndexProgress},
    prompts::{Argument as PromptArgument, Prompt, Rendered},
};
pub use guide::{Answer, Guide};
pub use imports::{
    Family, Fault, FaultCode, IdentifierPage, NamePage, PlacePage, SessionView, SnapshotPages,
    Unavailable,
};
pub use procedures::{IndexError, ProcedureIndex};
pub use program::{Defect, EMBEDDED, EMBEDDED_SHA256, Program};

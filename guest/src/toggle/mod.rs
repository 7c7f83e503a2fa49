//! The switch (`wit/toggle.wit`): per conversation, the tools and the instructions of governed MCP servers reach
//! the model, or they don't.
//!
//! Sans-I/O: it is told what happened and answers with data that a host carries out. It knows neither MCP nor a
//! particular host, and no disk.

mod agents;
mod command;
mod config;
mod damage;
mod document;
mod http;
mod json;
mod lineage;
mod names;
mod naming;
mod problem;
mod report;
mod switch;
mod text;

pub use agents::{Held, Order, Orders};
pub use command::{CommandStep, Reply, StoreFailure, StoreFailureKind};
pub use config::{Configuration, MOST_GOVERNED, Settings, read as read_config};
pub use damage::{Damage, DamageKind};
pub use document::{LONGEST_DOCUMENT, MOST_CONVERSATIONS, Movement};
pub use http::{Fence, HttpChange, HttpStep, LONGEST_BODY, Request, Response};
pub use naming::Naming;
pub use problem::{Problem, ProblemKind};
pub use report::{Conversation, Status, Summary, estimate_tokens};
pub use switch::{
    Adopted, Agent, AgentNames, Ancestor, Change, Decision, Hosting, MOST_AGENTS, MOST_SERVERS,
    OwnedNames, Server, ServerState, Switch, Toolset, Written,
};

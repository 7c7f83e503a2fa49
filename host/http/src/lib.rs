//! The HTTP side of `rea`.
//!
//! * [`Server`] listens, on a loopback address by default, and puts the same fences before every route: `Host`,
//!   `Origin`, `Sec-Fetch-Site`, a bearer token off loopback, bounds in bytes, time and number.
//! * [`Site::mcp`] serves MCP over Streamable HTTP, in both protocol eras, behind [`rea_front`]'s checks: what is
//!   malformed gets the JSON-RPC error that stdio gives, never a bare status.
//! * [`Site::switch`] serves the switch: the route `/rea-toggle/state` (whose answers are the policy's, see
//!   [`StateApi`]), the list of conversations, a page and a pill that other pages can embed.
//!
//! It knows neither binaries nor the policy.

mod auth;
mod authority;
mod body;
mod config;
mod fence;
mod gate;
mod mcp;
mod page;
mod query;
mod refusal;
mod server;
mod site;
mod state;

pub use auth::Principal;
pub use axum;
pub use config::{Config, ConfigError, Limits};
pub use fence::Welcome;
pub use mcp::RequestInfo;
pub use refusal::Refusal;
pub use server::{Server, StartError};
pub use site::Site;
pub use state::{Conversation, Conversations, StateApi, StateRequest, StateResponse};

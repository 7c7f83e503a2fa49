//! A gateway before MCP servers: per conversation, what a server offers reaches the client or it doesn't.
//!
//! * [`Config`] is the `mcpServers` file that MCP clients know.
//! * [`Gateway`] holds the connections to the servers, and speaks to [`Client`]s; [`serve`] is one client over a pair
//!   of byte streams.
//! * [`Policy`] is who decides what a conversation sees.
//!
//! What a server sends is never read into types. It is kept as text, cut and pasted ([`Gateway`] says where), so with one
//! server that is switched on, its lists and results reach the client byte for byte as they were sent. rmcp's models
//! would lose members they don't know, the order of keys and the spelling of numbers; therefore the gateway speaks both
//! eras of the protocol by itself, behind the same strict checks as the other servers of this program.

mod client;
mod config;
mod hub;
mod names;
mod outlet;
mod policy;
mod raw;
mod serve;
mod streams;
mod upstream;

pub use client::Client;
pub use config::{Config, ConfigError, MAX_SERVERS, Reach, ServerConfig};
pub use hub::{Gateway, Options, Serves};
pub use outlet::Outlet;
pub use policy::{Asked, Decision, InMemory, Policy, Seat, ServerTools, Told};
pub use serve::serve;
pub use streams::{Input, Output, standard};

//! The MCP server: a session as prompts, completion and tools of the protocol.

mod answers;
mod progress;
mod server;

pub use server::Server;

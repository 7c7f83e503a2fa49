//! What acts: the native host of the component, its session, its tools and the MCP server.
//!
//! Data flows one way: transport, then tool or prompt, then session, then provider, and back. The
//! [`component`] is asked and answers.

pub mod cli;
pub mod component;
pub mod gateway;
pub mod mcp;
pub mod session;
pub mod store;
pub mod tools;

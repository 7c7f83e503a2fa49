//! What stands between a client's bytes and [`rmcp`].
//!
//! rmcp negotiates versions, keeps the lifecycle of both protocol eras and runs subscriptions. Left to itself it
//! answers a malformed request with the wrong code, without an id, or not at all, and one stray notification
//! before the first request ends the process. This crate checks every message first:
//!
//! * [`check`] is pure: the bytes of one line or one HTTP body in, one [`Verdict`] out.
//! * [`Front`] is the stdio transport made from it; [`serve`] runs a handler behind it.
//! * [`Lines`] and [`Outbox`] are the two ways of such a transport, for who speaks JSON-RPC without rmcp.
//! * [`guarded`] answers for a handler that panics.
//! * [`Notifier`] tells clients of each era that a list changed, each in its own manner.
//! * [`Diagnostic`] is the one shape in which this program says what was wrong with an input.
//!
//! It knows MCP's wire and nothing of binaries.

mod check;
mod diagnostic;
mod explain;
mod guard;
mod notify;
mod reply;
mod rules;
mod serve;
mod shape;
mod stdio;
mod typed;

pub use check::{Verdict, check, message_id, too_long};
pub use diagnostic::{Diagnostic, invalid_params, invalid_params_data, shorten, shorten_text};
pub use explain::{Asked, explain};
pub use guard::{Guarded, guarded};
pub use notify::Notifier;
pub use rules::{MAX_MESSAGE_BYTES, Rules};
pub use serve::{ServeError, serve};
pub use stdio::{Front, Line, Lines, Outbox};
pub use typed::typed;

//! The servers behind the gateway: raw JSON-RPC over their pipes or over HTTP, and what they offer.

mod catalogue;
mod http;
mod link;
mod opening;
mod process;
mod slot;

pub(crate) use catalogue::{Catalogue, Kind, List};
pub(crate) use link::{Asker, Events, Link, Outcome, Owner};
pub(crate) use opening::{Era, Hello, LEGACY, MODERN, Opening};
pub(crate) use slot::{Condition, Keeper, Slot};

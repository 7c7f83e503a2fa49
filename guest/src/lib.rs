//! What decides: the guided prompts, and completion with values of the running session.
//!
//! Pure logic. It has no clock, no files, no network and no randomness; all it knows of the world it asks
//! through the traits of [`session`]. Compiled for `wasm32-unknown-unknown` this crate is the component whose
//! contract is in `wit/`; compiled natively it is an ordinary library, so that its tests run at native speed.

pub mod completion;
pub mod fold;
pub mod procedures;
pub mod prompts;
pub mod session;
pub mod toggle;

#[cfg(target_arch = "wasm32")]
mod component;

//! What joins the gateway (`rea-gateway`, which knows no WebAssembly) to the switch of the component and its state file.

mod governed;
mod switched;

pub use governed::{GovernError, Governed, govern};
pub use switched::Switched;

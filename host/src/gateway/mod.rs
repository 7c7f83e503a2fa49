//! What joins the gateway (`rea-gateway`, which knows no WebAssembly) to the switch of the component and its state file.

mod governed;
mod switched;

pub use governed::{Governed, GovernError, govern};
pub use switched::Switched;

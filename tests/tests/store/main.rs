//! The state file, through the program and through the library: nobody's change is lost, whatever happens.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod bed;
mod crash;
mod damage;
mod flips;
mod refused;
mod watch;

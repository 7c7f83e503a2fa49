//! The switch from outside: requirements, pitfalls and laws, against a small model of a host.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise; clippy.toml says so, but doesn't know helpers of tests"
)]

mod bed;
mod cases;
mod laws;
mod pitfalls;
mod requirements;

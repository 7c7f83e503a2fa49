//! The switch from outside: requirements, pitfalls and laws, against a small model of a host.

mod bed;
mod laws;
mod pitfalls;
mod requirements;

//! The hostile lines that every server of this program is held to, sent through the gateway to the front's own fixture.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    unreachable_pub,
    dead_code,
    reason = "a test stops at the first surprise"
)]

#[path = "../../front/tests/hostile/run.rs"]
mod run;
#[path = "../../front/tests/support/mod.rs"]
mod support;
#[path = "../../front/tests/hostile/table.rs"]
mod table;

use std::process::Command;

use support::{Server, example};
use table::table;

#[test]
fn every_row_is_answered_as_written_and_the_connection_goes_on() {
    let failed = run::all(table(), || {
        Server::run(Command::new(example("gateway")).arg(example("fixture")))
    });
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

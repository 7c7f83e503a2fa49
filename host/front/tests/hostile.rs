//! Every row of the table of hostile lines, each against a fresh process over real pipes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    unreachable_pub,
    reason = "a test stops at the first surprise"
)]

#[path = "hostile/run.rs"]
mod run;
#[path = "support/mod.rs"]
mod support;
#[path = "hostile/table.rs"]
mod table;

use support::Server;
use table::table;

#[test]
fn every_row_is_answered_as_written_and_the_connection_goes_on() {
    let failed = run::all(table(), Server::start);
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[test]
fn the_table_is_whole() {
    let rows = table();
    let mut names: Vec<&str> = rows.iter().map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rows.len(), "a name stands twice");
    // Rows beyond those of the first measurement are welcome.
    assert!(rows.len() >= 110, "{} rows", rows.len());
}

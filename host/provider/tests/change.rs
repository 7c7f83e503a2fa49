//! A file that changes or vanishes while it is open.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::time::{Duration, SystemTime};

use rea_provider::{
    Binary, MatchMode, NameQuery, NoMonitor, ReadError, ResolveError, SearchError, StringQuery,
};
use support::Bench;
use support::tiny::{GLOBAL_FUNCTION, TEXT, Tiny};

fn bytes() -> Vec<u8> {
    Tiny {
        symbols: &[
            (b"alpha", 0x1000, 4, GLOBAL_FUNCTION, TEXT),
            (b"beta", 0x1004, 4, GLOBAL_FUNCTION, TEXT),
        ],
        ..Tiny::default()
    }
    .bytes()
}

fn query(pattern: &str) -> NameQuery {
    NameQuery {
        pattern: pattern.to_owned(),
        mode: MatchMode::Literal,
        ..NameQuery::default()
    }
}

/// Writes into the same inode and moves its time, as a clock may be too coarse to tell.
fn overwrite(path: &std::path::Path, content: &[u8]) {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    file.write_all(content).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(5))
        .unwrap();
}

#[test]
fn new_bytes_in_the_same_file_are_noticed() {
    let bench = Bench::new();
    let path = bench.write("t", bytes());
    let binary = Binary::open(&path).unwrap();
    let inventory = binary.inventory(&NoMonitor).unwrap();
    let document = &inventory.documents()[0];
    assert!(binary.is_unchanged());
    overwrite(&path, b"\x7fELF");
    assert!(!binary.is_unchanged());
    // What is in memory is still right.
    assert_eq!(
        document.procedures(0, 10).unwrap().rows[1].names[0].text,
        "beta"
    );
    assert_eq!(
        document
            .search(&query("alph"), 0, 10, &NoMonitor)
            .unwrap()
            .total,
        1
    );
    // What must be read is refused.
    document.release_text();
    assert!(matches!(
        document.procedures(0, 10),
        Err(ReadError::Changed)
    ));
    assert!(matches!(document.name_page(0), Err(ReadError::Changed)));
    assert!(matches!(
        document.search(&query("alph"), 0, 10, &NoMonitor),
        Err(SearchError::Read(ReadError::Changed))
    ));
    assert!(matches!(
        document.resolve("alpha"),
        Err(ResolveError::Read(ReadError::Changed))
    ));
    assert!(document.resolve("0x1000").is_ok());
    assert!(matches!(
        binary.inventory(&NoMonitor),
        Err(ReadError::Changed)
    ));
    assert!(matches!(binary.sha256(&NoMonitor), Err(ReadError::Changed)));
    assert!(matches!(binary.layout(), Err(ReadError::Changed)));
    assert!(matches!(
        binary.strings(&StringQuery::default(), 0, 1, &NoMonitor),
        Err(SearchError::Read(ReadError::Changed))
    ));
}

#[test]
fn a_file_that_shrinks_is_an_error_and_no_crash() {
    let bench = Bench::new();
    let path = bench.write("t", bytes());
    let binary = Binary::open(&path).unwrap();
    std::fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(10)
        .unwrap();
    assert!(matches!(
        binary.inventory(&NoMonitor),
        Err(ReadError::Changed)
    ));
    assert!(matches!(binary.sha256(&NoMonitor), Err(ReadError::Changed)));
}

#[test]
fn a_file_that_vanished_or_was_replaced_is_read_to_the_end_but_known_to_be_another() {
    let bench = Bench::new();
    let path = bench.write("t", bytes());
    let binary = Binary::open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(!binary.is_unchanged());
    // The open file is still the one that was opened.
    assert_eq!(
        binary.inventory(&NoMonitor).unwrap().documents()[0]
            .extent()
            .places,
        2
    );
    bench.write("t", Tiny::default().bytes());
    assert!(!binary.is_unchanged());
    assert_eq!(
        binary.inventory(&NoMonitor).unwrap().documents()[0]
            .extent()
            .places,
        2
    );
    assert_eq!(
        Binary::open(&path)
            .unwrap()
            .inventory(&NoMonitor)
            .unwrap()
            .documents()[0]
            .extent()
            .places,
        0
    );
}

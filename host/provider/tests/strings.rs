//! Text in files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use rea_provider::{
    Binary, MatchMode, NoMonitor, SearchError, StringEncoding, StringHit, StringQuery, StringSearch,
};
use support::tiny::{GLOBAL_FUNCTION, TEXT, Tiny};
use support::{Bench, run};

fn search(binary: &Binary, query: &StringQuery) -> StringSearch {
    binary.strings(query, 0, 100_000, &NoMonitor).unwrap()
}

fn appended(bench: &Bench, tail: &[u8]) -> Binary {
    let mut bytes = Tiny {
        symbols: &[(b"some_function", 0x1000, 4, GLOBAL_FUNCTION, TEXT)],
        ..Tiny::default()
    }
    .bytes();
    bytes.extend(tail);
    Binary::open(&bench.write("t", bytes)).unwrap()
}

fn find(pattern: &str) -> StringQuery {
    StringQuery {
        pattern: Some(pattern.to_owned()),
        ..StringQuery::default()
    }
}

#[test]
fn ascii_runs_are_those_of_strings() {
    let bench = Bench::new();
    let path = bench.gcc("t", &[("a.c", "#include <stdio.h>\nint main(void) { puts(\"hello, world\\ttab\"); puts(\"second\"); return 0; }")], &[]);
    let expected: Vec<String> = run(std::process::Command::new("strings")
        .args(["-a", "-t", "d"])
        .arg(&path))
    .lines()
    .map(|line| line.trim_start().to_owned())
    .collect();
    let binary = Binary::open(&path).unwrap();
    let found = search(
        &binary,
        &StringQuery {
            encodings: vec![StringEncoding::Utf8],
            ..StringQuery::default()
        },
    );
    // The same, but for runs that hold characters beyond ASCII.
    let ours: Vec<String> = found
        .hits
        .iter()
        .filter(|hit| hit.text.is_ascii())
        .map(|hit| {
            format!(
                "{} {}",
                hit.file_offset,
                hit.text.replace("\\x09", "\t").replace("\\\\", "\\")
            )
        })
        .collect();
    let missing: Vec<_> = expected
        .iter()
        .filter(|line| !ours.contains(line))
        .collect();
    assert!(
        missing.len() <= found.hits.len() - ours.len(),
        "{missing:?}"
    );
    assert_eq!(found.scanned, std::fs::metadata(&path).unwrap().len());
    let hit = &search(&binary, &find("HELLO")).hits[0];
    assert_eq!(hit.section.as_deref(), Some(".rodata"));
    assert_eq!(hit.text, "hello, world\\x09tab");
    assert!(hit.address.is_some());
}

#[test]
fn both_encodings_are_found_with_where_they_match() {
    let bench = Bench::new();
    let mut tail = b"\0plain needle here\0\0".to_vec();
    tail.extend(
        "wide Needle \u{416}"
            .encode_utf16()
            .flat_map(u16::to_le_bytes),
    );
    tail.extend(b"\0\0gr\xc3\xbcn needle\0");
    let binary = appended(&bench, &tail);
    let base = binary.identity().size - tail.len() as u64;
    let hits = search(&binary, &find("needle")).hits;
    let rows: Vec<(&str, StringEncoding, u64)> = hits
        .iter()
        .map(|hit| {
            (
                hit.text.as_str(),
                hit.encoding,
                hit.match_offset.unwrap() - hit.file_offset,
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("plain needle here", StringEncoding::Utf8, 6),
            ("wide Needle \u{416}", StringEncoding::Utf16le, 10),
            ("gr\u{fc}n needle", StringEncoding::Utf8, 6)
        ]
    );
    assert_eq!(hits[0].file_offset, base + 1);
    assert_eq!(
        (hits[0].section.as_ref(), hits[0].address),
        (None, None),
        "no header speaks of it"
    );
    let exact = StringQuery {
        case_sensitive: true,
        ..find("needle")
    };
    assert_eq!(search(&binary, &exact).total, 2);
    let expression = StringQuery {
        mode: MatchMode::Regex,
        ..find("^plain.*here$")
    };
    assert_eq!(search(&binary, &expression).total, 1);
    assert_eq!(
        search(&binary, &find("some_function")).hits[0]
            .section
            .as_deref(),
        Some(".strtab")
    );
}

#[test]
fn long_runs_are_cut_and_shown_around_the_match() {
    let bench = Bench::new();
    let mut tail = vec![0u8];
    tail.extend(vec![b'a'; 200_000]);
    let at = tail.len() - 30_000;
    tail[at..at + 6].copy_from_slice(b"needle");
    let binary = appended(&bench, &tail);
    let found = search(&binary, &find("needle"));
    assert_eq!((found.total, found.cuts), (1, 3));
    let hit = &found.hits[0];
    assert!(hit.truncated && hit.text.contains("needle") && hit.text.len() <= 4096);
    assert_eq!(hit.bytes, 65_536);
}

#[test]
fn pages_of_any_size_give_the_same_hits() {
    let bench = Bench::new();
    let mut tail = Vec::new();
    for number in 0..5000 {
        tail.extend(format!("\0entry {number}\0").into_bytes());
        tail.extend(
            format!("wide {number}")
                .encode_utf16()
                .flat_map(u16::to_le_bytes),
        );
    }
    let binary = appended(&bench, &tail);
    let query = StringQuery {
        mode: MatchMode::Regex,
        ..find("(entry|wide) [0-9]*7$")
    };
    let whole = search(&binary, &query);
    assert_eq!(whole.total, 1000);
    assert!(whole.hits.is_sorted_by_key(|hit| hit.file_offset));
    let mut all: Vec<StringHit> = Vec::new();
    while let page = binary
        .strings(&query, all.len() as u64, 77, &NoMonitor)
        .unwrap()
        && !page.hits.is_empty()
    {
        assert_eq!(page.total, 1000);
        all.extend(page.hits);
    }
    assert_eq!(all, whole.hits);
}

#[test]
fn a_wrong_query_names_the_field() {
    let bench = Bench::new();
    let binary = appended(&bench, b"");
    let field = |query: &StringQuery| match binary.strings(query, 0, 1, &NoMonitor) {
        Err(SearchError::Query(error)) => error.field,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        field(&StringQuery {
            min_length: 0,
            ..StringQuery::default()
        }),
        "min_length"
    );
    assert_eq!(field(&find("")), "pattern");
}

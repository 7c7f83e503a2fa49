//! Paging: any size gives the same list, in the same order, with the same total.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::fmt::Write as _;

use rea_provider::{MatchMode, NameQuery, NoMonitor, ProcedureKind, SearchError};
use support::{Bench, document, names, pages, procedures};

fn many(bench: &Bench, count: usize) -> std::path::PathBuf {
    let mut source = String::new();
    for number in 0..count {
        writeln!(source, ".globl name_{number}\n.type name_{number},@function\nname_{number}: ret\n.size name_{number},1").unwrap();
    }
    bench.gcc("t.o", &[("a.s", source.as_str())], &["-c"])
}

#[test]
fn pages_of_any_size_give_the_same_procedures() {
    let bench = Bench::new();
    let document = document(&many(&bench, 1000));
    let whole = procedures(&document);
    assert_eq!(whole.len(), 1000);
    assert!(whole.is_sorted_by_key(|p| p.address));
    for size in [1, 7, 333, 1000, 5000] {
        let mut all = Vec::new();
        while let page = document.procedures(all.len() as u32, size).unwrap()
            && !page.rows.is_empty()
        {
            assert_eq!((page.first as usize, page.total), (all.len(), 1000));
            all.extend(page.rows);
        }
        assert_eq!(all, whole, "{size}");
    }
    assert!(document.procedures(u32::MAX, 10).unwrap().rows.is_empty());
    assert!(document.procedures(0, 0).unwrap().rows.is_empty());
    document.release_text();
    assert_eq!(procedures(&document), whole, "read again from the file");
}

/// LIEF 1288: a silent cap on symbols. The pages of the index hold 10,000 rows.
#[test]
fn lief_1288_there_is_no_cap_on_symbols() {
    let bench = Bench::new();
    let document = document(&many(&bench, 70_001));
    assert_eq!(document.extent().places, 70_001);
    let (spellings, offered) = pages(&document);
    assert_eq!((spellings.len(), offered.len()), (70_001, 70_001));
    document.release_text();
    assert_eq!(pages(&document).1, offered);
    assert_eq!(names(&document).len(), 70_001);
}

#[test]
fn a_search_has_an_exact_total_and_the_same_order_at_any_page_size() {
    let bench = Bench::new();
    let document = document(&many(&bench, 1000));
    let query = NameQuery {
        pattern: "NAME_1".to_owned(),
        ..NameQuery::default()
    };
    let whole = document.search(&query, 0, 10_000, &NoMonitor).unwrap();
    assert_eq!(whole.total, 111);
    assert_eq!(whole.hits.len(), 111);
    for size in [1u32, 10, 50] {
        let mut all = Vec::new();
        while let page = document
            .search(&query, all.len() as u64, size, &NoMonitor)
            .unwrap()
            && !page.hits.is_empty()
        {
            assert_eq!(page.total, 111);
            all.extend(page.hits);
        }
        assert_eq!(all, whole.hits);
    }
    let total = |query: &NameQuery| document.search(query, 0, 1, &NoMonitor).unwrap().total;
    assert_eq!(
        total(&NameQuery {
            case_sensitive: true,
            ..query.clone()
        }),
        0
    );
    assert_eq!(
        total(&NameQuery {
            pattern: "^name_[0-9]$".to_owned(),
            mode: MatchMode::Regex,
            ..query.clone()
        }),
        10
    );
    assert_eq!(
        total(&NameQuery {
            pattern: "name_[".to_owned(),
            ..query.clone()
        }),
        0,
        "a literal"
    );
    assert_eq!(
        total(&NameQuery {
            kinds: vec![ProcedureKind::Label],
            ..query.clone()
        }),
        0
    );
}

#[test]
fn a_pattern_that_is_wrong_names_the_field() {
    let bench = Bench::new();
    let document = document(&many(&bench, 1));
    for (pattern, mode) in [
        (String::new(), MatchMode::Literal),
        ("(".to_owned(), MatchMode::Regex),
        ("a".repeat(5000), MatchMode::Literal),
        ("(a{1000}){1000}".to_owned(), MatchMode::Regex),
    ] {
        match document.search(
            &NameQuery {
                pattern,
                mode,
                ..NameQuery::default()
            },
            0,
            1,
            &NoMonitor,
        ) {
            Err(SearchError::Query(error)) => assert_eq!(error.field, "pattern"),
            other => panic!("{other:?}"),
        }
    }
}

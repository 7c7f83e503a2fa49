//! Cases known by heart: those of the requirements, and those that the reference server's own tests pin.

use super::{Rows, built};
use crate::fold::fold;

fn found(snapshot: &[Rows], chosen: Option<&str>, typed: &str) -> Vec<String> {
    let matches = built(snapshot, 3).find(chosen, &fold(typed));
    assert_eq!(matches.total, matches.values.len() as u64);
    matches.values
}

/// C6: a later row makes an earlier one ambiguous, even where the place has another name.
#[test]
fn every_name_at_a_shared_address_takes_part() {
    let snapshot = [Rows::new(
        "app",
        &["0x10", "0x20"],
        &[("a", 0), ("b", 0), ("b", 1)],
    )];
    assert_eq!(found(&snapshot, None, ""), ["0x10", "0x20", "a"]);
    let snapshot = [Rows::new("app", &["0x10"], &[("a", 0), ("b", 0)])];
    assert_eq!(found(&snapshot, None, ""), ["0x10", "a", "b"]);
}

#[test]
fn ambiguous_names_over_several_pages_are_left_out() {
    let places = ["0x1000", "0x2000", "0x3000", "0x4000"];
    let names = [
        ("duplicate", 0),
        ("unique", 1),
        ("duplicate", 2),
        ("tail", 3),
    ];
    let snapshot = [Rows::new("App", &places, &names)];
    let expected = ["0x1000", "0x2000", "0x3000", "0x4000", "tail", "unique"];
    assert_eq!(found(&snapshot, Some("App"), ""), expected);
}

#[test]
fn the_same_row_twice_is_harmless() {
    let snapshot = [Rows::new(
        "d",
        &["0x1"],
        &[("main", 0), ("main", 0), ("", 0), ("0x1", 0)],
    )];
    assert_eq!(found(&snapshot, None, ""), ["0x1", "main"]);
}

/// A name spelled like a place that it doesn't stand at would lead to the wrong one.
#[test]
fn names_that_read_as_addresses_are_left_out() {
    let names = [
        ("0x2", 0),
        ("0X1F", 0),
        ("0x0@.text", 0),
        ("0xyz", 0),
        ("42", 0),
        ("42@V1", 0),
        ("f@42", 0),
        ("app!main", 0),
        ("other!main", 0),
    ];
    let snapshot = [Rows::new("app", &["0x1", "0x2"], &names)];
    assert_eq!(
        found(&snapshot, None, ""),
        ["0x1", "0x2", "f@42", "other!main"]
    );
}

#[test]
fn six_thousand_rows_give_twelve_thousand_values() {
    let snapshot = [Rows {
        document: "App".to_owned(),
        places: (0..6000).map(|n| format!("{:#x}", n * 16)).collect(),
        names: (0..6000).map(|n| (format!("sub_{n}"), n)).collect(),
        complete: true,
    }];
    let index = built(&snapshot, 10_000);
    let matches = index.find(None, "");
    assert_eq!((matches.total, matches.values.len()), (12_000, 100));
    assert_eq!(matches.values.first().map(String::as_str), Some("0x0"));
    assert_eq!(index.find(None, "sub_5").total, 1111);
    assert!(index.find(Some("app"), "").values.is_empty());
}

#[test]
fn spellings_survive_and_order_is_by_code_point() {
    let names = [
        ("Ａpp", 0),
        ("App", 0),
        ("app", 0),
        ("Zulu", 0),
        ("😀", 0),
        ("\u{e000}", 0),
        ("\u{ff21}", 0),
    ];
    let snapshot = [Rows::new("d", &["0x0"], &names)];
    assert_eq!(found(&snapshot, None, "ＡＰ"), ["App", "app", "Ａpp"]);
    assert_eq!(
        found(&snapshot, None, ""),
        [
            "0x0", "App", "Zulu", "app", "\u{e000}", "\u{ff21}", "Ａpp", "😀"
        ]
    );
}

#[test]
fn incomplete_naming_offers_places_only() {
    let mut rows = Rows::new("d", &["0x1"], &[("main", 0)]);
    rows.complete = false;
    assert_eq!(found(&[rows], None, ""), ["0x1"]);
}

/// The order over documents is by `<document>!`, not by the document's name: `!` comes before letters, but not before
/// a blank.
#[test]
fn several_documents_qualify_their_values() {
    let snapshot = [
        Rows::new("libc", &["0x1"], &[("puts", 0)]),
        Rows::new("libc x", &["0x2"], &[]),
        Rows::new("libc++", &["0x1"], &[("puts", 0)]),
        Rows::new("a\u{202e}b", &["0x1"], &[]),
    ];
    let all = [
        "libc x!0x2",
        "libc!0x1",
        "libc!puts",
        "libc++!0x1",
        "libc++!puts",
    ];
    assert_eq!(found(&snapshot, None, "LIB"), all);
    assert_eq!(found(&snapshot, None, ""), all);
    assert_eq!(found(&snapshot, None, "libc！PU"), ["libc!puts"]);
    assert_eq!(found(&snapshot, None, "puts"), Vec::<String>::new());
    assert_eq!(found(&snapshot, Some("libc"), "P"), ["puts"]);
    assert_eq!(found(&snapshot, Some("a\u{202e}b"), ""), ["0x1"]);
}

/// All 4,096 case variants of a word: exact, and no more work than there are variants.
#[test]
fn case_variants_of_a_word_are_all_found() {
    let variant = |bits: u32| {
        (0..12)
            .map(|at| if bits >> at & 1 == 0 { 'w' } else { 'W' })
            .collect::<String>()
    };
    let snapshot = [Rows {
        document: "d".to_owned(),
        places: vec!["0x0".to_owned()],
        names: (0..4096).map(|bits| (variant(bits), 0)).collect(),
        complete: true,
    }];
    let index = built(&snapshot, 500);
    let matches = index.find(None, &"w".repeat(12));
    assert_eq!((matches.total, matches.values.len()), (4096, 100));
    assert!(matches.values.is_sorted());
    assert_eq!(index.find(None, &"w".repeat(13)).total, 0);
}

#[test]
fn hidden_characters_in_what_is_typed_find_nothing() {
    let snapshot = [Rows::new("d", &["0x1"], &[("a", 0), ("é", 0), ("ab", 0)])];
    assert_eq!(found(&snapshot, None, "a\0"), Vec::<String>::new());
    assert_eq!(found(&snapshot, None, "é\0"), Vec::<String>::new());
    assert_eq!(found(&snapshot, None, "\0"), Vec::<String>::new());
}

#[test]
fn a_snapshot_without_documents_is_empty() {
    assert_eq!(found(&[], None, ""), Vec::<String>::new());
    assert_eq!(
        found(&[Rows::new("d", &[], &[])], None, ""),
        Vec::<String>::new()
    );
}

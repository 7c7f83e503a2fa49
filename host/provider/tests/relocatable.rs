//! Relocatable files, in which many functions have the same address.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::fmt::Write as _;

use rea_provider::{Contained, ResolveError, TargetKind};
use support::{Bench, document, names, procedures, resolved, texts};

const THREE: &str =
    "int a(int x) { return x; } int b(int x) { return x + 1; } int c(int x) { return x + 2; }";

/// LIEF 760: a function at address 0 is dropped. Here three are.
#[test]
fn lief_760_functions_at_address_0_each_have_a_place() {
    let bench = Bench::new();
    let document = document(&bench.gcc("t.o", &[("a.c", THREE)], &["-c", "-ffunction-sections"]));
    let spellings: Vec<String> = procedures(&document)
        .into_iter()
        .map(|p| p.spelling)
        .collect();
    assert_eq!(spellings, ["0x0@.text.a", "0x0@.text.b", "0x0@.text.c"]);
    assert_eq!(texts(&resolved(&document, "0x00@.text.b")), ["b"]);
    assert!(matches!(
        document.resolve("0x0"),
        Err(ResolveError::Ambiguous { total: 3, .. })
    ));
    assert!(matches!(
        document.resolve("0x0@.text.d"),
        Err(ResolveError::NotFound)
    ));
    assert_eq!(
        document.containing("0x1@.text.c").unwrap(),
        Contained::Procedure {
            place: 2,
            offset: 1
        }
    );
    assert_eq!(
        document.containing("0x1").unwrap(),
        Contained::Several(vec![0, 1, 2])
    );
    assert!(document.coverage().naming.is_complete() && document.coverage().places.is_complete());
}

#[test]
fn an_address_that_is_alone_is_spelled_without_its_section() {
    let bench = Bench::new();
    let path = bench.gcc("t.o", &[("a.c", THREE)], &["-c"]);
    assert_eq!(
        rea_provider::Binary::open(&path).unwrap().identity().kind,
        TargetKind::Relocatable
    );
    let document = document(&path);
    assert!(
        procedures(&document)
            .iter()
            .all(|p| !p.spelling.contains('@'))
    );
    assert_eq!(resolved(&document, "a").spelling, "0x0");
}

/// cle 597: unwind information of a stripped relocatable file starts at bogus offsets.
#[test]
fn cle_597_a_stripped_relocatable_file_has_no_starts_and_says_so() {
    let bench = Bench::new();
    let path = bench.gcc("t.o", &[("a.c", THREE)], &["-c"]);
    bench.tool("strip", &["t.o"]);
    let document = document(&path);
    assert_eq!(document.extent().places, 0);
    assert!(!document.coverage().places.is_complete());
    assert!(
        document
            .coverage()
            .sources
            .iter()
            .any(|source| source.source == ".eh_frame" && source.rows == 0)
    );
}

#[test]
fn sections_of_the_same_name_go_by_their_number() {
    let bench = Bench::new();
    let source = "
.section .text.f,\"axG\",@progbits,g1,comdat
.globl f1
.type f1,@function
f1: ret
.size f1,.-f1
.section .text.f,\"axG\",@progbits,g2,comdat
.globl f2
.type f2,@function
f2: ret
.size f2,.-f2
";
    let document = document(&bench.gcc("t.o", &[("a.s", source)], &["-c"]));
    let (one, two) = (resolved(&document, "f1"), resolved(&document, "f2"));
    assert!(one.spelling.starts_with("0x0@.text.f#") && two.spelling.starts_with("0x0@.text.f#"));
    assert_ne!(one.spelling, two.spelling);
}

#[test]
fn section_numbers_beyond_65280_are_read_from_their_own_table() {
    const SECTIONS: usize = 66_000;
    let bench = Bench::new();
    let mut source = String::new();
    for number in 0..SECTIONS {
        writeln!(
            source,
            ".section .text.s{number},\"ax\",@progbits\n.type f{number},@function\nf{number}: ret"
        )
        .unwrap();
    }
    let path = bench.gcc("t.o", &[("a.s", source.as_str())], &["-c"]);
    let document = document(&path);
    assert_eq!(document.extent().places as usize, SECTIONS);
    assert_eq!(names(&document).len(), SECTIONS);
    assert_eq!(resolved(&document, "f65999").spelling, "0x0@.text.s65999");
    assert_eq!(
        resolved(&document, "0x0@.text.s65400").names[0].text,
        "f65400"
    );
}

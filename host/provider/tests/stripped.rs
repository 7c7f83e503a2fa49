//! Files without symbols, and without section headers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;

use rea_provider::{Binary, Contained, NoMonitor, ProcedureKind};
use support::tiny::without_sections;
use support::{Bench, count, document, names, pages, procedures, resolved};

const PROGRAM: &str = "
#include <stdio.h>
int __attribute__((noinline)) one(int x) { puts(\"one\"); return x + 1; }
int __attribute__((noinline)) two(int x) { puts(\"two\"); return one(x) * 2; }
int main(int c, char **v) { (void)v; return two(c); }";
const LIBRARY: &str = "int exported(int x) { return x; } int another(int x) { return exported(x) + 1; } extern int outside(int); int third(int x) { return outside(x); }";

/// cle 744, radare2 24078, dyninst 803: a stripped file has no functions.
#[test]
fn cle_744_a_stripped_program_has_the_starts_of_its_unwind_information() {
    let bench = Bench::new();
    let path = bench.gcc("t", &[("a.c", PROGRAM)], &["-O1"]);
    let whole = document(&path);
    let starts: BTreeSet<u64> = ["main", "one", "two", "_start", "_init", "_fini"]
        .iter()
        .map(|name| resolved(&whole, name).address)
        .collect();
    bench.tool("strip", &["t"]);
    let stripped = document(&path);
    let inferred: BTreeSet<u64> = procedures(&stripped)
        .iter()
        .filter(|p| p.kind == ProcedureKind::Inferred)
        .map(|p| p.address)
        .collect();
    assert!(starts.is_subset(&inferred), "{starts:x?} {inferred:x?}");
    assert!(
        procedures(&stripped)
            .iter()
            .all(|p| (p.kind == ProcedureKind::ImportStub) == p.section.starts_with(".plt")),
        "the linkage table's frame is no procedure"
    );
    assert!(
        stripped.coverage().naming.is_complete(),
        "{:?}",
        stripped.coverage()
    );
    assert!(!stripped.coverage().places.is_complete());
    let two = resolved(&whole, "two");
    let inside = format!("{:#x}", two.address + 3);
    assert!(matches!(
        stripped.containing(&inside).unwrap(),
        Contained::Procedure { offset: 3, .. }
    ));
}

#[test]
fn an_unstripped_static_program_without_stubs_is_complete() {
    let bench = Bench::new();
    let source = "void _start(void) { __asm__(\"mov $60,%eax; xor %edi,%edi; syscall\"); }";
    let document = document(&bench.gcc("t", &[("a.c", source)], &["-nostdlib", "-static"]));
    assert!(
        document.coverage().naming.is_complete() && document.coverage().places.is_complete(),
        "{:?}",
        document.coverage()
    );
    assert_eq!(count(&document, ProcedureKind::Inferred), 0);
}

#[test]
fn symbols_removed_from_a_part_show_in_the_coverage() {
    let bench = Bench::new();
    let path = bench.gcc("t", &[("a.c", "static int __attribute__((noinline,noclone)) gone(int x) { return x * 3; } int main(int c, char **v) { (void)v; return gone(c); }")], &["-O1"]);
    bench.tool("strip", &["-N", "gone", "t"]);
    let document = document(&path);
    assert!(count(&document, ProcedureKind::Inferred) > 0);
    assert!(
        document
            .coverage()
            .places
            .reasons()
            .iter()
            .any(|why| why.contains("have no symbol")),
        "{:?}",
        document.coverage()
    );
}

fn library(bench: &Bench, style: &str) -> (PathBuf, BTreeSet<(u64, String)>) {
    let path = bench.gcc(
        "t.so",
        &[("a.c", LIBRARY)],
        &[
            "-shared",
            "-fPIC",
            "-O1",
            &format!("-Wl,--hash-style={style}"),
        ],
    );
    bench.tool("strip", &["t.so"]);
    let expected = without_stubs(names(&document(&path)));
    assert_eq!(
        expected
            .iter()
            .filter(|(_, name)| ["exported", "another", "third"].contains(&name.as_str()))
            .count(),
        3
    );
    (path, expected)
}

/// Names without those of stubs, which only a section finds.
fn without_stubs(mut names: BTreeSet<(u64, String)>) -> BTreeSet<(u64, String)> {
    names.retain(|(_, name)| !name.ends_with("@plt"));
    names
}

/// object 831: dynamic symbols of a file without section headers.
#[test]
fn object_831_without_sections_the_hash_tables_tell_the_symbols() {
    let bench = Bench::new();
    for style in ["sysv", "gnu", "both"] {
        let (path, expected) = library(&bench, style);
        let mut bytes = std::fs::read(&path).unwrap();
        without_sections(&mut bytes);
        let document = document(&bench.write("bare.so", bytes));
        assert_eq!(names(&document), expected, "{style}");
        assert!(
            document.coverage().naming.is_complete(),
            "{style}: {:?}",
            document.coverage()
        );
        let exported = resolved(&document, "exported");
        assert!(
            exported.section.starts_with("segment "),
            "{}",
            exported.section
        );
        assert!(exported.size.is_some());
    }
}

/// capa 3170: DT_GNU_HASH leads to bytes that were zeroed.
#[test]
fn capa_3170_a_zeroed_hash_table_leaves_the_names_and_says_so() {
    let bench = Bench::new();
    let (path, expected) = library(&bench, "gnu");
    let layout = Binary::open(&path).unwrap().layout().unwrap();
    let hash = layout
        .sections
        .rows
        .iter()
        .find(|section| section.kind == "SHT_GNU_HASH")
        .unwrap();
    let (from, size) = (hash.file_offset.0 as usize, hash.size.0 as usize);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[from..from + size].fill(0);
    let sectioned = document(&bench.write("zeroed.so", &bytes));
    assert_eq!(
        without_stubs(names(&sectioned)),
        expected,
        "sections tell the symbols anyway"
    );
    without_sections(&mut bytes);
    let document = document(&bench.write("bare.so", bytes));
    assert!(names(&document).is_superset(&expected));
    assert!(!document.coverage().naming.is_complete());
    assert!(document.coverage().naming.reasons()[0].contains("no hash table"));
}

#[test]
fn without_sections_frames_are_found_by_their_segment_and_stubs_are_left_out() {
    let bench = Bench::new();
    for options in [
        &["-O1"][..],
        &["-O1", "-fcf-protection=full", "-Wl,-z,ibtplt"],
        &["-O1", "-Wl,-z,now"],
    ] {
        let path = bench.gcc("t", &[("a.c", PROGRAM)], options);
        bench.tool("strip", &["t"]);
        let expected: BTreeSet<u64> = procedures(&document(&path))
            .iter()
            .filter(|p| p.kind != ProcedureKind::ImportStub)
            .map(|p| p.address)
            .collect();
        let mut bytes = std::fs::read(&path).unwrap();
        without_sections(&mut bytes);
        let document = document(&bench.write("bare", bytes));
        let found: BTreeSet<u64> = procedures(&document).iter().map(|p| p.address).collect();
        assert_eq!(found, expected, "{options:?}");
        let told = |why: &String| why.contains("no section says where they are");
        assert!(document.coverage().places.reasons().iter().any(told));
    }
}

#[test]
fn frames_in_the_debug_information_tell_starts_too() {
    let bench = Bench::new();
    let quiet = [
        "-O1",
        "-g",
        "-nostdlib",
        "-static",
        "-fno-asynchronous-unwind-tables",
        "-fno-unwind-tables",
    ];
    let source = "int __attribute__((noinline)) f(int x) { return x + 1; } void _start(void) { f(1); for (;;); }";
    let path = bench.gcc("t", &[("a.c", source)], &quiet);
    let expected: BTreeSet<u64> = procedures(&document(&path))
        .iter()
        .map(|p| p.address)
        .collect();
    bench.tool("strip", &["--keep-section=.debug_frame", "t"]);
    let document = document(&path);
    assert_eq!(count(&document, ProcedureKind::Inferred), 2);
    assert_eq!(
        procedures(&document)
            .iter()
            .map(|p| p.address)
            .collect::<BTreeSet<u64>>(),
        expected
    );
    assert!(
        document
            .coverage()
            .sources
            .iter()
            .any(|source| source.source == ".debug_frame" && source.rows == 2)
    );
}

#[test]
fn a_static_program_without_sections_has_unknown_naming() {
    let bench = Bench::new();
    let path = bench.gcc("t", &[("a.c", PROGRAM)], &["-static"]);
    let mut bytes = std::fs::read(&path).unwrap();
    without_sections(&mut bytes);
    let document = document(&bench.write("bare", bytes));
    assert!(
        matches!(
            document.coverage().naming,
            rea_provider::Completeness::Unknown(_)
        ),
        "{:?}",
        document.coverage()
    );
    assert!(!document.extent().naming_complete);
    assert!(pages(&document).1.is_empty());
}

#[test]
fn cancelling_ends_an_inventory() {
    struct Stop;
    impl rea_provider::Monitor for Stop {
        fn progress(&self, _: u64, _: u64) {}
        fn cancelled(&self) -> bool {
            true
        }
    }
    let bench = Bench::new();
    let binary = Binary::open(&bench.gcc("t", &[("a.c", PROGRAM)], &[])).unwrap();
    assert!(matches!(
        binary.inventory(&Stop),
        Err(rea_provider::ReadError::Cancelled)
    ));
    assert!(matches!(
        binary.sha256(&Stop),
        Err(rea_provider::ReadError::Cancelled)
    ));
    assert!(binary.inventory(&NoMonitor).is_ok());
}

//! Go programs: their own table of functions, stripped or not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::path::PathBuf;
use std::process::Command;

use rea_provider::{ProcedureKind, ResolveError};
use support::need::available;
use support::parts::{Part, Parts};
use support::tiny::without_sections;
use support::{Bench, document, document_alone, names, resolved, run, torment};

const SOURCE: &str = "package main

//go:noinline
func secret(x int) int { return x*3 }

type T struct{ a int }

//go:noinline
func (t *T) Method() int { return t.a }

func main() { println(secret(4), (&T{2}).Method()) }
";

fn build(bench: &Bench, output: &str, options: &[&str]) -> PathBuf {
    build_for(bench, "linux", "amd64", output, options)
}

fn build_for(
    bench: &Bench,
    system: &str,
    processor: &str,
    output: &str,
    options: &[&str],
) -> PathBuf {
    let source = bench.write("main.go", SOURCE);
    run(Command::new("go")
        .current_dir(source.parent().unwrap())
        .args(["build", "-o", output])
        .args(options)
        .arg("main.go")
        .env("GOARCH", processor)
        .env("GOOS", system)
        .env("CGO_ENABLED", "0")
        .env("GO111MODULE", "off")
        .env("GOFLAGS", "")
        .env("GOCACHE", bench.path("cache")));
    bench.path(output)
}

/// golang/go 42954, GoReSym 17 and 48, systing PR 140, kuna PR 31: a stripped Go program has no names.
#[test]
fn go_42954_a_stripped_program_keeps_its_names() {
    if !available("golang::go_42954_a_stripped_program_keeps_its_names", "go") {
        return;
    }
    let bench = Bench::new();
    // One architecture: each takes its own build of the library.
    for mode in ["exe", "pie"] {
        let mode = format!("-buildmode={mode}");
        let whole = document_alone(&build(&bench, "whole", &[&mode]));
        let path = build(&bench, "bare", &[&mode, "-ldflags", "-s -w"]);
        let stripped = document_alone(&path);
        for name in [
            "main.secret",
            "main.(*T).Method",
            "main.main",
            "runtime.main",
        ] {
            let (there, here) = (resolved(&whole, name), resolved(&stripped, name));
            assert_eq!(here.address, there.address, "{mode} {name}");
            assert!(here.names[0].sources.runtime && here.kind == ProcedureKind::Function);
        }
        assert!(stripped.coverage().naming.is_complete());
        // Nothing is named after its neighbour: every name is one of the whole program's.
        let known = names(&whole);
        for row in names(&stripped) {
            assert!(known.contains(&row), "{row:x?}");
        }
        let mut bytes = std::fs::read(&path).unwrap();
        without_sections(&mut bytes);
        let found = document_alone(&bench.write("none", bytes));
        assert_eq!(names(&found), names(&stripped), "by its magic alone");
    }
}

#[test]
fn go_of_windows_and_macos_keeps_its_names_too() {
    if !available("golang::go_of_windows_and_macos_keeps_its_names_too", "go") {
        return;
    }
    let bench = Bench::new();
    for (system, processor) in [("windows", "amd64"), ("darwin", "arm64")] {
        let whole = document_alone(&build_for(&bench, system, processor, "whole", &[]));
        let options = ["-ldflags", "-s -w"];
        let path = build_for(&bench, system, processor, "bare", &options);
        if system == "darwin" {
            // The linker leaves the symbols there, whatever it is asked.
            let mut bytes = std::fs::read(&path).unwrap();
            without_symbols(&mut bytes);
            std::fs::write(&path, bytes).unwrap();
        }
        let stripped = document_alone(&path);
        for name in ["main.secret", "main.(*T).Method", "main.main"] {
            let here = resolved(&stripped, name);
            assert_eq!(
                here.kind,
                ProcedureKind::Function,
                "{system} {processor} {name}"
            );
            assert!(here.names[0].sources.runtime && here.size.is_some());
            let there = ["", "_"]
                .iter()
                .find_map(|before| whole.resolve(&format!("{before}{name}")).ok())
                .map(|place| whole.procedure(place).unwrap());
            assert_eq!(there.unwrap().address, here.address, "{system} {name}");
        }
        let named = |reason: &String| reason.contains("clntab");
        let reasons = stripped.coverage().naming.reasons();
        assert!(!reasons.iter().any(named), "{reasons:?}");
    }
}

/// Leaves a 64-bit Mach-O image no symbols.
fn without_symbols(bytes: &mut [u8]) {
    let word = |bytes: &[u8], at: usize| {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    };
    let mut at = 32;
    for _ in 0..word(bytes, 16) {
        if word(bytes, at) == 2 {
            bytes[at + 12..at + 16].fill(0);
        }
        at += word(bytes, at + 4);
    }
}

/// A small program with a table of the layout of Go 1.20: two functions at 0x1000 and 0x1040.
fn table(text_start: u64, entry: u64) -> Parts {
    let mut file = Parts {
        is_64: true,
        is_big: false,
        machine: 62,
        file_type: 2,
        entry,
        sections: vec![Part {
            name: ".text",
            kind: 1,
            flags: 6,
            address: 0x1000,
            bytes: vec![0xcc; 0x100],
            ..Part::default()
        }],
    };
    let strings = b"_rt0_amd64_linux\0main.main\0";
    let (names_at, rows_at) = (8 + 8 * 8, 8 + 8 * 8 + strings.len() as u64);
    let mut bytes = vec![0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8];
    for word in [2, 0, text_start, names_at, rows_at, 0, 0, rows_at] {
        bytes.extend(file.numbers(&[(word, 8)]));
    }
    bytes.extend(strings);
    let rows = [(0, 4), (20, 4), (0x40, 4), (28, 4), (0x80, 4)];
    bytes.extend(file.numbers(&rows));
    bytes.extend(file.numbers(&[(0, 4), (0, 4), (0x40, 4), (17, 4)]));
    file.sections.push(Part {
        name: ".gopclntab",
        kind: 1,
        flags: 2,
        address: 0x2000,
        bytes,
        ..Part::default()
    });
    file
}

#[test]
fn a_table_is_read_only_with_a_proven_start_of_the_code() {
    let bench = Bench::new();
    let found = document(&bench.write("t", table(0x1000, 0x1000).bytes()));
    let main = resolved(&found, "main.main");
    assert_eq!((main.address, main.size), (0x1040, Some(0x40)));
    assert!(found.coverage().naming.is_complete());
    // The header doesn't tell: the program's first function does.
    let found = document(&bench.write("t", table(0, 0x1000).bytes()));
    assert_eq!(resolved(&found, "main.main").address, 0x1040);
    for (start, entry) in [(0, 0x1010), (0x9000, 0x1000)] {
        let found = document(&bench.write("t", table(start, entry).bytes()));
        assert!(matches!(
            found.resolve("main.main"),
            Err(ResolveError::NotFound)
        ));
        assert!(!found.coverage().naming.is_complete());
    }
    torment(&table(0x1000, 0x1000).bytes());
    // Without sections it is found by its magic.
    let mut bytes = table(0x1000, 0x1000).bytes();
    let flags = 64 + 4;
    bytes[flags] = 4;
    without_sections(&mut bytes);
    torment(&bytes);
}

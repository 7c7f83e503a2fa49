//! Files that the tools of Windows programmers make: MinGW, clang and lld.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use rea_provider::{Binary, Document, ProcedureKind};
use support::need::program;
use support::{Bench, count, document, names, procedures, resolved, run, texts};

const SOURCE: &str = "#include <stdlib.h>
#include <windows.h>
__attribute__((weak)) int weakly(int x) { return x + 1; }
static int __attribute__((noinline, used)) helper(int x) { return x * 3; }
__declspec(dllexport) int api(int x) { Sleep(1); return helper(x) + weakly(x); }
int main(void) { free(malloc(8)); return api(3); }
";

/// Builds with one of the MinGW compilers; `None` if it isn't there.
fn mingw(
    test: &str,
    bench: &Bench,
    target: &str,
    output: &str,
    options: &[&str],
) -> Option<PathBuf> {
    let gcc = program(test, &[&format!("{target}-w64-mingw32-gcc")])?;
    let source = bench.write("a.c", SOURCE);
    let output = bench.path(output);
    run(Command::new(gcc)
        .args(["-O1", "-o"])
        .arg(&output)
        .arg(source)
        .args(options));
    Some(output)
}

fn tool(target: &str, name: &str, path: &Path) -> String {
    run(Command::new(format!("{target}-w64-mingw32-{name}")).arg(path))
}

/// Names of functions and labels by `nm`: global and local text.
fn by_nm(target: &str, path: &Path) -> BTreeSet<(u64, String)> {
    tool(target, "nm", path)
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            let is_text = matches!(words.next()?, "T" | "t");
            Some((address, words.next()?.to_owned())).filter(|(_, name)| {
                is_text
                    && ![".text", ".ctors", ".dtors"]
                        .iter()
                        .any(|section| name.starts_with(section))
            })
        })
        .collect()
}

fn of_table(document: &Document) -> BTreeSet<(u64, String)> {
    procedures(document)
        .into_iter()
        .flat_map(|p| {
            p.names
                .into_iter()
                .filter(|name| name.sources.symtab)
                .map(move |name| (p.address, name.text))
        })
        .collect()
}

#[test]
fn mingw_programs_have_the_names_that_nm_has() {
    for target in ["x86_64", "i686"] {
        let bench = Bench::new();
        let test = "mingw_programs_have_the_names_that_nm_has";
        let Some(path) = mingw(test, &bench, target, "t.exe", &[]) else {
            return;
        };
        let document = document(&path);
        let (ours, theirs) = (of_table(&document), by_nm(target, &path));
        // Labels at the very end of a section lie in no code.
        let missing: Vec<_> = theirs
            .difference(&ours)
            .filter(|(_, name)| !name.contains("etext") && !name.contains("_end__"))
            .collect();
        assert!(missing.is_empty(), "{target}: {missing:?}");
        let more: Vec<_> = ours.difference(&theirs).collect();
        assert!(more.is_empty(), "{target}: {more:?}");
        assert!(document.coverage().naming.is_complete());
        let underscore = if target == "i686" { "_" } else { "" };
        let api = resolved(&document, &format!("{underscore}api"));
        assert_eq!(
            (api.kind, api.ordinals.as_slice()),
            (ProcedureKind::Function, &[1][..])
        );
        // Which library of the C run time it is depends on the age of the compiler.
        let all = procedures(&document);
        let malloc = all
            .iter()
            .find(|p| texts(p).iter().any(|name| name.ends_with(".dll!malloc")))
            .unwrap();
        assert_eq!(malloc.kind, ProcedureKind::ImportStub, "{target}");
        assert_eq!(
            texts(malloc)[0],
            format!("{underscore}malloc"),
            "the file's own name is first"
        );
    }
}

/// cle 789: `.eh_frame` of MinGW hides behind the section name `/4`.
#[test]
fn cle_789_frames_behind_a_long_section_name_are_read() {
    let bench = Bench::new();
    let test = "cle_789_frames_behind_a_long_section_name_are_read";
    let Some(path) = mingw(test, &bench, "i686", "t.exe", &[]) else {
        return;
    };
    let whole = document(&path);
    tool("i686", "strip", &path);
    let stripped = document(&path);
    let source = stripped
        .coverage()
        .sources
        .iter()
        .find(|source| source.source == ".eh_frame")
        .unwrap();
    assert!(source.rows > 20 && source.coverage.is_complete());
    for name in ["_api", "_helper", "_main"] {
        let known = resolved(&whole, name);
        let found = resolved(&stripped, &known.spelling);
        assert_eq!(found.size, known.size, "{name}");
        assert!(found.size_is_unwind);
    }
    assert!(!stripped.coverage().places.is_complete());
}

#[test]
fn mingw_objects_keep_sections_and_weak_names_apart() {
    for target in ["x86_64", "i686"] {
        let bench = Bench::new();
        let test = "mingw_objects_keep_sections_and_weak_names_apart";
        let Some(path) = mingw(test, &bench, target, "t.o", &["-c", "-ffunction-sections"]) else {
            return;
        };
        let underscore = if target == "i686" { "_" } else { "" };
        let document = document(&path);
        let found: BTreeSet<String> = names(&document).into_iter().map(|(_, name)| name).collect();
        let expected =
            ["api", "helper", "main", "weakly"].map(|name| format!("{underscore}{name}"));
        assert_eq!(found, BTreeSet::from(expected), "{target}");
        assert!(
            procedures(&document)
                .iter()
                .all(|p| p.address == 0 && p.spelling.contains("@.text$"))
        );
    }
}

/// Exports by a module definition: ghidra 9396, LIEF 1168 and LIEF 1061 as lld makes them; and the PDB of that link.
#[test]
fn lld_libraries_have_their_exports_and_their_pdb() {
    let test = "lld_libraries_have_their_exports_and_their_pdb";
    let bench = Bench::new();
    let (Some(clang), Some(lld), Some(readobj)) = (
        program(test, &["clang-22", "clang", "clang-14"]),
        program(test, &["lld-link-22", "lld-link", "lld-link-14"]),
        program(
            test,
            &["llvm-readobj-22", "llvm-readobj", "llvm-readobj-14"],
        ),
    ) else {
        return;
    };
    let source = bench.write(
        "d.c",
        "int data = 1; int named2(int x) { return x + 2; } int only(int x) { return x - 1; }
         static int __attribute__((noinline)) helper(int x) { return x * data; } int uses(int x) { return helper(x) + 1; }",
    );
    let definition = bench.write(
        "d.def",
        "LIBRARY d\nEXPORTS\n uses @1\n named2 @32769\n only @7 NONAME\n fwd = KERNEL32.Sleep @9\n data @10 DATA\n",
    );
    let object = bench.path("d.obj");
    run(Command::new(clang)
        .args([
            "--target=x86_64-windows-msvc",
            "-O1",
            "-g",
            "-gcodeview",
            "-c",
            "-o",
        ])
        .arg(&object)
        .arg(source));
    let path = bench.path("d.dll");
    let mut definition_option = std::ffi::OsString::from("/def:");
    definition_option.push(&definition);
    let mut output_option = std::ffi::OsString::from("/out:");
    output_option.push(&path);
    run(Command::new(lld)
        .args(["/dll", "/noentry", "/nodefaultlib", "/debug", "/guard:cf"])
        .arg(definition_option)
        .arg(output_option)
        .arg(&object));
    let with_pdb = document(&path);
    let listed: Vec<(Vec<&str>, Vec<u32>)> = Vec::new();
    let all = procedures(&with_pdb);
    let listed = all.iter().fold(listed, |mut listed, p| {
        listed.push((texts(p), p.ordinals.clone()));
        listed
    });
    assert!(with_pdb.coverage().naming.is_complete());
    assert!(
        listed.contains(&(vec!["named2"], vec![32769])),
        "{listed:?}"
    );
    assert!(
        listed.contains(&(vec!["only"], vec![7])),
        "the PDB knows its name: {listed:?}"
    );
    assert!(resolved(&with_pdb, "helper").size.is_some(), "{listed:?}");
    assert_eq!(
        resolved(&with_pdb, "#7").address,
        resolved(&with_pdb, "only").address
    );
    assert!(with_pdb.resolve("fwd").is_err() && with_pdb.resolve("data").is_err());
    let exports = Binary::open(&path)
        .unwrap()
        .layout()
        .unwrap()
        .pe
        .unwrap()
        .exports
        .unwrap();
    assert_eq!(
        (exports.slots, exports.empty, exports.forwarders.total),
        (32769, 32764, 1)
    );

    std::fs::remove_file(bench.path("d.pdb")).unwrap();
    let alone = document(&path);
    assert_eq!(resolved(&alone, "#7").label.as_deref(), Some("#7"));
    assert_eq!(count(&alone, ProcedureKind::Function), 3);
    let text = run(Command::new(readobj).arg("--coff-exports").arg(&path));
    for name in ["uses", "named2"] {
        assert!(text.contains(name), "{text}");
        let rva = text
            .split("Export {")
            .find(|export| export.contains(&format!("Name: {name}\n")))
            .and_then(|export| {
                export
                    .lines()
                    .find_map(|line| line.trim().strip_prefix("RVA: 0x"))
            })
            .unwrap();
        let address = 0x1_8000_0000 + u64::from_str_radix(rva, 16).unwrap();
        assert_eq!(resolved(&alone, name).address, address);
    }
}

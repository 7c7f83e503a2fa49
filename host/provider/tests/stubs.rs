//! Stubs of imported functions: named where that is proven, by the slot they load.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use rea_provider::{ProcedureKind, ResolveError};
use support::need::available;
use support::{Bench, document_alone, procedures, resolved, torment};

const SOURCE: &str = "
extern int other(int); extern int third(int); extern int data;
int f(int x) { return other(x) + third(x) + data; }
int g(int x) { return f(x) + 1; }
int (*pointer)(int) = third;";

type Rows = BTreeSet<(u64, String)>;

fn by_us(path: &Path) -> Rows {
    procedures(&document_alone(path))
        .into_iter()
        .filter(|p| p.kind == ProcedureKind::ImportStub)
        .map(|p| {
            (
                p.address,
                p.names.first().map_or(String::new(), |n| n.text.clone()),
            )
        })
        .collect()
}

/// What `objdump` names `…@plt`.
fn by_objdump(bench: &Bench, objdump: &str, name: &str) -> Rows {
    bench
        .tool(objdump, &["-d", "--no-show-raw-insn", name])
        .lines()
        .filter_map(|line| {
            let (address, name) = line.strip_suffix("@plt>:")?.split_once(" <")?;
            Some((
                u64::from_str_radix(address, 16).ok()?,
                format!("{name}@plt"),
            ))
        })
        .collect()
}

/// rizin 153, angr 339, samply 778: names of stubs by position are wrong with a second table, without lazy binding, and more.
#[test]
#[cfg(target_arch = "x86_64")]
fn rizin_153_stubs_are_named_by_their_slots() {
    let bench = Bench::new();
    for options in [
        &["-O1"][..],
        &["-O1", "-fcf-protection=full"],
        &["-O1", "-fcf-protection=full", "-Wl,-z,ibtplt"],
        &["-O1", "-Wl,-z,now"],
        &["-O1", "-Wl,-z,lazy"],
        &["-O1", "-Wl,-z,lazy,-z,ibtplt"],
        &["-O1", "-Wl,--hash-style=sysv,-z,norelro"],
    ] {
        let mut all = vec!["-shared", "-fPIC", "-nostdlib"];
        all.extend(options);
        let path = bench.gcc("t.so", &[("a.c", SOURCE)], &all);
        for stripped in [false, true] {
            if stripped {
                bench.tool("strip", &["t.so"]);
            }
            let found = by_us(&path);
            assert_eq!(found, by_objdump(&bench, "objdump", "t.so"), "{options:?}");
            assert!(found.len() >= 3, "{found:?}");
            let document = document_alone(&path);
            let unread = |why: &String| why.contains("stubs");
            assert!(!document.coverage().places.reasons().iter().any(unread));
        }
    }
    torment(&std::fs::read(bench.path("t.so")).unwrap());
}

/// rizin 3233: a name that is both defined and imported (malloc in libc).
#[test]
#[cfg(target_arch = "x86_64")]
fn rizin_3233_a_stub_is_never_called_by_the_bare_name() {
    let bench = Bench::new();
    let path = bench.gcc(
        "t.so",
        &[("a.c", SOURCE)],
        &["-shared", "-fPIC", "-O1", "-nostdlib"],
    );
    let document = document_alone(&path);
    let (f, stub) = (resolved(&document, "f"), resolved(&document, "f@plt"));
    assert_eq!(
        (f.kind, stub.kind),
        (ProcedureKind::Function, ProcedureKind::ImportStub)
    );
    assert_ne!(f.address, stub.address);
    assert_eq!(stub.names.len(), 1);
    assert!(stub.names[0].version.is_none() && stub.names[0].offered);
    assert!(matches!(
        document.resolve("other"),
        Err(ResolveError::NotFound)
    ));
    assert!(document.resolve("other@plt").is_ok());
    document.release_text();
    assert_eq!(resolved(&document, "f@plt").address, stub.address);
}

/// A stub whose code was edited has no name, and coverage says that something isn't understood.
#[test]
#[cfg(target_arch = "x86_64")]
fn an_edited_stub_is_not_named() {
    let bench = Bench::new();
    let path = bench.gcc(
        "t.so",
        &[("a.c", SOURCE)],
        &["-shared", "-fPIC", "-O1", "-nostdlib"],
    );
    let stub = resolved(&document_alone(&path), "other@plt");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = stub.file_offset.unwrap() as usize;
    // jmp *%rax in place of the jump through the slot.
    bytes[at..at + 6].copy_from_slice(&[0xff, 0xe0, 0x0f, 0x0b, 0x0f, 0x0b]);
    let document = document_alone(&bench.write("edited.so", bytes));
    assert!(document.resolve("other@plt").is_err());
    assert!(document.resolve("third@plt").is_ok(), "the others are");
    let told = |why: &String| why.contains("none of the instructions");
    assert!(document.coverage().places.reasons().iter().any(told));
}

/// Assembles, links and compares with objdump for another processor.
fn agree_abroad(test: &str, triple: &str, source: &str, options: &[&[&str]]) {
    let [assembler, linker, objdump] =
        ["as", "ld", "objdump"].map(|tool| format!("{triple}-{tool}"));
    if !available(test, &linker) {
        return;
    }
    let bench = Bench::new();
    bench.write("a.s", source);
    bench.tool(&assembler, &["-o", "a.o", "a.s"]);
    for options in options {
        let mut all = vec!["-shared", "-o", "t.so", "a.o"];
        all.extend(*options);
        bench.tool(&linker, &all);
        let found = by_us(&bench.path("t.so"));
        assert_eq!(found, by_objdump(&bench, &objdump, "t.so"), "{options:?}");
        assert_eq!(found.len(), 2, "{found:?}");
    }
    torment(&std::fs::read(bench.path("t.so")).unwrap());
}

#[test]
fn stubs_of_aarch64_agree_with_objdump() {
    let source = ".text\n.globl f\n.type f,%function\nf: bl other\n bl third\n ret\n.size f,.-f\n";
    agree_abroad(
        "stubs::stubs_of_aarch64_agree_with_objdump",
        "aarch64-linux-gnu",
        source,
        &[
            &[],
            &["-z", "now"],
            &["-z", "force-bti"],
            &["-z", "pac-plt"],
        ],
    );
}

/// angr 339: Thumb code enters a stub four bytes before its ARM code.
#[test]
fn angr_339_stubs_of_arm_agree_with_objdump() {
    let arm = ".syntax unified\n.arm\n.text\n.globl f\n.type f,%function\nf: bl other\n bl third\n bx lr\n.size f,.-f\n";
    // A branch without link can't change to ARM by itself.
    let thumb = ".syntax unified\n.thumb\n.text\n.globl f\n.type f,%function\n.thumb_func\nf: bl third\n b.w other\n.size f,.-f\n";
    for source in [arm, thumb] {
        agree_abroad(
            "stubs::angr_339_stubs_of_arm_agree_with_objdump",
            "arm-linux-gnueabihf",
            source,
            &[&[], &["-z", "now"], &["--long-plt"]],
        );
    }
}

//! Where functions start by what is no symbol: unwind tables of ARM, descriptors of PowerPC, arrays of pointers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::collections::BTreeSet;

use rea_provider::{Document, ProcedureKind};
use support::need::available;
use support::parts::{Part, Parts};
use support::{Bench, document, document_alone, procedures, resolved, torment};

fn code(address: u64) -> Part {
    Part {
        name: ".text",
        kind: 1,
        flags: 6,
        address,
        bytes: vec![0; 0x100],
        ..Part::default()
    }
}

fn starts(document: &Document) -> BTreeSet<u64> {
    procedures(document).iter().map(|p| p.address).collect()
}

/// `.ARM.exidx`: starts at 0x10000 and 0x10020, and the end of the table.
fn exidx() -> Vec<u8> {
    let mut file = Parts {
        is_64: false,
        is_big: false,
        machine: 40,
        file_type: 2,
        entry: 0x10041,
        sections: vec![code(0x10000)],
    };
    let row = |number: u64, start: u64, what: u64| {
        let here = 0x10100 + number * 8;
        [(start.wrapping_sub(here) & 0x7fff_ffff, 4), (what, 4)]
    };
    let rows = [
        row(0, 0x10000, 0x80b0_b0b0),
        row(1, 0x10020, 1),
        row(2, 0x10100 - 4, 1),
    ]
    .concat();
    let bytes = file.numbers(&rows);
    file.sections.push(Part {
        name: ".ARM.exidx",
        kind: 0x7000_0001,
        flags: 2,
        address: 0x10100,
        bytes,
        link: 1,
        ..Part::default()
    });
    file.bytes()
}

/// ARM programs have no `.eh_frame`: a stripped one had no functions.
#[test]
fn arm_s_unwind_table_tells_starts() {
    let bench = Bench::new();
    let document = document(&bench.write("t", exidx()));
    assert_eq!(
        starts(&document),
        BTreeSet::from([0x10000, 0x10020, 0x10040])
    );
    let entry = resolved(&document, "0x10041");
    assert_eq!(entry.mode, Some(rea_provider::Mode::Thumb));
    let source = |s: &rea_provider::SourceCoverage| s.source == ".ARM.exidx" && s.rows == 3;
    assert!(document.coverage().sources.iter().any(source));
    torment(&exidx());
}

/// A program or library for 64-bit PowerPC with two functions at 0x10010 and 0x10020, whose descriptors are at 0x20000.
fn descriptors(file_type: u16) -> Vec<u8> {
    let mut file = Parts {
        is_64: true,
        is_big: true,
        machine: 21,
        file_type,
        entry: 0x20018,
        sections: vec![code(if file_type == 1 { 0 } else { 0x10000 })],
    };
    let is_relative = file_type != 2;
    let values = if is_relative {
        [0, 0]
    } else {
        [0x10010, 0x10020]
    };
    let [toc, environment] = [(0x28000, 8), (0, 8)];
    let base = if file_type == 1 { 0 } else { 0x20000 };
    let opd = file.numbers(&[
        (values[0], 8),
        toc,
        environment,
        (values[1], 8),
        toc,
        environment,
    ]);
    let (symbols, strings) = file.symbols(&[
        ("", 0, 0, 3, 1),
        ("f", base, 12, 0x12, 2),
        ("g", base + 24, 8, 0x02, 2),
        ("later", base + 0x100, 8, 0x12, 2),
    ]);
    let relocations = if file_type == 1 {
        // R_PPC64_ADDR64 against the section's symbol.
        file.numbers(&[
            (0, 8),
            (1 << 32 | 38, 8),
            (0x10, 8),
            (24, 8),
            (1 << 32 | 38, 8),
            (0x20, 8),
        ])
    } else {
        // R_PPC64_RELATIVE.
        file.numbers(&[
            (0x20000, 8),
            (22, 8),
            (0x10010, 8),
            (0x20018, 8),
            (22, 8),
            (0x10020, 8),
        ])
    };
    let part = |name, kind, bytes| Part {
        name,
        kind,
        bytes,
        ..Part::default()
    };
    file.sections.extend([
        Part {
            flags: 3,
            address: base,
            ..part(".opd", 1, opd)
        },
        Part {
            link: 4,
            ..part(".symtab", 2, symbols)
        },
        part(".strtab", 3, strings),
    ]);
    if is_relative {
        file.sections.push(Part {
            flags: if file_type == 1 { 0 } else { 2 },
            address: 0x21000,
            link: 3,
            info: 2,
            ..part(".rela.opd", 4, relocations)
        });
    }
    file.bytes()
}

/// The angr 6857 family: on 64-bit PowerPC a function's symbol leads to its descriptor, not to its code.
#[test]
fn angr_6857_a_descriptor_leads_to_the_code() {
    let bench = Bench::new();
    for file_type in [2, 3] {
        let document = document(&bench.write("t", descriptors(file_type)));
        assert_eq!(resolved(&document, "f").address, 0x10010, "{file_type}");
        assert_eq!(resolved(&document, "g").address, 0x10020);
        assert_eq!(
            starts(&document),
            BTreeSet::from([0x10010, 0x10020]),
            "the entry too"
        );
        assert!(
            !document.coverage().naming.is_complete(),
            "one leads to no descriptor"
        );
    }
    let object = document(&bench.write("t.o", descriptors(1)));
    let f = resolved(&object, "f");
    assert_eq!((f.address, f.section.as_str()), (0x10, ".text"));
    for file_type in 1..4 {
        torment(&descriptors(file_type));
    }
}

/// The same by the real assembler and linker; oracle: `nm --synthetic`.
#[test]
fn descriptors_agree_with_nm() {
    let [assembler, linker, nm] =
        ["as", "ld", "nm"].map(|tool| format!("powerpc64-linux-gnu-{tool}"));
    if !available("starts::descriptors_agree_with_nm", &linker) {
        return;
    }
    let bench = Bench::new();
    let mut source = String::new();
    for name in ["one", "two"] {
        source += &format!(
            ".section \".opd\",\"aw\"\n.globl {name}\n.type {name},@function\n{name}: .quad .L{name},.TOC.@tocbase,0\n.text\n.L{name}: blr\n nop\n.size {name},.-.L{name}\n"
        );
    }
    bench.write("a.s", source);
    bench.tool(&assembler, &["-a64", "-o", "a.o", "a.s"]);
    bench.tool(&linker, &["-o", "t", "-e", "one", "a.o"]);
    bench.tool(&linker, &["-shared", "-o", "t.so", "a.o"]);
    for name in ["t", "t.so"] {
        let found = document_alone(&bench.path(name));
        let listed = bench.tool(&nm, &["--synthetic", name]);
        let mut seen = 0;
        for line in listed.lines() {
            if let [address, _, name] = line.split_whitespace().collect::<Vec<_>>()[..]
                && let Some(name) = name.strip_prefix('.')
            {
                let address = u64::from_str_radix(address, 16).unwrap();
                assert_eq!(resolved(&found, name).address, address, "{name}");
                seen += 1;
            }
        }
        assert_eq!(seen, 2, "{listed}");
    }
    assert_eq!(
        resolved(&document_alone(&bench.path("a.o")), "two").address,
        8
    );
}

/// A position-independent program whose array is filled in by the loader.
fn array() -> Vec<u8> {
    let mut file = Parts {
        is_64: true,
        is_big: false,
        machine: 62,
        file_type: 3,
        entry: 0x1000,
        sections: vec![code(0x1000)],
    };
    let relocations = file.numbers(&[
        (0x2000, 8),
        (8, 8),
        (0x1010, 8),
        (0x2008, 8),
        (8, 8),
        (0x1020, 8),
    ]);
    let part = |name, kind, address, bytes| Part {
        name,
        kind,
        flags: 3,
        address,
        bytes,
        ..Part::default()
    };
    // Two are relocated, one stands there as in a program of a fixed address, one is no code.
    let last = file.numbers(&[(0, 8), (0, 8), (0x1030, 8), (u64::MAX, 8)]);
    file.sections.extend([
        part(".init_array", 14, 0x2000, last),
        part(".rela.dyn", 4, 0x2100, relocations),
    ]);
    file.bytes()
}

#[test]
fn arrays_of_functions_are_read_as_the_loader_fills_them() {
    let bench = Bench::new();
    let found = document(&bench.write("t", array()));
    assert_eq!(
        starts(&found),
        BTreeSet::from([0x1000, 0x1010, 0x1020, 0x1030])
    );
    torment(&array());
    // By gcc: without unwind information nothing else tells of it.
    let source = "static __attribute__((constructor)) void before(void) { __asm__ volatile (\"nop\"); } int main(void) { return 0; }";
    let path = bench.gcc(
        "t",
        &[("a.c", source)],
        &["-O1", "-pie", "-fPIE", "-fno-asynchronous-unwind-tables"],
    );
    let before = resolved(&document_alone(&path), "before").address;
    bench.tool("strip", &["t"]);
    let stripped = document_alone(&path);
    let found = procedures(&stripped)
        .into_iter()
        .find(|p| p.address == before)
        .unwrap();
    assert_eq!(found.kind, ProcedureKind::Inferred);
}

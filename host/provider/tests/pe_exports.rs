//! Export directories of Windows images.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use rea_provider::{Binary, ProcedureKind, ResolveError};
use support::pe::{BASE, DATA, RDATA, Slot, TinyPe, TinySection, code, exports, rdata};
use support::{Bench, count, document, procedures, resolved, texts};

/// Behind the longest directory of these tests.
const DATA_AT: u32 = 0x10_0000;

fn data() -> TinySection {
    TinySection {
        name: b".data",
        rva: DATA_AT,
        flags: DATA,
        bytes: vec![0; 16],
    }
}

fn library(slots: &[Slot<'_>], names: &[(&str, u16)], base: u32) -> Vec<u8> {
    let directory = exports(RDATA, "d.dll", base, slots, names);
    let size = directory.len() as u32;
    TinyPe {
        sections: vec![code(), rdata(directory), data()],
        directories: vec![(0, RDATA, size)],
        ..TinyPe::default()
    }
    .bytes()
}

/// ghidra 9396: PE export names are lost when the index is 0x8000 or more.
#[test]
fn ghidra_9396_indices_of_names_have_no_sign() {
    let bench = Bench::new();
    let mut slots = vec![Slot::Empty; 0x8002];
    slots[0] = Slot::At(0x1010);
    slots[0x8000] = Slot::At(0x1020);
    slots[0x8001] = Slot::At(0x1030);
    let document = document(&bench.write(
        "d.dll",
        library(
            &slots,
            &[("first", 0), ("second", 0x8000), ("third", 0x8001)],
            1,
        ),
    ));
    let all = procedures(&document);
    assert_eq!(all.len(), 3, "empty slots are nothing");
    assert_eq!(
        all.iter()
            .map(|p| (p.address, texts(p)[0], p.ordinals.clone()))
            .collect::<Vec<_>>(),
        [
            (BASE + 0x1010, "first", vec![1]),
            (BASE + 0x1020, "second", vec![0x8001]),
            (BASE + 0x1030, "third", vec![0x8002])
        ]
    );
    assert!(document.coverage().naming.is_complete());
}

/// LIEF 1168: a forwarded export is none of this file's code.
#[test]
fn lief_1168_a_forwarder_is_a_fact_and_no_procedure() {
    let bench = Bench::new();
    let slots = [
        Slot::At(0x1000),
        Slot::Forward("KERNEL32.Sleep"),
        Slot::Forward("other.#7"),
    ];
    let path = bench.write("d.dll", library(&slots, &[("f", 0), ("fwd", 1)], 9));
    let document = document(&path);
    assert_eq!(procedures(&document).len(), 1);
    assert!(matches!(
        document.resolve("fwd"),
        Err(ResolveError::NotFound)
    ));
    let layout = Binary::open(&path).unwrap().layout().unwrap();
    assert_eq!(layout.soname.as_deref(), Some("d.dll"));
    let exports = layout.pe.unwrap().exports.unwrap();
    let rows = exports.forwarders.rows;
    assert_eq!(
        (
            rows[0].ordinal,
            rows[0].name.as_deref(),
            rows[0].target.as_str()
        ),
        (10, Some("fwd"), "KERNEL32.Sleep")
    );
    assert_eq!(
        (
            rows[1].ordinal,
            rows[1].name.as_deref(),
            rows[1].target.as_str()
        ),
        (11, None, "other.#7")
    );
    assert_eq!(
        (exports.slots, exports.empty, exports.ordinal_only),
        (3, 0, 1)
    );
}

/// LIEF 1061, pefile 90, object PR 349: exports that have an ordinal alone are lost.
#[test]
fn lief_1061_an_export_without_a_name_has_a_label() {
    let bench = Bench::new();
    let slots = [Slot::At(0x1000), Slot::Empty, Slot::At(0x1010)];
    let document = document(&bench.write("d.dll", library(&slots, &[("f", 0)], 5)));
    let only = resolved(&document, "#7");
    assert_eq!(only.address, BASE + 0x1010);
    assert_eq!(
        (only.names_total, only.label.as_deref(), only.kind),
        (0, Some("#7"), ProcedureKind::Function)
    );
    assert_eq!(resolved(&document, "d.dll#7").address, only.address);
    assert_eq!(document.extent().names, 1, "a label is no name");
    assert_eq!(document.coverage().unoffered_names, 0);
    let named = resolved(&document, "f");
    assert_eq!((named.label, named.ordinals), (None, vec![5]));
    assert!(matches!(
        document.resolve("#6"),
        Err(ResolveError::NotFound)
    ));
}

#[test]
fn data_is_counted_and_not_listed() {
    let bench = Bench::new();
    let slots = [Slot::At(0x1000), Slot::At(DATA_AT), Slot::At(0x7f00_0000)];
    let path = bench.write(
        "d.dll",
        library(&slots, &[("data", 1), ("f", 0), ("lost", 2)], 1),
    );
    let document = document(&path);
    assert_eq!(procedures(&document).len(), 1);
    assert_eq!(document.coverage().outside, 1);
    let exports = Binary::open(&path).unwrap().layout().unwrap().exports;
    assert_eq!(
        (exports.total, exports.functions, exports.objects),
        (3, 1, 2)
    );
}

#[test]
fn several_names_of_a_slot_and_several_slots_of_a_place_are_one_procedure() {
    let bench = Bench::new();
    let slots = [Slot::At(0x1000), Slot::At(0x1000)];
    let document = document(&bench.write(
        "d.dll",
        library(&slots, &[("alias", 0), ("f", 1), ("longer", 0)], 3),
    ));
    let all = procedures(&document);
    assert_eq!(all.len(), 1);
    assert_eq!(texts(&all[0]), ["f", "alias", "longer"]);
    assert_eq!(all[0].ordinals, [3, 4]);
    assert_eq!(count(&document, ProcedureKind::Function), 1);
}

#[test]
fn names_without_a_slot_and_tables_that_run_out_make_naming_partial() {
    let bench = Bench::new();
    let lost = document(&bench.write(
        "d.dll",
        library(
            &[Slot::At(0x1000), Slot::Empty],
            &[("f", 0), ("g", 1), ("h", 99)],
            1,
        ),
    ));
    assert!(!lost.coverage().naming.is_complete());
    let mut bytes = library(&[Slot::At(0x1000)], &[("f", 0)], 1);
    let at = bytes
        .windows(4)
        .rposition(|window| window == 1u32.to_le_bytes())
        .unwrap();
    // Names: four billion.
    bytes[at..at + 4].fill(0xff);
    let cut = document(&bench.write("d.dll", bytes));
    assert!(!cut.coverage().naming.is_complete());
}

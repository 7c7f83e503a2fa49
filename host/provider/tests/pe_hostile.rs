//! Damaged and random Windows files: an error or an answer, never a panic.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::path::Path;

use proptest::prelude::*;
use rea_provider::{Binary, NoMonitor, StringQuery};
use support::pe::{
    AMD64, ARM64, CODE, EXTERNAL, FUNCTION, I386, RDATA, Slot, TinyPe, TinySection, code, exports,
    imports, object, put32, put64, rdata, symbol, words,
};
use support::{Bench, consistent, procedures};

/// Asks everything of a file.
fn exercise(path: &Path) {
    let Ok(binary) = Binary::open(path) else {
        return;
    };
    let _ = binary.layout();
    let _ = binary.strings(
        &StringQuery {
            min_length: 1,
            ..StringQuery::default()
        },
        0,
        10,
        &NoMonitor,
    );
    let Ok(inventory) = binary.inventory(&NoMonitor) else {
        return;
    };
    for document in inventory.documents() {
        consistent(document);
        document.release_text();
        for procedure in procedures(document).iter().take(20) {
            let _ = document.containing(&procedure.spelling).unwrap();
        }
    }
}

/// An image that has a little of everything, at known places of one section.
fn rich(machine: u16) -> Vec<u8> {
    let is_64 = machine != I386;
    let base = if is_64 { 0x1_4000_0000u64 } else { 0x40_0000 };
    let at = |offset: u32| RDATA + offset;
    let put = |out: &mut Vec<u8>, value: u64| {
        if is_64 {
            put64(out, value);
        } else {
            put32(out, value as u32);
        }
    };
    let mut bytes = exports(
        RDATA,
        "d.dll",
        5,
        &[
            Slot::At(0x1010),
            Slot::Forward("K.S"),
            Slot::Empty,
            Slot::At(0x1020),
        ],
        &[("f", 0), ("g", 1)],
    );
    let exports_size = bytes.len() as u32;
    bytes.resize(0x100, 0);
    bytes.extend(imports(at(0x100), is_64, "K.dll", &[Ok("Sleep"), Err(7)]).0);
    bytes.resize(0x200, 0);
    bytes.extend(if machine == ARM64 {
        words(&[0x1000, 1 | 4 << 2, 0x1030, at(0x280)])
    } else {
        words(&[0x1000, 0x1010, at(0x280), 0x1010, 0x1020, at(0x284)])
    });
    let pdata_size = bytes.len() as u32 - 0x200;
    bytes.resize(0x280, 0);
    bytes.extend([1, 0, 0, 0, 0x21, 0, 0, 0]);
    bytes.extend(words(&[0x1000, 0x1010, at(0x280)]));
    bytes.resize(0x300, 0);
    for value in [0, 0, 0, base + u64::from(at(0x340)), 0, 0] {
        put(&mut bytes, value);
    }
    bytes.resize(0x340, 0);
    for value in [base + 0x1040, 0] {
        put(&mut bytes, value);
    }
    bytes.resize(0x380, 0);
    let mut config = vec![0u8; 208];
    config[0] = 208;
    let (table, count, flags) = if is_64 { (128, 136, 144) } else { (80, 84, 88) };
    let table_at = (base + u64::from(at(0x480))).to_le_bytes();
    config[table..table + 4].copy_from_slice(&table_at[..4]);
    if is_64 {
        config[table + 4..table + 8].copy_from_slice(&table_at[4..]);
    }
    config[count] = 2;
    config[flags + 3] = 0x10;
    bytes.extend(config);
    bytes.resize(0x480, 0);
    bytes.extend([0x50, 0x10, 0, 0, 2, 0x60, 0x10, 0, 0, 2]);
    bytes.resize(0x4a0, 0);
    bytes.extend(words(&[0, 0, 0, 2, 40, at(0x4c0), 0x400 + 0x4c0]));
    bytes.resize(0x4c0, 0);
    bytes.extend(b"RSDS0123456789abcdef\x01\0\0\0t.pdb\0");
    bytes.resize(0x500, 0);
    bytes.extend([0; 14]);
    bytes.extend([1, 0, 16, 0, 0, 0, 0, 0, 0, 0x80]);
    bytes.resize(0x540, 0);
    bytes.extend(words(&[0x1000, 12, 0xa004_3001]));
    let frames = TinySection {
        name: b"/4",
        rva: 0x4000,
        flags: 0x4000_0040,
        bytes: vec![
            20, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0, 0, 0, 0, 0, 0, 0,
            16, 0, 0, 0, 28, 0, 0, 0, 0x40, 0xd0, 0xff, 0xff, 16, 0, 0, 0, 0, 0, 0, 0,
        ],
    };
    let mut text = code();
    text.bytes[0x40..0x42].copy_from_slice(&[0xff, 0x25]);
    TinyPe {
        machine,
        entry: 0x1008,
        sections: vec![text, rdata(bytes), frames],
        directories: vec![
            (0, RDATA, exports_size),
            (1, at(0x100), 40),
            (2, at(0x500), 0x20),
            (3, at(0x200), pdata_size),
            (5, at(0x540), 12),
            (6, at(0x4a0), 28),
            (9, at(0x300), 40),
            (10, at(0x380), 208),
        ],
        symbols: vec![
            symbol(b".eh_frame_is_a_long_name", 0, 1, FUNCTION, EXTERNAL),
            symbol(b"short", 4, 1, 0, 3),
        ],
        ..TinyPe::default()
    }
    .bytes()
}

fn small_object(big: bool) -> Vec<u8> {
    object(
        AMD64,
        &[(b".text", CODE, &[0x90; 16]), (b"/4", CODE, &[0x90; 16])],
        &[
            symbol(b"a_long_name_of_a_function", 0, 1, FUNCTION, EXTERNAL),
            symbol(b"g", 4, 2, FUNCTION, 105),
        ],
        big,
    )
}

fn all() -> Vec<Vec<u8>> {
    vec![
        rich(AMD64),
        rich(I386),
        rich(ARM64),
        small_object(false),
        small_object(true),
    ]
}

#[test]
fn the_whole_files_are_what_they_should_be() {
    let bench = Bench::new();
    for bytes in all() {
        let binary = Binary::open(&bench.write("t", &bytes)).unwrap();
        let inventory = binary.inventory(&NoMonitor).unwrap();
        assert!(inventory.documents()[0].extent().places >= 2);
        binary.layout().unwrap();
    }
}

#[test]
fn a_windows_file_cut_at_any_length_is_an_error_or_an_answer() {
    let bench = Bench::new();
    for whole in all() {
        for len in (0..whole.len()).step_by(7) {
            exercise(&bench.write("t", &whole[..len]));
        }
    }
}

#[test]
fn any_field_of_an_extreme_value_is_an_error_or_an_answer() {
    let bench = Bench::new();
    for original in all() {
        for at in (0..original.len() - 4)
            .step_by(4)
            .filter(|at| original[*at..*at + 4] != [0x90; 4])
        {
            // Between sections stand zeros that nothing reads.
            if at > 0x400
                && original[at.saturating_sub(16)..(at + 16).min(original.len())]
                    .iter()
                    .all(|byte| *byte == 0)
            {
                continue;
            }
            for value in [[0xff; 4], [0; 4], [0xff, 0xff, 0xff, 0x7f], [1, 0, 0, 0]] {
                let mut bytes = original.clone();
                bytes[at..at + 4].copy_from_slice(&value);
                exercise(&bench.write("t", bytes));
            }
        }
    }
}

#[test]
fn four_billion_symbols_and_sections_in_a_kilobyte_take_no_memory() {
    let bench = Bench::new();
    let mut bytes = small_object(true);
    bytes[44..48].fill(0xff);
    assert!(Binary::open(&bench.write("t", &bytes)).is_err());
    let mut bytes = small_object(true);
    bytes[52..56].fill(0xff);
    let binary = Binary::open(&bench.write("t", &bytes)).unwrap();
    let inventory = binary.inventory(&NoMonitor).unwrap();
    assert!(!inventory.documents()[0].coverage().naming.is_complete());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_windows_files_are_an_error_or_an_answer(mut bytes in proptest::collection::vec(any::<u8>(), 0..900), which in 0u8..3) {
        match which {
            0 if bytes.len() > 0x100 => {
                bytes[..2].copy_from_slice(b"MZ");
                bytes[0x3c..0x40].copy_from_slice(&[0x40, 0, 0, 0]);
                bytes[0x40..0x44].copy_from_slice(b"PE\0\0");
                bytes[0x46] %= 8;
                bytes[0x47] = 0;
                bytes[0x58..0x5a].copy_from_slice(&[0x0b, 2]);
            }
            1 if bytes.len() > 20 => {
                bytes[..2].copy_from_slice(&[0x64, 0x86]);
                bytes[2] %= 8;
                bytes[3] = 0;
            }
            _ => {}
        }
        let bench = Bench::new();
        exercise(&bench.write("t", bytes));
    }

    #[test]
    fn flipped_bits_of_windows_files_are_an_error_or_an_answer(which in 0usize..5, flips in proptest::collection::vec((any::<proptest::sample::Index>(), 0u8..8), 1..20)) {
        let mut bytes = all().swap_remove(which);
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        let bench = Bench::new();
        exercise(&bench.write("t", bytes));
    }
}

//! Damaged and random Mach-O files: an error or an answer, never a panic.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::path::Path;
use std::sync::OnceLock;

use proptest::prelude::*;
use rea_provider::{Binary, NoMonitor, StringQuery};
use support::mach::{
    ARM, ARM64, DATA, GLOBAL, LOCAL, Mach, MachSymbol, STUBS, TEXT, UNDEFINED, X86_64, fat, trie,
};
use support::{Bench, consistent, procedures};

/// Asks everything of a file.
fn exercise(path: &Path) {
    let Ok(binary) = Binary::open(path) else {
        return;
    };
    let _ = binary.layout();
    let query = StringQuery {
        pattern: Some("_".to_owned()),
        min_length: 1,
        ..StringQuery::default()
    };
    let _ = binary.strings(&query, 0, 10, &NoMonitor);
    let Ok(inventory) = binary.inventory(&NoMonitor) else {
        return;
    };
    for document in inventory.documents() {
        consistent(document);
        let _ = binary.layout_of(document.name());
        for released in [false, true] {
            if released {
                document.release_text();
            }
            for procedure in procedures(document).iter().take(20) {
                let _ = document.containing(&procedure.spelling);
                for name in &procedure.names {
                    let _ = document.resolve(&name.text);
                }
            }
        }
    }
}

/// A file with every table that is read.
fn whole(machine: u32, is_64: bool, file_type: u32) -> Vec<u8> {
    let base = if is_64 { 0x1_0000_0000 } else { 0x4000 };
    let code = if file_type == 1 { 0 } else { base + 0x1000 };
    let symbols: &[MachSymbol<'_>] = &[
        (b"_main", GLOBAL, TEXT, 0, code),
        (b"_f", LOCAL, TEXT, 0x208, code + 0x10),
        (b"_data", GLOBAL, DATA, 0, code + 0x110),
        (b"_puts", UNDEFINED, 0, 0x100, 0),
        (b"_objc_msgSend$x", LOCAL, STUBS, 0, code + 0x40),
    ];
    let exports = trie(&[
        (b"_main", 0, &[0x80, 0x20]),
        (b"_pick", 0x10, &[0xb0, 0x20, 0x94, 0x20]),
    ]);
    let mut encryption = Vec::new();
    for word in [0u32, 16, 1, 0] {
        encryption.extend(word.to_le_bytes());
    }
    let commands = [
        (0x2c, encryption),
        (0xc, support::mach::text_command(&[0, 1, 1], "/usr/lib/x")),
        // The signature, the fixups and more: anywhere in the file.
        (
            0x1d,
            [0x1000u32.to_le_bytes(), 64u32.to_le_bytes()].concat(),
        ),
        (
            0x8000_0034,
            [0x1010u32.to_le_bytes(), 64u32.to_le_bytes()].concat(),
        ),
        (0x1b, vec![7; 16]),
    ];
    Mach {
        is_64,
        machine,
        file_type,
        base,
        code: 0x40,
        symbols,
        function_starts: Some(&[0x80, 0x20, 0x11, 0x07, 0]),
        exports: Some(&exports),
        stubs: &[3, 0],
        main: Some(4),
        inits: &[code + 8, 0],
        commands: &commands,
        ..Mach::default()
    }
    .bytes()
}

fn files() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let (intel, arm) = (whole(X86_64, true, 2), whole(ARM64, true, 6));
        vec![
            fat(
                false,
                &[(X86_64, 3, intel.clone()), (ARM64, 0, arm.clone())],
            ),
            intel,
            arm,
            whole(ARM, false, 2),
            whole(X86_64, true, 1),
        ]
    })
}

#[test]
fn whole_files_are_answered() {
    let bench = Bench::new();
    for bytes in files() {
        let path = bench.write("t", bytes);
        assert!(Binary::open(&path).is_ok());
        exercise(&path);
    }
}

/// LIEF 994: damaged tables end the program that reads them.
#[test]
fn lief_994_a_file_cut_anywhere_is_an_error_or_an_answer() {
    let bench = Bench::new();
    for bytes in &files()[1..] {
        // Between the commands and the code stand zeros.
        for cut in (0..0x300).chain(0xff0..bytes.len()) {
            exercise(&bench.write("t", &bytes[..cut]));
        }
    }
    let universal = &files()[0];
    for cut in (0..64).chain((64..universal.len()).step_by(61)) {
        exercise(&bench.write("t", &universal[..cut]));
    }
}

#[test]
fn every_word_of_the_headers_may_be_anything() {
    let bench = Bench::new();
    for (number, original) in files().iter().enumerate() {
        let ends = if number == 0 { 48 } else { 0x300 };
        let tables = 0x1040..original.len();
        for at in (0..ends).step_by(4).chain(tables.step_by(4)) {
            if number == 0 && at >= 48 {
                break;
            }
            for value in [[0u8; 4], [1, 0, 0, 0], [0xff; 4], [0xff, 0xff, 0xff, 0x7f]] {
                let mut bytes = original.clone();
                for (slot, byte) in bytes[at..].iter_mut().zip(value) {
                    *slot = byte;
                }
                exercise(&bench.write("t", bytes));
            }
        }
    }
}

/// LIEF 1262: a small file asks for time and memory without end.
#[test]
fn lief_1262_small_files_take_little() {
    let bench = Bench::new();
    // Four billion symbols, commands and sections in a kilobyte.
    for at in [16usize, 20] {
        let mut bytes = files()[1].clone();
        bytes[at..at + 4].fill(0xff);
        exercise(&bench.write("t", bytes));
    }
    // Millions of commands, each of another number.
    let mut bytes = files()[1][..32].to_vec();
    let count = 2_000_000u32;
    for number in 0..count {
        bytes.extend((0x100 + number).to_le_bytes());
        bytes.extend(8u32.to_le_bytes());
    }
    bytes[16..20].copy_from_slice(&count.to_le_bytes());
    bytes[20..24].copy_from_slice(&(count * 8).to_le_bytes());
    let started = std::time::Instant::now();
    exercise(&bench.write("t", bytes));
    assert!(started.elapsed().as_secs() < 5);
    // A million stubs of one byte that share one long name.
    let name = vec![b'x'; 60_000];
    let symbols: &[MachSymbol<'_>] = &[(&name, UNDEFINED, 0, 0, 0)];
    let stubs = vec![0u32; 200_000];
    let path = bench.write(
        "t",
        Mach {
            symbols,
            stubs: &stubs,
            stub_size: 1,
            ..Mach::default()
        }
        .bytes(),
    );
    let started = std::time::Instant::now();
    let binary = Binary::open(&path).unwrap();
    let document = binary.inventory(&NoMonitor).unwrap().documents()[0].clone();
    assert!(document.extent().name_bytes <= binary.identity().size);
    assert!(!document.coverage().naming.is_complete());
    assert!(started.elapsed().as_secs() < 5);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_an_error_or_an_answer(mut bytes in proptest::collection::vec(any::<u8>(), 0..900), magic in 0usize..6) {
        let magics: [&[u8]; 6] = [
            &[0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0x40, 1, 0, 0],
            &[0xce, 0xfa, 0xed, 0xfe, 12, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0x40, 1, 0, 0],
            &[0xfe, 0xed, 0xfa, 0xcf],
            &[0xfe, 0xed, 0xfa, 0xce],
            &[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2],
            &[0xca, 0xfe, 0xba, 0xbf, 0, 0, 0, 2],
        ];
        let magic = magics[magic];
        if bytes.len() >= magic.len() {
            bytes[..magic.len()].copy_from_slice(magic);
        }
        let bench = Bench::new();
        exercise(&bench.write("t", bytes));
    }

    #[test]
    fn flipped_bits_are_an_error_or_an_answer(which in 0usize..5, flips in proptest::collection::vec((any::<proptest::sample::Index>(), 0u8..8), 1..20)) {
        let mut bytes = files()[which].clone();
        // Half of them in the headers and tables, where they matter.
        let places: Vec<usize> = (0..0x300.min(bytes.len())).chain(0x1040.min(bytes.len())..bytes.len()).collect();
        for (at, bit) in flips {
            bytes[places[at.index(places.len())]] ^= 1 << bit;
        }
        let bench = Bench::new();
        exercise(&bench.write("t", bytes));
    }
}

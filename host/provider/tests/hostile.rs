//! Damaged and random files: an error or an answer, never a panic.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::sync::OnceLock;

use proptest::prelude::*;
use rea_provider::{Binary, NoMonitor};
use support::tiny::{GLOBAL_FUNCTION, LOCAL_FUNCTION, TEXT, Tiny, without_sections};
use support::{Bench, exercise};

fn tiny() -> Vec<u8> {
    Tiny {
        symbols: &[
            (b"alpha", 0x1000, 8, GLOBAL_FUNCTION, TEXT),
            (b"beta", 0x1008, 8, LOCAL_FUNCTION, TEXT),
        ],
        entry: 0x1010,
        ..Tiny::default()
    }
    .bytes()
}

/// A library with versions, frames, notes and hash tables: with section headers, and without.
fn library() -> &'static [Vec<u8>; 2] {
    static BYTES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    BYTES.get_or_init(|| {
        let bench = Bench::new();
        bench.write("map", "V1 { global: f; local: *; };");
        let source = "#include <stdio.h>\nint f(int x) { return puts(\"hello\") + x; } static int __attribute__((used)) g(int x) { return f(x); }";
        let path = bench.gcc("t.so", &[("a.c", source)], &["-shared", "-fPIC", "-O1", "-Wl,--version-script=map", "-Wl,--hash-style=both"]);
        let whole = std::fs::read(path).unwrap();
        let mut bare = whole.clone();
        without_sections(&mut bare);
        [whole, bare]
    })
}

#[test]
fn a_file_cut_at_any_length_is_an_error_or_an_answer() {
    let bench = Bench::new();
    let whole = tiny();
    for len in 0..=whole.len() {
        exercise(&bench.write("t", &whole[..len]));
    }
}

#[test]
fn a_sparse_file_that_claims_a_terabyte_takes_no_memory() {
    let bench = Bench::new();
    let mut bytes = tiny();
    // The size of .symtab, section 2.
    let at = bytes.len() - 3 * 64 + 0x20;
    bytes[at..at + 8].copy_from_slice(&(1u64 << 39).to_le_bytes());
    let path = bench.write("t", bytes);
    if std::fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(1 << 40)
        .is_ok()
    {
        let binary = Binary::open(&path).unwrap();
        assert!(matches!(
            binary.inventory(&NoMonitor),
            Err(rea_provider::ReadError::OutOfMemory(_))
        ));
    }
}

#[test]
fn a_header_field_of_any_extreme_value_is_an_error_or_an_answer() {
    let bench = Bench::new();
    for original in [&tiny(), &library()[0], &library()[1]] {
        let header_end = 64 + 56 * 4;
        let tables = original.len().saturating_sub(64 * 40)..original.len();
        for at in (0..header_end).step_by(4).chain(tables.step_by(8)) {
            for value in [
                [0xff; 8],
                [0; 8],
                [0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0],
                [0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
            ] {
                let mut bytes = original.to_vec();
                for (slot, byte) in bytes[at..].iter_mut().zip(value) {
                    *slot = byte;
                }
                exercise(&bench.write("t", bytes));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_an_error_or_an_answer(mut bytes in proptest::collection::vec(any::<u8>(), 0..600), elf in any::<bool>(), class in 1u8..3, order in 1u8..3) {
        if elf && bytes.len() > 6 {
            bytes[..4].copy_from_slice(b"\x7fELF");
            bytes[4] = class;
            bytes[5] = order;
        }
        let bench = Bench::new();
        exercise(&bench.write("t", bytes));
    }

    #[test]
    fn flipped_bits_are_an_error_or_an_answer(which in 0usize..3, flips in proptest::collection::vec((any::<proptest::sample::Index>(), 0u8..8), 1..20)) {
        let mut bytes = if which == 2 { tiny() } else { library()[which].clone() };
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        let bench = Bench::new();
        exercise(&bench.write("t", bytes));
    }

    #[test]
    fn a_library_cut_anywhere_is_an_error_or_an_answer(which in 0usize..2, at in any::<proptest::sample::Index>()) {
        let bytes = &library()[which];
        let bench = Bench::new();
        exercise(&bench.write("t", &bytes[..at.index(bytes.len())]));
    }
}

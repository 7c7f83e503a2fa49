//! Both widths, both byte orders, ARM's two instruction sets, and labels, written by hand.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use rea_provider::{Binary, ByteOrder, Contained, Mode, ProcedureKind, ResolveError};
use support::tiny::{GLOBAL_FUNCTION, LOCAL_FUNCTION, LOCAL_UNTYPED, TEXT, Tiny, TinySymbol};
use support::{Bench, document, names, procedures, resolved, texts};

#[test]
fn both_widths_and_byte_orders_read_alike() {
    let bench = Bench::new();
    let symbols: &[TinySymbol<'_>] = &[
        (b"main", 0x1010, 16, GLOBAL_FUNCTION, TEXT),
        (b"helper", 0x1000, 16, LOCAL_FUNCTION, TEXT),
    ];
    for (is_64, is_big, machine, architecture) in [
        (true, false, 62, "x86-64"),
        (true, true, 22, "s390x"),
        (false, false, 3, "x86"),
        (false, true, 20, "powerpc"),
    ] {
        let path = bench.write(
            "t",
            Tiny {
                is_64,
                is_big,
                machine,
                symbols,
                entry: 0x1020,
                ..Tiny::default()
            }
            .bytes(),
        );
        let binary = Binary::open(&path).unwrap();
        let identity = binary.identity();
        assert_eq!(
            (identity.bits, identity.architecture.as_str()),
            (if is_64 { 64 } else { 32 }, architecture)
        );
        assert_eq!(
            identity.endianness,
            if is_big {
                ByteOrder::Big
            } else {
                ByteOrder::Little
            }
        );
        let document = document(&path);
        let rows = procedures(&document);
        assert_eq!(
            rows.iter().map(|p| p.spelling.as_str()).collect::<Vec<_>>(),
            ["0x1000", "0x1010", "0x1020"]
        );
        assert_eq!(rows[2].kind, ProcedureKind::Inferred, "the entry point");
        assert_eq!(resolved(&document, "main").address, 0x1010);
        assert_eq!(rows[1].size, Some(16));
        assert_eq!(rows[1].file_offset, Some(rows[0].file_offset.unwrap() + 16));
    }
}

/// xDL 25, panda 1074, radare2 6763: the Thumb bit is taken for a part of the address. radare2 3163: mapping symbols are shown as functions.
#[test]
fn xdl_25_the_thumb_bit_is_no_part_of_the_address() {
    let bench = Bench::new();
    let symbols: &[TinySymbol<'_>] = &[
        (b"$a", 0x1010, 0, LOCAL_UNTYPED, TEXT),
        (b"$t", 0x1000, 0, LOCAL_UNTYPED, TEXT),
        (b"$d.1", 0x1018, 0, LOCAL_UNTYPED, TEXT),
        (b"thumb", 0x1001, 8, GLOBAL_FUNCTION, TEXT),
        (b"arm", 0x1010, 8, GLOBAL_FUNCTION, TEXT),
        (b"$named", 0x1020, 4, GLOBAL_FUNCTION, TEXT),
    ];
    let bytes = Tiny {
        is_64: false,
        machine: 40,
        symbols,
        ..Tiny::default()
    }
    .bytes();
    let document = document(&bench.write("t", bytes));
    let rows = procedures(&document);
    assert_eq!(
        rows.iter().map(|p| (p.address, p.mode)).collect::<Vec<_>>(),
        [
            (0x1000, Some(Mode::Thumb)),
            (0x1010, Some(Mode::Arm)),
            (0x1020, Some(Mode::Arm))
        ]
    );
    assert_eq!(
        resolved(&document, "0x1001").names[0].text,
        "thumb",
        "the odd spelling means the same place"
    );
    assert_eq!(resolved(&document, "4096").names[0].text, "thumb");
    assert!(
        matches!(document.resolve("0x1011"), Err(ResolveError::NotFound)),
        "an ARM function has no odd spelling"
    );
    assert!(names(&document).contains(&(0x1020, "$named".to_owned())));
    // Elsewhere an odd address is an address.
    let bytes = Tiny {
        symbols: &[(b"odd", 0x1001, 8, GLOBAL_FUNCTION, TEXT)],
        ..Tiny::default()
    }
    .bytes();
    let document = support::document(&bench.write("odd", bytes));
    assert_eq!(procedures(&document)[0].address, 0x1001);
    assert!(matches!(
        document.resolve("0x1000"),
        Err(ResolveError::NotFound)
    ));
}

#[test]
fn untyped_symbols_in_code_are_labels() {
    let bench = Bench::new();
    let symbols: &[TinySymbol<'_>] = &[
        (b"f", 0x1000, 16, GLOBAL_FUNCTION, TEXT),
        (b"inner", 0x1008, 0, LOCAL_UNTYPED, TEXT),
        (b".Ltmp0", 0x1004, 0, LOCAL_UNTYPED, TEXT),
        (b"$x", 0x1004, 0, LOCAL_UNTYPED, TEXT),
        (b"data", 0x1010, 8, 0x11, TEXT),
        (b"absolute", 0x1010, 0, LOCAL_UNTYPED, 0xfff1),
        (b"asm", 0x1020, 0, 0x10, TEXT),
        (b"end", 0x1040, 0, 0x10, TEXT),
        (b"elsewhere", 0x9000, 4, GLOBAL_FUNCTION, TEXT),
    ];
    let document = document(
        &bench.write(
            "t",
            Tiny {
                symbols,
                ..Tiny::default()
            }
            .bytes(),
        ),
    );
    let rows = procedures(&document);
    let found: Vec<(u64, ProcedureKind, &str)> = rows
        .iter()
        .map(|p| (p.address, p.kind, texts(p)[0]))
        .collect();
    assert_eq!(
        found,
        [
            (0x1000, ProcedureKind::Function, "f"),
            (0x1004, ProcedureKind::Label, "$x"),
            (0x1008, ProcedureKind::Label, "inner"),
            (0x1020, ProcedureKind::Label, "asm")
        ],
        "only some processors have mapping symbols"
    );
    assert_eq!(document.coverage().outside, 1);
    assert_eq!(
        document.containing("0x1008").unwrap(),
        Contained::Procedure {
            place: 0,
            offset: 8
        },
        "a label inside a function doesn't hide it"
    );
    assert_eq!(
        document.containing("0x1020").unwrap(),
        Contained::Procedure {
            place: 3,
            offset: 0
        }
    );
    assert_eq!(
        document.containing("0x1021").unwrap(),
        Contained::NotInProcedure {
            section: ".text".to_owned(),
            executable: true
        }
    );
    assert_eq!(
        document.containing("0x9000").unwrap(),
        Contained::OutsideSegments
    );
    assert!(matches!(
        document.containing("f"),
        Err(ResolveError::Malformed(_))
    ));
}

#[test]
fn of_nested_procedures_the_innermost_is_told() {
    let bench = Bench::new();
    let symbols: &[TinySymbol<'_>] = &[
        (b"outer", 0x1000, 48, GLOBAL_FUNCTION, TEXT),
        (b"inner", 0x1008, 8, GLOBAL_FUNCTION, TEXT),
        (b"inner_alias", 0x1008, 4, LOCAL_FUNCTION, TEXT),
    ];
    let document = document(
        &bench.write(
            "t",
            Tiny {
                symbols,
                ..Tiny::default()
            }
            .bytes(),
        ),
    );
    for (address, place) in [
        (0x1000, 0),
        (0x1007, 0),
        (0x1008, 1),
        (0x100f, 1),
        (0x1010, 0),
        (0x102f, 0),
    ] {
        match document.containing(&format!("{address:#X}")).unwrap() {
            Contained::Procedure { place: found, .. } => assert_eq!(found, place, "{address:#x}"),
            other => panic!("{address:#x}: {other:?}"),
        }
    }
}

#[test]
fn every_spelling_of_an_address_is_taken() {
    let bench = Bench::new();
    let document = document(
        &bench.write(
            "t",
            Tiny {
                symbols: &[(b"f", 0x10ab, 4, GLOBAL_FUNCTION, TEXT)],
                address: 0x1000,
                code: 0x100,
                ..Tiny::default()
            }
            .bytes(),
        ),
    );
    for spelling in ["0x10ab", "0X10AB", "0x000010aB", "4267", "0x10ab@.text"] {
        assert_eq!(resolved(&document, spelling).address, 0x10ab, "{spelling}");
    }
    for wrong in ["0x", "0xg", "0x10ab@", "0x1ffffffffffffffff"] {
        assert!(document.resolve(wrong).is_err(), "{wrong}");
    }
}

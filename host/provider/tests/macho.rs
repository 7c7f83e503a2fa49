//! Mach-O files written by hand: which places and names each source gives.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use rea_provider::{
    Binary, Binding, ByteOrder, Contained, Mode, NoMonitor, OpenError, ProcedureKind, TargetKind,
};
use support::mach::{
    ARM, ARM64, DATA, GLOBAL, I386, LOCAL, Mach, MachSymbol, POWERPC, PRIVATE, STAB, STUBS, TEXT,
    UNDEFINED, X86_64, trie,
};
use support::{Bench, count, document, names, pages, procedures, resolved, texts};

const BASE: u64 = 0x1_0000_0000;
const CODE: u64 = BASE + 0x1000;

#[test]
fn every_width_and_byte_order_reads_alike() {
    let bench = Bench::new();
    for (is_64, is_big, machine, architecture) in [
        (true, false, X86_64, "x86_64"),
        (true, false, ARM64, "arm64"),
        (false, false, I386, "i386"),
        (false, true, POWERPC, "ppc"),
    ] {
        let base = if is_64 { BASE } else { 0x1000 };
        let symbols: &[MachSymbol<'_>] = &[
            (b"_main", GLOBAL, TEXT, 0, base + 0x1010),
            (b"_helper", LOCAL, TEXT, 0, base + 0x1000),
            (b"_table", GLOBAL, DATA, 0, base + 0x1100),
        ];
        let path = bench.write(
            "t",
            Mach {
                is_64,
                is_big,
                machine,
                variant: 0,
                base,
                symbols,
                main: Some(0x20),
                ..Mach::default()
            }
            .bytes(),
        );
        let binary = Binary::open(&path).unwrap();
        let identity = binary.identity();
        assert_eq!(
            (identity.architecture.as_str(), identity.bits, identity.kind),
            (
                architecture,
                if is_64 { 64 } else { 32 },
                TargetKind::Executable
            )
        );
        assert_eq!(identity.endianness == ByteOrder::Big, is_big);
        let document = document(&path);
        assert_eq!(document.name(), "t");
        let rows = procedures(&document);
        let kinds: Vec<_> = rows.iter().map(|p| (p.address - base, p.kind)).collect();
        assert_eq!(
            kinds,
            [
                (0x1000, ProcedureKind::Function),
                (0x1010, ProcedureKind::Function),
                (0x1020, ProcedureKind::Inferred)
            ],
            "{architecture}"
        );
        assert_eq!(rows[1].section, "__TEXT,__text");
        assert_eq!(rows[1].file_offset, Some(0x1010));
        assert_eq!(
            (rows[1].size, rows[1].size_reaches_next),
            (Some(0x10), true)
        );
        assert_eq!(rows[2].size, Some(0x100 - 0x20), "to the section's end");
        assert_eq!(rows[0].names[0].binding, Binding::Local);
        assert!(document.coverage().naming.is_complete());
        assert_eq!(
            document
                .containing(&format!("{:#x}", base + 0x1015))
                .unwrap(),
            Contained::Procedure {
                place: 1,
                offset: 5
            }
        );
    }
}

/// cle 750, 754, 769, 810, ghidra 3586, radare2 3518: LC_FUNCTION_STARTS is ignored.
#[test]
fn cle_750_function_starts_tell_functions_without_a_symbol() {
    let bench = Bench::new();
    let symbols: &[MachSymbol<'_>] = &[
        (b"__mh_execute_header", GLOBAL, TEXT, 0x10, BASE),
        (b"_a", GLOBAL, TEXT, 0, CODE),
        (b"_b", GLOBAL, TEXT, 0, CODE + 0x20),
        (b"_inner", LOCAL, TEXT, 0, CODE + 0x28),
    ];
    // The last two are padding behind the end.
    let starts = [0x80, 0x20, 0x10, 0x10, 0x21, 0x00, 0x10];
    let path = bench.write(
        "t",
        Mach {
            symbols,
            function_starts: Some(&starts),
            ..Mach::default()
        }
        .bytes(),
    );
    let document = document(&path);
    let rows: Vec<_> = procedures(&document)
        .iter()
        .map(|p| (p.address - CODE, p.kind, p.size))
        .collect();
    assert_eq!(
        rows,
        [
            (0, ProcedureKind::Function, Some(0x10)),
            (0x10, ProcedureKind::Inferred, Some(0x10)),
            (0x20, ProcedureKind::Function, Some(0x21)),
            (0x28, ProcedureKind::Label, None),
            // An odd address of x86 is an address.
            (0x41, ProcedureKind::Inferred, Some(0xbf)),
        ]
    );
    assert!(document.coverage().places.is_complete());
    // Absence proves nothing.
    for function_starts in [None, Some(&[0u8, 0, 0][..])] {
        let path = bench.write(
            "t",
            Mach {
                symbols,
                function_starts,
                ..Mach::default()
            }
            .bytes(),
        );
        let document = support::document(&path);
        assert!(!document.coverage().places.is_complete());
        assert!(document.coverage().naming.is_complete());
        assert_eq!(count(&document, ProcedureKind::Function), 3);
    }
}

#[test]
fn a_start_outside_the_code_is_no_procedure_and_is_said() {
    let bench = Bench::new();
    let starts = [0x10, 0xf0, 0x1f, 0x80, 0x80, 0x02, 0];
    let path = bench.write(
        "t",
        Mach {
            function_starts: Some(&starts),
            ..Mach::default()
        }
        .bytes(),
    );
    let document = document(&path);
    assert_eq!(document.extent().places, 1);
    assert!(document.coverage().places.reasons()[0].contains("2 starts lie outside"));
    assert!(document.coverage().naming.is_complete());
}

/// cle 769, 796: which rows of the symbol table are functions.
#[test]
fn cle_796_only_symbols_of_instructions_are_functions() {
    let bench = Bench::new();
    let symbols: &[MachSymbol<'_>] = &[
        (b"__mh_dylib_header", PRIVATE, TEXT, 0, BASE),
        (b"ltmp0", LOCAL, TEXT, 0, CODE),
        (b"_stab", STAB, TEXT, 0, CODE + 0x10),
        (b"_data", GLOBAL, DATA, 0, CODE + 0x100),
        (b"_absolute", 0x03, 0, 0, CODE + 0x20),
        (b"_import", UNDEFINED, 0, 0x0100, 0),
        (b"_weak", GLOBAL, TEXT, 0x80, CODE + 0x30),
        (b"_hidden", PRIVATE, TEXT, 0, CODE + 0x30),
        (b"_f.cold.1", LOCAL, TEXT, 0, CODE + 0x40),
        (b"-[A b:]", LOCAL, TEXT, 0, CODE + 0x50),
        (b"_bad\xff", LOCAL, TEXT, 0, CODE + 0x60),
        (b"_outside", LOCAL, TEXT, 0, CODE + 0x4000),
    ];
    let path = bench.write(
        "t",
        Mach {
            symbols,
            file_type: 6,
            ..Mach::default()
        }
        .bytes(),
    );
    let document = document(&path);
    let expected = [
        (0x30, "_weak"),
        (0x30, "_hidden"),
        (0x40, "_f.cold.1"),
        (0x50, "-[A b:]"),
        (0x60, "_bad\\xff"),
    ];
    assert_eq!(
        names(&document),
        expected
            .into_iter()
            .map(|(at, name)| (CODE + at, name.to_owned()))
            .collect()
    );
    let weak = resolved(&document, "_weak");
    assert_eq!(texts(&weak), ["_weak", "_hidden"], "weak before local");
    assert_eq!(weak.names[0].binding, Binding::Weak);
    assert_eq!(
        resolved(&document, "_f.cold.1").kind,
        ProcedureKind::Fragment
    );
    assert!(!resolved(&document, "_bad\\xff").names[0].offered);
    assert_eq!(document.coverage().outside, 1);
    assert_eq!(
        Binary::open(&path).unwrap().identity().kind,
        TargetKind::SharedLibrary
    );
}

/// rizin 3233 in Mach-O: a function that is both defined and called through a stub.
#[test]
fn rizin_3233_a_stub_never_takes_the_name_of_the_function() {
    let bench = Bench::new();
    let symbols: &[MachSymbol<'_>] = &[
        (b"_malloc", GLOBAL, TEXT, 0x80, CODE),
        (b"_puts", UNDEFINED, 0, 0x0100, 0),
        (b"_objc_msgSend$x", LOCAL, STUBS, 0, CODE + 0x112),
    ];
    let mach = Mach {
        symbols,
        stubs: &[0, 1, 0x8000_0000],
        ..Mach::default()
    };
    let document = document(&bench.write("t", mach.bytes()));
    assert_eq!(resolved(&document, "_malloc").address, CODE);
    let stub = resolved(&document, "_malloc@plt");
    assert_eq!(
        (stub.address, stub.kind, stub.size),
        (mach.stubs_at(), ProcedureKind::ImportStub, Some(6))
    );
    assert_eq!(stub.section, "__TEXT,__stubs");
    assert_eq!(resolved(&document, "_puts@plt").address, CODE + 0x106);
    assert!(document.resolve("_puts").is_err());
    assert_eq!(
        resolved(&document, "0x10000110c").kind,
        ProcedureKind::ImportStub
    );
    assert_eq!(count(&document, ProcedureKind::ImportStub), 3);
    assert!(document.coverage().naming.is_complete());
    document.release_text();
    assert_eq!(
        texts(&resolved(&document, "_puts@plt")),
        ["_puts@plt"],
        "made names stay"
    );
    assert_eq!(pages(&document).1.len(), 3);
}

#[test]
fn stubs_without_rows_or_size_are_said() {
    let bench = Bench::new();
    let mach = Mach {
        stubs: &[7, 8],
        ..Mach::default()
    };
    let document = document(&bench.write("t", mach.bytes()));
    assert_eq!(count(&document, ProcedureKind::ImportStub), 2);
    assert!(!document.coverage().naming.is_complete());
    let sizeless = Mach {
        stubs: &[7, 8],
        stub_size: 0,
        ..Mach::default()
    };
    assert_eq!(
        support::document(&bench.write("t", sizeless.bytes()))
            .extent()
            .places,
        0
    );
}

#[test]
fn thumb_is_told_by_the_description_and_by_starts() {
    let bench = Bench::new();
    let base = 0x4000;
    let symbols: &[MachSymbol<'_>] = &[
        (b"_thumb", GLOBAL, TEXT, 0x8, base + 0x1000),
        (b"_arm", GLOBAL, TEXT, 0, base + 0x1010),
    ];
    let starts = [0x81, 0x20, 0x0f, 0x11, 0];
    let path = bench.write(
        "t",
        Mach {
            is_64: false,
            machine: ARM,
            variant: 9,
            base,
            symbols,
            function_starts: Some(&starts),
            ..Mach::default()
        }
        .bytes(),
    );
    let document = document(&path);
    let rows: Vec<_> = procedures(&document)
        .iter()
        .map(|p| (p.address - base, p.mode))
        .collect();
    assert_eq!(
        rows,
        [
            (0x1000, Some(Mode::Thumb)),
            (0x1010, Some(Mode::Arm)),
            (0x1020, Some(Mode::Thumb))
        ]
    );
    assert_eq!(
        document.resolve("0x5001").unwrap(),
        document.resolve("_thumb").unwrap()
    );
    assert!(document.resolve("0x5011").is_err());
    assert_eq!(
        Binary::open(&path).unwrap().identity().architecture,
        "armv7"
    );
}

/// LIEF 1262, 994: loops and bad ordinals in the exports trie.
#[test]
fn lief_1262_exports_name_what_the_symbol_table_lost() {
    let bench = Bench::new();
    let exports = trie(&[
        (b"_known", 0, &[0x80, 0x20]),
        (b"_lost", 4, &[0x90, 0x20]),
        (b"_pick", 0x10, &[0xb0, 0x20, 0xa0, 0x20]),
        (b"_away", 8, &[99, 0]),
        (b"_number", 2, &[0x80, 0x20]),
        (b"_thread", 1, &[0x80, 0x20]),
        (b"_data", 0, &[0x80, 0x22]),
    ]);
    let symbols: &[MachSymbol<'_>] = &[(b"_known", GLOBAL, TEXT, 0, CODE)];
    let mut mach = Mach {
        file_type: 6,
        symbols,
        exports: Some(&exports),
        ..Mach::default()
    };
    let path = bench.write("t", mach.bytes());
    let document = document(&path);
    assert_eq!(
        names(&document),
        [(0, "_known"), (0x10, "_lost"), (0x20, "_pick")]
            .into_iter()
            .map(|(at, name)| (CODE + at, name.to_owned()))
            .collect()
    );
    let known = resolved(&document, "_known");
    assert!(known.names[0].sources.symtab && known.names[0].sources.dynsym);
    let lost = resolved(&document, "_lost");
    assert!(!lost.names[0].sources.symtab && lost.names[0].sources.dynsym);
    assert_eq!(lost.names[0].binding, Binding::Weak);
    assert_eq!(
        resolved(&document, "_pick").kind,
        ProcedureKind::IfuncResolver
    );
    assert_eq!(
        resolved(&document, "0x100001030").kind,
        ProcedureKind::ImportStub
    );
    assert!(document.coverage().naming.is_complete());
    let layout = Binary::open(&path).unwrap().layout().unwrap();
    assert_eq!(
        (
            layout.exports.total,
            layout.exports.functions,
            layout.exports.objects
        ),
        (7, 3, 2)
    );

    // The edge to the second name leads back to the root.
    let mut looped = exports.clone();
    let edge = looped.windows(5).position(|w| w == b"_lost").unwrap() + 6;
    looped[edge..edge + 2].copy_from_slice(&[0x80, 0]);
    mach.exports = Some(&looped);
    let document = support::document(&bench.write("t", mach.bytes()));
    assert!(document.coverage().naming.reasons()[0].contains("loop"));
    assert!(
        document.resolve("_pick").is_ok(),
        "the rest is read all the same"
    );
}

#[test]
fn functions_that_run_first_are_places() {
    let bench = Bench::new();
    let mach = Mach {
        inits: &[CODE + 0x40, 0, CODE + 0x50],
        ..Mach::default()
    };
    let document = document(&bench.write("t", mach.bytes()));
    let rows: Vec<u64> = procedures(&document).iter().map(|p| p.address).collect();
    assert_eq!(rows, [CODE + 0x40, CODE + 0x50]);
}

#[test]
fn an_object_file_has_an_address_for_each_function() {
    let bench = Bench::new();
    let symbols: &[MachSymbol<'_>] = &[
        (b"ltmp0", LOCAL, TEXT, 0, 0),
        (b"_a", GLOBAL, TEXT, 0, 0),
        (b"_b", GLOBAL, TEXT, 0, 0x10),
        (b"_inner", LOCAL, TEXT, 0x200, 0x18),
        (b"_pick", GLOBAL, TEXT, 0x100, 0x20),
        (b"LBB0", LOCAL, TEXT, 0, 0x24),
    ];
    let path = bench.write(
        "t.o",
        Mach {
            file_type: 1,
            flags: 0x2000,
            symbols,
            ..Mach::default()
        }
        .bytes(),
    );
    let document = document(&path);
    let rows: Vec<_> = procedures(&document)
        .iter()
        .map(|p| (p.spelling.clone(), p.kind))
        .collect();
    assert_eq!(
        rows,
        [
            ("0x0".to_owned(), ProcedureKind::Function),
            ("0x10".to_owned(), ProcedureKind::Function),
            ("0x18".to_owned(), ProcedureKind::Label),
            ("0x20".to_owned(), ProcedureKind::IfuncResolver),
        ]
    );
    assert!(document.coverage().places.is_complete() && document.coverage().naming.is_complete());
    assert_eq!(
        Binary::open(&path).unwrap().identity().kind,
        TargetKind::Relocatable
    );
}

#[test]
fn kinds_of_files_are_told_apart() {
    let bench = Bench::new();
    for (file_type, kind) in [
        (4, TargetKind::Core),
        (8, TargetKind::SharedLibrary),
        (10, TargetKind::DebugCompanion),
        (11, TargetKind::Other),
    ] {
        let path = bench.write(
            "t",
            Mach {
                file_type,
                ..Mach::default()
            }
            .bytes(),
        );
        assert_eq!(Binary::open(&path).unwrap().identity().kind, kind);
        assert!(Binary::open(&path).unwrap().inventory(&NoMonitor).is_ok());
    }
    let mut cache = b"dyld_v1   arm64e\0".to_vec();
    cache.resize(4096, 0);
    let error = Binary::open(&bench.write("cache", cache)).unwrap_err();
    assert!(matches!(error, OpenError::Unsupported { .. }));
    assert!(error.to_string().contains("dyld shared cache"), "{error}");
}

#[test]
fn encrypted_bytes_are_said_and_not_read() {
    let bench = Bench::new();
    let mut body = Vec::new();
    for word in [0x1000u32, 0x1000, 1, 0] {
        body.extend(word.to_le_bytes());
    }
    let commands = [(0x2c, body)];
    let mach = Mach {
        commands: &commands,
        inits: &[CODE + 0x40],
        ..Mach::default()
    };
    let path = bench.write("t", mach.bytes());
    let document = document(&path);
    assert_eq!(document.extent().places, 0);
    assert!(
        document
            .coverage()
            .places
            .reasons()
            .iter()
            .any(|why| why.contains("encrypted"))
    );
    let layout = Binary::open(&path).unwrap().layout().unwrap();
    assert!(
        layout
            .build
            .iter()
            .any(|finding| finding.name == "encrypted" && finding.value == "yes")
    );
}

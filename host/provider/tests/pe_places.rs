//! Places that no symbol names: unwind information, callbacks, tables of a hardened image, stubs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use rea_provider::{Mode, ProcedureKind};
use support::pe::{
    AMD64, ARM64, ARMNT, BASE, BASE32, CODE, I386, RDATA, TEXT, TinyPe, TinySection, code, imports,
    jump, put32, put64, rdata, words,
};
use support::{Bench, count, document, procedures, resolved, texts};

/// smda 168, kuna 403 and 409, orbit 4167: chained rows split functions. Three functions; two rows continue the first one.
#[test]
fn smda_168_a_chained_row_is_no_function() {
    let bench = Bench::new();
    // Plain unwind information at +0x80; chained at +0x84, with one code, that names the first row's function.
    let mut bytes = words(&[
        0x1000,
        0x1010,
        RDATA + 0x80,
        0x1010,
        0x1020,
        RDATA + 0x84,
        0x1020,
        0x1030,
        RDATA + 0x80,
        0,
        0,
        0,
        0x1080,
        0x1090,
        RDATA + 0x84,
        0x1090,
        0x10a0,
        RDATA + 1,
        0x10b0,
        0x10c0,
        RDATA + 0x80,
    ]);
    let size = bytes.len() as u32;
    bytes.resize(0x80, 0);
    bytes.extend([1, 0, 0, 0]);
    bytes.extend([1 | 4 << 3, 0, 1, 0, 0, 0, 0, 0]);
    bytes.extend(words(&[0x1000, 0x1010, RDATA + 0x80]));
    let document = document(
        &bench.write(
            "t.dll",
            TinyPe {
                sections: vec![code(), rdata(bytes)],
                directories: vec![(3, RDATA, size)],
                ..TinyPe::default()
            }
            .bytes(),
        ),
    );
    let all = procedures(&document);
    assert_eq!(
        all.iter()
            .map(|p| (p.address - BASE, p.size))
            .collect::<Vec<_>>(),
        [
            (0x1000, Some(0x20)),
            (0x1020, Some(0x10)),
            (0x10b0, Some(0x10))
        ],
        "what follows a function directly makes it longer"
    );
    assert!(
        all.iter()
            .all(|p| p.kind == ProcedureKind::Inferred && p.size_is_unwind)
    );
    let source = &document.coverage().sources[0];
    assert_eq!((source.rows, source.coverage.is_complete()), (6, true));
}

/// SizeBench 28: the directory tells where the rows are, not the name of a section.
#[test]
fn sizebench_28_rows_are_found_by_the_directory() {
    let bench = Bench::new();
    let mut bytes = words(&[0x1000, 0x1010, RDATA + 0x20]);
    bytes.resize(0x20, 0);
    // Version 0, as hand-written code has it.
    bytes.extend([0; 4]);
    let decoy = TinySection {
        name: b".pdata",
        rva: 0x3000,
        flags: 0x4000_0040,
        bytes: words(&[0x1020, 0x1030, RDATA + 0x20]),
    };
    let document = document(
        &bench.write(
            "t.dll",
            TinyPe {
                sections: vec![code(), rdata(bytes), decoy],
                directories: vec![(3, RDATA, 12)],
                ..TinyPe::default()
            }
            .bytes(),
        ),
    );
    assert_eq!(
        procedures(&document)
            .iter()
            .map(|p| p.address)
            .collect::<Vec<_>>(),
        [BASE + 0x1000]
    );
}

#[test]
fn arm64_rows_tell_length_and_fragments() {
    let bench = Bench::new();
    let mut bytes = words(&[
        0x1000,
        1 | 4 << 2,
        0x1010,
        2 | 8 << 2,
        0x1030,
        RDATA + 0x40,
        0x1050,
        RDATA + 0x50,
        0x1060,
        0x7000_0000,
    ]);
    let size = bytes.len() as u32;
    bytes.resize(0x40, 0);
    // Eight instructions, one word of codes, one epilogue in the header: a function.
    bytes.extend(words(&[8 | 1 << 21 | 1 << 27, 0xe4]));
    bytes.resize(0x50, 0);
    // Two instructions; its codes begin with `end_c`: a fragment.
    bytes.extend(words(&[2 | 1 << 21 | 1 << 27, 0xe5]));
    let document = document(
        &bench.write(
            "t.dll",
            TinyPe {
                machine: ARM64,
                sections: vec![code(), rdata(bytes)],
                directories: vec![(3, RDATA, size)],
                ..TinyPe::default()
            }
            .bytes(),
        ),
    );
    assert_eq!(
        procedures(&document)
            .iter()
            .map(|p| (p.address - BASE, p.size, p.kind))
            .collect::<Vec<_>>(),
        [
            (0x1000, Some(16), ProcedureKind::Inferred),
            (0x1010, Some(32), ProcedureKind::Fragment),
            (0x1030, Some(32), ProcedureKind::Inferred),
            (0x1050, Some(8), ProcedureKind::Fragment),
            (0x1060, None, ProcedureKind::Inferred),
        ]
    );
    assert!(!document.coverage().sources[0].coverage.is_complete());
}

#[test]
fn arm_addresses_are_even_and_thumb() {
    let bench = Bench::new();
    let bytes = words(&[0x1001, 1 | 4 << 2, 0x1011, 2 | 4 << 2]);
    let document = document(
        &bench.write(
            "t.dll",
            TinyPe {
                machine: ARMNT,
                entry: 0x1021,
                sections: vec![code(), rdata(bytes)],
                directories: vec![(3, RDATA, 16)],
                ..TinyPe::default()
            }
            .bytes(),
        ),
    );
    let all = procedures(&document);
    assert_eq!(
        all.iter()
            .map(|p| (p.address - BASE32, p.size, p.mode))
            .collect::<Vec<_>>(),
        [
            (0x1000, Some(8), Some(Mode::Thumb)),
            (0x1010, Some(8), Some(Mode::Thumb)),
            (0x1020, None, Some(Mode::Thumb))
        ]
    );
    assert_eq!(all[1].kind, ProcedureKind::Fragment);
    assert_eq!(resolved(&document, "0x401021").address, BASE32 + 0x1020);
}

#[test]
fn entry_callbacks_and_guarded_functions_are_places() {
    let bench = Bench::new();
    let base = BASE;
    let mut bytes = Vec::new();
    // TLS directory: start, end, index, callbacks, zero fill, flags.
    for value in [0, 0, 0, base + u64::from(RDATA) + 0x40] {
        put64(&mut bytes, value);
    }
    bytes.resize(0x40, 0);
    for value in [base + 0x1020, base + 0x1030, 0, base + 0x1040] {
        put64(&mut bytes, value);
    }
    // Guard table: rows of five bytes.
    bytes.resize(0x80, 0);
    for rva in [0x1050u32, 0x1060] {
        put32(&mut bytes, rva);
        bytes.push(2);
    }
    bytes.resize(0xa0, 0);
    let mut config = vec![0u8; 148];
    config[..4].copy_from_slice(&148u32.to_le_bytes());
    config[88..96].copy_from_slice(&(base + 0x3000).to_le_bytes());
    config[128..136].copy_from_slice(&(base + u64::from(RDATA) + 0x80).to_le_bytes());
    config[136..144].copy_from_slice(&2u64.to_le_bytes());
    config[144..148].copy_from_slice(&(1u32 << 28 | 0x500).to_le_bytes());
    bytes.extend(config);
    let path = bench.write(
        "t.exe",
        TinyPe {
            characteristics: 0x22,
            dll_characteristics: 0x4160,
            entry: 0x1010,
            sections: vec![code(), rdata(bytes)],
            directories: vec![(9, RDATA, 40), (10, RDATA + 0xa0, 148)],
            ..TinyPe::default()
        }
        .bytes(),
    );
    let document = document(&path);
    assert_eq!(
        procedures(&document)
            .iter()
            .map(|p| p.address - BASE)
            .collect::<Vec<_>>(),
        [0x1010, 0x1020, 0x1030, 0x1050, 0x1060]
    );
    let sources: Vec<(&str, u64)> = document
        .coverage()
        .sources
        .iter()
        .map(|source| (source.source.as_str(), source.rows))
        .collect();
    assert_eq!(
        sources,
        [
            ("entry point", 1),
            ("TLS callbacks", 2),
            ("control flow guard", 2)
        ]
    );
    let layout = rea_provider::Binary::open(&path).unwrap().layout().unwrap();
    let value = |name: &str| {
        layout
            .mitigations
            .iter()
            .find(|found| found.name == name)
            .unwrap()
            .value
            .clone()
    };
    assert_eq!(
        (
            value("cfg"),
            value("stack-canary"),
            value("aslr"),
            value("nx")
        ),
        ("yes".into(), "yes".into(), "yes".into(), "yes".into())
    );
}

#[test]
fn handlers_of_a_32_bit_image_are_places() {
    let bench = Bench::new();
    let mut bytes = vec![0u8; 72];
    bytes[..4].copy_from_slice(&72u32.to_le_bytes());
    bytes[64..68].copy_from_slice(&(BASE32 as u32 + RDATA + 72).to_le_bytes());
    bytes[68..72].copy_from_slice(&2u32.to_le_bytes());
    bytes.extend(words(&[0x1010, 0x1020]));
    let document = document(
        &bench.write(
            "t.exe",
            TinyPe {
                machine: I386,
                sections: vec![code(), rdata(bytes)],
                directories: vec![(10, RDATA, 64)],
                ..TinyPe::default()
            }
            .bytes(),
        ),
    );
    assert_eq!(
        procedures(&document)
            .iter()
            .map(|p| p.address - BASE32)
            .collect::<Vec<_>>(),
        [0x1010, 0x1020]
    );
}

fn stubs(machine: u16, text: Vec<u8>, unwind: &[u32]) -> Vec<u8> {
    let (mut bytes, _) = imports(
        RDATA,
        machine != I386,
        "KERNEL32.dll",
        &[Ok("Sleep"), Err(115)],
    );
    bytes.resize(0x100, 0);
    let rows = unwind.len() as u32 * 4;
    bytes.extend(words(unwind));
    bytes.resize(0x200, 0);
    bytes.push(1);
    bytes.resize(0x210, 0);
    TinyPe {
        machine,
        sections: vec![
            TinySection {
                name: b".text",
                rva: TEXT,
                flags: CODE,
                bytes: text,
            },
            rdata(bytes),
        ],
        directories: vec![
            (1, RDATA, 40),
            (3, if rows == 0 { 0 } else { RDATA + 0x100 }, rows),
        ],
        ..TinyPe::default()
    }
    .bytes()
}

/// rizin 153, angr 339, samply 778 for Windows: a stub is named when its code proves which import it jumps to.
#[test]
fn a_stub_is_named_by_the_slot_it_jumps_through() {
    let bench = Bench::new();
    let (_, first) = imports(RDATA, true, "KERNEL32.dll", &[Ok("Sleep"), Err(115)]);
    let mut text = vec![0xc3, 0xcc, 0xcc, 0xcc];
    text.extend(jump(0x1004, first));
    text.extend(jump(0x100a, first + 8));
    text.extend([0xcc; 16]);
    // A jump at the end of a function is none, whatever stands before it.
    text.resize(0x40, 0x90);
    text.extend(jump(0x1040, first));
    // Nor one through a slot that is no import's.
    text.extend([0xcc; 10]);
    text.extend(jump(0x1050, first + 24));
    let document = document(&bench.write(
        "t.dll",
        stubs(AMD64, text, &[0x1030, 0x1046, RDATA + 0x200]),
    ));
    let found: Vec<(u64, Vec<String>)> = procedures(&document)
        .iter()
        .filter(|p| p.kind == ProcedureKind::ImportStub)
        .map(|p| {
            (
                p.address - BASE,
                texts(p).iter().map(|name| (*name).to_owned()).collect(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (0x1004, vec!["KERNEL32.dll!Sleep".to_owned()]),
            (0x100a, vec!["KERNEL32.dll!#115".to_owned()])
        ]
    );
    let sleep = resolved(&document, "KERNEL32.dll!Sleep");
    assert!(sleep.names[0].sources.derived && sleep.names[0].offered);
    assert_eq!(count(&document, ProcedureKind::Inferred), 1);
    // The same after the text was given back: these names stand nowhere in the file.
    document.release_text();
    assert_eq!(
        resolved(&document, "KERNEL32.dll!Sleep").address,
        BASE + 0x1004
    );
}

#[test]
fn stubs_of_other_processors_are_named_too() {
    let bench = Bench::new();
    let (_, first) = imports(RDATA, false, "KERNEL32.dll", &[Ok("Sleep"), Err(115)]);
    let mut text = vec![0xff, 0x25];
    put32(&mut text, BASE32 as u32 + first);
    // In the middle of other code nothing proves it.
    text.extend([0x8b, 0x45, 0x08, 0xc9, 0x5d]);
    text.extend([0xff, 0x25]);
    put32(&mut text, BASE32 as u32 + first);
    let narrow = document(&bench.write("t.dll", stubs(I386, text, &[])));
    assert_eq!(
        procedures(&narrow)
            .iter()
            .map(|p| p.address - BASE32)
            .collect::<Vec<_>>(),
        [0x1000]
    );
    let (_, first) = imports(RDATA, true, "KERNEL32.dll", &[Ok("Sleep"), Err(115)]);
    // adrp x16, +1 page; ldr x16, [x16, slot]; br x16.
    let text = words(&[
        0xd503_201f,
        0xb000_0010,
        0xf940_0210 | ((first & 0xfff) / 8) << 10,
        0xd61f_0200,
    ]);
    let wide = document(&bench.write("t.dll", stubs(ARM64, text, &[])));
    let all = procedures(&wide);
    assert_eq!(
        (all.len(), all[0].address - BASE, texts(&all[0])),
        (1, 0x1004, vec!["KERNEL32.dll!Sleep"])
    );
}

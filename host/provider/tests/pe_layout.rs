//! The layout of Windows images, their identity, and the addresses of their strings.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use rea_provider::{
    Binary, ByteOrder, Format, Layout, NoMonitor, OpenError, StringQuery, TargetKind,
};
use support::pe::{
    AMD64, ARM64, ARMNT, BASE, BASE32, DATA, I386, RDATA, TinyPe, TinySection, code, imports,
    put16, put32, rdata, words,
};
use support::{Bench, document};

fn layout(bytes: Vec<u8>) -> Layout {
    let bench = Bench::new();
    Binary::open(&bench.write("t.dll", bytes))
        .unwrap()
        .layout()
        .unwrap()
}

fn value(layout: &Layout, name: &str) -> String {
    let found = layout.mitigations.iter().find(|found| found.name == name);
    found.unwrap_or_else(|| panic!("{name}")).value.clone()
}

#[test]
fn the_header_tells_what_it_is() {
    let bench = Bench::new();
    for (machine, words, bits) in [
        (AMD64, "x86-64", 64),
        (I386, "x86", 32),
        (ARM64, "aarch64", 64),
        (ARMNT, "arm", 32),
    ] {
        for (characteristics, kind) in [
            (0x2022, TargetKind::SharedLibrary),
            (0x22, TargetKind::Executable),
        ] {
            let path = bench.write(
                "t",
                TinyPe {
                    machine,
                    characteristics,
                    ..TinyPe::default()
                }
                .bytes(),
            );
            let binary = Binary::open(&path).unwrap();
            let identity = binary.identity();
            assert_eq!(
                (
                    identity.format,
                    identity.kind,
                    identity.architecture.as_str(),
                    identity.bits,
                    identity.endianness
                ),
                (Format::Pe, kind, words, bits, ByteOrder::Little)
            );
        }
    }
}

#[test]
fn a_header_far_from_the_beginning_is_found_and_a_cut_one_is_told() {
    let bench = Bench::new();
    let far = TinyPe {
        header_at: 0x4000,
        sections: vec![code()],
        entry: 0x1000,
        ..TinyPe::default()
    }
    .bytes();
    assert_eq!(
        Binary::open(&bench.write("t", &far))
            .unwrap()
            .identity()
            .format,
        Format::Pe
    );
    assert!(matches!(
        Binary::open(&bench.write("t", &far[..0x4020])),
        Err(OpenError::Truncated {
            format: Format::Pe,
            ..
        })
    ));
    let mut dos = far;
    dos.truncate(0x3000);
    assert!(matches!(
        Binary::open(&bench.write("t", dos)),
        Err(OpenError::Unsupported {
            format: Format::Dos,
            ..
        })
    ));
}

#[test]
fn imports_name_library_and_name_or_number() {
    let (mut bytes, _) = imports(RDATA, true, "WS2_32.dll", &[Ok("socket"), Err(115)]);
    let library_at = bytes
        .windows(10)
        .position(|window| window == b"WS2_32.dll")
        .unwrap() as u32
        + RDATA;
    // A delayed library with the same list.
    bytes.resize(0x100, 0);
    bytes.extend(words(&[
        1,
        library_at,
        0,
        RDATA + 0x200,
        RDATA + 40,
        0,
        0,
        0,
    ]));
    bytes.extend([0; 32]);
    bytes.resize(0x220, 0);
    let layout = layout(
        TinyPe {
            sections: vec![code(), rdata(bytes)],
            directories: vec![(1, RDATA, 40), (13, RDATA + 0x100, 64)],
            ..TinyPe::default()
        }
        .bytes(),
    );
    let rows: Vec<(&str, Option<&str>, &str)> = layout
        .imports
        .rows
        .iter()
        .map(|row| (row.name.as_str(), row.library.as_deref(), row.kind.as_str()))
        .collect();
    let library = Some("WS2_32.dll");
    assert_eq!(
        rows,
        [
            ("socket", library, "by-name"),
            ("#115", library, "by-ordinal"),
            ("socket", library, "delayed-by-name"),
            ("#115", library, "delayed-by-ordinal")
        ]
    );
    assert_eq!(layout.needed, ["WS2_32.dll"]);
    let pe = layout.pe.unwrap();
    assert_eq!(pe.delay_needed, ["WS2_32.dll"]);
    assert_eq!(
        pe.address_space,
        "virtual addresses at the preferred image base 0x140000000"
    );
    assert_eq!(
        pe.directories
            .iter()
            .map(|row| row.name.as_str())
            .collect::<Vec<_>>(),
        ["import", "delay-import"]
    );
}

#[test]
fn mitigations_say_what_shows_them() {
    let image = |machine, characteristics, dll_characteristics| {
        layout(
            TinyPe {
                machine,
                characteristics,
                dll_characteristics,
                sections: vec![code()],
                ..TinyPe::default()
            }
            .bytes(),
        )
    };
    let hard = image(AMD64, 0x2022, 0x4160);
    assert_eq!(
        (
            value(&hard, "aslr"),
            value(&hard, "nx"),
            value(&hard, "high-entropy-aslr")
        ),
        ("yes".into(), "yes".into(), "yes".into())
    );
    assert_eq!(
        value(&hard, "cfg"),
        "partial",
        "the bit alone proves nothing"
    );
    let soft = image(I386, 0x2023, 0x40);
    assert_eq!(
        (
            value(&soft, "aslr"),
            value(&soft, "nx"),
            value(&soft, "safe-seh")
        ),
        ("no".into(), "no".into(), "no".into())
    );
    assert_eq!(
        (
            value(&soft, "authenticode"),
            value(&soft, "cet-shadow-stack")
        ),
        ("no".into(), "no".into())
    );
    assert_eq!(value(&image(I386, 0x2022, 0x400), "safe-seh"), "yes");
    assert!(
        hard.mitigations
            .iter()
            .all(|found| !found.established_by.is_empty())
    );
}

#[test]
fn debug_directory_resources_and_signature_are_told() {
    let mut bytes = Vec::new();
    let raw = 0x400;
    for (kind, size, at) in [(2u32, 24 + 10, 0x80u32), (20, 4, 0xc0), (16, 0, 0)] {
        bytes.extend(words(&[0, 0, 0, kind, size, RDATA + at, raw + at]));
    }
    bytes.resize(0x80, 0);
    bytes.extend(b"RSDS");
    bytes.extend((0u8..16).collect::<Vec<_>>());
    put32(&mut bytes, 3);
    bytes.extend(b"C:\\\x1b\\t.pdb\0");
    bytes.resize(0xc0, 0);
    put32(&mut bytes, 0x41);
    bytes.resize(0x100, 0);
    // Resources: one named type, two numbered ones.
    bytes.extend([0; 12]);
    put16(&mut bytes, 1);
    put16(&mut bytes, 2);
    bytes.extend(words(&[
        0x8000_0028,
        0x8000_0000,
        16,
        0x8000_0000,
        24,
        0x8000_0000,
    ]));
    put16(&mut bytes, 2);
    bytes.extend([b'A', 0, b'B', 0]);
    let layout = layout(
        TinyPe {
            sections: vec![code(), rdata(bytes)],
            directories: vec![(6, RDATA, 84), (2, RDATA + 0x100, 0x30), (4, 0x800, 0x100)],
            ..TinyPe::default()
        }
        .bytes(),
    );
    assert_eq!(value(&layout, "cet-shadow-stack"), "yes");
    assert_eq!(value(&layout, "authenticode"), "present");
    let pe = layout.pe.unwrap();
    let codeview = &pe.debug[0];
    assert_eq!(
        codeview.pdb.as_deref(),
        Some("C:\\\\\\x1b\\\\t.pdb"),
        "text of a file is escaped"
    );
    assert_eq!(
        codeview.guid.as_deref(),
        Some("03020100-0504-0706-0809-0A0B0C0D0E0F")
    );
    assert_eq!(
        (codeview.age, pe.debug[2].kind.as_str()),
        (Some(3), "repro")
    );
    assert_eq!(pe.resources, ["AB", "version", "manifest"]);
}

#[test]
fn managed_and_hybrid_images_are_partial() {
    let bench = Bench::new();
    let mut clr = words(&[72, 5 << 16 | 2, 0, 0, 1]);
    clr.resize(72, 0);
    let path = bench.write(
        "t.dll",
        TinyPe {
            sections: vec![code(), rdata(clr)],
            directories: vec![(14, RDATA, 72)],
            ..TinyPe::default()
        }
        .bytes(),
    );
    let managed = document(&path);
    assert!(managed.coverage().naming.reasons()[0].contains(".NET"));
    assert!(managed.coverage().places.reasons()[0].contains(".NET"));
    let layout = Binary::open(&path).unwrap().layout().unwrap();
    assert_eq!(
        layout.pe.unwrap().managed.as_deref(),
        Some("il-only, runtime header 2.5")
    );

    let mut config = vec![0u8; 208];
    config[..4].copy_from_slice(&208u32.to_le_bytes());
    config[200..208].copy_from_slice(&(BASE + 0x3000).to_le_bytes());
    for (machine, kind, naming_complete) in [(AMD64, "arm64ec", true), (ARM64, "arm64x", false)] {
        let path = bench.write(
            "t.dll",
            TinyPe {
                machine,
                sections: vec![code(), rdata(config.clone())],
                directories: vec![(10, RDATA, 208)],
                ..TinyPe::default()
            }
            .bytes(),
        );
        let hybrid = document(&path);
        assert!(
            hybrid
                .coverage()
                .places
                .reasons()
                .iter()
                .any(|why| why.contains(kind))
        );
        assert_eq!(hybrid.coverage().naming.is_complete(), naming_complete);
        let layout = Binary::open(&path).unwrap().layout().unwrap();
        assert_eq!(layout.pe.unwrap().hybrid.as_deref(), Some(kind));
    }
}

/// golang 42954, GoReSym 17 and 48: a stripped Go program has a table of functions that is no symbol table.
#[test]
fn golang_42954_a_go_program_without_symbols_has_partial_names() {
    let bench = Bench::new();
    let mut text = code();
    text.bytes[..16].copy_from_slice(b"\xff Go build ID: \"");
    let document = document(
        &bench.write(
            "t.exe",
            TinyPe {
                sections: vec![text],
                ..TinyPe::default()
            }
            .bytes(),
        ),
    );
    assert!(document.coverage().naming.reasons()[0].contains("pclntab"));
}

#[test]
fn strings_have_the_addresses_of_the_image() {
    let bench = Bench::new();
    let path = bench.write(
        "t.dll",
        TinyPe {
            machine: I386,
            sections: vec![
                code(),
                TinySection {
                    name: b".rdata",
                    rva: 0x5000,
                    flags: DATA,
                    bytes: b"\0\0hello there\0".to_vec(),
                },
            ],
            ..TinyPe::default()
        }
        .bytes(),
    );
    let query = StringQuery {
        pattern: Some("hello".to_owned()),
        ..StringQuery::default()
    };
    let found = Binary::open(&path)
        .unwrap()
        .strings(&query, 0, 10, &NoMonitor)
        .unwrap();
    assert_eq!(found.total, 1);
    assert_eq!(found.hits[0].address, Some(BASE32 + 0x5002));
    assert_eq!(found.hits[0].section.as_deref(), Some(".rdata"));
}

//! Universal Mach-O files, and what the layout tells of an image.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use rea_provider::{
    Binary, Completeness, Finding, Format, NoMonitor, OpenError, StringQuery, TargetKind,
};
use support::mach::{
    ARM64, DATA, GLOBAL, Mach, MachSymbol, TEXT, UNDEFINED, X86_64, fat, text_command,
};
use support::{Bench, consistent, names, resolved};

const BASE: u64 = 0x1_0000_0000;
const CODE: u64 = BASE + 0x1000;

fn slice(machine: u32, variant: u32, name: &[u8]) -> (u32, u32, Vec<u8>) {
    let symbols: &[MachSymbol<'_>] = &[
        (name, GLOBAL, TEXT, 0, CODE),
        (b"_both", GLOBAL, TEXT, 0, CODE + 0x10),
        (b"_data", GLOBAL, DATA, 0, CODE + 0x100),
    ];
    let bytes = Mach {
        machine,
        variant,
        file_type: 6,
        symbols,
        ..Mach::default()
    }
    .bytes();
    (machine, variant, bytes)
}

/// radare2 6763, bloaty 23: a universal file is refused, or the wrong slice is read.
#[test]
fn radare2_6763_each_slice_is_a_document() {
    let bench = Bench::new();
    let slices = [
        slice(X86_64, 3, b"_intel"),
        slice(ARM64, 0, b"_arm"),
        slice(ARM64, 0x8000_0002, b"_signed"),
    ];
    for is_64 in [false, true] {
        let path = bench.write("lib", fat(is_64, &slices));
        let binary = Binary::open(&path).unwrap();
        let identity = binary.identity();
        assert_eq!(identity.format, Format::MachOFat);
        assert_eq!(identity.kind, TargetKind::SharedLibrary);
        assert_eq!(identity.architecture, "x86_64, arm64, arm64e");
        let inventory = binary.inventory(&NoMonitor).unwrap();
        let documents: Vec<&str> = inventory.documents().iter().map(|d| d.name()).collect();
        assert_eq!(documents, ["lib:x86_64", "lib:arm64", "lib:arm64e"]);
        for (document, name) in inventory
            .documents()
            .iter()
            .zip(["_intel", "_arm", "_signed"])
        {
            consistent(document);
            assert_eq!(
                names(document),
                [(CODE, name.to_owned()), (CODE + 0x10, "_both".to_owned())].into()
            );
        }
        let arm = inventory.document("lib:arm64").unwrap();
        let at = resolved(arm, "_arm").file_offset.unwrap();
        assert_eq!(at % 4096, 0);
        let hits = binary
            .strings(
                &StringQuery {
                    pattern: Some("_signed".to_owned()),
                    ..StringQuery::default()
                },
                0,
                10,
                &NoMonitor,
            )
            .unwrap();
        assert_eq!(
            hits.hits[0].section.as_deref(),
            Some("arm64e:segment __LINKEDIT")
        );
        arm.release_text();
        assert_eq!(
            names(arm).len(),
            2,
            "names are read again at the slice's place"
        );

        let layout = binary.layout().unwrap();
        assert_eq!(layout.slices.len(), 3);
        assert_eq!(layout.slices[1].document, "lib:arm64");
        assert!(layout.slices.iter().all(|slice| slice.damage.is_none()));
        let of_slice = binary.layout_of("lib:arm64e").unwrap().unwrap();
        assert_eq!(of_slice.architecture, "arm64e");
        assert!(binary.layout_of("lib").unwrap().is_none());
    }
}

#[test]
fn slices_for_one_processor_have_different_names() {
    let bench = Bench::new();
    let slices = [slice(ARM64, 0, b"_a"), slice(ARM64, 0, b"_b")];
    let binary = Binary::open(&bench.write("t", fat(false, &slices))).unwrap();
    let inventory = binary.inventory(&NoMonitor).unwrap();
    assert!(inventory.document("t:arm64").is_some() && inventory.document("t:arm64#2").is_some());
}

#[test]
fn a_slice_that_cannot_be_read_says_so_and_the_others_are_read() {
    let bench = Bench::new();
    let whole = fat(
        false,
        &[slice(X86_64, 3, b"_intel"), slice(ARM64, 0, b"_arm")],
    );
    let mut cut = whole.clone();
    let second = u32::from_be_bytes(whole[36..40].try_into().unwrap()) as usize;
    cut.truncate(second + 40);
    let mut behind = whole.clone();
    behind[36..40].copy_from_slice(&0x7fff_0000u32.to_be_bytes());
    let mut overlapping = whole.clone();
    overlapping[36..40].copy_from_slice(&4096u32.to_be_bytes());
    let mut archive = whole.clone();
    archive[second..second + 8].copy_from_slice(b"!<arch>\n");
    let mut nested = whole;
    nested[second..second + 4].copy_from_slice(&[0xca, 0xfe, 0xba, 0xbe]);
    for (bytes, said) in [
        (cut, "load commands take"),
        (behind, "behind the end"),
        (overlapping, "overlaps"),
        (archive, "ar archive"),
        (nested, "universal file itself"),
    ] {
        let binary = Binary::open(&bench.write("t", bytes)).unwrap();
        assert_eq!(binary.identity().architecture, "x86_64, arm64");
        let inventory = binary.inventory(&NoMonitor).unwrap();
        assert_eq!(names(inventory.document("t:x86_64").unwrap()).len(), 2);
        let broken = inventory.document("t:arm64").unwrap();
        consistent(broken);
        assert_eq!(broken.extent().places, 0);
        assert!(!broken.extent().naming_complete);
        let Completeness::Unknown(reasons) = &broken.coverage().naming else {
            panic!("{:?}", broken.coverage())
        };
        assert!(reasons[0].contains(said), "{reasons:?}");
        let layout = binary.layout().unwrap();
        assert!(layout.slices[1].damage.as_ref().unwrap().contains(said));
        assert!(binary.layout_of("t:arm64").is_err());
    }
}

#[test]
fn a_universal_static_library_is_refused_by_name() {
    let bench = Bench::new();
    let archive = b"!<arch>\n".to_vec();
    let bytes = fat(
        false,
        &[(X86_64, 3, archive.clone()), (ARM64, 0, archive.clone())],
    );
    let error = Binary::open(&bench.write("lib.a", bytes)).unwrap_err();
    assert!(matches!(
        error,
        OpenError::Unsupported {
            format: Format::FatArchive,
            ..
        }
    ));
    assert!(
        error
            .to_string()
            .contains("universal (fat) static library, a format that is not read yet"),
        "{error}"
    );
    for count in [0u32, 44] {
        let mut bytes = fat(false, &[(X86_64, 3, archive.clone())]);
        bytes[4..8].copy_from_slice(&count.to_be_bytes());
        assert!(Binary::open(&bench.write("t", bytes)).is_err());
    }
}

fn value<'a>(findings: &'a [Finding], name: &str) -> &'a str {
    &findings
        .iter()
        .find(|finding| finding.name == name)
        .unwrap_or_else(|| panic!("{name}: {findings:?}"))
        .value
}

/// A signature with one directory, entitlements and an empty certificate.
fn signature() -> Vec<u8> {
    let mut directory = Vec::new();
    for word in [0xfade_0c02u32, 70, 0x2_0400, 0x1_0002, 0, 52] {
        directory.extend(word.to_be_bytes());
    }
    directory.resize(48, 0);
    directory.extend(61u32.to_be_bytes());
    directory.extend(b"org.test\0TEAM1234\0");
    let mut blob = Vec::new();
    let first = 12 + 3 * 8u32;
    let second = first + directory.len() as u32;
    for word in [
        0xfade_0cc0u32,
        second + 16,
        3,
        0,
        first,
        5,
        second,
        0x1_0000,
        second + 8,
    ] {
        blob.extend(word.to_be_bytes());
    }
    blob.extend(directory);
    for word in [0xfade_7171u32, 8, 0xfade_0b01, 8] {
        blob.extend(word.to_be_bytes());
    }
    blob
}

#[test]
fn the_layout_tells_what_an_image_needs_and_how_it_is_protected() {
    let bench = Bench::new();
    let words =
        |list: &[u32]| -> Vec<u8> { list.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let symbols: &[MachSymbol<'_>] = &[
        (b"_main", GLOBAL, TEXT, 0, CODE),
        (b"___stack_chk_fail", UNDEFINED, 0, 0x0100, 0),
        (b"___memcpy_chk", UNDEFINED, 0, 0x0200, 0),
        (b"_maybe", UNDEFINED, 0, 0xfe40, 0),
    ];
    let mut mach = Mach {
        symbols,
        flags: 0x20_0085,
        main: Some(0),
        ..Mach::default()
    };
    let plain = mach.bytes();
    let blob = signature();
    let commands = [
        (0xe, text_command(&[], "/usr/lib/dyld")),
        (
            0xc,
            text_command(&[2, 0x0542_0000, 0x0001_0000], "/usr/lib/libSystem.B.dylib"),
        ),
        (
            0x8000_0018,
            text_command(&[2, 0x0001_0203, 0x0001_0000], "@rpath/libweak.dylib"),
        ),
        (0x8000_001c, text_command(&[], "@loader_path/../lib")),
        (0x1b, (0u8..16).collect()),
        (0x32, words(&[1, 0x000b_0000, 0x000e_0200, 0])),
        (
            0x1d,
            words(&[plain.len() as u32 + 0x1000, blob.len() as u32]),
        ),
        (0x5678, vec![]),
    ];
    mach.commands = &commands;
    let mut bytes = mach.bytes();
    bytes.resize(plain.len() + 0x1000, 0);
    bytes.extend(blob);
    let layout = Binary::open(&bench.write("t", &bytes))
        .unwrap()
        .layout()
        .unwrap();
    assert_eq!(layout.header.file_type, "MH_EXECUTE");
    assert_eq!(
        layout.header.flag_names,
        ["MH_NOUNDEFS", "MH_DYLDLINK", "MH_TWOLEVEL", "MH_PIE"]
    );
    assert_eq!(layout.header.entry.unwrap().0, CODE);
    assert_eq!(layout.interpreter.as_deref(), Some("/usr/lib/dyld"));
    assert_eq!(
        layout.needed,
        ["/usr/lib/libSystem.B.dylib", "@rpath/libweak.dylib"]
    );
    assert_eq!(
        (
            layout.libraries[1].binding,
            layout.libraries[1].current_version.as_str()
        ),
        ("weak", "1.2.3")
    );
    assert_eq!(layout.rpath, ["@loader_path/../lib"]);
    assert_eq!(
        layout.build_id.as_deref(),
        Some("000102030405060708090a0b0c0d0e0f")
    );
    assert_eq!(layout.imports.total, 3);
    assert_eq!(
        layout.imports.rows[1].library.as_deref(),
        Some("@rpath/libweak.dylib")
    );
    assert!(layout.imports.rows[2].weak);
    assert!(
        layout
            .load_commands
            .iter()
            .any(|command| command.command == "LC_SEGMENT_64" && command.count == 3)
    );
    assert!(
        layout
            .load_commands
            .iter()
            .any(|command| command.command == "0x5678")
    );
    assert_eq!(
        layout.sections.rows[0].name, "__TEXT,__text",
        "sections have both names"
    );
    for (name, expected) in [
        ("pie", "yes"),
        ("nx-stack", "yes"),
        ("nx-heap", "yes"),
        ("writable-code", "no"),
        ("stack-canary", "yes"),
        ("fortify-source", "yes"),
        ("restrict", "no"),
        ("hardened-runtime", "yes"),
    ] {
        assert_eq!(value(&layout.mitigations, name), expected, "{name}");
    }
    for (name, expected) in [
        ("platform", "macOS 11.0"),
        ("code-signature", "ad-hoc"),
        ("entitlements", "yes"),
        ("stripped", "yes"),
        ("debug-information", "no"),
    ] {
        assert_eq!(value(&layout.build, name), expected, "{name}");
    }
    let signed = layout
        .build
        .iter()
        .find(|finding| finding.name == "code-signature")
        .unwrap();
    assert!(
        signed.established_by.contains("org.test")
            && signed.established_by.contains("TEAM1234")
            && signed.established_by.contains("adhoc, runtime"),
        "{signed:?}"
    );
}

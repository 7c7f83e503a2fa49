//! Archives: a document for each member, whatever the kind of archive.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use proptest::prelude::*;
use rea_provider::{Binary, Format, NoMonitor, OpenOptions, ProcedureKind, TargetKind};
use support::mach::{self, Mach};
use support::pe;
use support::tiny::{GLOBAL_FUNCTION, TEXT, Tiny};
use support::{Bench, documents, exercise, names, procedures, resolved, torment};

/// An object file of one function.
fn object(name: &str) -> Vec<u8> {
    Tiny {
        file_type: 1,
        symbols: &[(name.as_bytes(), 0, 8, GLOBAL_FUNCTION, TEXT)],
        ..Tiny::default()
    }
    .bytes()
}

/// A member with its header. `name` is the field of 16 bytes.
fn member(name: &str, content: &[u8]) -> Vec<u8> {
    let mut bytes = format!(
        "{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n",
        0,
        0,
        0,
        644,
        content.len()
    )
    .into_bytes();
    bytes.extend(content);
    if bytes.len() % 2 == 1 {
        bytes.push(b'\n');
    }
    bytes
}

fn archive(members: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    bytes.extend(members.concat());
    bytes
}

/// A member of an import library.
fn import(name: &str, kind: u16) -> Vec<u8> {
    let mut bytes = vec![0, 0, 0xff, 0xff, 0, 0, 0x64, 0x86, 0, 0, 0, 0];
    bytes.extend((name.len() as u32 + 7).to_le_bytes());
    bytes.extend([0, 0]);
    bytes.extend((kind | 4).to_le_bytes());
    bytes.extend(name.as_bytes());
    bytes.extend(b"\0d.dll\0");
    bytes
}

fn document_names(path: &std::path::Path) -> Vec<String> {
    documents(path)
        .iter()
        .map(|document| document.name().to_owned())
        .collect()
}

/// Three objects built by gcc; the third has a long name.
fn objects(bench: &Bench) -> [PathBuf; 3] {
    let build = |name: &str, source: &str| bench.gcc(name, &[("a.c", source)], &["-c", "-O1"]);
    [
        build(
            "a.o",
            "int f(void) { return 1; } static int h(void) { return 3; } int (*p)(void) = h;",
        ),
        build("b.o", "int g(void) { return 2; }"),
        build("a_name_that_needs_the_table.o", "int k(void) { return 4; }"),
    ]
}

#[test]
fn a_member_is_a_document() {
    let bench = Bench::new();
    objects(&bench);
    bench.tool(
        "ar",
        &["rcs", "t.a", "a.o", "b.o", "a_name_that_needs_the_table.o"],
    );
    let path = bench.path("t.a");
    let all = documents(&path);
    assert_eq!(
        all.iter().map(|d| d.name()).collect::<Vec<_>>(),
        ["a.o", "b.o", "a_name_that_needs_the_table.o"]
    );
    assert!(all[0].resolve("f").is_ok() && all[0].resolve("h").is_ok());
    assert!(
        all[0].resolve("g").is_err(),
        "each document has its own names"
    );
    // The code is where the offset says, in the archive.
    let bytes = std::fs::read(&path).unwrap();
    let object = std::fs::read(bench.path("b.o")).unwrap();
    let alone = resolved(&support::document(&bench.path("b.o")), "g");
    let at = resolved(&all[1], "g").file_offset.unwrap() as usize;
    let in_object = alone.file_offset.unwrap() as usize;
    assert_eq!(bytes[at..at + 5], object[in_object..in_object + 5]);
    let binary = Binary::open(&path).unwrap();
    let identity = binary.identity();
    assert_eq!(
        (identity.format, identity.kind, identity.bits),
        (Format::Archive, TargetKind::StaticLibrary, 64)
    );
    let layout = binary.layout().unwrap();
    assert_eq!(layout.members.total, 3);
    assert_eq!(layout.members.rows[1].format, Some(Format::Elf));
    let of_member = binary.layout_of("b.o").unwrap().unwrap();
    assert!(of_member.sections.rows.iter().any(|s| s.name == ".text"));
    assert_eq!(binary.layout_of("c.o").unwrap(), None);
    // Released, names are read from the archive again.
    all[2].release_text();
    assert!(all[2].resolve("k").is_ok());
}

/// Identity is the member's offset: archives may hold two members of one name.
#[test]
fn members_of_one_name_are_told_apart_by_offset() {
    let bench = Bench::new();
    let bytes = archive(&[
        member("a.o/", &object("f")),
        member("b.o/", &object("g")),
        member("a.o/", &object("h")),
        member("a b.o/", &object("i")),
        member("/0", &object("j")),
    ]);
    let path = bench.write("t.a", &bytes);
    let names = document_names(&path);
    let offsets: Vec<usize> = names
        .iter()
        .filter_map(|name| name.split_once("#0x"))
        .map(|(_, offset)| usize::from_str_radix(offset, 16).unwrap())
        .collect();
    assert_eq!(names[1], "b.o");
    assert!(names[0].starts_with("a.o#0x8") && names[2].starts_with("a.o#0x"));
    assert!(names[3].starts_with("a\\x20b.o#0x") && names[4].starts_with("#0x"));
    for (offset, field) in offsets.iter().zip(["a.o/", "a.o/", "a b.o/", "/0"]) {
        assert!(bytes[*offset..].starts_with(field.as_bytes()));
    }
    assert!(documents(&path)[2].resolve("h").is_ok());
}

#[test]
fn bsd_names_stand_before_the_content() {
    let bench = Bench::new();
    let named = |name: &str, content: &[u8]| {
        let mut bytes = name.as_bytes().to_vec();
        bytes.resize(20, 0);
        bytes.extend(content);
        member("#1/20", &bytes)
    };
    let path = bench.write(
        "t.a",
        archive(&[
            named("__.SYMDEF SORTED", b"table of symbols"),
            named("long_enough_name.o", &object("f")),
            member("short.o", &object("g")),
        ]),
    );
    assert_eq!(document_names(&path), ["long_enough_name.o", "short.o"]);
    let all = documents(&path);
    assert!(all[0].resolve("f").is_ok() && all[1].resolve("g").is_ok());
}

#[test]
fn members_that_are_not_read_say_what_they_are() {
    let bench = Bench::new();
    let path = bench.write(
        "t.a",
        archive(&[
            member("/", b"symbols"),
            member("/", b"symbols of the second kind"),
            member("//", b"a_long_name_of_a_member.o\0"),
            member("/<ECSYMBOLS>/", b"more"),
            member("/0", &object("f")),
            member("bit.o/", b"BC\xc0\xde rest"),
            member("inner.a/", &archive(&[member("x.o/", &object("x"))])),
            member("note.txt/", b"text\n"),
            member("cut.o/", &object("g")[..40]),
        ]),
    );
    let all = documents(&path);
    let reasons: Vec<(&str, String)> = all
        .iter()
        .map(|d| (d.name(), d.coverage().naming.reasons().join(" ")))
        .collect();
    assert_eq!(reasons[0], ("a_long_name_of_a_member.o", String::new()));
    for ((name, reason), (expected, word)) in reasons[1..].iter().zip([
        ("bit.o", "LLVM bitcode"),
        ("inner.a", "archive in an archive"),
        ("note.txt", "a text file"),
        ("cut.o", "truncated"),
    ]) {
        assert!(
            *name == expected && reason.contains(word),
            "{name}: {reason}"
        );
    }
    assert_eq!(all.len(), 5);
    let binary = Binary::open(&path).unwrap();
    let layout = binary.layout_of("bit.o").unwrap().unwrap();
    assert!(layout.limitations[0].contains("bitcode"));
}

#[test]
fn members_of_an_import_library_are_stubs() {
    let bench = Bench::new();
    let path = bench.write(
        "t.lib",
        archive(&[
            member("d.dll/", &import("CreateThing", 0)),
            member("d.dll/", &import("some_data", 1)),
        ]),
    );
    let all = documents(&path);
    let stub = resolved(&all[0], "CreateThing");
    assert_eq!((stub.kind, stub.address), (ProcedureKind::ImportStub, 0));
    assert_eq!(all[1].extent().places, 0);
    let binary = Binary::open(&path).unwrap();
    let layout = binary.layout_of(all[1].name()).unwrap().unwrap();
    let import = &layout.imports.rows[0];
    assert_eq!(
        (
            import.name.as_str(),
            import.library.as_deref(),
            import.kind.as_str()
        ),
        ("some_data", Some("d.dll"), "object")
    );
    assert_eq!(binary.identity().architecture, "x86-64");
}

/// LIEF and others see only ELF in archives: a member is a document whatever its format.
#[test]
fn objects_of_every_format_are_members() {
    let bench = Bench::new();
    let mach = Mach {
        file_type: 1,
        symbols: &[(b"_f", mach::GLOBAL, mach::TEXT, 0, 0)],
        base: 0,
        ..Mach::default()
    };
    let wasm = wat::parse_str("(module (func (export \"run\")))").unwrap();
    let coff = pe::object(
        0x8664,
        &[(&b".text"[..], 0x6000_0020, &[0x90; 16][..])],
        &[pe::symbol(b"c", 0, 1, 0x20, 2)],
        false,
    );
    let path = bench.write(
        "t.a",
        archive(&[
            member("elf.o/", &object("f")),
            member("mach.o/", &mach.bytes()),
            member("coff.obj/", &coff),
            member("m.wasm/", &wasm),
        ]),
    );
    let all = documents(&path);
    assert_eq!(
        document_names(&path),
        ["elf.o", "mach.o", "coff.obj", "m.wasm"].map(str::to_owned)
    );
    let binary = Binary::open(&path).unwrap();
    for (document, name) in all.iter().zip(["f", "_f", "c", "run"]) {
        assert!(
            document.resolve(name).is_ok(),
            "{} {:?}",
            document.name(),
            document.coverage()
        );
        assert!(binary.layout_of(document.name()).unwrap().is_some());
    }
}

#[test]
fn members_of_a_universal_file_of_archives_are_documents() {
    let bench = Bench::new();
    let one = archive(&[member("a.o/", &object("f")), member("b.o/", &object("g"))]);
    let other = archive(&[member("a.o/", &object("h"))]);
    let bytes = mach::fat(false, &[(mach::X86_64, 3, one), (mach::ARM64, 0, other)]);
    let path = bench.write("libt.a", &bytes);
    assert_eq!(
        document_names(&path),
        ["x86_64:a.o", "x86_64:b.o", "arm64:a.o"].map(str::to_owned)
    );
    let all = documents(&path);
    for (document, name) in all.iter().zip(["f", "g", "h"]) {
        let found = resolved(document, name);
        let at = found.file_offset.unwrap() as usize;
        assert!(at > 4096 && at < bytes.len());
    }
    let binary = Binary::open(&path).unwrap();
    let identity = binary.identity();
    assert_eq!(
        (identity.kind, identity.architecture.as_str()),
        (TargetKind::StaticLibrary, "x86_64, arm64")
    );
    assert_eq!(binary.layout().unwrap().slices.len(), 2);
    let slice = binary.layout_of("x86_64").unwrap().unwrap();
    assert_eq!(slice.members.total, 2);
    assert!(binary.layout_of("arm64:a.o").unwrap().is_some());
    assert!(binary.layout_of("arm64:b.o").unwrap().is_none());
    torment(&bytes);
}

#[test]
fn members_of_a_thin_archive_lie_in_its_folder() {
    let bench = Bench::new();
    objects(&bench);
    std::fs::create_dir(bench.path("sub")).unwrap();
    std::fs::copy(bench.path("b.o"), bench.path("sub/b.o")).unwrap();
    bench.tool("ar", &["rcsT", "t.a", "a.o", "sub/b.o"]);
    let path = bench.path("t.a");
    let all = documents(&path);
    assert_eq!(
        all.iter().map(|d| d.name()).collect::<Vec<_>>(),
        ["a.o", "sub/b.o"]
    );
    assert!(all[1].resolve("g").is_ok());
    let companion = &all[1].companions()[0];
    assert!(companion.path.ends_with("sub/b.o") && companion.kind == "member");
    std::fs::write(bench.path("a.o"), b"another").unwrap();
    let all = documents(&path);
    assert!(
        all[0].coverage().naming.reasons()[0].contains("and not"),
        "a member that was changed is not taken for the one of the archive"
    );
    std::fs::remove_file(bench.path("a.o")).unwrap();
    assert!(documents(&path)[0].coverage().naming.reasons()[0].contains("can't be found"));
}

/// A path in a thin archive is the file's own claim.
#[test]
fn a_thin_archive_does_not_escape_its_folder() {
    let bench = Bench::new();
    let secret = object("secret");
    bench.write("secret.o", &secret);
    std::fs::create_dir(bench.path("in")).unwrap();
    symlink("..", bench.path("in/up")).unwrap();
    symlink("../secret.o", bench.path("in/link.o")).unwrap();
    let absolute = format!("{}/", bench.path("secret.o").display());
    let long = format!("../secret.o/\n{absolute}\nup/secret.o/\nlink.o/\n./../secret.o/\n");
    let offset = |part: &str| format!("/{}", long.find(part).unwrap());
    let mut bytes = b"!<thin>\n".to_vec();
    bytes.extend(member("//", long.as_bytes()));
    for part in [
        "../secret.o/",
        &absolute,
        "up/secret.o",
        "link.o",
        "./../secret",
    ] {
        let mut header = member(&offset(part), &secret);
        header.truncate(60);
        bytes.extend(header);
    }
    let path = bench.path("in/t.a");
    std::fs::write(&path, bytes).unwrap();
    for options in [OpenOptions::default(), OpenOptions::alone()] {
        let binary = Binary::open_with(&path, &options).unwrap();
        let inventory = binary.inventory(&NoMonitor).unwrap();
        assert_eq!(inventory.documents().len(), 5);
        for document in inventory.documents() {
            assert_eq!(document.extent().places, 0, "{}", document.name());
            let reason = &document.coverage().naming.reasons()[0];
            assert!(reason.contains("not opened"), "{reason}");
        }
        assert!(
            binary
                .layout()
                .unwrap()
                .members
                .rows
                .iter()
                .all(|m| m.format.is_none())
        );
    }
}

#[test]
fn more_members_than_are_taken_are_told() {
    let bench = Bench::new();
    let empty = member("a.o/", b"");
    let mut bytes = b"!<arch>\n".to_vec();
    for _ in 0..70_000 {
        bytes.extend(&empty);
    }
    let binary = Binary::open(&bench.write("t.a", bytes)).unwrap();
    let inventory = binary.inventory(&NoMonitor).unwrap();
    assert_eq!(inventory.documents().len(), 65_536);
    assert!(inventory.limitations()[0].contains("more than 65536 members"));
    assert_eq!(binary.layout().unwrap().members.rows.len(), 2000);
    let all: BTreeSet<&str> = inventory.documents().iter().map(|d| d.name()).collect();
    assert_eq!(all.len(), 65_536);
}

#[test]
fn an_archive_that_is_cut_off_tells_so() {
    let bench = Bench::new();
    let bytes = archive(&[member("a.o/", &object("f")), member("b.o/", &object("g"))]);
    let binary = Binary::open(&bench.write("t.a", &bytes[..bytes.len() - 9])).unwrap();
    let inventory = binary.inventory(&NoMonitor).unwrap();
    assert!(inventory.limitations()[0].contains("more than what is left"));
    assert!(inventory.document("a.o").unwrap().extent().naming_complete);
    assert!(!inventory.document("b.o").unwrap().extent().naming_complete);
    let empty = documents(&bench.write("e.a", b"!<arch>\n"));
    assert!(empty.len() == 1 && !empty[0].extent().naming_complete);
}

/// Oracle: `nm` on the same archive.
#[test]
fn names_are_those_of_nm() {
    let bench = Bench::new();
    objects(&bench);
    bench.tool("ar", &["rcs", "t.a", "a.o", "b.o"]);
    let listed = bench.tool("nm", &["--defined-only", "t.a"]);
    let mut expected = Vec::new();
    let mut current = String::new();
    for line in listed.lines() {
        if let Some(name) = line.strip_suffix(':') {
            current = name.to_owned();
        } else if let [address, "T" | "t", name] = line.split_whitespace().collect::<Vec<_>>()[..] {
            let address = u64::from_str_radix(address, 16).unwrap();
            expected.push((current.clone(), address, name.to_owned()));
        }
    }
    expected.sort();
    let mut found: Vec<_> = documents(&bench.path("t.a"))
        .iter()
        .flat_map(|document| {
            let name = document.name().to_owned();
            names(document)
                .into_iter()
                .map(move |(address, text)| (name.clone(), address, text))
        })
        .collect();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_damaged_archive_is_an_error_or_an_answer() {
    torment(&archive(&[
        member("/", b"symb"),
        member("//", b"a_long_name_of_a_member.o/\nb.o/\n"),
        member("/0", &object("f")),
        member("/27", &import("g", 0)),
        member("#1/4", b"name"),
    ]));
    let mut thin = b"!<thin>\n".to_vec();
    thin.extend(member("//", b"a.o/\nb.o/\n"));
    thin.extend(&member("/0", b"1234")[..60]);
    torment(&thin);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_members_are_an_error_or_an_answer(members in proptest::collection::vec(("[/a-c#1-9]{0,8}", proptest::collection::vec(any::<u8>(), 0..80)), 0..12), thin in any::<bool>()) {
        let members: Vec<_> = members.iter().map(|(name, content)| member(name, content)).collect();
        let mut bytes = archive(&members);
        if thin {
            bytes[..8].copy_from_slice(b"!<thin>\n");
        }
        let bench = Bench::new();
        exercise(&bench.write("t", bytes));
    }
}

/// The archive of a C library, where there is one: every member is read.
#[test]
fn libc() {
    let Some(path) = ["/usr/lib/x86_64-linux-gnu/libc.a", "/usr/lib64/libc.a"]
        .iter()
        .map(PathBuf::from)
        .find(|path| path.is_file())
    else {
        return support::need::not_run("archive::libc", "there is no libc.a");
    };
    let all = documents(&path);
    assert!(all.len() > 1000);
    assert!(all.iter().all(|d| d.extent().naming_complete));
    let printf = all.iter().find(|d| d.name() == "printf.o").unwrap();
    assert!(
        procedures(printf)
            .iter()
            .any(|p| p.names.iter().any(|n| n.text == "printf"))
    );
}

//! What can be opened, and what is refused with which reason.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use rea_provider::{Binary, Format, NoMonitor, OpenError, TargetKind};
use support::tiny::Tiny;
use support::{Bench, run};

#[test]
fn what_is_no_regular_file_is_refused_without_waiting() {
    let bench = Bench::new();
    let fifo = bench.path("fifo");
    run(std::process::Command::new("mkfifo").arg(&fifo));
    let socket = bench.path("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    for (path, expected) in [
        (fifo.as_path(), "FIFO"),
        (&socket, "socket"),
        (Path::new("/dev/null"), "character device"),
    ] {
        match Binary::open(path) {
            Err(OpenError::NotRegular { what, .. }) => assert_eq!(what, expected),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn missing_empty_and_unreadable_files_are_told_apart() {
    let bench = Bench::new();
    assert!(matches!(
        Binary::open(&bench.path("none")),
        Err(OpenError::NotFound(_))
    ));
    assert!(matches!(
        Binary::open(&bench.write("empty", "")),
        Err(OpenError::Empty(_))
    ));
    let secret = bench.write("secret", Tiny::default().bytes());
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o0)).unwrap();
    // Root reads everything.
    if std::fs::File::open(&secret).is_err() {
        assert!(matches!(
            Binary::open(&secret),
            Err(OpenError::Unreadable { .. })
        ));
    }
}

#[test]
fn other_formats_are_named() {
    let bench = Bench::new();
    let rows: &[(&[u8], Format, &str)] = &[
        (b"\0asm\x01\0\0\0", Format::Wasm, "WebAssembly module"),
        (b"!<arch>\n", Format::Archive, "ar archive"),
        (b"#!/bin/sh\n", Format::Script, "script"),
        (b"PK\x03\x04", Format::Zip, "ZIP archive"),
        (b"text\n", Format::Text, "text file"),
        (b"\x01\x02\x03", Format::Unknown, "unknown format"),
    ];
    for (content, format, words) in rows {
        let error = Binary::open(&bench.write("t", content)).unwrap_err();
        assert!(
            matches!(&error, OpenError::Unsupported { format: found, .. } if found == format),
            "{error:?}"
        );
        assert!(
            error.to_string().contains(words) && error.to_string().contains("not read yet"),
            "{error}"
        );
    }
}

#[test]
fn the_real_path_is_the_identity() {
    let bench = Bench::new();
    let target = bench.gcc(
        "lib.so",
        &[("a.c", "int f(void) { return 1; }")],
        &["-shared", "-fPIC"],
    );
    let link = bench.path("link");
    symlink(&target, &link).unwrap();
    let binary = Binary::open(&link).unwrap();
    let identity = binary.identity();
    assert_eq!(identity.path, std::fs::canonicalize(&target).unwrap());
    assert_eq!(identity.given.as_deref(), Some(link.as_path()));
    assert_eq!(
        (identity.file_name.as_str(), identity.kind, identity.format),
        ("lib.so", TargetKind::SharedLibrary, Format::Elf)
    );
    let sum = run(std::process::Command::new("sha256sum").arg(&target));
    let hash: String = binary
        .sha256(&NoMonitor)
        .unwrap()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(hash, sum.split_whitespace().next().unwrap());
}

#[test]
fn programs_and_libraries_are_told_apart() {
    let bench = Bench::new();
    let source = [("a.c", "int main(void) { return 0; }")];
    let kind = |options: &[&str]| {
        Binary::open(&bench.gcc("t", &source, options))
            .unwrap()
            .identity()
            .kind
    };
    for options in [
        &["-no-pie"][..],
        &["-pie", "-fPIE"],
        &["-static"],
        &["-static-pie", "-fPIE"],
    ] {
        assert_eq!(kind(options), TargetKind::Executable, "{options:?}");
    }
    for options in [
        &["-shared", "-fPIC"][..],
        &["-shared", "-fPIC", "-Wl,-soname,t.so"],
    ] {
        assert_eq!(kind(options), TargetKind::SharedLibrary, "{options:?}");
    }
    assert_eq!(kind(&["-c"]), TargetKind::Relocatable);
}

#[test]
fn a_directory_is_refused_and_a_bundle_is_its_program() {
    let bench = Bench::new();
    let folder = bench.path("folder");
    std::fs::create_dir_all(&folder).unwrap();
    assert!(matches!(
        Binary::open(&folder),
        Err(OpenError::Directory { bundle: None, .. })
    ));

    let app = bench.path("Some.app");
    let programs = app.join("Contents/MacOS");
    std::fs::create_dir_all(&app).unwrap();
    assert!(matches!(
        Binary::open(&app),
        Err(OpenError::Directory {
            bundle: Some(_),
            ..
        })
    ));
    std::fs::create_dir_all(&programs).unwrap();
    std::fs::write(programs.join("Program"), Tiny::default().bytes()).unwrap();
    std::fs::write(
        programs.join("Helper"),
        b"\xcf\xfa\xed\xfe\x0c\0\0\x01\0\0\0\0\x06\0\0\0",
    )
    .unwrap();
    let list = |name: &str| {
        format!("<plist><dict><key>CFBundleExecutable</key><string>{name}</string></dict></plist>")
    };
    let plist = app.join("Contents/Info.plist");
    std::fs::write(&plist, list("Program")).unwrap();
    assert_eq!(Binary::open(&app).unwrap().identity().file_name, "Program");
    std::fs::write(&plist, list("Helper")).unwrap();
    assert!(matches!(
        Binary::open(&app),
        Err(OpenError::Truncated {
            format: Format::MachO,
            ..
        })
    ));
    std::fs::write(bench.path("outside"), Tiny::default().bytes()).unwrap();
    symlink(bench.path("outside"), programs.join("Link")).unwrap();
    for name in ["../../../outside", "Link", "None", ".."] {
        std::fs::write(&plist, list(name)).unwrap();
        assert!(
            matches!(
                Binary::open(&app),
                Err(OpenError::Directory {
                    bundle: Some(_),
                    ..
                })
            ),
            "{name}"
        );
    }
}

#[test]
fn a_cut_file_says_which_part_is_missing() {
    let bench = Bench::new();
    let whole = Tiny::default().bytes();
    for len in [4, 5, 40, 63, 80, 150] {
        let error = Binary::open(&bench.write("t", &whole[..len])).unwrap_err();
        assert!(
            matches!(&error, OpenError::Truncated { .. }),
            "{len}: {error:?}"
        );
    }
    // All that a loader reads is there; only what section headers would tell is unknown, and that is said.
    let document = support::document(&bench.write("t", &whole[..whole.len() - 1]));
    assert!(matches!(
        document.coverage().naming,
        rea_provider::Completeness::Unknown(_)
    ));
    // A relocatable file is nothing without them.
    let object = Tiny {
        file_type: 1,
        ..Tiny::default()
    }
    .bytes();
    assert!(matches!(
        Binary::open(&bench.write("t.o", &object[..object.len() - 1])),
        Err(OpenError::Truncated { .. })
    ));
}

#[test]
fn headers_that_contradict_themselves_are_damaged() {
    let bench = Bench::new();
    for (at, value) in [(4, 3), (5, 0), (0x36, 1)] {
        let mut bytes = Tiny::default().bytes();
        bytes[at] = value;
        assert!(
            matches!(
                Binary::open(&bench.write("t", bytes)),
                Err(OpenError::Malformed { .. })
            ),
            "{at}"
        );
    }
}

//! The layout: what an image says of itself, and how that was established.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use rea_provider::{Binary, Finding, Layout};
use support::Bench;
use support::tiny::without_sections;

const SOURCE: &str = "#include <stdio.h>\n#include <string.h>\nint main(int c, char **v) { char b[64]; strcpy(b, v[c - 1]); puts(b); return 0; }";

fn layout(path: &std::path::Path) -> Layout {
    Binary::open(path).unwrap().layout().unwrap()
}

fn value<'a>(findings: &'a [Finding], name: &str) -> &'a str {
    &findings
        .iter()
        .find(|finding| finding.name == name)
        .unwrap()
        .value
}

#[test]
fn hardening_is_read_from_the_file() {
    let bench = Bench::new();
    let hard = layout(&bench.gcc(
        "hard",
        &[("a.c", SOURCE)],
        &[
            "-O2",
            "-pie",
            "-fPIE",
            "-fstack-protector-all",
            "-D_FORTIFY_SOURCE=2",
            "-Wl,-z,relro,-z,now",
            "-fcf-protection=full",
        ],
    ));
    let soft = layout(&bench.gcc(
        "soft",
        &[("a.c", SOURCE)],
        &[
            "-O0",
            "-no-pie",
            "-fno-stack-protector",
            "-U_FORTIFY_SOURCE",
            "-Wl,-z,norelro",
            "-Wl,-z,execstack",
            "-g",
        ],
    ));
    for (name, with, without) in [
        ("pie", "yes", "no"),
        ("nx", "yes", "no"),
        ("relro", "full", "none"),
        ("stack-canary", "yes", "not-seen"),
        ("fortify-source", "yes", "not-seen"),
        ("writable-code", "no", "no"),
    ] {
        assert_eq!(
            (
                value(&hard.mitigations, name),
                value(&soft.mitigations, name)
            ),
            (with, without),
            "{name}"
        );
    }
    assert_eq!(value(&hard.build, "debug-information"), "no");
    assert_eq!(value(&soft.build, "debug-information"), "yes");
    assert_eq!(value(&soft.build, "stripped"), "no");
    assert!(
        hard.mitigations
            .iter()
            .all(|finding| !finding.established_by.is_empty())
    );
    let partial = layout(&bench.gcc("partial", &[("a.c", SOURCE)], &["-Wl,-z,relro,-z,lazy"]));
    assert_eq!(value(&partial.mitigations, "relro"), "partial");
}

#[test]
fn needs_and_offers_are_listed() {
    let bench = Bench::new();
    let path = bench.gcc(
        "t.so",
        &[(
            "a.c",
            "#include <stdio.h>\nint data = 1; int f(void) { return puts(\"\"); }",
        )],
        &[
            "-shared",
            "-fPIC",
            "-Wl,-soname,t.so.1",
            "-Wl,-rpath,/opt/lib",
            "-Wl,--build-id=0x0102030405",
        ],
    );
    let layout = layout(&path);
    assert_eq!(layout.soname.as_deref(), Some("t.so.1"));
    assert!(layout.needed.iter().any(|name| name.starts_with("libc.so")));
    assert_eq!(
        layout
            .rpath
            .iter()
            .chain(&layout.runpath)
            .collect::<Vec<_>>(),
        ["/opt/lib"]
    );
    assert_eq!(layout.build_id.as_deref(), Some("0102030405"));
    assert_eq!(layout.interpreter, None);
    let puts = layout
        .imports
        .rows
        .iter()
        .find(|import| import.name == "puts")
        .unwrap();
    assert_eq!(puts.kind, "function");
    assert!(
        puts.version.is_some()
            && puts
                .library
                .as_deref()
                .is_some_and(|name| name.starts_with("libc.so")),
        "{puts:?}"
    );
    assert!(layout.exports.functions >= 1 && layout.exports.objects >= 1);
    assert_eq!(layout.sections.total as usize, layout.sections.rows.len());
    assert!(
        layout
            .sections
            .rows
            .iter()
            .any(|section| section.name == ".text"
                && section.flags == "AX"
                && section.kind == "SHT_PROGBITS")
    );
    assert!(
        layout
            .relocations
            .rows
            .iter()
            .any(|table| table.table == ".rela.dyn" && table.rows > 0)
    );
    assert!(layout.limitations.is_empty(), "{:?}", layout.limitations);

    let mut bytes = std::fs::read(&path).unwrap();
    without_sections(&mut bytes);
    let bare = self::layout(&bench.write("bare.so", bytes));
    assert_eq!(
        (bare.needed, bare.soname, bare.imports, bare.exports),
        (layout.needed, layout.soname, layout.imports, layout.exports)
    );
    assert_eq!(bare.build_id, layout.build_id);
    assert!(!bare.limitations.is_empty());
    assert!(
        bare.relocations
            .rows
            .iter()
            .any(|table| table.table == "DT_RELA")
    );
}

#[test]
fn the_link_to_a_debug_file_is_told() {
    let bench = Bench::new();
    let path = bench.gcc("t", &[("a.c", SOURCE)], &["-g"]);
    bench.tool("objcopy", &["--only-keep-debug", "t", "t.debug"]);
    bench.tool("strip", &["t"]);
    bench.tool("objcopy", &["--add-gnu-debuglink=t.debug", "t"]);
    assert_eq!(layout(&path).debug_link.unwrap().file_name, "t.debug");
    // The debug file itself has symbols and sections without bytes.
    let debug = support::document(&bench.path("t.debug"));
    assert!(debug.resolve("main").is_ok());
    let companions = layout(&path).companions;
    assert!(companions[0].path.ends_with("t.debug"));
    // A link that leads nowhere is normal, and said.
    std::fs::remove_file(bench.path("t.debug")).unwrap();
    assert!(layout(&path).companions.is_empty());
    let document = support::document(&path);
    assert!(
        document
            .coverage()
            .places
            .reasons()
            .iter()
            .any(|why| why.contains("t.debug that .gnu_debuglink names was not found"))
    );
}

#[test]
fn addresses_are_text_in_json() {
    let bench = Bench::new();
    let json = serde_json::to_value(layout(&bench.gcc("t", &[("a.c", SOURCE)], &[]))).unwrap();
    assert!(json["header"]["entry"].as_str().unwrap().starts_with("0x"));
    assert_eq!(json["kind"], "executable");
    assert_eq!(json["endianness"], "little");
}

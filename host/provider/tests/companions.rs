//! Debug files beside a program and in it: followed where they prove to belong to it, nowhere else.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rea_provider::{Binary, Document, NoMonitor, OpenOptions};
use support::need::available;
use support::{Bench, consistent, document, document_alone, exercise, names, resolved};

const SOURCE: &str = "
static int __attribute__((noinline)) hidden(int x) { return x * 3; }
int main(int c, char **v) { (void)v; return hidden(c); }";

/// A stripped program `in/t` with a build id and a link to `t.debug`, which is beside it in `t.debug`.
fn program(bench: &Bench) -> PathBuf {
    bench.gcc(
        "t",
        &[("a.c", SOURCE)],
        &["-g", "-O1", "-Wl,--build-id=0xabcdef0123"],
    );
    std::fs::create_dir(bench.path("in")).unwrap();
    bench.tool("objcopy", &["--only-keep-debug", "t", "t.debug"]);
    bench.tool("strip", &["t"]);
    bench.tool("objcopy", &["--add-gnu-debuglink=t.debug", "t", "in/t"]);
    bench.path("in/t")
}

fn open(path: &Path, debug_dirs: &[PathBuf], beside: bool) -> Arc<Document> {
    let options = OpenOptions {
        debug_dirs: debug_dirs.to_vec(),
        beside,
    };
    let binary = Binary::open_with(path, &options).unwrap();
    let document = Arc::clone(&binary.inventory(&NoMonitor).unwrap().documents()[0]);
    consistent(&document);
    let listed = binary.layout().unwrap().companions;
    assert_eq!(listed, document.companions());
    document
}

fn knows_hidden(document: &Document) -> bool {
    document.resolve("hidden").is_ok()
}

#[test]
fn a_debug_file_beside_the_program_is_followed() {
    let bench = Bench::new();
    let path = program(&bench);
    assert!(!knows_hidden(&document(&path)), "it isn't there yet");
    std::fs::create_dir(bench.path("in/.debug")).unwrap();
    for place in ["in/t.debug", "in/.debug/t.debug"] {
        std::fs::copy(bench.path("t.debug"), bench.path(place)).unwrap();
        let found = document(&path);
        let hidden = resolved(&found, "hidden");
        assert!(hidden.names[0].sources.debug && !hidden.names[0].sources.symtab);
        let companion = &found.companions()[0];
        assert!(companion.path.ends_with(place));
        assert_eq!(
            (companion.kind, companion.found_by),
            ("debug file", ".gnu_debuglink")
        );
        assert!(companion.proof.contains("CRC-32"));
        assert!(
            found
                .coverage()
                .sources
                .iter()
                .any(|s| s.source.contains("t.debug"))
        );
        assert!(found.coverage().naming.is_complete());
        let removed = |why: &String| why.contains("there is no .symtab");
        assert!(!found.coverage().places.reasons().iter().any(removed));
        // Released, its names are read from the debug file again.
        found.release_text();
        assert!(knows_hidden(&found));
        assert!(!knows_hidden(&document_alone(&path)));
        std::fs::remove_file(bench.path(place)).unwrap();
    }
}

#[test]
fn a_debug_file_goes_by_its_build_id() {
    let bench = Bench::new();
    let path = program(&bench);
    let root = bench.path("debug");
    std::fs::create_dir_all(root.join(".build-id/ab")).unwrap();
    let place = root.join(".build-id/ab/cdef0123.debug");
    std::fs::copy(bench.path("t.debug"), &place).unwrap();
    assert!(!knows_hidden(&open(&path, &[], true)));
    let found = open(&path, std::slice::from_ref(&root), false);
    assert!(knows_hidden(&found));
    assert_eq!(found.companions()[0].found_by, "build id");
    assert!(found.companions()[0].proof.contains("abcdef0123"));
    // One of another build is refused.
    bench.gcc("u", &[("a.c", SOURCE)], &["-g", "-Wl,--build-id=0x99"]);
    std::fs::copy(bench.path("u"), &place).unwrap();
    let refused = open(&path, &[root], false);
    assert!(!knows_hidden(&refused));
    let told = |why: &String| why.contains("another build id");
    assert!(refused.coverage().places.reasons().iter().any(told));
}

#[test]
fn a_folder_of_debug_files_mirrors_the_program_s() {
    let bench = Bench::new();
    let path = program(&bench);
    let root = bench.path("debug");
    let folder = std::fs::canonicalize(bench.path("in")).unwrap();
    let inside = root.join(folder.strip_prefix("/").unwrap());
    std::fs::create_dir_all(&inside).unwrap();
    std::fs::copy(bench.path("t.debug"), inside.join("t.debug")).unwrap();
    assert!(knows_hidden(&open(&path, &[root], true)));
}

/// blazesym 898 and the like: a debug file that isn't the program's own makes wrong names.
#[test]
fn a_debug_file_with_another_checksum_is_refused() {
    let bench = Bench::new();
    let path = program(&bench);
    let mut bytes = std::fs::read(bench.path("t.debug")).unwrap();
    bytes.push(0);
    std::fs::write(bench.path("in/t.debug"), bytes).unwrap();
    let document = document(&path);
    assert!(!knows_hidden(&document) && document.companions().is_empty());
    let told = |why: &String| why.contains("CRC-32");
    assert!(document.coverage().places.reasons().iter().any(told));
}

#[test]
fn a_debug_file_is_never_outside_the_given_folders() {
    let bench = Bench::new();
    let path = program(&bench);
    symlink("../t.debug", bench.path("in/t.debug")).unwrap();
    assert!(!knows_hidden(&document(&path)), "a link that leads out");
    // A link of the program that is a path.
    bench.tool("objcopy", &["--remove-section=.gnu_debuglink", "in/t", "u"]);
    let mut link = b"../t.debug\0\0".to_vec();
    link.extend([0; 4]);
    bench.write("link", link);
    bench.tool(
        "objcopy",
        &["--add-section=.gnu_debuglink=link", "u", "in/u"],
    );
    let document = document(&bench.path("in/u"));
    assert!(!knows_hidden(&document));
    // A FIFO in the place of a debug file isn't waited for.
    std::fs::remove_file(bench.path("in/t.debug")).unwrap();
    bench.tool("mkfifo", &["in/t.debug"]);
    assert!(!knows_hidden(&support::document(&path)));
}

/// A program that has all its symbols needs no debug file: a dangling link changes nothing.
#[test]
fn blazesym_898_a_dangling_link_is_normal() {
    let bench = Bench::new();
    bench.gcc("t", &[("a.c", SOURCE)], &["-g"]);
    bench.tool("objcopy", &["--only-keep-debug", "t", "gone.debug"]);
    bench.tool("objcopy", &["--add-gnu-debuglink=gone.debug", "t"]);
    std::fs::remove_file(bench.path("gone.debug")).unwrap();
    let document = document(&bench.path("t"));
    let about = |why: &String| why.contains("gone.debug");
    assert!(!document.coverage().places.reasons().iter().any(about));
    assert!(document.coverage().naming.is_complete());
}

/// The small debug file that Fedora's programs carry.
fn packed(bench: &Bench) -> Option<PathBuf> {
    if !available("companions::debugdata", "xz") {
        return None;
    }
    bench.gcc("t", &[("a.c", SOURCE)], &["-O1"]);
    bench.tool("objcopy", &["--only-keep-debug", "t", "mini"]);
    bench.tool("xz", &["-k", "mini"]);
    bench.tool("strip", &["t"]);
    bench.tool("objcopy", &["--add-section=.gnu_debugdata=mini.xz", "t"]);
    Some(bench.path("t"))
}

#[test]
fn names_packed_into_the_program_are_read() {
    let bench = Bench::new();
    let Some(path) = packed(&bench) else { return };
    let document = document_alone(&path);
    assert!(resolved(&document, "hidden").names[0].sources.debug);
    assert!(document.coverage().naming.is_complete());
    let source = |source: &str| {
        document
            .coverage()
            .sources
            .iter()
            .any(|s| s.source == source)
    };
    assert!(source(".symtab of .gnu_debugdata"));
    let before = names(&document);
    document.release_text();
    assert_eq!(names(&document), before);
    // Damaged, it is said.
    let whole = std::fs::read(&path).unwrap();
    let at = whole.windows(6).position(|w| w == b"\xfd7zXZ\0").unwrap();
    for flip in 0..200 {
        let mut bytes = whole.clone();
        bytes[at + flip] ^= 0x10;
        let path = bench.write("u", bytes);
        exercise(&path);
        if flip < 6 {
            let document = document_alone(&path);
            assert!(!document.coverage().naming.is_complete());
        }
    }
}

/// Some kilobytes that unpack to hundreds of megabytes.
#[test]
fn a_bomb_is_not_unpacked() {
    let bench = Bench::new();
    if packed(&bench).is_none() {
        return;
    }
    let file = std::fs::File::create(bench.path("zeros")).unwrap();
    file.set_len(200 << 20).unwrap();
    bench.tool("xz", &["-0", "zeros"]);
    bench.tool("objcopy", &["--remove-section=.gnu_debugdata", "t"]);
    bench.tool("objcopy", &["--add-section=.gnu_debugdata=zeros.xz", "t"]);
    let document = document_alone(&bench.path("t"));
    let told = |why: &String| why.contains("unpacked it takes more than");
    assert!(document.coverage().naming.reasons().iter().any(told));
}

//! PDBs beside images.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use rea_provider::ProcedureKind;
use support::pdb::pdb;
use support::pe::{BASE, RDATA, TinyPe, code, put32, rdata, words};
use support::{Bench, document, procedures, resolved, texts};

const GUID: [u8; 16] = [7; 16];

fn image(age: u32, pdb: &[u8]) -> Vec<u8> {
    let mut bytes = words(&[
        0,
        0,
        0,
        2,
        24 + pdb.len() as u32 + 1,
        RDATA + 0x40,
        0x400 + 0x40,
    ]);
    bytes.resize(0x40, 0);
    bytes.extend(b"RSDS");
    bytes.extend(GUID);
    put32(&mut bytes, age);
    bytes.extend(pdb);
    bytes.push(0);
    TinyPe {
        characteristics: 0x22,
        sections: vec![code(), rdata(bytes)],
        directories: vec![(6, RDATA, 28)],
        ..TinyPe::default()
    }
    .bytes()
}

fn symbols(age: u32) -> Vec<u8> {
    pdb(
        GUID,
        age,
        // lld says `function` and not `code`, link.exe both.
        &[
            ("?f@@YAHXZ", 1, 0x10, 2),
            ("?twin@@YAHXZ", 1, 0x10, 3),
            ("label", 1, 0x80, 0),
            ("?data@@3HA", 2, 0, 0),
        ],
        &[("f", 1, 0x10, 0x18, false), ("helper", 1, 0x30, 8, true)],
    )
}

/// mcrit 126: folded functions have many names at one place.
#[test]
fn mcrit_126_names_and_lengths_come_from_the_pdb_beside_it() {
    let bench = Bench::new();
    bench.write("t.pdb", symbols(3));
    let document = document(&bench.write("t.exe", image(3, b"C:\\build\\t.pdb")));
    let found: Vec<(u64, Vec<String>, Option<u64>, ProcedureKind)> = procedures(&document)
        .iter()
        .map(|p| {
            (
                p.address - BASE,
                texts(p).iter().map(|name| (*name).to_owned()).collect(),
                p.size,
                p.kind,
            )
        })
        .collect();
    let list = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found,
        [
            (
                0x1010,
                list(&["f", "?f@@YAHXZ", "?twin@@YAHXZ"]),
                Some(0x18),
                ProcedureKind::Function
            ),
            (0x1030, list(&["helper"]), Some(8), ProcedureKind::Function),
            (0x1080, list(&["label"]), None, ProcedureKind::Label),
        ]
    );
    assert!(document.coverage().naming.is_complete() && document.coverage().places.is_complete());
    assert!(resolved(&document, "f").names[0].sources.debug);
    // They stand in another file, and stay when the text is given back.
    document.release_text();
    assert_eq!(resolved(&document, "helper").address, BASE + 0x1030);
}

#[test]
fn a_pdb_of_another_build_is_refused_with_the_reason() {
    let bench = Bench::new();
    let reasons = |pdb: Option<Vec<u8>>, path: &[u8]| {
        if let Some(bytes) = pdb {
            bench.write("t.pdb", bytes);
        }
        let document = document(&bench.write("t.exe", image(3, path)));
        assert_eq!(procedures(&document).len(), 0);
        assert!(
            document.coverage().naming.is_complete(),
            "the image itself was read to its end"
        );
        document.coverage().places.reasons().join("; ")
    };
    assert!(reasons(None, b"t.pdb").contains("not in its folder"));
    assert!(reasons(Some(symbols(4)), b"t.pdb").contains("another build"));
    let mut other = symbols(3);
    let at = other.windows(16).position(|window| window == GUID).unwrap();
    other[at] = 8;
    assert!(reasons(Some(other), b"t.pdb").contains("another build"));
    assert!(reasons(Some(b"BSJB and more".to_vec()), b"t.pdb").contains("portable"));
    assert!(reasons(Some(b"text".to_vec()), b"t.pdb").contains("no MSF"));
}

#[test]
fn only_the_folder_of_the_image_is_looked_at() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("other")).unwrap();
    std::fs::write(bench.path("other/u.pdb"), symbols(3)).unwrap();
    for path in [
        &b"other/u.pdb"[..],
        b"..\\other\\u.pdb",
        b"C:\\other\\u.pdb",
        b"..",
        b"",
    ] {
        let document = document(&bench.write("t.exe", image(3, path)));
        assert_eq!(procedures(&document).len(), 0, "{path:?}");
    }
    std::os::unix::fs::symlink(bench.path("other/u.pdb"), bench.path("u.pdb")).unwrap();
    let linked = document(&bench.write("t.exe", image(3, b"u.pdb")));
    assert_eq!(
        procedures(&linked).len(),
        0,
        "a link out of the folder is not followed"
    );
    // By the image's own name, whatever the linker wrote.
    bench.write("t.pdb", symbols(3));
    assert_eq!(
        procedures(&document(&bench.write("t.exe", image(3, b"renamed.pdb")))).len(),
        3
    );
}

#[test]
fn a_damaged_pdb_is_partial_or_refused() {
    let bench = Bench::new();
    let whole = symbols(3);
    // Its directory stands in the last page.
    for len in (0..whole.len() - 0x200).step_by(64) {
        bench.write("t.pdb", &whole[..len]);
        let document = document(&bench.write("t.exe", image(3, b"t.pdb")));
        assert!(!document.coverage().places.is_complete(), "{len}");
    }
    let says_something = |at: &usize| {
        whole[at.saturating_sub(4)..(at + 4).min(whole.len())]
            .iter()
            .any(|byte| *byte != 0)
    };
    for at in (0..whole.len()).filter(says_something) {
        for value in [0, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            bench.write("t.pdb", bytes);
            let _ = document(&bench.write("t.exe", image(3, b"t.pdb")));
        }
    }
}

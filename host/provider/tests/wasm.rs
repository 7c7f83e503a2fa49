//! WebAssembly: numbers of functions, their names, and damaged modules.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use proptest::prelude::*;
use rea_provider::{
    Binary, Completeness, Contained, Format, Hex, NoMonitor, ProcedureKind, ResolveError,
    StringQuery,
};
use support::{Bench, document, documents, exercise, procedures, resolved, texts, torment};

fn module(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

/// Two functions named alike, one import, an export with two names, a start function.
fn dups() -> Vec<u8> {
    module(
        r#"(module
            (import "env" "log" (func $log (param i32)))
            (import "env" "memory" (memory 1))
            (func (export "a") (export "b"))
            (func $two (call $log (i32.const 1)))
            (func $three nop nop)
            (start $two)
            (data (i32.const 16) "some text of the data section"))"#,
    )
}

/// A section: id, size, content.
fn section(id: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![id];
    let mut size = content.len();
    while size >= 0x80 {
        bytes.push((size & 0x7f) as u8 | 0x80);
        size >>= 7;
    }
    bytes.push(size as u8);
    bytes.extend(content);
    bytes
}

/// A module with one import and two functions, and a name section as given.
fn named(names: &[u8]) -> Vec<u8> {
    let mut bytes = b"\0asm\x01\0\0\0".to_vec();
    bytes.extend(section(1, &[1, 0x60, 0, 0]));
    bytes.extend(section(2, b"\x01\x01m\x01f\0\0"));
    bytes.extend(section(3, &[2, 0, 0]));
    bytes.extend(section(10, &[2, 2, 0, 0x0b, 3, 0, 1, 0x0b]));
    let mut custom = b"\x04name".to_vec();
    custom.extend(section(1, names));
    bytes.extend(section(0, &custom));
    bytes
}

/// gimli-rs/object 471 and 196: functions without a symbol are not listed; indices forget the imports.
#[test]
fn object_471_every_function_is_listed_by_its_index() {
    let bench = Bench::new();
    let path = bench.write("t.wasm", dups());
    let document = document(&path);
    let all = procedures(&document);
    assert_eq!(
        all.iter()
            .map(|p| (p.spelling.as_str(), p.kind))
            .collect::<Vec<_>>(),
        [
            ("0x1", ProcedureKind::Function),
            ("0x2", ProcedureKind::Function),
            ("0x3", ProcedureKind::Function)
        ]
    );
    assert_eq!(texts(&all[0]), ["a", "b"]);
    assert_eq!(texts(&all[2]), ["three"]);
    assert_eq!(all[2].size, Some(4), "locals, two nops, end");
    let bytes = std::fs::read(&path).unwrap();
    let at = all[2].file_offset.unwrap() as usize;
    assert_eq!(bytes[at..at + 4], [0, 1, 1, 0x0b]);
    assert_eq!(resolved(&document, "two").address, 2);
    assert!(
        matches!(document.resolve("0x0"), Err(ResolveError::NotFound)),
        "an import has no code"
    );
    assert!(matches!(
        document.resolve("log"),
        Err(ResolveError::NotFound)
    ));
    assert!(document.coverage().naming.is_complete() && document.coverage().places.is_complete());
    // Numbers are no offsets: what follows a function by one is the next function, however long the first.
    assert_eq!(
        document.containing("0x2").unwrap(),
        Contained::Procedure {
            place: 1,
            offset: 0
        }
    );
    assert_eq!(
        document.containing("0x4").unwrap(),
        Contained::OutsideSegments
    );
}

#[test]
fn the_layout_lists_sections_and_imports() {
    let bench = Bench::new();
    let binary = Binary::open(&bench.write("t.wasm", dups())).unwrap();
    let identity = binary.identity();
    assert_eq!(
        (
            identity.format,
            identity.architecture.as_str(),
            identity.bits
        ),
        (Format::Wasm, "wasm32", 32)
    );
    let layout = binary.layout().unwrap();
    assert_eq!(layout.header.entry, Some(Hex(2)));
    let imports: Vec<_> = layout
        .imports
        .rows
        .iter()
        .map(|import| {
            (
                import.library.as_deref().unwrap(),
                import.name.as_str(),
                import.kind.as_str(),
            )
        })
        .collect();
    assert_eq!(
        imports,
        [("env", "log", "function"), ("env", "memory", "memory")]
    );
    assert_eq!((layout.exports.total, layout.exports.functions), (2, 2));
    let names: Vec<_> = layout
        .sections
        .rows
        .iter()
        .map(|section| section.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "type", "import", "function", "export", "start", "code", "data", "name"
        ]
    );
    assert!(layout.limitations.is_empty(), "{:?}", layout.limitations);
    let hits = binary
        .strings(
            &StringQuery {
                pattern: Some("some text".to_owned()),
                ..StringQuery::default()
            },
            0,
            10,
            &NoMonitor,
        )
        .unwrap();
    assert_eq!(hits.total, 1);
    assert_eq!(hits.hits[0].section.as_deref(), Some("data"));
    assert_eq!(binary.layout_of("t.wasm").unwrap(), Some(layout));
    assert_eq!(binary.layout_of("other").unwrap(), None);
}

/// WebAssembly/design 1094: names of the name section may repeat.
#[test]
fn design_1094_a_name_of_two_functions_is_ambiguous() {
    let bench = Bench::new();
    let document = document(&bench.write("t.wasm", named(b"\x02\x01\x03dup\x02\x03dup")));
    match document.resolve("dup") {
        Err(ResolveError::Ambiguous { spellings, total }) => {
            assert_eq!((spellings, total), (vec!["0x1".into(), "0x2".into()], 2));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_name_that_is_no_utf8_or_of_no_function_is_told() {
    let bench = Bench::new();
    let bytes = named(b"\x03\x01\x02\xff\xfe\x02\x01g\x63\x01h");
    let document = document(&bench.write("t.wasm", bytes));
    let all = procedures(&document);
    assert_eq!(texts(&all[0]), ["\\xff\\xfe"]);
    assert!(!all[0].names[0].offered && all[0].names[0].escaped);
    assert_eq!(texts(&all[1]), ["g"]);
    let Completeness::Partial(reasons) = &document.coverage().naming else {
        panic!("a name of function 99 is a contradiction");
    };
    assert!(reasons[0].contains("1 names are of functions that don't exist"));
}

#[test]
fn a_module_that_is_cut_off_is_partial() {
    let bench = Bench::new();
    let whole = named(b"\x01\x01\x01g");
    let document = document(&bench.write("t.wasm", &whole[..whole.len() - 3]));
    assert_eq!(procedures(&document).len(), 2);
    assert!(!document.extent().naming_complete);
    let error = Binary::open(&bench.write("t", &b"\0asm\x01\0\0\0"[..7])).map(|_| ());
    assert!(error.is_err());
}

#[test]
fn functions_can_t_be_numbered_without_all_imports() {
    let bench = Bench::new();
    let mut bytes = named(b"\x01\x01\x01g");
    let at = bytes.windows(4).position(|w| w == b"\x01m\x01f").unwrap();
    bytes[at + 4] = 9;
    let document = document(&bench.write("t.wasm", bytes));
    assert_eq!(document.extent().places, 0);
    assert!(!document.extent().naming_complete && !document.coverage().places.is_complete());
}

/// gimli-rs/object: components are refused as an "unsupported encoding"; here each core module is a document.
#[test]
fn a_component_is_one_document_for_each_core_module() {
    let bench = Bench::new();
    let path = bench.write(
        "t.wasm",
        module(
            r#"(component
                (core module (func (export "f")))
                (component (core module (func (export "g")) (func $h))))"#,
        ),
    );
    let all = documents(&path);
    assert_eq!(
        all.iter().map(|d| d.name()).collect::<Vec<_>>(),
        ["module-0", "module-1"]
    );
    assert!(all[0].resolve("f").is_ok() && all[0].resolve("g").is_err());
    assert_eq!(resolved(&all[1], "h").address, 1);
    let bytes = std::fs::read(&path).unwrap();
    let at = resolved(&all[1], "h").file_offset.unwrap() as usize;
    assert_eq!(bytes[at..at + 2], [0, 0x0b]);
    let binary = Binary::open(&path).unwrap();
    assert_eq!(binary.layout().unwrap().members.total, 2);
    let of_module = binary.layout_of("module-1").unwrap().unwrap();
    assert_eq!(of_module.exports.functions, 1);
    assert_eq!(binary.layout_of("module-2").unwrap(), None);
    let empty = documents(&bench.write("e.wasm", module("(component)")));
    assert!(empty.len() == 1 && !empty[0].extent().naming_complete);
}

#[test]
fn symbols_of_an_object_file_are_names() {
    let bench = Bench::new();
    let mut bytes = named(b"\0");
    // linking, version 2, a symbol table: f is imported and has no name, g is weak, h is local.
    let symbols = section(8, b"\x03\0\x10\0\0\x01\x01\x01g\0\x02\x02\x01h");
    let mut custom = b"\x07linking\x02".to_vec();
    custom.extend(symbols);
    bytes.extend(section(0, &custom));
    let path = bench.write("t.o", bytes);
    let document = document(&path);
    assert_eq!(resolved(&document, "g").address, 1);
    assert_eq!(resolved(&document, "h").address, 2);
    assert_eq!(
        Binary::open(&path).unwrap().identity().kind,
        rea_provider::TargetKind::Relocatable
    );
}

#[test]
fn a_damaged_module_is_an_error_or_an_answer() {
    torment(&dups());
    torment(&named(b"\x02\x01\x03dup\x02\x03dup"));
    torment(&module(
        r#"(component (core module (func (export "f"))) (component (core module (func $h))))"#,
    ));
}

/// A file of a few bytes that claims four billion functions.
#[test]
fn claims_of_counts_take_no_memory() {
    let bench = Bench::new();
    let huge = b"\xff\xff\xff\xff\x0f";
    let mut bytes = b"\0asm\x01\0\0\0".to_vec();
    bytes.extend(section(3, huge));
    bytes.extend(section(10, huge));
    bytes.extend(section(7, huge));
    exercise(&bench.write("t.wasm", bytes));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_sections_are_an_error_or_an_answer(parts in proptest::collection::vec((0u8..15, proptest::collection::vec(any::<u8>(), 0..60)), 0..12), component in any::<bool>()) {
        let mut bytes = if component { b"\0asm\x0d\0\x01\0".to_vec() } else { b"\0asm\x01\0\0\0".to_vec() };
        for (id, content) in parts {
            bytes.extend(section(id, &content));
        }
        let bench = Bench::new();
        exercise(&bench.write("t", bytes));
    }
}

//! Symbol tables of COFF, in images and in objects.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use rea_provider::{Binary, Binding, Format, ProcedureKind, TargetKind};
use support::pe::{
    AMD64, BASE, CODE, DATA, EXTERNAL, FUNCTION, I386, STATIC, TinyCoff, TinyPe, code, object,
    rdata, symbol,
};
use support::{Bench, document, names, procedures, resolved, texts};

fn of_section(name: &[u8], section: i16) -> TinyCoff<'_> {
    TinyCoff {
        aux: vec![[0; 18]],
        ..symbol(name, 0, section, 0, STATIC)
    }
}

/// What tools leave in a table beside functions.
fn clutter() -> Vec<TinyCoff<'static>> {
    vec![
        TinyCoff {
            aux: vec![*b"a.c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"],
            ..symbol(b".file", 0, -2, 0, 103)
        },
        symbol(b"@comp.id", 0x1234, -1, 0, STATIC),
        symbol(b"@feat.00", 1, -1, 0, STATIC),
        of_section(b".text", 1),
        of_section(b".rdata", 2),
        TinyCoff {
            aux: vec![[0; 18]],
            ..symbol(b".bf", 0x10, 1, 0, 101)
        },
        symbol(b".lf", 2, 1, 0, 101),
        symbol(b".ef", 0x20, 1, 0, 101),
        symbol(b".L12", 0x34, 1, 0, STATIC),
        symbol(b"__imp_Sleep", 8, 2, 0, EXTERNAL),
        symbol(b"undefined", 0, 0, FUNCTION, EXTERNAL),
    ]
}

/// The systemd-boot of Debian: symbols that were ELF ones have no type, and are found by their section.
#[test]
fn symbols_without_a_type_are_found_by_their_section() {
    let bench = Bench::new();
    let mut symbols = clutter();
    symbols.extend([
        symbol(b"efi_main", 0x10, 1, 0, EXTERNAL),
        symbol(b"a_rather_long_name", 0x20, 1, 0, STATIC),
        symbol(b"typed", 0x40, 1, FUNCTION, EXTERNAL),
        symbol(b"part.cold", 0x50, 1, FUNCTION, STATIC),
        symbol(b"table", 0, 2, 0, EXTERNAL),
        symbol(b"far", 0x9999, 1, FUNCTION, EXTERNAL),
    ]);
    let document = document(
        &bench.write(
            "t.efi",
            TinyPe {
                characteristics: 0x22,
                sections: vec![code(), rdata(vec![0; 16])],
                symbols,
                ..TinyPe::default()
            }
            .bytes(),
        ),
    );
    let found: Vec<(u64, &str, ProcedureKind)> = Vec::new();
    let all = procedures(&document);
    let found = all.iter().fold(found, |mut found, p| {
        found.push((p.address - BASE, texts(p)[0], p.kind));
        found
    });
    assert_eq!(
        found,
        [
            (0x1010, "efi_main", ProcedureKind::Label),
            (0x1020, "a_rather_long_name", ProcedureKind::Label),
            (0x1040, "typed", ProcedureKind::Function),
            (0x1050, "part.cold", ProcedureKind::Fragment),
        ]
    );
    assert_eq!(document.coverage().outside, 1);
    assert!(document.coverage().naming.is_complete() && document.coverage().places.is_complete());
    assert_eq!(
        resolved(&document, "a_rather_long_name").names[0].binding,
        Binding::Local
    );
    document.release_text();
    assert_eq!(texts(&resolved(&document, "efi_main")), ["efi_main"]);
}

/// An address is no key in an object: with a section for every function all are at 0.
#[test]
fn functions_of_an_object_are_told_apart_by_section() {
    let bench = Bench::new();
    for big in [false, true] {
        let bytes = object(
            AMD64,
            &[
                (b".text$f", CODE, &[0x90; 16]),
                (b".text$g", CODE, &[0x90; 16]),
                (b".data", DATA, &[0; 8]),
            ],
            &[
                of_section(b".text$f", 1),
                symbol(b"f", 0, 1, FUNCTION, EXTERNAL),
                of_section(b".text$g", 2),
                symbol(b"g", 0, 2, FUNCTION, EXTERNAL),
                symbol(b"h", 8, 2, FUNCTION, STATIC),
                symbol(b"data", 0, 3, 0, EXTERNAL),
            ],
            big,
        );
        let path = bench.write("t.obj", bytes);
        let binary = Binary::open(&path).unwrap();
        assert_eq!(
            (
                binary.identity().format,
                binary.identity().kind,
                binary.identity().bits
            ),
            (Format::Coff, TargetKind::Relocatable, 64)
        );
        let document = document(&path);
        let spelled: Vec<(String, String)> = procedures(&document)
            .iter()
            .map(|p| (p.spelling.clone(), texts(p)[0].to_owned()))
            .collect();
        let expected = [("0x0@.text$f", "f"), ("0x0@.text$g", "g"), ("0x8", "h")];
        assert_eq!(
            spelled,
            expected.map(|(a, b)| (a.to_owned(), b.to_owned())),
            "big: {big}"
        );
        let layout = binary.layout().unwrap();
        assert_eq!(layout.exports.functions, 2);
    }
}

/// A weak function of GNU tools has its name on a symbol that is defined nowhere and names its body.
#[test]
fn a_weak_symbol_names_what_it_falls_back_to() {
    let bench = Bench::new();
    let mut aux = [0u8; 18];
    aux[0] = 1;
    let document = document(&bench.write(
        "t.o",
        object(
            I386,
            &[(b".text", CODE, &[0x90; 16])],
            &[
                symbol(b"_main", 8, 1, FUNCTION, EXTERNAL),
                symbol(b".weak._f.default._main", 0, 1, FUNCTION, EXTERNAL),
                TinyCoff {
                    aux: vec![aux],
                    ..symbol(b"_f", 0, 0, FUNCTION, 105)
                },
            ],
            false,
        ),
    ));
    assert_eq!(
        names(&document),
        [(0, "_f".to_owned()), (8, "_main".to_owned())].into(),
        "the underscore of 32-bit code belongs to the name"
    );
    assert_eq!(resolved(&document, "_f").names[0].binding, Binding::Weak);
}

/// object 347, goblin 304 and 466: a name that is no UTF-8 kills the parse.
#[test]
fn object_347_a_name_that_is_no_text_is_kept_and_not_offered() {
    let bench = Bench::new();
    let document = document(&bench.write(
        "t.obj",
        object(
            AMD64,
            &[(b".text", CODE, &[0x90; 16])],
            &[symbol(b"a\xff", 0, 1, FUNCTION, EXTERNAL)],
            false,
        ),
    ));
    assert_eq!(texts(&procedures(&document)[0]), ["a\\xff"]);
    assert_eq!(
        (document.extent().names, document.coverage().unoffered_names),
        (0, 1)
    );
}

#[test]
fn names_that_run_out_of_the_table_make_naming_partial() {
    let bench = Bench::new();
    let mut bytes = object(
        AMD64,
        &[(b".text", CODE, &[0x90; 16])],
        &[symbol(b"quite_a_long_name", 0, 1, FUNCTION, EXTERNAL)],
        false,
    );
    bytes.truncate(bytes.len() - 3);
    let document = document(&bench.write("t.obj", bytes));
    assert!(!document.coverage().naming.is_complete());
    assert_eq!(
        procedures(&document).len(),
        1,
        "the place is there without its name"
    );
}

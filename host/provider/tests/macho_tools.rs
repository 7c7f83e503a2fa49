//! Mach-O files made by LLVM's tools, held against what these say of them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use rea_provider::{Binary, Document, NoMonitor, ProcedureKind, TargetKind};
use support::need::program;
use support::{Bench, consistent, count, document, names, procedures, resolved, run};

const SOURCE: &str = "
extern int puts(const char *);
__attribute__((constructor)) static void first(void) { puts(\"first\"); }
static int __attribute__((noinline)) hidden(int x) { return x * 3; }
int __attribute__((noinline)) shown(int x) { puts(\"shown\"); return hidden(x) + 1; }
int main(int c, char **v) { (void)v; return shown(c); }
";
/// What a linker must know of the one library that is needed.
const LIBRARY: &str = "--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libSystem.B.dylib'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ _puts, dyld_stub_binder, __objc_empty_cache, _objc_msgSend ]
    objc-classes: [ Other ]
...
";
const PROCESSORS: [&str; 2] = ["x86_64", "arm64"];

struct Tools {
    bench: Bench,
    clang: PathBuf,
    linker: PathBuf,
    lipo: PathBuf,
    strip: PathBuf,
    nm: PathBuf,
    objdump: PathBuf,
}

impl Tools {
    fn find(test: &str) -> Option<Tools> {
        let bench = Bench::new();
        bench.write("a.c", SOURCE);
        bench.write("library.tbd", LIBRARY);
        Some(Tools {
            bench,
            clang: program(test, &["clang-22", "clang"])?,
            linker: program(test, &["ld64.lld-22", "ld64.lld"])?,
            lipo: program(test, &["llvm-lipo-22", "llvm-lipo"])?,
            strip: program(test, &["llvm-strip-22", "llvm-strip"])?,
            nm: program(test, &["llvm-nm-22", "llvm-nm"])?,
            objdump: program(test, &["llvm-objdump-22", "llvm-objdump"])?,
        })
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> String {
        run(Command::new(program)
            .current_dir(self.bench.path(""))
            .args(arguments))
    }

    fn object(&self, processor: &str, options: &[&str]) -> String {
        let output = format!("{processor}.o");
        let target = format!("{processor}-apple-macos12");
        let mut arguments = vec!["-target", &target, "-O1", "-c", "a.c", "-o", &output];
        arguments.extend(options);
        self.run(&self.clang, &arguments);
        output
    }

    fn linked(&self, processor: &str, options: &[&str]) -> String {
        let object = self.object(processor, &["-g"]);
        let mut arguments = vec![
            "-arch",
            processor,
            "-platform_version",
            "macos",
            "12.0",
            "12.0",
            "-o",
            processor,
            &object,
            "library.tbd",
        ];
        arguments.extend(options);
        self.run(&self.linker, &arguments);
        processor.to_owned()
    }

    /// What `llvm-nm` knows as code.
    fn code(&self, processor: &str, file: &str) -> BTreeSet<(u64, String)> {
        let arch = format!("--arch={processor}");
        self.run(&self.nm, &["--defined-only", &arch, file])
            .lines()
            .filter_map(|line| {
                let mut fields = line.splitn(3, ' ');
                let address = u64::from_str_radix(fields.next()?, 16).ok()?;
                let kind = fields.next()?;
                let name = fields.next()?;
                (matches!(kind, "T" | "t")
                    && !name.starts_with("__mh_")
                    && !name.starts_with("ltmp"))
                .then(|| (address, name.to_owned()))
            })
            .collect()
    }

    /// What `llvm-objdump` reads in LC_FUNCTION_STARTS.
    fn starts(&self, processor: &str, file: &str) -> BTreeSet<u64> {
        let arch = format!("--arch={processor}");
        self.run(
            &self.objdump,
            &["--macho", "--function-starts", &arch, file],
        )
        .split_whitespace()
        .filter(|word| word.len() >= 8)
        .filter_map(|word| u64::from_str_radix(word, 16).ok())
        .collect()
    }
}

/// Names and places that don't come from stubs.
fn without_stubs(document: &Document) -> (BTreeSet<(u64, String)>, BTreeSet<u64>) {
    let rows: Vec<_> = procedures(document)
        .into_iter()
        .filter(|p| p.kind != ProcedureKind::ImportStub)
        .collect();
    (
        rows.iter()
            .flat_map(|p| p.names.iter().map(|name| (p.address, name.text.clone())))
            .collect(),
        rows.iter().map(|p| p.address).collect(),
    )
}

/// cle 750, ghidra 3586; radare2 6763: a stripped universal file has all functions, in each slice its own.
#[test]
fn cle_750_a_stripped_universal_program_keeps_its_functions() {
    let Some(tools) = Tools::find("cle_750_a_stripped_universal_program_keeps_its_functions")
    else {
        return;
    };
    for processor in PROCESSORS {
        tools.linked(processor, &[]);
    }
    tools.run(
        &tools.lipo,
        &["-create", "x86_64", "arm64", "-output", "both"],
    );
    std::fs::copy(tools.bench.path("both"), tools.bench.path("stripped")).unwrap();
    tools.run(&tools.strip, &["-x", "stripped"]);
    for file in ["both", "stripped"] {
        let binary = Binary::open(&tools.bench.path(file)).unwrap();
        let inventory = binary.inventory(&NoMonitor).unwrap();
        assert_eq!(inventory.documents().len(), 2);
        for processor in PROCESSORS {
            let document = inventory.document(&format!("{file}:{processor}")).unwrap();
            consistent(document);
            let (names, places) = without_stubs(document);
            assert_eq!(names, tools.code(processor, file), "{file} {processor}");
            assert_eq!(places, tools.starts(processor, file), "{file} {processor}");
            assert_eq!(places.len(), 4);
            assert_eq!(names.len(), if file == "both" { 4 } else { 2 });
            assert!(document.coverage().naming.is_complete());
            assert!(document.coverage().places.is_complete());
            assert_eq!(count(document, ProcedureKind::ImportStub), 1);
            assert_eq!(
                resolved(document, "_puts@plt").kind,
                ProcedureKind::ImportStub
            );
        }
    }
}

#[test]
fn without_function_starts_other_tables_tell_them() {
    let Some(tools) = Tools::find("without_function_starts_other_tables_tell_them") else {
        return;
    };
    for options in [
        &["-no_function_starts"][..],
        &["-no_function_starts", "-fixup_chains"],
    ] {
        for processor in PROCESSORS {
            let file = tools.linked(processor, options);
            let whole = without_stubs(&document(&tools.bench.path(&file))).1;
            tools.run(&tools.strip, &[&file]);
            let document = document(&tools.bench.path(&file));
            let (_, places) = without_stubs(&document);
            assert_eq!(places, whole, "{options:?} {processor}");
            assert!(!document.coverage().places.is_complete());
            assert!(
                document.coverage().sources.iter().any(|source| {
                    (source.source.ends_with("__mod_init_func")
                        || source.source.ends_with("__init_offsets"))
                        && source.rows == 1
                }),
                "{:?}",
                document.coverage()
            );
        }
    }
}

#[test]
fn object_files_and_debug_companions_read_like_nm() {
    let Some(tools) = Tools::find("object_files_and_debug_companions_read_like_nm") else {
        return;
    };
    let Some(dsymutil) = program(
        "object_files_and_debug_companions_read_like_nm",
        &["dsymutil-22", "dsymutil"],
    ) else {
        return;
    };
    for processor in PROCESSORS {
        let object = tools.object(processor, &[]);
        let read = document(&tools.bench.path(&object));
        assert_eq!(names(&read), tools.code(processor, &object), "{processor}");
        assert!(read.coverage().places.is_complete());
        let file = tools.linked(processor, &[]);
        tools.run(&dsymutil, &["--flat", &file, "-o", "companion"]);
        let path = tools.bench.path("companion");
        let binary = Binary::open(&path).unwrap();
        assert_eq!(binary.identity().kind, TargetKind::DebugCompanion);
        let companion = document(&path);
        assert_eq!(
            names(&companion),
            tools.code(processor, "companion"),
            "{processor}"
        );
        assert!(companion.coverage().naming.is_complete());
        assert_eq!(resolved(&companion, "_main").file_offset, None);
        let ids: Vec<_> = [tools.bench.path(&file), path]
            .iter()
            .map(|path| Binary::open(path).unwrap().layout().unwrap().build_id)
            .collect();
        assert!(ids[0].is_some() && ids[0] == ids[1], "{ids:?}");
    }
}

/// cle 769: labels inside a function, weak definitions and private symbols.
#[test]
fn cle_769_labels_and_weak_definitions_of_an_assembler() {
    let test = "cle_769_labels_and_weak_definitions_of_an_assembler";
    let Some(tools) = Tools::find(test) else {
        return;
    };
    let source = "
.section __TEXT,__text,regular,pure_instructions
.globl _main
_main: ret
.globl _weak
.weak_definition _weak
_weak: ret
.private_extern _private
.globl _private
_private: ret
.globl _inner
.alt_entry _inner
_inner: ret
.section __TEXT,__const
.globl _table
_table: .quad 1
.subsections_via_symbols
";
    tools.bench.write("a.s", source);
    tools.run(
        &tools.clang,
        &["-target", "arm64-apple-macos12", "-c", "a.s", "-o", "a.o"],
    );
    let object = document(&tools.bench.path("a.o"));
    let kind = |name: &str| resolved(&object, name).kind;
    assert_eq!(kind("_inner"), ProcedureKind::Label);
    assert_eq!(kind("_main"), ProcedureKind::Function);
    assert!(object.resolve("_table").is_err() && object.resolve("ltmp0").is_err());
    assert_eq!(
        resolved(&object, "_weak").names[0].binding,
        rea_provider::Binding::Weak
    );
    assert_eq!(names(&object).len(), 4);
}

const CLASSES: &str = "
__attribute__((objc_root_class)) @interface A { void *isa; }
- (int)one;
- (int)two:(int)x with:(int)y;
+ (int)three;
@end
@implementation A
- (int)one { return 1; }
- (int)two:(int)x with:(int)y { return x * 3 + y; }
+ (int)three { return 3; }
@end
__attribute__((objc_root_class)) @interface Empty @end
@implementation Empty @end
@interface A (More)
- (int)four;
+ (int)five;
@end
@implementation A (More)
- (int)four { return 4; }
+ (int)five { return 5; }
@end
__attribute__((objc_root_class)) @interface Other @end
@interface Other (Own)
- (int)six;
@end
@implementation Other (Own)
- (int)six { return 6; }
@end
int main(void) { return 0; }
";

/// Stripping takes the symbols of methods; the metadata tell the same names.
#[test]
fn methods_of_a_stripped_program_are_named_by_their_metadata() {
    let test = "methods_of_a_stripped_program_are_named_by_their_metadata";
    let Some(tools) = Tools::find(test) else {
        return;
    };
    tools.bench.write("b.m", CLASSES);
    for (version, options) in [
        ("12.0", &["-fixup_chains"][..]),
        ("12.0", &["-fixup_chains", "-no_objc_relative_method_lists"]),
        ("12.0", &["-fixup_chains", "-objc_relative_method_lists"]),
        ("10.9", &["-no_fixup_chains"]),
    ] {
        for processor in PROCESSORS {
            let target = format!("{processor}-apple-macos{version}");
            tools.run(
                &tools.clang,
                &["-target", &target, "-O1", "-c", "b.m", "-o", "b.o"],
            );
            let mut arguments = vec![
                "-arch",
                processor,
                "-platform_version",
                "macos",
                version,
                version,
                "-o",
                "b",
                "b.o",
                "library.tbd",
            ];
            arguments.extend(options);
            tools.run(&tools.linker, &arguments);
            let methods = |document: &Document| -> BTreeSet<(u64, String)> {
                names(document)
                    .into_iter()
                    .filter(|(_, name)| name.ends_with(']'))
                    .collect()
            };
            let expected = methods(&document(&tools.bench.path("b")));
            assert_eq!(expected.len(), 6);
            tools.run(&tools.strip, &["b"]);
            let stripped = document(&tools.bench.path("b"));
            assert_eq!(
                methods(&stripped),
                expected,
                "{version} {options:?} {processor}"
            );
            assert!(
                stripped.coverage().naming.is_complete(),
                "{:?}",
                stripped.coverage()
            );
            let one = resolved(&stripped, "-[A one]");
            assert!(!one.names[0].sources.symtab && !one.names[0].sources.dynsym);
        }
    }
}

/// Bits turned in the tables of a real program: an answer or an error, in bounded time.
#[test]
fn damaged_programs_with_classes_are_answered() {
    let test = "damaged_programs_with_classes_are_answered";
    let Some(tools) = Tools::find(test) else {
        return;
    };
    tools.bench.write("b.m", CLASSES);
    for (processor, options) in [("x86_64", "-no_fixup_chains"), ("arm64", "-fixup_chains")] {
        let target = format!("{processor}-apple-macos12");
        tools.run(
            &tools.clang,
            &["-target", &target, "-O1", "-c", "b.m", "-o", "b.o"],
        );
        tools.run(
            &tools.linker,
            &[
                "-arch",
                processor,
                "-platform_version",
                "macos",
                "12.0",
                "12.0",
                "-o",
                "b",
                "b.o",
                "library.tbd",
                options,
            ],
        );
        tools.run(&tools.strip, &["b"]);
        let whole = std::fs::read(tools.bench.path("b")).unwrap();
        let busy: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] != 0).collect();
        // A fixed sequence, so that a failure comes again.
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        for _ in 0..1500 {
            let mut bytes = whole.clone();
            for _ in 0..=next(6) {
                let at = busy[next(busy.len())];
                bytes[at] ^= 1 << next(8);
            }
            let path = tools.bench.write("damaged", bytes);
            let Ok(binary) = Binary::open(&path) else {
                continue;
            };
            let _ = binary.layout();
            if let Ok(inventory) = binary.inventory(&NoMonitor) {
                inventory
                    .documents()
                    .iter()
                    .for_each(|document| consistent(document));
            }
        }
    }
}

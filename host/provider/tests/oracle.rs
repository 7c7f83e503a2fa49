//! Against nm and readelf on files of this machine: the same addresses with the same names.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use rea_provider::ProcedureKind;
use support::{Bench, count, document_alone, procedures, run};

type Rows = BTreeSet<(u64, String)>;

/// What readelf says: functions, resolvers and untyped symbols in executable sections; and everything else.
fn by_readelf(path: &Path) -> (Rows, Rows) {
    let sections = run(Command::new("readelf").args(["-SW"]).arg(path));
    let mut executable: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for line in sections.lines() {
        let Some((number, rest)) = line
            .trim_start()
            .strip_prefix('[')
            .and_then(|line| line.split_once(']'))
        else {
            continue;
        };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        if let [_, _, address, _, size, _, flags, ..] = fields.as_slice()
            && flags.contains('X')
        {
            let hex = |text: &str| u64::from_str_radix(text, 16).unwrap();
            executable.insert(number.trim().to_owned(), (hex(address), hex(size)));
        }
    }
    let (mut rows, mut data) = (Rows::new(), Rows::new());
    for line in run(Command::new("readelf").args(["-sW"]).arg(path)).lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [number, value, _, kind, bind, _, section, name, ..] = fields.as_slice() else {
            continue;
        };
        let (true, Ok(value)) = (number.ends_with(':'), u64::from_str_radix(value, 16)) else {
            continue;
        };
        let untyped = *kind == "NOTYPE" && !(name.starts_with(".L") && *bind == "LOCAL");
        let inside = executable
            .get(*section)
            .is_some_and(|(start, size)| (*start..start + size).contains(&value));
        if inside && (matches!(*kind, "FUNC" | "IFUNC") || untyped) {
            rows.insert((value, (*name).to_owned()));
        } else {
            data.insert((value, (*name).to_owned()));
        }
    }
    (rows, data)
}

/// What nm says is code: T, t, i, and W and w where readelf knows the address as code.
fn by_nm(path: &Path, option: &str, code: &BTreeSet<u64>) -> Rows {
    let text = run(Command::new("nm")
        .args(["--defined-only", option])
        .arg(path));
    let mut rows = Rows::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if let [value, kind, name] = fields.as_slice()
            && let Ok(value) = u64::from_str_radix(value, 16)
            && matches!(*kind, "T" | "t" | "i" | "W" | "w")
            && code.contains(&value)
        {
            rows.insert((value, (*name).to_owned()));
        }
    }
    rows
}

/// The stubs that objdump names, but for those of resolvers, which have no symbol (`*ABS*+0x1234@plt`).
fn by_objdump(path: &Path) -> Rows {
    let mut rows = Rows::new();
    for section in [".plt", ".plt.sec", ".plt.got", ".iplt"] {
        // It fails where there is no such section.
        let output = Command::new("objdump")
            .args(["-d", "--no-show-raw-insn", "-j", section])
            .arg(path)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        rows.extend(text.lines().filter_map(|line| {
            let (address, name) = line.strip_suffix("@plt>:")?.split_once(" <")?;
            let address = u64::from_str_radix(address, 16).ok()?;
            (!name.starts_with("*ABS*")).then(|| (address, format!("{name}@plt")))
        }));
    }
    rows
}

/// Our rows, without the bare forms of names that carry a version.
fn ours(path: &Path) -> (Rows, Rows) {
    let document = document_alone(path);
    let mut bare = Rows::new();
    let mut rows = Rows::new();
    for procedure in procedures(&document) {
        for name in &procedure.names {
            assert!(procedure.names_total <= 256);
            rows.insert((procedure.address, name.text.clone()));
            if name.version.is_some() {
                let raw = name.text.split('@').next().unwrap();
                bare.insert((procedure.address, raw.to_owned()));
            }
        }
    }
    (rows, bare)
}

fn agree(path: &Path) {
    let (reference, data) = by_readelf(path);
    let code: BTreeSet<u64> = reference.iter().map(|(address, _)| *address).collect();
    let (rows, bare) = ours(path);
    let missing: Vec<_> = reference.difference(&rows).take(5).collect();
    assert!(
        missing.is_empty(),
        "{}: not found: {missing:x?}",
        path.display()
    );
    let extra: Vec<_> = rows
        .iter()
        .filter(|row| !reference.contains(row) && !bare.contains(row))
        .filter(|row| !row.1.ends_with("@plt"))
        .take(5)
        .collect();
    assert!(extra.is_empty(), "{}: made up: {extra:x?}", path.display());
    let stubs: Rows = rows
        .iter()
        .filter(|row| row.1.ends_with("@plt"))
        .cloned()
        .collect();
    assert_eq!(stubs, by_objdump(path), "{}", path.display());
    for option in ["-D", "-a"] {
        let nm = by_nm(path, option, &code);
        let missing: Vec<_> = nm
            .difference(&rows)
            .filter(|row| !data.contains(row) && !row.1.starts_with('.'))
            .take(5)
            .collect();
        assert!(
            missing.is_empty(),
            "{}: nm {option} knows {missing:x?}",
            path.display()
        );
    }
}

fn on_this_machine(candidates: &[&str]) -> Option<PathBuf> {
    candidates
        .iter()
        .map(PathBuf::from)
        .find(|path| path.is_file())
}

#[test]
fn built_here() {
    let bench = Bench::new();
    let source = "#include <stdio.h>\n#include <string.h>\nint a(void) { return 1; } int b(void) __attribute__((weak, alias(\"a\"))); int main(int c, char **v) { puts(v[c - 1]); return a(); }";
    for options in [
        &["-O0"][..],
        &["-O2", "-static"],
        &["-O2", "-no-pie", "-g"],
        &["-shared", "-fPIC"],
    ] {
        agree(&bench.gcc("t", &[("a.c", source)], options));
    }
}

#[test]
fn git() {
    if let Some(path) = on_this_machine(&["/usr/bin/git"]) {
        agree(&path);
    }
}

/// libdatadog PR 609 on a real library: IFUNCs are dozens of the names of libc.
#[test]
fn libc() {
    let Some(path) = on_this_machine(&[
        "/lib/x86_64-linux-gnu/libc.so.6",
        "/lib64/libc.so.6",
        "/usr/lib/libc.so.6",
    ]) else {
        return;
    };
    agree(&path);
    let resolvers = run(Command::new("readelf")
        .args(["-sW", "--dyn-syms"])
        .arg(&path))
    .lines()
    .filter(|line| line.contains(" IFUNC "))
    .map(|line| line.split_whitespace().nth(1).unwrap().to_owned())
    .collect::<BTreeSet<_>>();
    let document = document_alone(&path);
    let found = procedures(&document)
        .iter()
        .filter(|p| p.kind == ProcedureKind::IfuncResolver)
        .map(|p| format!("{:016x}", p.address))
        .collect::<BTreeSet<_>>();
    assert_eq!(found, resolvers);
    assert!(count(&document, ProcedureKind::IfuncResolver) > 0);
}

/// The toolchain's own compiler: 165,000 symbols.
#[test]
fn rustc() {
    let sysroot = run(Command::new("rustc").args(["--print", "sysroot"]));
    let folder = Path::new(sysroot.trim()).join("lib");
    let library = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|path| {
            path.file_name().is_some_and(|name| {
                name.to_string_lossy().starts_with("librustc_driver-")
                    && path.extension().is_some_and(|extension| extension == "so")
            })
        });
    if let Some(path) = library {
        agree(&path);
    }
}

//! How an image is protected, and what says so.

use object::elf;

use super::imports::Seen;
use super::notes::Notes;
use crate::elf::Elf;
use crate::elf::dynamic::{Dynamic, PIE};
use crate::layout::Finding;

const DF_BIND_NOW: u64 = 8;
const DF_1_NOW: u64 = 1;

pub(super) fn read(
    elf: &Elf,
    dynamic: Option<&Dynamic>,
    notes: &Notes,
    seen: &Seen,
) -> Vec<Finding> {
    let mut found = Vec::new();
    if elf.is_relocatable() {
        found.push(Finding::new(
            "pie",
            "not-applicable",
            "ET_REL: a linker decides",
        ));
    } else {
        found.extend([
            pie(elf, dynamic),
            nx(elf),
            relro(elf, dynamic),
            writable_code(elf),
        ]);
    }
    found.push(match &seen.canary {
        Some(name) => Finding::new("stack-canary", "yes", format!("it refers to {name}")),
        None if seen.has_tables => Finding::new(
            "stack-canary",
            "not-seen",
            "no symbol of it is there; in a static, stripped file that proves nothing",
        ),
        None => Finding::new("stack-canary", "unknown", "there is no symbol table"),
    });
    found.push(match &seen.fortified {
        (0, _) if seen.has_tables => Finding::new(
            "fortify-source",
            "not-seen",
            "no checked function (__*_chk) is referred to",
        ),
        (0, _) => Finding::new("fortify-source", "unknown", "there is no symbol table"),
        (count, examples) => Finding::new(
            "fortify-source",
            "yes",
            format!("{count} checked functions, as {}", examples.join(", ")),
        ),
    });
    if matches!(elf.header.machine, 3 | 62) {
        found.push(feature(
            "cet-ibt",
            notes.x86_features,
            1,
            "GNU_PROPERTY_X86_FEATURE_1_AND",
        ));
        found.push(feature(
            "cet-shadow-stack",
            notes.x86_features,
            2,
            "GNU_PROPERTY_X86_FEATURE_1_AND",
        ));
    }
    if elf.header.machine == elf::EM_AARCH64.0 {
        found.push(feature(
            "bti",
            notes.aarch64_features,
            1,
            "GNU_PROPERTY_AARCH64_FEATURE_1_AND",
        ));
        found.push(feature(
            "pointer-authentication",
            notes.aarch64_features,
            2,
            "GNU_PROPERTY_AARCH64_FEATURE_1_AND",
        ));
    }
    found
}

fn pie(elf: &Elf, dynamic: Option<&Dynamic>) -> Finding {
    let says_so = dynamic
        .and_then(|dynamic| dynamic.get(elf::DT_FLAGS_1))
        .is_some_and(|flags| flags & PIE != 0);
    let has_interpreter = elf
        .segments
        .iter()
        .any(|segment| segment.kind == elf::PT_INTERP.0);
    let is_library = dynamic.is_some_and(|dynamic| dynamic.get(elf::DT_SONAME).is_some());
    match elf.header.kind {
        2 => Finding::new("pie", "no", "ET_EXEC: it is loaded at its own addresses"),
        3 if says_so => Finding::new("pie", "yes", "ET_DYN and DF_1_PIE"),
        3 if has_interpreter && !is_library => Finding::new("pie", "yes", "ET_DYN and PT_INTERP"),
        3 => Finding::new(
            "pie",
            "not-applicable",
            "ET_DYN: a shared library, loaded anywhere",
        ),
        _ => Finding::new("pie", "not-applicable", "it is no program"),
    }
}

fn nx(elf: &Elf) -> Finding {
    match elf
        .segments
        .iter()
        .find(|segment| segment.kind == elf::PT_GNU_STACK.0)
    {
        Some(stack) if stack.flags & elf::PF_X.0 == 0 => {
            Finding::new("nx", "yes", "PT_GNU_STACK is not executable")
        }
        Some(_) => Finding::new("nx", "no", "PT_GNU_STACK asks for an executable stack"),
        None => Finding::new(
            "nx",
            "unknown",
            "there is no PT_GNU_STACK: the kernel decides by architecture",
        ),
    }
}

fn writable_code(elf: &Elf) -> Finding {
    let both = elf::PF_W.0 | elf::PF_X.0;
    let count = elf
        .segments
        .iter()
        .filter(|segment| segment.kind == elf::PT_LOAD.0 && segment.flags & both == both)
        .count();
    match count {
        0 => Finding::new(
            "writable-code",
            "no",
            "no PT_LOAD is both writable and executable",
        ),
        count => Finding::new(
            "writable-code",
            "yes",
            format!("{count} PT_LOAD writable and executable"),
        ),
    }
}

fn relro(elf: &Elf, dynamic: Option<&Dynamic>) -> Finding {
    if !elf
        .segments
        .iter()
        .any(|segment| segment.kind == elf::PT_GNU_RELRO.0)
    {
        return Finding::new("relro", "none", "there is no PT_GNU_RELRO");
    }
    let Some(dynamic) = dynamic else {
        return Finding::new(
            "relro",
            "partial",
            "PT_GNU_RELRO, and no dynamic section: nothing is bound while it runs",
        );
    };
    let has = |tag, bit: u64| dynamic.get(tag).is_some_and(|flags| flags & bit != 0);
    if dynamic.get(elf::DT_BIND_NOW).is_some() {
        Finding::new("relro", "full", "PT_GNU_RELRO and DT_BIND_NOW")
    } else if has(elf::DT_FLAGS, DF_BIND_NOW) {
        Finding::new("relro", "full", "PT_GNU_RELRO and DF_BIND_NOW")
    } else if has(elf::DT_FLAGS_1, DF_1_NOW) {
        Finding::new("relro", "full", "PT_GNU_RELRO and DF_1_NOW")
    } else {
        Finding::new("relro", "partial", "PT_GNU_RELRO without binding at start")
    }
}

fn feature(name: &'static str, bits: Option<u32>, bit: u32, property: &str) -> Finding {
    match bits {
        Some(bits) if bits & bit != 0 => {
            Finding::new(name, "yes", format!("{property} is {bits:#x}"))
        }
        Some(bits) => Finding::new(name, "no", format!("{property} is {bits:#x}")),
        None => Finding::new(name, "no", format!("there is no {property}")),
    }
}

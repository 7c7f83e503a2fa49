//! How an image is protected, and what says so.

use super::super::Pe;
use super::super::debug::Entry;
use super::super::header::directory;
use super::super::imports::{Imports, Wanted};
use super::super::load_config::LoadConfig;
use crate::coff::machine;
use crate::coff::raw::u32_at;
use crate::layout::Finding;

const HIGH_ENTROPY: u16 = 0x20;
const DYNAMIC_BASE: u16 = 0x40;
const FORCE_INTEGRITY: u16 = 0x80;
const NX: u16 = 0x100;
const NO_SEH: u16 = 0x400;
const GUARD: u16 = 0x4000;

pub(super) fn read(
    pe: &Pe,
    config: Option<&LoadConfig>,
    entries: &[Entry],
    imports: &Imports,
) -> Vec<Finding> {
    let mut found = vec![aslr(pe)];
    if pe.is_64 {
        found.push(bit(
            pe,
            "high-entropy-aslr",
            HIGH_ENTROPY,
            "HIGH_ENTROPY_VA",
        ));
    }
    found.push(bit(pe, "nx", NX, "NX_COMPAT"));
    found.push(guard(pe, config));
    if pe.machine == machine::I386 {
        found.push(safe_seh(pe, config));
    }
    found.push(canary(config, imports));
    if matches!(pe.machine, machine::AMD64 | machine::I386) {
        found.push(shadow_stack(entries));
    }
    found.push(bit(
        pe,
        "force-integrity",
        FORCE_INTEGRITY,
        "FORCE_INTEGRITY",
    ));
    found.push(writable_code(pe));
    found.push(match pe.directory(directory::CERTIFICATE) {
        Some(place) if place.size > 0 => Finding::new(
            "authenticode",
            "present",
            format!(
                "the certificate directory has {} bytes; the signature is not verified",
                place.size
            ),
        ),
        _ => Finding::new(
            "authenticode",
            "no",
            "there is no certificate directory; a catalogue elsewhere may sign it",
        ),
    });
    found
}

fn bit(pe: &Pe, name: &'static str, bit: u16, spelled: &str) -> Finding {
    let bits = pe.dll_characteristics;
    if bits & bit != 0 {
        Finding::new(
            name,
            "yes",
            format!("DllCharacteristics {bits:#x} has {spelled}"),
        )
    } else {
        Finding::new(
            name,
            "no",
            format!("DllCharacteristics {bits:#x} lacks {spelled}"),
        )
    }
}

fn aslr(pe: &Pe) -> Finding {
    let wanted = pe.dll_characteristics & DYNAMIC_BASE != 0;
    let stripped = pe.characteristics & 1 != 0;
    let has_table = pe.directory(directory::RELOCATION).is_some();
    match (wanted, stripped) {
        (true, true) => Finding::new(
            "aslr",
            "no",
            "DYNAMIC_BASE is set, but RELOCS_STRIPPED too: it can't be moved",
        ),
        (true, false) if !has_table => Finding::new(
            "aslr",
            "yes",
            "DYNAMIC_BASE is set, and there are no relocations to apply",
        ),
        (true, false) => Finding::new("aslr", "yes", "DYNAMIC_BASE and a relocation directory"),
        (false, _) => bit(pe, "aslr", DYNAMIC_BASE, "DYNAMIC_BASE"),
    }
}

fn guard(pe: &Pe, config: Option<&LoadConfig>) -> Finding {
    let rows = config.and_then(|config| config.guard_count).unwrap_or(0);
    if pe.dll_characteristics & GUARD == 0 {
        return bit(pe, "cfg", GUARD, "GUARD_CF");
    }
    // IMAGE_GUARD_CF_INSTRUMENTED.
    let instrumented = config
        .and_then(|config| config.guard_flags)
        .is_some_and(|flags| flags & 0x100 != 0);
    if instrumented {
        Finding::new(
            "cfg",
            "yes",
            format!("GUARD_CF, CF_INSTRUMENTED and a table of {rows} functions"),
        )
    } else {
        Finding::new(
            "cfg",
            "partial",
            "GUARD_CF is set, but the load configuration doesn't say that the code checks",
        )
    }
}

fn safe_seh(pe: &Pe, config: Option<&LoadConfig>) -> Finding {
    if pe.dll_characteristics & NO_SEH != 0 {
        return Finding::new(
            "safe-seh",
            "yes",
            "NO_SEH: no handler of it is called at all",
        );
    }
    match config.and_then(|config| Some((config.handlers?, config.handler_count?))) {
        Some((table, count)) if table != 0 => Finding::new(
            "safe-seh",
            "yes",
            format!("the load configuration lists {count} handlers"),
        ),
        _ => Finding::new("safe-seh", "no", "the load configuration lists no handlers"),
    }
}

fn canary(config: Option<&LoadConfig>, imports: &Imports) -> Finding {
    let imported = imports.list.iter().any(|import| {
        matches!(&import.what, Wanted::Name(name) if matches!(&name[..], b"__stack_chk_fail" | b"__stack_chk_guard"))
    });
    match config.and_then(|config| config.security_cookie) {
        Some(cookie) if cookie != 0 => Finding::new(
            "stack-canary",
            "yes",
            format!(
                "the load configuration has a security cookie at {cookie:#x}; whether every function uses it is not told"
            ),
        ),
        _ if imported => Finding::new("stack-canary", "yes", "it imports __stack_chk_fail"),
        _ => Finding::new(
            "stack-canary",
            "not-seen",
            "the load configuration has no security cookie",
        ),
    }
}

/// The extended characteristics are an entry of the debug directory.
fn shadow_stack(entries: &[Entry]) -> Finding {
    let bits = entries
        .iter()
        .find(|entry| entry.kind == 20)
        .and_then(|entry| u32_at(&entry.bytes, 0));
    match bits {
        Some(bits) if bits & 1 != 0 => Finding::new(
            "cet-shadow-stack",
            "yes",
            format!("extended DllCharacteristics {bits:#x} have CET_COMPAT"),
        ),
        Some(bits) => Finding::new(
            "cet-shadow-stack",
            "no",
            format!("extended DllCharacteristics {bits:#x} lack CET_COMPAT"),
        ),
        None => Finding::new(
            "cet-shadow-stack",
            "no",
            "there are no extended DllCharacteristics",
        ),
    }
}

fn writable_code(pe: &Pe) -> Finding {
    let names: Vec<String> = pe
        .sections
        .iter()
        .filter(|section| section.flags & 0xa000_0000 == 0xa000_0000)
        .take(8)
        .map(|section| crate::coff::shown(&section.name))
        .collect();
    if names.is_empty() {
        Finding::new(
            "writable-code",
            "no",
            "no section is both writable and executable",
        )
    } else {
        Finding::new(
            "writable-code",
            "yes",
            format!("writable and executable: {}", names.join(", ")),
        )
    }
}

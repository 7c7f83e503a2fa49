//! How an image is protected and what is left of its build, each with what says so.

use super::imports::Seen;
use super::shown;
use crate::layout::Finding;
use crate::macho::header::Image;
use crate::macho::names;
use crate::macho::signature::{Signature, flag_names};

const ALLOW_STACK_EXECUTION: u32 = 0x2_0000;
const PIE: u32 = 0x20_0000;
const NO_HEAP_EXECUTION: u32 = 0x100_0000;
const RUNTIME: u32 = 0x1_0000;

pub(super) fn mitigations(
    image: &Image,
    seen: &Seen,
    signature: Option<&Signature>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let has = |flag: u32| image.flags & flag != 0;
    found.push(match image.file_type {
        2 if has(PIE) => Finding::new("pie", "yes", "MH_PIE"),
        2 => Finding::new("pie", "no", "MH_EXECUTE without MH_PIE"),
        1 => Finding::new("pie", "not-applicable", "MH_OBJECT: a linker decides"),
        _ => Finding::new(
            "pie",
            "not-applicable",
            format!("{}: loaded anywhere", names::file_type(image.file_type)),
        ),
    });
    if image.file_type == 2 {
        found.push(if has(ALLOW_STACK_EXECUTION) {
            Finding::new("nx-stack", "no", "MH_ALLOW_STACK_EXECUTION")
        } else {
            Finding::new("nx-stack", "yes", "no MH_ALLOW_STACK_EXECUTION")
        });
        found.push(if has(NO_HEAP_EXECUTION) {
            Finding::new("nx-heap", "yes", "MH_NO_HEAP_EXECUTION")
        } else if image.shape.is_64 {
            Finding::new(
                "nx-heap",
                "yes",
                "64-bit processes have no executable heap, whatever the flag says",
            )
        } else {
            Finding::new("nx-heap", "no", "no MH_NO_HEAP_EXECUTION")
        });
    }
    if !image.is_object() {
        let both = image
            .commands
            .segments
            .iter()
            .filter(|segment| segment.access & 6 == 6)
            .count();
        found.push(match both {
            0 => Finding::new(
                "writable-code",
                "no",
                "no segment is both writable and executable",
            ),
            count => Finding::new(
                "writable-code",
                "yes",
                format!("{count} segments writable and executable"),
            ),
        });
    }
    found.extend(by_symbols(image, seen));
    let restricted = image
        .commands
        .segments
        .iter()
        .any(|segment| segment.name == b"__RESTRICT");
    found.push(if restricted {
        Finding::new("restrict", "yes", "there is a __RESTRICT segment")
    } else {
        Finding::new("restrict", "no", "there is no __RESTRICT segment")
    });
    found.push(match signature.and_then(|signature| signature.flags) {
        Some(flags) if flags & RUNTIME != 0 => Finding::new(
            "hardened-runtime",
            "yes",
            format!("the code directory's flags are {flags:#x}"),
        ),
        Some(flags) => Finding::new(
            "hardened-runtime",
            "no",
            format!("the code directory's flags are {flags:#x}"),
        ),
        None if image.commands.signature.is_some() => Finding::new(
            "hardened-runtime",
            "unknown",
            "the code signature can't be read",
        ),
        None => Finding::new("hardened-runtime", "no", "there is no code signature"),
    });
    if image.machine.is_arm64e() {
        found.push(Finding::new(
            "pointer-authentication",
            "yes",
            "the processor is arm64e",
        ));
    }
    found
}

fn by_symbols(image: &Image, seen: &Seen) -> Vec<Finding> {
    let unknown = |name| Finding::new(name, "unknown", "there is no symbol table");
    let mut found = Vec::new();
    found.push(match (seen.canary, seen.has_table) {
        (true, _) => Finding::new(
            "stack-canary",
            "yes",
            "it refers to ___stack_chk_fail or ___stack_chk_guard",
        ),
        (false, true) => Finding::new(
            "stack-canary",
            "not-seen",
            "it refers to no symbol of it; that proves nothing where the names of imports were removed",
        ),
        (false, false) => unknown("stack-canary"),
    });
    found.push(match &seen.fortified {
        (0, _) if seen.has_table => Finding::new(
            "fortify-source",
            "not-seen",
            "no checked function (___*_chk) is referred to",
        ),
        (0, _) => unknown("fortify-source"),
        (count, examples) => Finding::new(
            "fortify-source",
            "yes",
            format!("{count} checked functions, as {}", examples.join(", ")),
        ),
    });
    let has_objective_c = image
        .commands
        .sections
        .iter()
        .any(|section| section.name == b"__objc_imageinfo");
    if has_objective_c {
        found.push(match (seen.counting, seen.has_table) {
            (true, _) => Finding::new(
                "automatic-reference-counting",
                "yes",
                "it refers to _objc_release, _objc_retain or _objc_storeStrong",
            ),
            (false, true) => Finding::new(
                "automatic-reference-counting",
                "not-seen",
                "it refers to no function of it",
            ),
            (false, false) => unknown("automatic-reference-counting"),
        });
    }
    found
}

pub(super) fn build(image: &Image, seen: &Seen, signature: Option<&Signature>) -> Vec<Finding> {
    let mut found = Vec::new();
    for platform in image.commands.platforms.iter().take(8) {
        found.push(Finding::new(
            "platform",
            &format!(
                "{} {}",
                names::platform(platform.number),
                names::version(platform.minimum)
            ),
            format!(
                "LC_BUILD_VERSION or LC_VERSION_MIN_*; made with SDK {}",
                names::version(platform.sdk)
            ),
        ));
    }
    if let Some(version) = image
        .commands
        .source_version
        .filter(|version| *version != 0)
    {
        // 24, 10, 10, 10 and 10 bits.
        let part = |at: u32| (version >> at) & 0x3ff;
        found.push(Finding::new(
            "source-version",
            &format!(
                "{}.{}.{}.{}.{}",
                version >> 40,
                part(30),
                part(20),
                part(10),
                part(0)
            ),
            "LC_SOURCE_VERSION",
        ));
    }
    found.push(match (seen.has_table, seen.locals) {
        (false, _) => Finding::new("stripped", "yes", "there is no symbol table"),
        (true, 0) => Finding::new(
            "stripped",
            "yes",
            "the symbol table has no local symbol that is defined",
        ),
        (true, count) => Finding::new("stripped", "no", format!("{count} local symbols")),
    });
    let dwarf = image
        .commands
        .sections
        .iter()
        .any(|section| section.name == b"__debug_info");
    found.push(if dwarf {
        Finding::new("debug-information", "yes", "there is a __debug_info")
    } else if seen.stabs > 0 {
        Finding::new(
            "debug-information",
            "elsewhere",
            format!(
                "{} symbols lead to the object files that have it",
                seen.stabs
            ),
        )
    } else {
        Finding::new("debug-information", "no", "there is no __debug_info")
    });
    found.extend(signed(signature));
    for encryption in &image.commands.encryption {
        found.push(match encryption.system {
            0 => Finding::new("encrypted", "no", "LC_ENCRYPTION_INFO with cryptid 0"),
            system => Finding::new(
                "encrypted",
                "yes",
                format!(
                    "LC_ENCRYPTION_INFO with cryptid {system}: {} bytes at {:#x}",
                    encryption.range.size, encryption.range.offset
                ),
            ),
        });
    }
    found
}

fn signed(signature: Option<&Signature>) -> Vec<Finding> {
    let Some(signature) = signature else {
        return vec![Finding::new(
            "code-signature",
            "none",
            "there is no LC_CODE_SIGNATURE",
        )];
    };
    let Some(flags) = signature.flags else {
        return vec![Finding::new(
            "code-signature",
            "unknown",
            "the code signature can't be read",
        )];
    };
    let kind = if signature.has_certificate {
        "by-certificate"
    } else {
        "ad-hoc"
    };
    let mut told = format!("flags {flags:#x}");
    let names = flag_names(flags);
    if !names.is_empty() {
        told.push_str(&format!(" ({})", names.join(", ")));
    }
    for (what, text) in [
        ("identifier", &signature.identifier),
        ("team", &signature.team),
    ] {
        if let Some(text) = text {
            told.push_str(&format!(", {what} {}", shown(text)));
        }
    }
    vec![
        Finding::new("code-signature", kind, told),
        if signature.has_entitlements {
            Finding::new("entitlements", "yes", "the code signature holds some")
        } else {
            Finding::new("entitlements", "no", "the code signature holds none")
        },
    ]
}

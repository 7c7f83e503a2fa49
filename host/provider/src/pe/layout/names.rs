//! The names of numbers and bits.

use super::super::Pe;

pub(super) fn file_type(pe: &Pe) -> String {
    let width = if pe.is_64 { "PE32+" } else { "PE32" };
    let what = match (pe.characteristics & 0x2000 != 0, pe.subsystem) {
        (true, _) => "library",
        (false, 1) => "native program",
        (false, 2) => "windows program",
        (false, 3) => "console program",
        (false, 10..=13) => "EFI program",
        (false, _) => "program",
    };
    format!("{width} {what}")
}

pub(super) fn subsystem(number: u16) -> String {
    let name = match number {
        0 => "unknown",
        1 => "native",
        2 => "windows-gui",
        3 => "windows-console",
        5 => "os2-console",
        7 => "posix-console",
        8 => "native-windows-9x",
        9 => "windows-ce",
        10 => "efi-application",
        11 => "efi-boot-driver",
        12 => "efi-runtime-driver",
        13 => "efi-rom",
        14 => "xbox",
        16 => "windows-boot-application",
        17 => "xbox-code-catalog",
        other => return format!("{other}"),
    };
    name.to_owned()
}

pub(super) fn directory(number: u32) -> &'static str {
    match number {
        0 => "export",
        1 => "import",
        2 => "resource",
        3 => "exception",
        4 => "certificate",
        5 => "base-relocation",
        6 => "debug",
        7 => "architecture",
        8 => "global-pointer",
        9 => "tls",
        10 => "load-config",
        11 => "bound-import",
        12 => "import-address",
        13 => "delay-import",
        14 => "clr",
        _ => "reserved",
    }
}

pub(super) fn characteristics(bits: u16) -> Vec<String> {
    words(
        bits,
        &[
            (0x1, "relocations-stripped"),
            (0x2, "executable-image"),
            (0x4, "line-numbers-stripped"),
            (0x8, "local-symbols-stripped"),
            (0x20, "large-address-aware"),
            (0x100, "32-bit-machine"),
            (0x200, "debug-stripped"),
            (0x400, "removable-run-from-swap"),
            (0x800, "net-run-from-swap"),
            (0x1000, "system"),
            (0x2000, "dll"),
            (0x4000, "uniprocessor-only"),
        ],
    )
}

pub(super) fn dll_characteristics(bits: u16) -> Vec<String> {
    words(
        bits,
        &[
            (0x20, "high-entropy-va"),
            (0x40, "dynamic-base"),
            (0x80, "force-integrity"),
            (0x100, "nx-compat"),
            (0x200, "no-isolation"),
            (0x400, "no-seh"),
            (0x800, "no-bind"),
            (0x1000, "app-container"),
            (0x2000, "wdm-driver"),
            (0x4000, "guard-cf"),
            (0x8000, "terminal-server-aware"),
        ],
    )
}

fn words(bits: u16, names: &[(u16, &str)]) -> Vec<String> {
    names
        .iter()
        .filter(|(bit, _)| bits & bit != 0)
        .map(|(_, name)| (*name).to_owned())
        .collect()
}

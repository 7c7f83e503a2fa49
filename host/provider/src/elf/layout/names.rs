//! The names of numbers, as the ELF specification and `readelf` write them.

pub(super) fn file_type(kind: u16) -> String {
    match kind {
        0 => "ET_NONE".to_owned(),
        1 => "ET_REL".to_owned(),
        2 => "ET_EXEC".to_owned(),
        3 => "ET_DYN".to_owned(),
        4 => "ET_CORE".to_owned(),
        other => format!("{other:#x}"),
    }
}

pub(super) fn segment(kind: u32) -> String {
    let name = match kind {
        0 => "PT_NULL",
        1 => "PT_LOAD",
        2 => "PT_DYNAMIC",
        3 => "PT_INTERP",
        4 => "PT_NOTE",
        5 => "PT_SHLIB",
        6 => "PT_PHDR",
        7 => "PT_TLS",
        0x6474_e550 => "PT_GNU_EH_FRAME",
        0x6474_e551 => "PT_GNU_STACK",
        0x6474_e552 => "PT_GNU_RELRO",
        0x6474_e553 => "PT_GNU_PROPERTY",
        0x6474_e554 => "PT_GNU_SFRAME",
        other => return format!("{other:#x}"),
    };
    name.to_owned()
}

pub(super) fn section(kind: u32) -> String {
    let name = match kind {
        0 => "SHT_NULL",
        1 => "SHT_PROGBITS",
        2 => "SHT_SYMTAB",
        3 => "SHT_STRTAB",
        4 => "SHT_RELA",
        5 => "SHT_HASH",
        6 => "SHT_DYNAMIC",
        7 => "SHT_NOTE",
        8 => "SHT_NOBITS",
        9 => "SHT_REL",
        11 => "SHT_DYNSYM",
        14 => "SHT_INIT_ARRAY",
        15 => "SHT_FINI_ARRAY",
        16 => "SHT_PREINIT_ARRAY",
        17 => "SHT_GROUP",
        18 => "SHT_SYMTAB_SHNDX",
        19 => "SHT_RELR",
        0x6fff_fff5 => "SHT_GNU_ATTRIBUTES",
        0x6fff_fff6 => "SHT_GNU_HASH",
        0x6fff_fff7 => "SHT_GNU_LIBLIST",
        0x6fff_fffd => "SHT_GNU_VERDEF",
        0x6fff_fffe => "SHT_GNU_VERNEED",
        0x6fff_ffff => "SHT_GNU_VERSYM",
        other => return format!("{other:#x}"),
    };
    name.to_owned()
}

pub(super) fn access(flags: u32) -> String {
    [(4, 'r'), (2, 'w'), (1, 'x')]
        .into_iter()
        .map(|(bit, letter)| if flags & bit != 0 { letter } else { '-' })
        .collect()
}

pub(super) fn section_flags(flags: u64) -> String {
    const LETTERS: [(u64, char); 13] = [
        (0x1, 'W'),
        (0x2, 'A'),
        (0x4, 'X'),
        (0x10, 'M'),
        (0x20, 'S'),
        (0x40, 'I'),
        (0x80, 'L'),
        (0x100, 'O'),
        (0x200, 'G'),
        (0x400, 'T'),
        (0x800, 'C'),
        (0x20_0000, 'R'),
        (0x8000_0000, 'E'),
    ];
    LETTERS
        .into_iter()
        .filter(|(bit, _)| flags & bit != 0)
        .map(|(_, letter)| letter)
        .collect()
}

pub(super) fn symbol(kind: u8) -> String {
    let name = match kind {
        0 => "untyped",
        1 => "object",
        2 => "function",
        3 => "section",
        4 => "file",
        5 => "common",
        6 => "thread-local",
        10 => "function resolver",
        other => return format!("type {other}"),
    };
    name.to_owned()
}

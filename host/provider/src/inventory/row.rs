//! A name as it is kept: where its text stands, and what is known of it, in 20 bytes.

use crate::escape;

/// A name of a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameRow {
    /// Where the text begins in its string table.
    pub(crate) offset: u32,
    /// Bytes of it, without the version.
    pub(crate) len: u32,
    /// [`hash`] of these bytes.
    pub(crate) hash: u32,
    /// The place.
    pub(crate) place: u32,
    /// The version it is spelled with: a number in the document's list.
    pub(crate) version: u16,
    /// Bits of [`flag`].
    pub(crate) flags: u16,
}

/// The bits of [`NameRow::flags`].
pub(crate) mod flag {
    /// The number of the string table.
    pub(crate) const TABLE: u16 = 0b111;
    /// It stands in a `.symtab`.
    pub(crate) const SYMTAB: u16 = 1 << 3;
    /// It stands in the dynamic symbol table.
    pub(crate) const DYNSYM: u16 = 1 << 4;
    /// Two bits of binding, best first.
    pub(crate) const BINDING_SHIFT: u16 = 5;
    pub(crate) const BINDING: u16 = 0b11 << BINDING_SHIFT;
    /// It can be offered: UTF-8, and not too long.
    pub(crate) const OFFERED: u16 = 1 << 7;
    /// Its bytes are shown as they are.
    pub(crate) const PLAIN: u16 = 1 << 8;
    /// Two bits: how the version is spelled.
    pub(crate) const STYLE_SHIFT: u16 = 9;
    pub(crate) const STYLE: u16 = 0b11 << STYLE_SHIFT;
    /// Both: the style of a suffix.
    pub(crate) const SUFFIX: u16 = STYLE;
    /// The symbol has no type: a label, perhaps of hand-written code.
    pub(crate) const UNTYPED: u16 = 1 << 11;
    /// Its visibility isn't the default one.
    pub(crate) const RESTRICTED: u16 = 1 << 12;
    /// The bare form of a name whose version is hidden (`f` of `f@V1`).
    pub(crate) const BARE_OF_HIDDEN: u16 = 1 << 13;
    /// It stands in debug information kept apart: a debug file, a PDB.
    pub(crate) const DEBUG: u16 = 1 << 14;
    /// It stands in a table that the language keeps for running programs.
    pub(crate) const RUNTIME: u16 = 1 << 15;
    /// All that tell where it stands. With none of them it stands in no table: it was made of what the file proves.
    pub(crate) const SOURCES: u16 = SYMTAB | DYNSYM | DEBUG | RUNTIME;
}

/// How a version is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Not at all.
    Bare,
    /// `name@VERSION`: hidden, for programs that were linked against an older library.
    Hidden,
    /// `name@@VERSION`: the one that a linker takes.
    Default,
    /// `name@plt`: no version, but what a stub is called. The suffix stands in the document's list of versions.
    Suffix,
}

impl Style {
    /// What stands between name and version.
    pub(crate) fn separator(self) -> &'static str {
        match self {
            Style::Bare => "",
            Style::Hidden | Style::Suffix => "@",
            Style::Default => "@@",
        }
    }
}

impl NameRow {
    pub(crate) fn style(self) -> Style {
        match (self.flags & flag::STYLE) >> flag::STYLE_SHIFT {
            1 => Style::Hidden,
            2 => Style::Default,
            3 => Style::Suffix,
            _ => Style::Bare,
        }
    }

    pub(crate) fn has(self, bit: u16) -> bool {
        self.flags & bit != 0
    }

    /// 0 global (or unique), 1 weak, 2 local.
    pub(crate) fn binding(self) -> u16 {
        (self.flags & flag::BINDING) >> flag::BINDING_SHIFT
    }

    /// The string table of its text.
    pub(crate) fn table(self) -> usize {
        usize::from(self.flags & flag::TABLE)
    }

    /// The number of its version, if it is spelled with one.
    pub(crate) fn version(self) -> Option<u16> {
        (self.style() != Style::Bare).then_some(self.version)
    }
}

/// Longest name that the index takes, in bytes.
pub(crate) const OFFERED_LIMIT: usize = 65_536;

/// The row of a name: where its text stands, and what the text alone says. Source and binding (global) are for the caller to set.
pub(crate) fn name_row(name: &[u8], offset: u32, table: u16) -> NameRow {
    let plain = escape::is_plain_ascii(name);
    let mut flags = table & flag::TABLE;
    if name.len() <= OFFERED_LIMIT && (plain || std::str::from_utf8(name).is_ok()) {
        flags |= flag::OFFERED;
    }
    if plain || escape::display(name).as_bytes() == name {
        flags |= flag::PLAIN;
    }
    NameRow {
        offset,
        len: u32::try_from(name.len()).unwrap_or(u32::MAX),
        hash: hash(name),
        place: 0,
        version: 0,
        flags,
    }
}

/// A fast hash of a name, for telling most unequal names apart without their text. Not for hostile hash tables: equal
/// hashes only cost a comparison.
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = (bytes.len() as u64).wrapping_mul(K);
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let word = word.try_into().map_or(0, u64::from_le_bytes);
        state = (state ^ word).wrapping_mul(K).rotate_left(29);
    }
    let mut last = 0u64;
    for &byte in words.remainder() {
        last = (last << 8) | u64::from(byte);
    }
    state = (state ^ last).wrapping_mul(K);
    u32::try_from((state ^ (state >> 32)) & 0xffff_ffff).unwrap_or(0)
}

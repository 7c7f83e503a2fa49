//! How an image is laid out, what it needs, and how it is protected: everything with how it was established.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::{ByteOrder, Companion, Format, Identity, TargetKind};

/// An address or a set of bits, which JSON carries as text (`0x10`): a number of JSON has 53 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex(pub u64);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The layout of an image. Lists are bounded; `limitations` says what was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Layout {
    /// The format.
    pub format: Format,
    /// What the file is made for.
    pub kind: TargetKind,
    /// The processor.
    pub architecture: String,
    /// Width of an address.
    pub bits: u8,
    /// Order of bytes.
    pub endianness: ByteOrder,
    /// The header.
    pub header: LayoutHeader,
    /// The program that loads it (PT_INTERP).
    pub interpreter: Option<String>,
    /// Its name as a library (DT_SONAME).
    pub soname: Option<String>,
    /// The libraries it needs (DT_NEEDED), in order.
    pub needed: Vec<String>,
    /// Where those are looked for (DT_RPATH).
    pub rpath: Vec<String>,
    /// Where those are looked for (DT_RUNPATH).
    pub runpath: Vec<String>,
    /// The build id (NT_GNU_BUILD_ID), in hexadecimal.
    pub build_id: Option<String>,
    /// The separate debug file that it names (`.gnu_debuglink`).
    pub debug_link: Option<DebugLink>,
    /// Segments.
    pub segments: Listed<LayoutSegment>,
    /// Sections.
    pub sections: Listed<LayoutSection>,
    /// What it takes from others: undefined symbols.
    pub imports: Listed<Import>,
    /// What it offers to others.
    pub exports: Exports,
    /// Its relocations.
    pub relocations: Listed<Relocations>,
    /// How it is protected.
    pub mitigations: Vec<Finding>,
    /// Where it was built and what was left in it: symbols, debug information, compilers.
    pub build: Vec<Finding>,
    /// The files beside this one that are read too.
    pub companions: Vec<Companion>,
    /// The members of an archive, or the modules of a component: each is a document.
    pub members: Listed<LayoutMember>,
    /// What this answer doesn't tell.
    pub limitations: Vec<String>,
}

impl Layout {
    /// The layout of a file of which nothing but the header is known.
    pub(crate) fn new(identity: &Identity, header: LayoutHeader) -> Layout {
        Layout {
            format: identity.format,
            kind: identity.kind,
            architecture: identity.architecture.clone(),
            bits: identity.bits,
            endianness: identity.endianness,
            header,
            interpreter: None,
            soname: None,
            needed: Vec::new(),
            rpath: Vec::new(),
            runpath: Vec::new(),
            build_id: None,
            debug_link: None,
            segments: Listed::default(),
            sections: Listed::default(),
            imports: Listed::default(),
            exports: Exports::default(),
            relocations: Listed::default(),
            mitigations: Vec::new(),
            build: Vec::new(),
            companions: Vec::new(),
            members: Listed::default(),
            limitations: Vec::new(),
        }
    }
}

impl<T> Default for Listed<T> {
    fn default() -> Listed<T> {
        Listed {
            total: 0,
            rows: Vec::new(),
        }
    }
}

/// A member of an archive, or a module in a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayoutMember {
    /// The name of its document.
    pub document: String,
    /// Its format, as far as that is known.
    pub format: Option<Format>,
    /// Where its bytes stand in the file; none if they stand in a file of their own.
    pub file_offset: Option<Hex>,
    /// Bytes.
    pub size: Hex,
}

/// A list that may be cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed<T> {
    /// How many there are.
    pub total: u64,
    /// The first of them.
    pub rows: Vec<T>,
}

/// The file header.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LayoutHeader {
    /// The type: `ET_EXEC`, `ET_DYN` ….
    pub file_type: String,
    /// The processor's number.
    pub machine: u16,
    /// The operating system's interface: its number.
    pub os_abi: u8,
    /// The version of that interface.
    pub abi_version: u8,
    /// Bits that the processor's interface explains.
    pub flags: Hex,
    /// Where the program starts; none if it is 0.
    pub entry: Option<Hex>,
}

/// The separate debug file of an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DebugLink {
    /// Its file name.
    pub file_name: String,
    /// The CRC-32 of its content.
    pub crc: Hex,
}

/// A segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayoutSegment {
    /// Its number.
    pub index: u32,
    /// Its type: `PT_LOAD` ….
    pub kind: String,
    /// `rwx`, with `-` for what isn't allowed.
    pub access: String,
    /// Where it is loaded.
    pub address: Hex,
    /// Where it stands in the file.
    pub file_offset: Hex,
    /// Bytes in the file.
    pub file_size: Hex,
    /// Bytes in memory.
    pub memory_size: Hex,
    /// Alignment.
    pub align: Hex,
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayoutSection {
    /// Its number.
    pub index: u32,
    /// Its name.
    pub name: String,
    /// Its type: `SHT_PROGBITS` ….
    pub kind: String,
    /// Its flags, by the letters of `readelf` (`AX`).
    pub flags: String,
    /// Where it is loaded.
    pub address: Hex,
    /// Where it stands in the file.
    pub file_offset: Hex,
    /// Bytes.
    pub size: Hex,
}

/// An undefined symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Import {
    /// Its name.
    pub name: String,
    /// The version it asks for.
    pub version: Option<String>,
    /// The library that version is asked from. Without a version no library is named: the loader takes the first that has it.
    pub library: Option<String>,
    /// `function`, `object`, `thread-local`, `untyped` ….
    pub kind: String,
    /// Whether it may be missing.
    pub weak: bool,
}

/// What an image offers to others: defined symbols of its dynamic table that are visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Exports {
    /// All.
    pub total: u64,
    /// Functions, resolvers of functions included.
    pub functions: u64,
    /// Data.
    pub objects: u64,
}

/// A table of relocations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Relocations {
    /// The section, or the entry of the dynamic section that tells of it.
    pub table: String,
    /// `rel`, `rela` or `relr`.
    pub form: String,
    /// Rows. In `relr` a row may stand for many.
    pub rows: u64,
}

/// Something that was found out, with how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was asked: `pie`, `nx`, `relro` ….
    pub name: &'static str,
    /// The answer: `yes`, `no`, `partial`, `full`, `unknown` ….
    pub value: String,
    /// What says so.
    pub established_by: String,
}

impl Finding {
    pub(crate) fn new(
        name: &'static str,
        value: &str,
        established_by: impl Into<String>,
    ) -> Finding {
        Finding {
            name,
            value: value.to_owned(),
            established_by: established_by.into(),
        }
    }
}

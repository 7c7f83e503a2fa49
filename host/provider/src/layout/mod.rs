//! How an image is laid out, what it needs, and how it is protected: everything with how it was established.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::binary::Image;
use crate::{Binary, ByteOrder, Format, ReadError, TargetKind};

/// An address or a set of bits, which JSON carries as text (`0x10`): a number of JSON has 53 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// The images of a universal file. Each has a layout of its own: [`Binary::layout_of`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<LayoutSlice>,
    /// The header.
    pub header: LayoutHeader,
    /// The kinds of load commands of a Mach-O image, in the order of their first appearance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub load_commands: Vec<LoadCommandCount>,
    /// The program that loads it (PT_INTERP, LC_LOAD_DYLINKER).
    pub interpreter: Option<String>,
    /// Its name as a library (DT_SONAME, LC_ID_DYLIB).
    pub soname: Option<String>,
    /// The libraries it needs (DT_NEEDED, LC_LOAD_DYLIB and its like), in order.
    pub needed: Vec<String>,
    /// The same with what Mach-O tells of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<LayoutLibrary>,
    /// Where those are looked for (DT_RPATH, LC_RPATH).
    pub rpath: Vec<String>,
    /// Where those are looked for (DT_RUNPATH).
    pub runpath: Vec<String>,
    /// The build id (NT_GNU_BUILD_ID, LC_UUID), in hexadecimal.
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
    /// What this answer doesn't tell.
    pub limitations: Vec<String>,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayoutHeader {
    /// The type: `ET_EXEC`, `ET_DYN` ….
    pub file_type: String,
    /// The processor's number.
    pub machine: u32,
    /// The number of its variant (the subtype of Mach-O).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<Hex>,
    /// The operating system's interface: its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os_abi: Option<u8>,
    /// The version of that interface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abi_version: Option<u8>,
    /// Bits that the processor's interface explains; in Mach-O the bits that `flag_names` explains.
    pub flags: Hex,
    /// Their names, in Mach-O.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flag_names: Vec<&'static str>,
    /// Where the program starts; none if it is 0.
    pub entry: Option<Hex>,
}

/// An image of a universal file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayoutSlice {
    /// The name of its document.
    pub document: String,
    /// The processor.
    pub architecture: String,
    /// Where it stands in the file.
    pub file_offset: Hex,
    /// Bytes.
    pub size: Hex,
    /// What it is made for; none if it can't be read.
    pub kind: Option<TargetKind>,
    /// Why it can't be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
}

/// A kind of load command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoadCommandCount {
    /// Its name: `LC_SEGMENT_64` ….
    pub command: String,
    /// How often it is there.
    pub count: u32,
}

/// A library that a Mach-O image is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayoutLibrary {
    /// Its install name.
    pub name: String,
    /// How it is bound: `load`, `weak` (may be missing), `reexport` (its names are passed on), `upward` or `lazy`.
    pub binding: &'static str,
    /// The version it had.
    pub current_version: String,
    /// The oldest version that will do.
    pub compatibility_version: String,
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

impl Binary {
    /// How the image is laid out. Reads headers, the dynamic section, notes and symbol tables.
    ///
    /// Of a universal file this tells only what its images are.
    pub fn layout(&self) -> Result<Layout, ReadError> {
        match &self.image {
            Image::Elf(elf) => crate::elf::layout(&self.file, elf, self.identity()),
            Image::MachO(macho) => crate::macho::layout(&self.file, macho, self.identity()),
        }
    }

    /// How the image of one document is laid out; `None` if there is no document of that name.
    pub fn layout_of(&self, document: &str) -> Result<Option<Layout>, ReadError> {
        match &self.image {
            Image::MachO(macho) => {
                crate::macho::layout_of(&self.file, macho, self.identity(), document)
            }
            Image::Elf(_) if document == self.identity().file_name => self.layout().map(Some),
            Image::Elf(_) => Ok(None),
        }
    }
}

//! What only Windows images have.

use serde::Serialize;

use super::{Hex, Listed};

/// The parts of a layout that only Windows images (PE) and objects (COFF) have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PeLayout {
    /// What the addresses of this answer and of the inventory are: virtual addresses at the preferred image base, or offsets in
    /// sections for an object.
    pub address_space: String,
    /// Where the image would like to be loaded; none for an object.
    pub image_base: Option<Hex>,
    /// What it runs on: `windows-console`, `windows-gui`, `native`, `efi-application` ….
    pub subsystem: Option<String>,
    /// The words of the header's characteristics: `executable-image`, `dll` ….
    pub characteristics: Vec<String>,
    /// The words of its DLL characteristics: `dynamic-base`, `nx-compat` ….
    pub dll_characteristics: Vec<String>,
    /// Bytes it takes in memory.
    pub image_size: Option<Hex>,
    /// The linker, as `14.38`.
    pub linker: Option<String>,
    /// Seconds since 1970 when it was linked, or a hash where the build is reproducible: the number alone doesn't tell.
    pub timestamp: Hex,
    /// Data directories that are not empty.
    pub directories: Vec<PeDirectory>,
    /// Libraries that are loaded when they are first called.
    pub delay_needed: Vec<String>,
    /// The export directory.
    pub exports: Option<PeExports>,
    /// The debug directory.
    pub debug: Vec<PeDebug>,
    /// Types of resources: `icon`, `version`, `manifest` …, by number or by name.
    pub resources: Vec<String>,
    /// For a .NET assembly: `il-only`, or `mixed` with native code, and the version of its runtime header.
    pub managed: Option<String>,
    /// For an image with both ARM64 and x64 code: `arm64ec` or `arm64x`.
    pub hybrid: Option<String>,
}

/// A data directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PeDirectory {
    /// Its number.
    pub index: u32,
    /// Its name: `export`, `import`, `exception` ….
    pub name: String,
    /// Where it is loaded; for `certificate`, its offset in the file.
    pub address: Hex,
    /// Bytes.
    pub size: Hex,
}

/// An export directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PeExports {
    /// The number of the first slot.
    pub ordinal_base: u32,
    /// Slots of the table.
    pub slots: u64,
    /// Slots that export nothing.
    pub empty: u64,
    /// Names.
    pub names: u64,
    /// Slots that have no name.
    pub ordinal_only: u64,
    /// Names and ordinals that another DLL answers to: a re-export, no procedure of this file.
    pub forwarders: Listed<PeForwarder>,
}

/// An export that another DLL answers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PeForwarder {
    /// Its ordinal.
    pub ordinal: u32,
    /// Its name, if it has one; the first of several.
    pub name: Option<String>,
    /// The other DLL and the name there, as in the file: `KERNEL32.Sleep`, `d.#7`.
    pub target: String,
}

/// An entry of the debug directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PeDebug {
    /// Its type: `codeview`, `repro` ….
    pub kind: String,
    /// The PDB that belongs to it, as the linker wrote its path.
    pub pdb: Option<String>,
    /// The identity of that PDB.
    pub guid: Option<String>,
    /// How often that PDB was written.
    pub age: Option<u32>,
}

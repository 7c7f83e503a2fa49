//! Reads binaries: what is in a file, by the file alone.
//!
//! [`Binary::open`] takes a path and tells what it is. [`Binary::inventory`] makes the list of its procedures with all
//! their names, immutable and with its [`Coverage`]: how much of what the file holds was read. ELF, Mach-O, Windows
//! PE and COFF objects, WebAssembly and archives of these are read; every other format is recognised and refused by name.
//!
//! Files are read, not mapped, in exactly the pieces that are needed, and every piece is checked to come from the file
//! that was opened. A file may be damaged or hostile: no input makes this crate panic or take more memory than a
//! small multiple of the file.

mod archive;
mod binary;
mod bundle;
mod coff;
mod coverage;
pub mod demangle;
mod elf;
mod error;
pub mod escape;
mod file;
mod format;
mod golang;
mod header;
mod identity;
mod image;
mod inventory;
mod layout;
mod macho;
mod monitor;
mod options;
mod pe;
mod strings;
mod wasm;

pub use binary::Binary;
pub use coverage::{Completeness, Coverage, SourceCoverage};
pub use error::{OpenError, QueryError, ReadError, SearchError};
pub use file::Fingerprint;
pub use format::Format;
pub use identity::{ByteOrder, Identity, TargetKind};
pub use inventory::{
    Binding, Contained, Document, Extent, Inventory, MatchMode, Mode, NameHit, NamePage, NameQuery,
    NameSearch, NameSources, PlacePage, Procedure, ProcedureKind, ProcedureName, ProcedurePage,
    ResolveError, SymbolVersion,
};
pub use layout::{
    DebugLink, Exports, Finding, Hex, Import, Layout, LayoutHeader, LayoutLibrary, LayoutMember,
    LayoutSection, LayoutSegment, LayoutSlice, Listed, LoadCommandCount, PeDebug, PeDirectory,
    PeExports, PeForwarder, PeLayout, Relocations,
};
pub use monitor::{Monitor, NoMonitor};
pub use options::{Companion, OpenOptions};
pub use strings::{StringEncoding, StringHit, StringQuery, StringSearch};

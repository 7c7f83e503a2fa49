//! Reads binaries: what is in a file, by the file alone.
//!
//! [`Binary::open`] takes a path and tells what it is. [`Binary::inventory`] makes the list of its procedures with all
//! their names, immutable and with its [`Coverage`]: how much of what the file holds was read. ELF and Mach-O
//! are read; every other format is recognised and refused by name.
//!
//! Files are read, not mapped, in exactly the pieces that are needed, and every piece is checked to come from the file
//! that was opened. A file may be damaged or hostile: no input makes this crate panic or take more memory than a
//! small multiple of the file.

mod binary;
mod bundle;
mod coverage;
mod elf;
mod error;
pub mod escape;
mod file;
mod format;
mod identity;
mod inventory;
mod layout;
mod macho;
mod monitor;
mod strings;

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
    DebugLink, Exports, Finding, Hex, Import, Layout, LayoutHeader, LayoutLibrary, LayoutSection,
    LayoutSegment, LayoutSlice, Listed, LoadCommandCount, Relocations,
};
pub use monitor::{Monitor, NoMonitor};
pub use strings::{StringEncoding, StringHit, StringQuery, StringSearch};

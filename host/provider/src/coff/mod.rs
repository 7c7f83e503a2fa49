//! COFF: the object files of Windows tools, and the parts of it that images (PE) share with them: section headers, symbol
//! tables, string tables.

mod build;
mod header;
pub(crate) mod import;
mod layout;
pub(crate) mod machine;
pub(crate) mod raw;
pub(crate) mod regions;
pub(crate) mod section;
pub(crate) mod symbols;
pub(crate) mod table;

pub(crate) use build::{account, document};
pub(crate) use header::Coff;
pub(crate) use layout::{IMPORTS, ROWS, debug, layout, sections, shown};
pub(crate) use machine::{architecture, traits};

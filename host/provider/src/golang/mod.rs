//! Go's table of functions, `pclntab`: every function of a Go program with its name, in a stripped one too.
//!
//! No crate reads it. Three layouts are alive, told by their magic: Go 1.2 to 1.15, 1.16 and 1.17, 1.18 and later (two magics,
//! as 1.20 changed what a reader of line numbers must know). The table is the same in ELF, PE and Mach-O, so nothing here knows
//! of these; they find the bytes, by a section or by [`looks_like`].

mod place;
mod search;
mod table;

pub(crate) use place::Code;
pub(crate) use search::search;
pub(crate) use table::{Table, looks_like};

use table::Function;

//! The index over one inventory snapshot (`wit/procedures.wit`, `wit/inventory.wit`).
//!
//! A [`Builder`] is told how much a snapshot holds, reads it page by page, sorts it, and becomes an [`Index`]. The
//! work is done in slices, since who drives it may want to do something else in between.
//!
//! # What is offered
//!
//! Of a document every place in its spelling, and every name that stands at one place only (C6). Names aren't offered
//! if they are empty, longer than [`LONGEST_VALUE`], can't be shown to a person as they are (control and format
//! characters), or if a tool would read them as something else: as an address (`0x` and hexadecimal digits, with or
//! without `@…`) or as a procedure of another document (`<document>!…`).
//!
//! # How it is laid out
//!
//! All text of a document lies in one string. One array of offsets, in byte order of the text, serves ASCII text: a
//! folded prefix is found by descending it byte by byte, at each byte into the range of the upper and that of the
//! lower case. What isn't ASCII, always little, has a second array in the order of its folded keys.
//!
//! # Memory
//!
//! For a document of *r* rows (places and names) and *b* bytes of text: *b* + *r* + 8 bytes of text, 4 *r* bytes of
//! offsets; besides, while it is built, 16 bytes for each row of the largest document. All of this is reserved by
//! [`Builder::begin`]. Each row outside ASCII takes up to 12 bytes more and its key, mostly as long as its text and at
//! most eleven times that; if there is no memory for it, building fails with an error.

mod announced;
mod arena;
mod builder;
mod document;
mod exotic;
mod labels;
mod pages;
mod query;
mod screen;
mod settle;
mod sort;
#[cfg(test)]
pub(crate) mod tests;

pub use announced::{Extent, memory_needed};
pub use builder::{Builder, Progress};
pub use query::Index;

use crate::session::{Fault, FaultCode};

/// How many bytes an offered value has at most, its document not counted.
pub const LONGEST_VALUE: usize = 4096;

/// What the host supplied contradicts the contract.
fn malformed(field: &str, detail: String) -> Fault {
    Fault {
        code: FaultCode::MalformedInput,
        field: field.to_owned(),
        detail,
    }
}

/// More memory than there is.
fn no_memory() -> Fault {
    Fault {
        code: FaultCode::Other,
        field: String::new(),
        detail: "There is not enough memory for the index; raise the limit of this instance."
            .to_owned(),
    }
}

/// Appends to a vector, or says that there is no memory for it; the standard library would abort.
fn append<T>(to: &mut Vec<T>, item: T) -> Result<(), Fault> {
    to.try_reserve(1).map_err(|_| no_memory())?;
    to.push(item);
    Ok(())
}

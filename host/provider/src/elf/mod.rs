//! ELF: the header, the tables, and the inventory made from them.
//!
//! The low-level structures are `object`'s, read from bytes that this crate read. Tables of a few thousand rows
//! are turned into plain rows of one kind (`Section`, `Segment`, `DynamicEntry`), whatever the width and the byte
//! order, so that only `raw` knows those.

mod build;
mod dynamic;
mod frames;
mod hashes;
mod header;
mod layout;
mod names;
mod raw;
mod regions;
mod starts;
mod symbols;
mod tables;
mod unread;
mod versions;

pub(crate) use build::inventory;
pub(crate) use header::{Elf, HeaderError};
pub(crate) use layout::layout;
pub(crate) use names::is_fragment;

//! ELF: the header, the tables, and the inventory made from them.
//!
//! The low-level structures are `object`'s, read from bytes that this crate read. Tables of a few thousand rows
//! are turned into plain rows of one kind (`Section`, `Segment`, `DynamicEntry`), whatever the width and the byte
//! order, so that only `raw` knows those.

mod build;
mod companion;
mod debugdata;
mod descriptors;
mod dynamic;
mod exidx;
mod frames;
mod gather;
mod go;
mod hashes;
mod header;
mod layout;
mod names;
mod plt;
mod raw;
mod regions;
mod relocs;
mod starts;
mod symbols;
mod tables;
mod unread;
mod versions;

pub(crate) use build::document;
pub(crate) use frames::{Frames, Setting as FrameSetting, eh_frame};
pub(crate) use header::Elf;
pub(crate) use layout::layout;
pub(crate) use names::is_fragment;
pub(crate) use raw::Shape;

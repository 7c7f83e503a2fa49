//! Windows images (PE): headers, tables, and the inventory made from them.
//!
//! Addresses are virtual addresses at the image base that the header prefers.

mod arm64;
mod build;
mod clr;
mod debug;
mod exports;
mod frames;
mod go;
mod header;
mod imports;
mod layout;
mod load_config;
mod memory;
mod names;
mod pdata;
mod pdb;
mod starts;
mod stubs;
mod thunks;
mod tls;
mod unread;
mod x64;

pub(crate) use build::document;
pub(crate) use header::{Pe, is_pe};
pub(crate) use layout::layout;

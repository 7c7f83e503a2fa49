//! WebAssembly: modules, and the core modules in a component.
//!
//! A function goes by its number in the index space of functions, in which imports come first: the number that a
//! disassembler shows, a stack trace names and a debugger takes. Imports have no code here, so they are no procedures;
//! the layout lists them. Numbers don't depend on where code stands, so a place knows its bytes separately.

mod build;
mod component;
mod imports;
mod layout;
mod module;
mod names;
mod sections;

pub(crate) use build::document;
pub(crate) use component::{Component, inventory as of_component};
pub(crate) use layout::layout;
pub(crate) use module::Module;

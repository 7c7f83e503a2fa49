//! Components that honour the contract's types and nothing else.

use std::path::Path;

use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{ManglingAndAbi, Resolve};

/// A component of the world `guide` whose every export traps at once.
///
/// # Errors
/// If the contract in `wit/` can't be parsed. So for every function here.
pub fn trapping() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    with_bodies("unreachable")
}

/// One whose every export never returns.
///
/// # Errors
/// As [`trapping`].
pub fn endless() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    with_bodies("(loop (br 0)) unreachable")
}

/// One that wants two gigabytes at every call.
///
/// # Errors
/// As [`trapping`].
pub fn greedy() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    with_bodies("(drop (memory.grow (i32.const 32768))) unreachable")
}

/// The dummy module of the contract, with other instructions where it has `unreachable`.
fn with_bodies(instructions: &str) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(&contract)?;
    let world = resolve.select_world(&[package], Some("guide"))?;
    let module = dummy_module(&resolve, world, ManglingAndAbi::Standard32);
    let text = wasmprinter::print_bytes(module)?.replace("unreachable", instructions);
    let mut module = wat::parse_str(text)?;
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8, false)?;
    Ok(ComponentEncoder::default()
        .validate(true)
        .module(&module)?
        .encode()?)
}

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

/// The real component, but the function that an export is bound to traps when it is called for the `nth` time in one instance, after
/// it was entered and before it does anything. `nth` counts from 1; 0 traps every time.
///
/// `export` is a name of the core module, as `rea:guide/toggle@0.1.0#[method]switch.adopt`.
///
/// # Errors
/// If there is no such export, or the component isn't printed the way this expects.
pub fn trapping_at(
    component: &[u8],
    export: &str,
    nth: u32,
) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let text = wasmprinter::print_bytes(component)?;
    // In the core module: (export "…" (func $name)) or (export "…" (func 12)).
    let marker = format!("(export \"{export}\" (func ");
    let at = text
        .find(&marker)
        .ok_or_else(|| format!("no export {export}"))?
        + marker.len();
    let name = text
        .get(at..)
        .and_then(|rest| rest.split(')').next())
        .ok_or("no function")?;
    let head = if name.starts_with('$') {
        format!("(func {name} (;")
    } else {
        format!("(func (;{name};)")
    };
    let module = text
        .get(..at)
        .and_then(|before| before.rfind("(core module"))
        .ok_or("no module")?;
    let start = text
        .get(module..)
        .and_then(|rest| rest.find(&head))
        .ok_or_else(|| format!("no {head}"))?
        + module;
    // The first line of the function declares it, the second perhaps its locals; then come instructions.
    let mut body = start;
    loop {
        let line = text
            .get(body..)
            .and_then(|rest| rest.split_inclusive('\n').next())
            .ok_or("no body")?;
        if body != start && !line.trim_start().starts_with("(local") {
            break;
        }
        body += line.len();
    }
    let trap = format!(
        "global.get $calls i32.const 1 i32.add global.set $calls\n\
         global.get $calls i32.const {nth} i32.eq i32.const {nth} i32.eqz i32.or if unreachable end\n"
    );
    // Behind the other globals, so that their numbers stay. Exports are printed before functions.
    let last = text
        .get(module..)
        .and_then(|rest| rest.find("(export "))
        .ok_or("no exports")?
        + module;
    let global = "(global $calls (mut i32) i32.const 0)\n";
    let parts = [
        text.get(..last),
        Some(global),
        text.get(last..body),
        Some(trap.as_str()),
        text.get(body..),
    ];
    let text: String = parts.into_iter().flatten().collect();
    Ok(wat::parse_str(text)?)
}

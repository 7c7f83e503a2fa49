//! Writes the component to a file: `rea-componentize OUT.wasm`, run by cargo in the workspace. For those who need the
//! component and not the program that embeds it (`cargo xtask dsh`).

use std::{env, error::Error, fs, path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One sentence, not a debug dump.
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let usage = "usage: cargo run -p rea-componentize -- OUT.wasm";
    let out = env::args_os().nth(1).map(PathBuf::from).ok_or(usage)?;
    // cargo tells a program that it runs where its package is: <root>/host/componentize.
    let package = env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .ok_or(usage)?;
    let root = package.ancestors().nth(2).ok_or(usage)?;
    // The compiler's files lie beside the result, so that the next time only what changed is compiled.
    let component = rea_componentize::build(root, &out.with_extension("build"))?;
    fs::write(&out, &component).map_err(|error| format!("{}: {error}", out.display()))?;
    println!("{} bytes in {}", component.len(), out.display());
    Ok(())
}

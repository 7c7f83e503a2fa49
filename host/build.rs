//! Makes the component that the host embeds.
//!
//! `guest/` is compiled for `wasm32-unknown-unknown` in a target folder of its own; `rea-componentize` does that.
//! `REA_GUIDE_COMPONENT` names a ready component file that is taken instead (and checked all the same).

use std::{env, error::Error, fs, path::PathBuf};

use sha2::{Digest, Sha256};

fn main() {
    if let Err(error) = run() {
        // One sentence, on stderr, where cargo shows it: not a panic with a backtrace.
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let folder = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .ok_or(format!("{name} is not set"))
    };
    let host = folder("CARGO_MANIFEST_DIR")?;
    let root = host.parent().ok_or("host/ has no parent folder")?;
    let out = folder("OUT_DIR")?;
    for name in rea_componentize::VARIABLES
        .iter()
        .chain(&["REA_GUIDE_COMPONENT"])
    {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");

    let component = match env::var_os("REA_GUIDE_COMPONENT").map(PathBuf::from) {
        Some(path) => {
            println!("cargo:rerun-if-changed={}", path.display());
            let ready = fs::read(&path)
                .map_err(|error| format!("REA_GUIDE_COMPONENT: {}: {error}", path.display()))?;
            rea_componentize::check_imports(&ready)?;
            ready
        }
        None => {
            for input in rea_componentize::INPUTS {
                println!("cargo:rerun-if-changed={}", root.join(input).display());
            }
            rea_componentize::build(root, &out)?
        }
    };
    fs::write(out.join("guide.component.wasm"), &component)?;
    println!(
        "cargo:rustc-env=REA_GUIDE_SHA256={}",
        hex(&Sha256::digest(&component))
    );
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

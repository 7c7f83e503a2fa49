//! Builds the component that the host embeds.
//!
//! `guest/` is compiled for `wasm32-unknown-unknown` in a target folder of its own, made a component,
//! validated, and refused if it imports anything but `rea:guide/*`. The bytes don't depend on the folder in
//! which this runs.
//!
//! * `REA_GUIDE_COMPONENT`: a ready component file, taken instead (checked all the same).
//! * `REA_GUIDE_CARGO`: the cargo that compiles the guest, where it isn't the one that compiles the host.
//! * `REA_GUIDE_BUILD_STD=1`: compile the standard library too, for a toolchain that has its source but no
//!   `wasm32-unknown-unknown` target installed.

use std::{
    env,
    error::Error,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use sha2::{Digest, Sha256};
use wasmparser::{Parser, Payload};

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "guest";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    if let Err(error) = run() {
        // One sentence, on stderr, where cargo shows it: not a panic with a backtrace.
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<()> {
    let root = root()?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    for name in [
        "REA_GUIDE_COMPONENT",
        "REA_GUIDE_CARGO",
        "REA_GUIDE_BUILD_STD",
    ] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");

    let component = match env::var_os("REA_GUIDE_COMPONENT") {
        Some(path) => {
            let path = PathBuf::from(path);
            println!("cargo:rerun-if-changed={}", path.display());
            fs::read(&path)
                .map_err(|error| format!("REA_GUIDE_COMPONENT: {}: {error}", path.display()))?
        }
        None => {
            for input in [
                "guest/src",
                "guest/Cargo.toml",
                "wit",
                "Cargo.toml",
                "Cargo.lock",
            ] {
                println!("cargo:rerun-if-changed={}", root.join(input).display());
            }
            componentize(&compile(&root, &out)?)?
        }
    };
    check_imports(&component)?;
    fs::write(out.join("guide.component.wasm"), &component)?;
    println!(
        "cargo:rustc-env=REA_GUIDE_SHA256={}",
        hex(&Sha256::digest(&component))
    );
    Ok(())
}

fn root() -> Result<PathBuf> {
    let host =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("CARGO_MANIFEST_DIR is not set")?);
    Ok(host
        .parent()
        .ok_or("host/ has no parent folder")?
        .to_path_buf())
}

/// Compiles the guest and returns its core module.
fn compile(root: &Path, out: &Path) -> Result<Vec<u8>> {
    let build_std = env::var_os("REA_GUIDE_BUILD_STD").is_some_and(|value| value == "1");
    let cargo = env::var_os("REA_GUIDE_CARGO")
        .or_else(|| env::var_os("CARGO"))
        .unwrap_or_else(|| "cargo".into());
    if !build_std && env::var_os("REA_GUIDE_CARGO").is_none() {
        require_target()?;
    }

    let target = out.join("guest");
    let mut command = Command::new(&cargo);
    command
        .current_dir(root)
        .args([
            "rustc",
            "--locked",
            "--package",
            "rea-guide",
            "--lib",
            "--crate-type",
            "cdylib",
        ])
        .args(["--target", TARGET, "--profile", PROFILE, "--target-dir"])
        .arg(&target);
    if build_std {
        command
            .arg("-Zbuild-std=std,panic_abort")
            .env("RUSTC_BOOTSTRAP", "1");
    }
    // What the outer build was told must not reach the inner one: its flags would change the bytes, its
    // wrapper (clippy's) would lint instead of compile.
    for (name, _) in env::vars_os() {
        if is_outer_only(&name) {
            command.env_remove(&name);
        }
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", remapped(root)?.join("\u{1f}"));
    let output = command
        .output()
        .map_err(|error| format!("{} could not be started: {error}", cargo.display()))?;
    if !output.status.success() {
        return Err(format!(
            "the guest did not compile ({}):\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    let module = target.join(TARGET).join(PROFILE).join("rea_guide.wasm");
    fs::read(&module).map_err(|error| format!("{}: {error}", module.display()).into())
}

/// Whether a variable of the outer build is kept from the inner one.
fn is_outer_only(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    name == "RUSTFLAGS"
        || name.starts_with("RUSTC")
        || name.starts_with("CLIPPY")
        || (name.starts_with("CARGO_")
            && ![
                "CARGO_HOME",
                "CARGO_MAKEFLAGS",
                "CARGO_NET",
                "CARGO_HTTP",
                "CARGO_REGISTR",
                "CARGO_SOURCE",
            ]
            .iter()
            .any(|kept| name.starts_with(kept)))
}

/// Fails with the one thing to run if the compiler has no standard library for the target.
fn require_target() -> Result<()> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()?;
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if output.status.success() && folder.is_dir() {
        return Ok(());
    }
    Err(
        format!("the Rust target {TARGET} is not installed; run: rustup target add {TARGET}")
            .into(),
    )
}

/// Flags that keep this machine's paths out of the module: crates put theirs into panic messages.
fn remapped(root: &Path) -> Result<Vec<String>> {
    let home = match env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => PathBuf::from(env::var_os("HOME").ok_or("neither CARGO_HOME nor HOME is set")?)
            .join(".cargo"),
    };
    let mut flags = vec![format!("--remap-path-prefix={}=/rea", root.display())];
    let sources = home.join("registry").join("src");
    if let Ok(registries) = fs::read_dir(&sources) {
        // The folder of a registry is named after its address; that isn't ours to publish either.
        for registry in registries.flatten() {
            flags.push(format!(
                "--remap-path-prefix={}=/deps",
                registry.path().display()
            ));
        }
    }
    Ok(flags)
}

fn componentize(module: &[u8]) -> Result<Vec<u8>> {
    let component = wit_component::ComponentEncoder::default()
        .validate(true)
        .module(module)
        .and_then(|encoder| encoder.encode())
        .map_err(|error| format!("the guest is no valid component: {error:#}"))?;
    Ok(component)
}

/// The sandbox begins here: a component that could ask for a file or a clock is not embedded.
fn check_imports(component: &[u8]) -> Result<()> {
    let mut depth = 0_u32;
    for payload in Parser::new(0).parse_all(component) {
        match payload.map_err(|error| format!("the component can't be read: {error}"))? {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(imports) if depth == 0 => {
                for import in imports {
                    let import =
                        import.map_err(|error| format!("the component can't be read: {error}"))?;
                    let name = import.name.name;
                    if !name.starts_with("rea:guide/") {
                        return Err(format!(
                            "the component imports `{name}`; only rea:guide/* is allowed"
                        )
                        .into());
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

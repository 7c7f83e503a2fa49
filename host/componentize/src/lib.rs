//! Makes the component from the guest's source: compiles it, turns the module into a component, validates it,
//! and refuses whatever could reach the world.
//!
//! A crate of its own because two things need it: the host's build script, and the test that builds the
//! component in another folder and compares the bytes.
//!
//! Read from the environment:
//! * `REA_GUIDE_CARGO`: the cargo that compiles the guest, where it isn't the one that compiles the host.
//! * `REA_GUIDE_BUILD_STD=1`: compile the standard library too, for a toolchain that has its source but no
//!   `wasm32-unknown-unknown` target installed.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use wasmparser::{Parser, Payload};

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "guest";

/// What the component is made of, relative to the workspace's folder.
pub const INPUTS: [&str; 5] = [
    "guest/src",
    "guest/Cargo.toml",
    "wit",
    "Cargo.toml",
    "Cargo.lock",
];

/// Variables that this reads.
pub const VARIABLES: [&str; 2] = ["REA_GUIDE_CARGO", "REA_GUIDE_BUILD_STD"];

/// Why there is no component: one sentence for people, and what the compiler said if it was that.
#[derive(Debug)]
pub struct Error(String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<String> for Error {
    fn from(text: String) -> Self {
        Error(text)
    }
}

type Result<T> = std::result::Result<T, Error>;

/// Builds the component of the workspace at `root`, with `out` for the compiler's files.
///
/// The bytes depend on the sources, the lock file and the compiler, not on the folders.
///
/// # Errors
/// If the target isn't installed (the message says what to run), the guest doesn't compile, or the result is no
/// valid component or imports anything but `rea:guide/*`.
pub fn build(root: &Path, out: &Path) -> Result<Vec<u8>> {
    let component = componentize(&compile(root, out)?)?;
    check_imports(&component)?;
    Ok(component)
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
        command.arg("-Zbuild-std=std,panic_abort");
    }
    // What the outer build was told must not reach the inner one: its flags would change the bytes, its
    // wrapper (clippy's) would lint instead of compile.
    for (name, _) in env::vars_os() {
        if is_outer_only(&name) {
            command.env_remove(&name);
        }
    }
    if let Some(cargo) = env::var_os("REA_GUIDE_CARGO") {
        // A toolchain is a cargo and the rustc beside it; rustup must not choose another one.
        command
            .env("RUSTC", Path::new(&cargo).with_file_name("rustc"))
            .env_remove("RUSTUP_TOOLCHAIN")
            .env_remove("LD_LIBRARY_PATH");
    }
    if build_std {
        command.env("RUSTC_BOOTSTRAP", "1");
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
fn is_outer_only(name: &OsStr) -> bool {
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
        .output()
        .map_err(|error| format!("{} could not be started: {error}", rustc.display()))?;
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
        None => PathBuf::from(
            env::var_os("HOME").ok_or_else(|| "neither CARGO_HOME nor HOME is set".to_owned())?,
        )
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

/// The sandbox begins here: a component that could ask for a file or a clock is refused.
///
/// # Errors
/// Names the first import outside `rea:guide/*`.
pub fn check_imports(component: &[u8]) -> Result<()> {
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

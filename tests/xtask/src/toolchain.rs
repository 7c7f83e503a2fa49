//! The compiler: that of `rust-toolchain.toml` with the wasm target, or Debian's.
//!
//! `host/build.rs` builds the component with the cargo that builds the host, for `wasm32-unknown-unknown`.
//! Where that target can't be had from rustup, it listens to two variables, which are set here:
//!
//! * `REA_GUIDE_CARGO`: the cargo that builds the component. The `rustc` beside it is its compiler, and nothing
//!   that rustup has set (`RUSTUP_TOOLCHAIN`, `RUSTC`, `LD_LIBRARY_PATH`) may reach it.
//! * `REA_GUIDE_BUILD_STD`: if `1`, the standard library is built too, because no compiled one is there: arguments
//!   `-Zbuild-std=std,panic_abort`, and `RUSTC_BOOTSTRAP=1`.
//!
//! `REA_GUIDE_COMPONENT` is for packagers: a component that was built elsewhere. No target is needed then.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::machine;
use crate::place::{Place, release};
use crate::run::Run;

const TARGET: &str = "wasm32-unknown-unknown";

/// Debian keeps a recent compiler for its browsers. It brings no compiled standard library for wasm, but the source.
const DEBIAN: [&str; 5] = [
    "rustc-web",
    "cargo-web",
    "rust-web-src",
    "rust-web-llvm",
    "lld-22",
];

/// Which cargo builds the project, and with which variables.
#[derive(Debug)]
pub(crate) struct Toolchain {
    cargo: PathBuf,
    env: Vec<(&'static str, PathBuf)>,
}

impl Toolchain {
    /// The cargo that runs this program.
    fn of_this_run() -> Self {
        let cargo = std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
        Self {
            cargo,
            env: Vec::new(),
        }
    }

    /// Why the component that it builds may have other bytes than that of the pinned compiler; nothing if it has not.
    pub(crate) fn deviates(&self, place: &Place) -> Result<Option<String>, Failure> {
        let chosen = ["REA_GUIDE_COMPONENT", "REA_GUIDE_CARGO"];
        if !self.env.is_empty() || chosen.iter().any(|name| std::env::var_os(name).is_some()) {
            return Ok(Some("another compiler builds the component".to_owned()));
        }
        let pinned = place.pinned_channel()?;
        let found = machine::ask("rustc", &["--version"]).unwrap_or_default();
        let is_pinned = found.split_whitespace().nth(1) == Some(pinned.as_str());
        Ok((!is_pinned).then(|| format!("the compiler is {found}, and the files are of {pinned}")))
    }

    /// A cargo command in the top folder.
    pub(crate) fn cargo(&self, place: &Place) -> Run {
        self.env
            .iter()
            .fold(Run::new(&self.cargo, &place.root), |run, (name, value)| {
                run.env(name, value)
            })
    }
}

/// Finds a compiler that can build the project, component included, or brings one.
pub(crate) fn prepare(place: &Place) -> Result<Toolchain, Failure> {
    let mut toolchain = Toolchain::of_this_run();
    let recent = is_recent("rustc", place)?;
    if std::env::var_os("REA_GUIDE_COMPONENT").is_some()
        || std::env::var_os("REA_GUIDE_CARGO").is_some()
    {
        println!("the component is built as the environment says");
        return Ok(toolchain);
    }
    if recent && has_target() {
        println!("{TARGET} is there");
        return Ok(toolchain);
    }
    let rustup = rustup(place);
    if rustup.is_ok() && has_target() {
        return Ok(toolchain);
    }
    let debian = from_debian(place);
    match (rustup, debian) {
        (_, Ok(())) => {
            if !recent {
                toolchain.cargo = PathBuf::from("/usr/bin/cargo");
                toolchain
                    .env
                    .push(("RUSTC", PathBuf::from("/usr/bin/rustc")));
            }
            toolchain
                .env
                .push(("REA_GUIDE_CARGO", PathBuf::from("/usr/bin/cargo")));
            toolchain
                .env
                .push(("REA_GUIDE_BUILD_STD", PathBuf::from("1")));
            Ok(toolchain)
        }
        (rustup, Err(debian)) => {
            let rustup = rustup
                .err()
                .unwrap_or_else(|| Failure::own("it brought no target"));
            Err(Failure {
                what: format!(
                    "the compiler has no target {TARGET}, which the component is built for.\n  \
                     rustup: {}\n  Debian's toolchain: {}\n  What to do: rustup target add {TARGET}",
                    rustup.what, debian.what
                ),
                // Whichever was the last to print something.
                tail: if debian.tail.is_empty() {
                    rustup.tail
                } else {
                    debian.tail
                },
                code: debian.code,
            })
        }
    }
}

/// Whether the compiler has a standard library for the target. It is asked, and not rustup: another toolchain
/// manager may have brought it.
fn has_target() -> bool {
    let Some(sysroot) = machine::ask("rustc", &["--print", "sysroot"]) else {
        return false;
    };
    let libraries = Path::new(&sysroot)
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib");
    libraries.read_dir().is_ok_and(|mut files| {
        files.any(|file| {
            file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
        })
    })
}

/// Whether a compiler is there and at least of the release that the project is pinned to.
fn is_recent(rustc: &str, place: &Place) -> Result<bool, Failure> {
    let pinned = place.pinned_rust()?;
    let text = Run::new(rustc, &place.root)
        .arg("--version")
        .quietly()
        .run()
        .unwrap_or_default();
    Ok(text
        .strip_prefix("rustc ")
        .and_then(release)
        .is_some_and(|found| found >= pinned))
}

/// Adds the target through rustup: once and alone, since two rustups at work on one toolchain can leave it without
/// its compiler for a while. If it fails for such a reason, a second try a little later will do.
fn rustup(place: &Place) -> Result<(), Failure> {
    if machine::find("rustup").is_none() {
        return Err(Failure::own("it isn't there"));
    }
    println!("installing the target {TARGET} through rustup");
    let add = || {
        Run::new("rustup", &place.root)
            .args(["target", "add", TARGET])
            .run()
            .map(drop)
    };
    let first = add();
    if first.is_ok() || has_target() {
        return Ok(());
    }
    println!("rustup failed; once more in five seconds, in case another one was at work");
    std::thread::sleep(std::time::Duration::from_secs(5));
    add()
}

/// Installs Debian's compiler, unless it is there.
fn from_debian(place: &Place) -> Result<(), Failure> {
    let source = Path::new("/usr/lib/rustlib/src/rust/library/std/Cargo.toml");
    let files = source.exists() && Path::new("/usr/bin/cargo").exists();
    if !(files && is_recent("/usr/bin/rustc", place)?) {
        if let Some(why) = machine::apt_refusal() {
            return Err(Failure::own(why));
        }
        machine::install(&DEBIAN, &place.root)?;
    }
    if source.exists() && is_recent("/usr/bin/rustc", place)? {
        println!("Debian's compiler builds the component");
        Ok(())
    } else {
        Err(Failure::own(
            "the packages here are older than what the project is built with",
        ))
    }
}

/// The formatter and the linter, for `.ci/run`. Missing ones come from rustup.
pub(crate) fn linters(place: &Place, toolchain: &Toolchain) -> Result<(), Failure> {
    let there = |tool: &str| {
        toolchain
            .cargo(place)
            .args([tool, "--version"])
            .quietly()
            .run()
            .is_ok()
    };
    let missing: Vec<&str> = [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter_map(|(tool, component)| (!there(tool)).then_some(component))
        .collect();
    if missing.is_empty() {
        println!("cargo fmt and cargo clippy are there");
        return Ok(());
    }
    println!("installing through rustup: {}", missing.join(" "));
    Run::new("rustup", &place.root)
        .args(["component", "add"])
        .args(missing)
        .run()
        .map(drop)
}

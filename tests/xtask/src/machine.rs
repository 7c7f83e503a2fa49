//! What this machine has, and how more is brought to it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;
use crate::run::Run;

/// The first program of that name on the path.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(program))
        .find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    let Ok(metadata) = file.metadata() else {
        return false;
    };
    #[cfg(unix)]
    let executable = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let executable = true;
    metadata.is_file() && executable
}

/// What a program says when asked, if it is there and doesn't fail.
pub(crate) fn ask(program: &str, words: &[&str]) -> Option<String> {
    find(program)?;
    let text = Run::new(program, Path::new("."))
        .args(words)
        .quietly()
        .run()
        .ok()?;
    Some(text.trim().to_owned())
}

/// Why Debian's packages can't be installed here; nothing if they can.
pub(crate) fn apt_refusal() -> Option<&'static str> {
    if find("apt-get").is_none() || !Path::new("/etc/debian_version").exists() {
        Some("this is no Debian")
    } else if ask("id", &["-u"]).as_deref() != Some("0") {
        Some("that needs root")
    } else {
        None
    }
}

/// Installs Debian packages, and says so first.
pub(crate) fn install(packages: &[&str], folder: &Path) -> Result<(), Failure> {
    static LISTED: AtomicBool = AtomicBool::new(false);

    println!("installing Debian packages: {}", packages.join(" "));
    let apt = |words: &[&str]| {
        Run::new("apt-get", folder)
            .args(["-q", "-o", "DPkg::Lock::Timeout=120"])
            .args(words)
            .env("DEBIAN_FRONTEND", "noninteractive")
    };
    // Once a run is enough, and without it a fresh machine knows of no package at all.
    if !LISTED.swap(true, Ordering::Relaxed) {
        apt(&["update"]).run()?;
    }
    apt(&["install", "-y", "--no-install-recommends"])
        .args(packages)
        .run()
        .map(drop)
}

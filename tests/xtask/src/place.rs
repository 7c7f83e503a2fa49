//! Where things are in this clone.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The folders that the runner works in.
#[derive(Debug)]
pub(crate) struct Place {
    /// The top folder of the clone.
    pub(crate) root: PathBuf,
    /// Where cargo builds.
    pub(crate) target: PathBuf,
}

impl Place {
    /// Asks the environment: cargo tells a program that it runs where its package is.
    pub(crate) fn find() -> Result<Self, Failure> {
        let root = match std::env::var_os("CARGO_MANIFEST_DIR") {
            Some(package) => Path::new(&package)
                .ancestors()
                .nth(2)
                .map(Path::to_path_buf),
            None => std::env::current_dir().ok(),
        };
        let root = root
            .filter(|root| root.join("rust-toolchain.toml").is_file())
            .ok_or_else(|| {
                Failure::own("run me as `cargo xtask` in the top folder of the clone")
            })?;
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            // A relative one is meant from where cargo is started, and that is the top folder.
            Some(folder) => root.join(folder),
            None => root.join("target"),
        };
        Ok(Self { root, target })
    }

    /// The program that all of this is about.
    pub(crate) fn rea(&self) -> PathBuf {
        self.target.join("release").join("rea")
    }

    /// Where the clients of the tests are laid out and their packages installed.
    pub(crate) fn clients(&self) -> PathBuf {
        self.target.join("clients")
    }

    /// Where the beds of the DSH plugin are laid out and their packages installed.
    pub(crate) fn beds(&self) -> PathBuf {
        self.target.join("dsh")
    }

    /// The DSH plugin.
    pub(crate) fn plugin(&self) -> PathBuf {
        self.root.join("host").join("dsh")
    }

    /// A path as a person in the top folder would type it.
    pub(crate) fn short(&self, path: &Path) -> String {
        path.strip_prefix(&self.root)
            .unwrap_or(path)
            .display()
            .to_string()
    }

    /// The Rust release that the project is pinned to, as `(1, 95)`.
    pub(crate) fn pinned_rust(&self) -> Result<(u32, u32), Failure> {
        release(&self.pinned_channel()?).ok_or_else(|| {
            Failure::own("rust-toolchain.toml names no release in its line `channel`")
        })
    }

    /// The same as it stands there.
    pub(crate) fn pinned_channel(&self) -> Result<String, Failure> {
        let file = self.root.join("rust-toolchain.toml");
        let text = std::fs::read_to_string(&file)
            .map_err(|error| Failure::own(format!("rust-toolchain.toml can't be read: {error}")))?;
        text.lines()
            .find_map(|line| line.trim().strip_prefix("channel"))
            .map(|rest| rest.trim_matches([' ', '=', '"']).to_owned())
            .ok_or_else(|| Failure::own("rust-toolchain.toml has no line `channel`"))
    }
}

/// The first two numbers of a version such as `1.95.0 (…)`.
pub(crate) fn release(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(|character: char| !character.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod unit {
    use super::release;

    #[test]
    fn versions_are_read() {
        assert_eq!(release("1.95.0\""), Some((1, 95)));
        assert_eq!(release("20.20.2"), Some((20, 20)));
        assert_eq!(
            release("1.96.0 (ac68faa20 2026-05-25) (Debian 1.96.0)"),
            Some((1, 96))
        );
        assert_eq!(release("stable"), None);
        assert_eq!(release(""), None);
    }
}

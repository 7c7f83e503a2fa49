//! What a caller may choose when a target is opened.

use std::path::{Path, PathBuf};

/// Where files that belong to a target are looked for. Nothing outside these folders is ever read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOptions {
    /// Folders of debug files, laid out like `/usr/lib/debug`, which is the only one by default.
    pub debug_dirs: Vec<PathBuf>,
    /// Whether debug files are looked for in the target's own folder and its `.debug` too. By default they are.
    pub beside: bool,
}

impl Default for OpenOptions {
    fn default() -> OpenOptions {
        OpenOptions {
            debug_dirs: vec![PathBuf::from("/usr/lib/debug")],
            beside: true,
        }
    }
}

impl OpenOptions {
    /// The target alone: no other file is read, but members of a thin archive, which lie in its folder.
    pub fn alone() -> OpenOptions {
        OpenOptions {
            debug_dirs: Vec::new(),
            beside: false,
        }
    }
}

/// A file that was read besides the target, as it is proven to belong to it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Companion {
    /// Its real path.
    #[serde(serialize_with = "shown")]
    pub path: PathBuf,
    /// What it is: `debug file`, `PDB`, `member`.
    pub kind: &'static str,
    /// What led to it: `build id`, `.gnu_debuglink`, `debug directory`, `thin archive`.
    pub found_by: &'static str,
    /// What proves that it belongs to the target.
    pub proof: String,
}

/// A path as text, escaped where it isn't printable.
fn shown<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    use std::os::unix::ffi::OsStrExt;
    serializer.serialize_str(&crate::escape::display(path.as_os_str().as_bytes()))
}

/// Where a target is, and where its companions may be.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    /// The target's real path.
    pub(crate) path: PathBuf,
    pub(crate) options: OpenOptions,
}

impl Surroundings {
    /// The folder that holds the target.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.path.parent()
    }
}

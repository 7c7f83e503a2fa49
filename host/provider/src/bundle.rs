//! The program of a macOS application bundle.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::OpenError;

/// An `Info.plist` takes some kilobytes; more than this is none.
const LIMIT: u64 = 1 << 20;

/// The program of a bundle: the file in `Contents/MacOS` that `Info.plist` names, or the only one there.
///
/// `path` is the real path of a directory. Nothing outside `Contents/MacOS` is ever the answer.
pub(crate) fn program(path: &Path) -> Result<PathBuf, OpenError> {
    let refuse = |why: Option<&str>| OpenError::Directory {
        path: path.to_owned(),
        bundle: why.map(str::to_owned),
    };
    if !path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("app"))
    {
        return Err(refuse(None));
    }
    let folder = path.join("Contents/MacOS");
    let Ok(folder) = std::fs::canonicalize(folder) else {
        return Err(refuse(Some("it has no Contents/MacOS")));
    };
    if !folder.starts_with(path) {
        return Err(refuse(Some("its Contents/MacOS leads out of the bundle")));
    }
    let name = match declared(&path.join("Contents/Info.plist")) {
        Some(name) if name.contains('/') || name == ".." || name == "." => {
            return Err(refuse(Some("its CFBundleExecutable is no plain file name")));
        }
        Some(name) => folder.join(name),
        None => only_file(&folder).ok_or_else(|| {
            refuse(Some("its Info.plist names no CFBundleExecutable (binary property lists are not read) and Contents/MacOS holds not exactly one file"))
        })?,
    };
    match std::fs::canonicalize(&name) {
        Ok(real) if real.starts_with(&folder) && !real.is_dir() => Ok(real),
        Ok(_) => Err(refuse(Some("its program leads out of Contents/MacOS"))),
        Err(_) => Err(refuse(Some(
            "the program that its Info.plist names isn't in Contents/MacOS",
        ))),
    }
}

fn declared(path: &Path) -> Option<String> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LIMIT {
        return None;
    }
    executable_of(&std::fs::read_to_string(path).ok()?)
}

/// The value of `CFBundleExecutable` in an XML property list.
fn executable_of(text: &str) -> Option<String> {
    let (_, after) = text.split_once("<key>CFBundleExecutable</key>")?;
    let value = after.trim_start().strip_prefix("<string>")?;
    let (value, _) = value.split_once("</string>")?;
    let value = value
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&");
    (!value.is_empty()).then_some(value)
}

fn only_file(folder: &Path) -> Option<PathBuf> {
    let mut files = std::fs::read_dir(folder)
        .ok()?
        .filter_map(Result::ok)
        .filter(|entry| {
            !entry.file_name().as_bytes().starts_with(b".")
                && entry.file_type().is_ok_and(|kind| kind.is_file())
        });
    let first = files.next()?;
    files.next().is_none().then(|| first.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_read_from_a_property_list() {
        let text = "<plist><dict>\n<key>CFBundleName</key><string>No</string>\n<key>CFBundleExecutable</key>\n\t<string>A &amp; B</string></dict></plist>";
        assert_eq!(executable_of(text).as_deref(), Some("A & B"));
        assert_eq!(
            executable_of("<key>CFBundleExecutable</key><integer>1</integer>"),
            None
        );
    }
}

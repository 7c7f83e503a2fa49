//! Where the state file is.

use std::{
    ffi::{OsStr, OsString},
    io,
    path::{Component, Path, PathBuf},
};

/// Its name where nobody says another.
const NAME: &str = "rea-toggle.json";

/// Links that are followed from the name to the file, at most.
const MOST_LINKS: usize = 40;

/// There is no place for a state file.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// Nobody says where.
    #[error(
        "there is no home folder (HOME is not set), so no place for {NAME}; name the file with --state FILE"
    )]
    NoHome,
    /// It can't be made absolute.
    #[error("{}: {source}", .path.display())]
    Relative {
        /// What was given.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// The state file: the one that was named, else `$DSH_HOME/rea-toggle.json`, else `~/.dsh/rea-toggle.json`.
///
/// As in DeepSeek Harness a blank `DSH_HOME` counts as none, and a leading `~` is the home folder. The path is absolute.
///
/// # Errors
/// If there is no home folder, or no working folder for a relative path.
pub fn state_path(named: Option<&Path>) -> Result<PathBuf, PathError> {
    resolve(named, std::env::var_os("DSH_HOME"), std::env::home_dir())
}

fn resolve(
    named: Option<&Path>,
    dsh_home: Option<OsString>,
    home: Option<PathBuf>,
) -> Result<PathBuf, PathError> {
    // std gives an empty path where HOME is set to nothing.
    let home = home.filter(|home| !home.as_os_str().is_empty());
    let path = match (named, dsh_home) {
        (Some(named), _) => expanded(named, home)?,
        (None, Some(folder)) if !blank(&folder) => expanded(Path::new(&folder), home)?.join(NAME),
        (None, _) => home.ok_or(PathError::NoHome)?.join(".dsh").join(NAME),
    };
    std::path::absolute(&path).map_err(|source| PathError::Relative { path, source })
}

fn blank(text: &OsStr) -> bool {
    text.to_str().is_some_and(|text| text.trim().is_empty())
}

fn expanded(path: &Path, home: Option<PathBuf>) -> Result<PathBuf, PathError> {
    let mut parts = path.components();
    if parts.next() == Some(Component::Normal(OsStr::new("~"))) {
        return Ok(home.ok_or(PathError::NoHome)?.join(parts.as_path()));
    }
    Ok(path.to_owned())
}

/// The file that a path stands for: links at its end are followed, also where they lead to nothing yet, so that a link stays a
/// link and two names of one file share one lock.
pub(super) fn real(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                let target = std::fs::read_link(&path)?;
                path = match path.parent() {
                    Some(folder) => folder.join(target),
                    None => target,
                };
            }
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many links, one leading to the next"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(named: Option<&str>, dsh_home: Option<&str>) -> PathBuf {
        let home = Some(PathBuf::from("/home/x"));
        resolve(named.map(Path::new), dsh_home.map(OsString::from), home).unwrap()
    }

    #[test]
    fn t11_the_file_is_in_the_home_of_the_harness() {
        assert_eq!(at(None, None), Path::new("/home/x/.dsh/rea-toggle.json"));
        for blank in ["", " ", "\t\n"] {
            assert_eq!(at(None, Some(blank)), at(None, None));
        }
        assert_eq!(at(None, Some("/d")), Path::new("/d/rea-toggle.json"));
        assert_eq!(at(None, Some("~")), Path::new("/home/x/rea-toggle.json"));
        assert_eq!(
            at(None, Some("~/a/b")),
            Path::new("/home/x/a/b/rea-toggle.json")
        );
        assert_eq!(at(Some("/s.json"), Some("/d")), Path::new("/s.json"));
        assert_eq!(at(Some("~/s.json"), None), Path::new("/home/x/s.json"));
        let own = std::env::current_dir().unwrap();
        assert_eq!(at(Some("s.json"), None), own.join("s.json"));
        assert_eq!(at(None, Some("rel")), own.join("rel/rea-toggle.json"));
        assert_eq!(at(None, Some("~x")), own.join("~x/rea-toggle.json"));
    }

    #[test]
    fn without_a_home_the_file_must_be_named() {
        for home in [None, Some(PathBuf::new())] {
            assert!(matches!(
                resolve(None, None, home.clone()),
                Err(PathError::NoHome)
            ));
            assert!(matches!(
                resolve(None, Some("~/x".into()), home.clone()),
                Err(PathError::NoHome)
            ));
            assert!(resolve(Some(Path::new("/s")), None, home).is_ok());
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_where_the_file_is_or_will_be() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let inside = |name: &str| folder.path().join(name);
        symlink("second", inside("first")).unwrap();
        symlink("third", inside("second")).unwrap();
        assert_eq!(real(&inside("first")).unwrap(), inside("third"));
        std::fs::write(inside("third"), "x").unwrap();
        assert_eq!(real(&inside("first")).unwrap(), inside("third"));
        symlink("circle", inside("circle")).unwrap();
        assert!(
            real(&inside("circle"))
                .unwrap_err()
                .to_string()
                .contains("links")
        );
    }
}

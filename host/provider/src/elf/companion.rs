//! Debug files: symbols that were taken out of a program and put beside it.
//!
//! A file is followed only if it lies in a folder that the caller allows, and only if it proves to belong to the program: by
//! the same build id, or by the checksum that the program's link tells. That none is there is normal.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::Elf;
use super::layout::{build_id, debug_link};
use crate::file::SourceFile;
use crate::options::Surroundings;
use crate::{Companion, ReadError};

/// A debug file that belongs to a program.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) file: SourceFile,
    pub(crate) elf: Elf,
    pub(crate) companion: Companion,
}

/// What looking for one came to.
#[derive(Debug, Default)]
pub(crate) struct Search {
    pub(crate) found: Option<Found>,
    /// The name of the debug file that the program asks for.
    pub(crate) wanted: Option<String>,
    /// Files that were there and are not its debug file, and why.
    pub(crate) refused: Vec<String>,
}

/// The checksum is computed in pieces of this size.
const PIECE: usize = 1 << 20;

struct Request<'a> {
    file: &'a SourceFile,
    elf: &'a Elf,
    build_id: Option<String>,
    crc: Option<u32>,
}

/// Looks for the debug file of a program.
pub(crate) fn search(
    file: &SourceFile,
    elf: &Elf,
    near: &Surroundings,
) -> Result<Search, ReadError> {
    let mut search = Search::default();
    if elf.is_relocatable() {
        return Ok(search);
    }
    let link = debug_link(file, elf)?;
    let request = Request {
        file,
        elf,
        build_id: build_id(file, elf)?,
        crc: link.as_ref().map(|(_, crc)| *crc),
    };
    search.wanted = link
        .as_ref()
        .map(|(name, _)| crate::escape::display(name).into_owned());
    let own = near
        .folder()
        .filter(|_| near.options.beside)
        .map(Path::to_owned);
    let roots: Vec<PathBuf> = own
        .iter()
        .cloned()
        .chain(
            near.options
                .debug_dirs
                .iter()
                .filter_map(|folder| std::fs::canonicalize(folder).ok()),
        )
        .collect();
    if let Some(id) = request.build_id.as_deref()
        && let (Some(first), Some(rest)) = (id.get(..2), id.get(2..).filter(|id| !id.is_empty()))
    {
        for root in &roots {
            let path = root
                .join(".build-id")
                .join(first)
                .join(format!("{rest}.debug"));
            if request.follow(root, &path, "build id", &mut search)? {
                return Ok(search);
            }
        }
    }
    // A link is a plain file name.
    let Some((name, _)) = link.filter(|(name, _)| {
        !name.is_empty() && !name.contains(&b'/') && name != b"." && name != b".."
    }) else {
        return Ok(search);
    };
    let name = Path::new(OsStr::from_bytes(&name));
    let mut candidates: Vec<(PathBuf, PathBuf)> = Vec::new();
    if let Some(own) = &own {
        candidates.push((own.clone(), own.join(name)));
        candidates.push((own.clone(), own.join(".debug").join(name)));
    }
    let folder = near.folder().unwrap_or(Path::new("/"));
    for root in roots.iter().skip(usize::from(own.is_some())) {
        let inside = folder.strip_prefix("/").unwrap_or(folder);
        candidates.push((root.clone(), root.join(inside).join(name)));
        candidates.push((root.clone(), root.join(name)));
    }
    for (root, path) in candidates {
        if request.follow(&root, &path, ".gnu_debuglink", &mut search)? {
            break;
        }
    }
    Ok(search)
}

impl Request<'_> {
    /// Opens a file if it lies in the root, and takes it if it belongs to the program.
    fn follow(
        &self,
        root: &Path,
        path: &Path,
        found_by: &'static str,
        search: &mut Search,
    ) -> Result<bool, ReadError> {
        let Ok(path) = std::fs::canonicalize(path) else {
            return Ok(false);
        };
        let shown = crate::escape::display(path.as_os_str().as_bytes()).into_owned();
        if !path.starts_with(root) {
            search.refused.push(format!(
                "{shown} lies outside the folder it was looked for in"
            ));
            return Ok(false);
        }
        let file = match SourceFile::open(&path) {
            Ok(file) => file,
            Err(error) => {
                search.refused.push(error.to_string());
                return Ok(false);
            }
        };
        // A program may be found as its own debug file.
        let (ours, theirs) = (self.file.fingerprint(), file.fingerprint());
        if (ours.device, ours.inode) == (theirs.device, theirs.inode) {
            return Ok(false);
        }
        let elf = match Elf::parse(&file) {
            Ok(elf) => elf,
            Err(error) => {
                search.refused.push(format!("{shown}: {}", error.reason()));
                return Ok(false);
            }
        };
        match self.proof(&file, &elf, found_by)? {
            Ok(proof) => {
                search.found = Some(Found {
                    file,
                    elf,
                    companion: Companion {
                        path,
                        kind: "debug file",
                        found_by,
                        proof,
                    },
                });
                Ok(true)
            }
            Err(why) => {
                search.refused.push(format!("{shown}: {why}"));
                Ok(false)
            }
        }
    }

    fn proof(
        &self,
        file: &SourceFile,
        elf: &Elf,
        found_by: &str,
    ) -> Result<Result<String, String>, ReadError> {
        if elf.shape != self.elf.shape || elf.header.machine != self.elf.header.machine {
            return Ok(Err("it is for another processor".to_owned()));
        }
        if found_by == "build id" {
            let theirs = build_id(file, elf)?;
            return Ok(if theirs == self.build_id {
                Ok(format!(
                    "both have the build id {}",
                    theirs.unwrap_or_default()
                ))
            } else {
                Err("it has another build id".to_owned())
            });
        }
        let crc = checksum(file)?;
        Ok(match self.crc {
            Some(wanted) if wanted == crc => {
                Ok(format!("its CRC-32 is {crc:#x}, as .gnu_debuglink says"))
            }
            _ => Err(format!(
                "its CRC-32 is {crc:#x}, not what .gnu_debuglink says"
            )),
        })
    }
}

fn checksum(file: &SourceFile) -> Result<u32, ReadError> {
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0u8; PIECE];
    let mut done = 0u64;
    while done < file.len() {
        let size = usize::try_from(file.len() - done)
            .unwrap_or(PIECE)
            .min(PIECE);
        let piece = buffer.get_mut(..size).unwrap_or(&mut []);
        file.fill(piece, done)?;
        hasher.update(piece);
        done += size as u64;
    }
    file.check()?;
    Ok(hasher.finalize())
}

//! A member opened: its bytes, and what they are.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};
use std::sync::Arc;

use super::Archive;
use super::headers::Member;
use super::import::Import;
use crate::file::SourceFile;
use crate::header::HeaderError;
use crate::image::{Image, Traits, recognise};
use crate::options::Surroundings;
use crate::{Companion, Format, ReadError, escape};

/// A member that was looked into.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) file: Arc<SourceFile>,
    pub(super) format: Option<Format>,
    pub(super) traits: Option<Traits>,
    pub(super) what: What,
    /// The file of a member of a thin archive.
    pub(super) companion: Option<Companion>,
}

/// What a member is.
#[derive(Debug)]
pub(super) enum What {
    Image(Image),
    Import(Import),
    /// Nothing that is read, and why.
    Unread(String),
}

impl Archive {
    /// Opens the member of a number. Fails only if the archive itself can't be read any more.
    pub(super) fn opened(
        &self,
        number: usize,
        file: &SourceFile,
        near: &Surroundings,
    ) -> Result<Option<Opened>, ReadError> {
        let Some(member) = self.members.get(number) else {
            return Ok(None);
        };
        let mut companion = None;
        let bytes = if self.is_thin {
            outside(member, near).map(|(file, found)| {
                companion = Some(found);
                file
            })
        } else {
            file.part(member.data_offset, member.size)
                .ok_or_else(|| "its bytes lie outside the archive".to_owned())
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(why) => {
                return Ok(Some(Opened {
                    file: Arc::new(SourceFile::of_memory(Vec::new())),
                    format: None,
                    traits: None,
                    what: What::Unread(why),
                    companion: None,
                }));
            }
        };
        let format = recognise(&bytes)?;
        let what = look(&bytes, format)?;
        let traits = match &what {
            What::Image(image) => image.traits(&bytes, near).ok(),
            What::Import(import) => Some(import.traits()),
            What::Unread(_) => None,
        };
        Ok(Some(Opened {
            file: Arc::new(bytes),
            format: Some(format),
            traits,
            what,
            companion,
        }))
    }
}

fn look(bytes: &SourceFile, format: Format) -> Result<What, ReadError> {
    let unread = |why: String| Ok(What::Unread(why));
    match format {
        Format::Archive => return unread("an archive in an archive is not read".to_owned()),
        Format::LlvmBitcode => {
            return unread(
                "it is LLVM bitcode, which has no machine code; its symbols are not read"
                    .to_owned(),
            );
        }
        Format::CoffImport => {
            return Ok(match Import::parse(bytes)? {
                Some(import) => What::Import(import),
                None => What::Unread("it is a damaged import of a COFF library".to_owned()),
            });
        }
        _ => {}
    }
    match Image::parse(bytes, format) {
        // A file of several documents in an archive is none of a linker's.
        Ok(Some(image)) if image.is_single() => Ok(What::Image(image)),
        Ok(_) => unread(format!(
            "it is {}, which is not read here",
            format.with_article()
        )),
        Err(HeaderError::Read(
            error @ (ReadError::Changed | ReadError::Io(_) | ReadError::Cancelled),
        )) => Err(error),
        Err(error) => unread(error.reason()),
    }
}

/// Opens the file of a member of a thin archive, which must lie in the archive's folder.
fn outside(member: &Member, near: &Surroundings) -> Result<(SourceFile, Companion), String> {
    let name = Path::new(OsStr::from_bytes(&member.name));
    let shown = escape::display(&member.name);
    let inward = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let folder = near
        .folder()
        .filter(|_| !member.name.is_empty() && name.components().all(inward))
        .ok_or_else(|| {
            format!("its file {shown} is not in the archive's folder, so it is not opened")
        })?;
    let path = std::fs::canonicalize(folder.join(name))
        .map_err(|error| format!("its file {shown} can't be found: {error}"))?;
    if !path.starts_with(folder) {
        return Err(format!(
            "its file {shown} leads out of the archive's folder, so it is not opened"
        ));
    }
    let file = SourceFile::open(&path)
        .map_err(|error| format!("its file {shown} can't be opened: {error}"))?;
    if file.len() != member.size {
        return Err(format!(
            "its file {shown} has {} bytes and not {}, as the archive says",
            file.len(),
            member.size
        ));
    }
    let companion = Companion {
        path,
        kind: "member",
        found_by: "thin archive",
        proof: format!("it has the {} bytes that the archive says", member.size),
    };
    Ok((file, companion))
}

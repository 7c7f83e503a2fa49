//! Universal files of archives: an archive for each processor, as static libraries of macOS are.
//!
//! A member's document goes by the processor and the member's name: `arm64:a.o`.

use std::sync::Arc;

use super::{Archive, inventory};
use crate::file::SourceFile;
use crate::header::HeaderError;
use crate::image::{Traits, recognise};
use crate::layout::{Hex, Layout, LayoutHeader, LayoutSlice};
use crate::macho;
use crate::options::Surroundings;
use crate::{Format, Identity, Inventory, Monitor, ReadError, TargetKind};

/// A universal file of archives.
#[derive(Debug)]
pub(crate) struct FatArchive {
    slices: Vec<Slice>,
}

#[derive(Debug)]
struct Slice {
    name: String,
    offset: u64,
    size: u64,
    /// The archive, or why it can't be read.
    archive: Result<Archive, String>,
}

impl Slice {
    fn part(&self, file: &SourceFile) -> Option<SourceFile> {
        let size = self.size.min(file.len().checked_sub(self.offset)?);
        file.part(self.offset, size)
    }

    /// Like the name of the whole, for its members.
    fn prefix(&self) -> String {
        format!("{}:", self.name)
    }
}

impl FatArchive {
    /// Reads the headers of all archives.
    pub(crate) fn parse(file: &SourceFile) -> Result<FatArchive, HeaderError> {
        let mut slices = Vec::new();
        for row in macho::fat_slices(file)? {
            let mut slice = Slice {
                name: row.name,
                offset: row.span.offset,
                size: row.span.size,
                archive: Err("it is damaged".to_owned()),
            };
            slice.archive = match (row.misplaced, slice.part(file)) {
                (Some(why), _) => Err(why),
                (None, None) => Err("it begins behind the end of the file".to_owned()),
                (None, Some(part)) if recognise(&part)? == Format::Archive => {
                    match Archive::parse(&part) {
                        Ok(archive) if archive.is_thin => {
                            Err("a thin archive can't be a slice".to_owned())
                        }
                        Ok(archive) => Ok(archive),
                        Err(HeaderError::Read(error)) => return Err(error.into()),
                        Err(error) => Err(error.reason()),
                    }
                }
                (None, Some(_)) => Err("it is no archive".to_owned()),
            };
            slices.push(slice);
        }
        Ok(FatArchive { slices })
    }

    /// What its archives are for, all processors named.
    pub(crate) fn traits(
        &self,
        file: &SourceFile,
        near: &Surroundings,
    ) -> Result<Traits, ReadError> {
        let mut traits: Option<Traits> = None;
        for slice in &self.slices {
            if let (Ok(archive), Some(part)) = (&slice.archive, slice.part(file)) {
                let found = archive.traits(&part, near)?;
                traits = Some(match traits {
                    Some(known) => Traits {
                        bits: known.bits.max(found.bits),
                        ..known
                    },
                    None => found,
                });
            }
        }
        let names: Vec<&str> = self.slices.iter().map(|slice| &*slice.name).collect();
        Ok(Traits {
            architecture: names.join(", "),
            kind: TargetKind::StaticLibrary,
            ..traits.unwrap_or(Traits {
                kind: TargetKind::StaticLibrary,
                architecture: String::new(),
                bits: 0,
                endianness: crate::ByteOrder::Little,
            })
        })
    }

    /// The documents of all archives.
    pub(crate) fn inventory(
        &self,
        file: &Arc<SourceFile>,
        near: &Surroundings,
        monitor: &dyn Monitor,
    ) -> Result<Inventory, ReadError> {
        let mut whole = Inventory::new(Vec::new());
        for slice in &self.slices {
            let prefix = slice.prefix();
            let part = slice.part(file).map(Arc::new);
            let found = match (&slice.archive, part) {
                (Ok(archive), Some(part)) => {
                    inventory(archive, &part, &slice.name, &prefix, near, monitor)?
                }
                (Ok(_), None) => unread(file, slice, "it lies outside the file")?,
                (Err(why), _) => unread(file, slice, why)?,
            };
            whole = whole.and(found, &prefix);
        }
        Ok(whole)
    }

    /// The archives, as slices.
    pub(crate) fn layout(&self, identity: &Identity) -> Layout {
        let header = LayoutHeader {
            file_type: "FAT_MAGIC".to_owned(),
            ..LayoutHeader::default()
        };
        let mut layout = Layout::new(identity, header);
        layout.slices = self
            .slices
            .iter()
            .map(|slice| LayoutSlice {
                document: slice.name.clone(),
                architecture: slice.name.clone(),
                file_offset: Hex(slice.offset),
                size: Hex(slice.size),
                kind: slice.archive.is_ok().then_some(TargetKind::StaticLibrary),
                damage: slice.archive.as_ref().err().cloned(),
            })
            .collect();
        layout
    }

    /// The layout of an archive, by the name of its slice, or of a member.
    pub(crate) fn layout_of(
        &self,
        file: &SourceFile,
        identity: &Identity,
        near: &Surroundings,
        document: &str,
    ) -> Result<Option<Layout>, ReadError> {
        let Some((slice, rest)) = self.slices.iter().find_map(|slice| {
            let rest = document.strip_prefix(slice.name.as_str())?;
            (rest.is_empty() || rest.starts_with(':')).then_some((slice, rest))
        }) else {
            return Ok(None);
        };
        let (archive, part) = match (&slice.archive, slice.part(file)) {
            (Ok(archive), Some(part)) => (archive, part),
            (Err(why), _) => return Err(ReadError::Damaged(why.clone())),
            (Ok(_), None) => return Ok(None),
        };
        let identity = Identity {
            format: Format::Archive,
            architecture: slice.name.clone(),
            size: slice.size,
            ..identity.clone()
        };
        match rest.strip_prefix(':') {
            Some(member) => archive.layout_of(&part, &identity, near, member),
            None => archive.layout(&part, &identity, near).map(Some),
        }
    }

    /// The member that holds a byte of the file.
    pub(crate) fn owner(&self, offset: u64) -> Option<String> {
        self.slices.iter().find_map(|slice| {
            let inside = offset.checked_sub(slice.offset)?;
            let archive = slice.archive.as_ref().ok()?;
            let member = (inside < slice.size).then(|| archive.owner(inside))?;
            Some(match member {
                Some(member) => format!("{}{member}", slice.prefix()),
                None => slice.name.clone(),
            })
        })
    }
}

fn unread(file: &Arc<SourceFile>, slice: &Slice, why: &str) -> Result<Inventory, ReadError> {
    let why = format!("the slice can't be read: {why}");
    crate::inventory::unread(file, &slice.name, why).map(|document| Inventory::new(vec![document]))
}

//! A core module as its sections describe it.

use wasmparser::{BinaryReader, MemorySectionReader};

use super::sections::{self, HEADER, Section};
use crate::file::SourceFile;
use crate::header::HeaderError;
use crate::image::Traits;
use crate::{ByteOrder, TargetKind};

/// A module.
#[derive(Debug)]
pub(crate) struct Module {
    pub(super) sections: Vec<Section>,
    /// Why they aren't all.
    pub(super) damage: Option<String>,
    has_long_addresses: bool,
}

impl Module {
    /// Reads the headers of all sections.
    pub(crate) fn parse(file: &SourceFile) -> Result<Module, HeaderError> {
        version(file, 1)?;
        let (sections, damage) = sections::read(file)?;
        let mut this = Module {
            sections,
            damage,
            has_long_addresses: false,
        };
        if let Some(section) = this.section(5) {
            let bytes = file.read(section.offset, section.size)?;
            this.has_long_addresses =
                MemorySectionReader::new(BinaryReader::new(&bytes, section.offset)).is_ok_and(
                    |memories| memories.into_iter().flatten().any(|memory| memory.memory64),
                );
        }
        Ok(this)
    }

    /// The first section of a kind.
    pub(super) fn section(&self, id: u8) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }

    /// The first custom section of a name.
    pub(super) fn custom(&self, name: &[u8]) -> Option<&Section> {
        self.sections
            .iter()
            .find(|section| section.id == 0 && section.name == name)
    }

    pub(crate) fn traits(&self) -> Traits {
        Traits {
            kind: if self.custom(b"linking").is_some() {
                TargetKind::Relocatable
            } else if self.custom(b"dylink.0").is_some() || self.custom(b"dylink").is_some() {
                TargetKind::SharedLibrary
            } else {
                TargetKind::Executable
            },
            architecture: if self.has_long_addresses {
                "wasm64"
            } else {
                "wasm32"
            }
            .to_owned(),
            bits: if self.has_long_addresses { 64 } else { 32 },
            endianness: ByteOrder::Little,
        }
    }

    /// The section that holds a byte of the file.
    pub(crate) fn owner(&self, offset: u64) -> Option<String> {
        let behind = self
            .sections
            .partition_point(|section| section.offset <= offset);
        let section = self.sections.get(behind.checked_sub(1)?)?;
        (offset - section.offset < section.size).then(|| shown(section))
    }
}

/// A section's name for people.
pub(super) fn shown(section: &Section) -> String {
    if section.id == 0 {
        crate::escape::display(&section.name).into_owned()
    } else {
        sections::kind(section.id)
    }
}

/// Refuses a file that is cut off in its header, or of another version.
pub(super) fn version(file: &SourceFile, wanted: u16) -> Result<(), HeaderError> {
    if file.len() < HEADER {
        return Err(HeaderError::Truncated(format!(
            "{} bytes, and its header takes {HEADER}",
            file.len()
        )));
    }
    let head = file.read(4, 2)?;
    let version = head.first_chunk().copied().map_or(0, u16::from_le_bytes);
    if version == wanted {
        Ok(())
    } else {
        Err(HeaderError::Malformed(format!(
            "its version is {version}, and only {wanted} is known"
        )))
    }
}

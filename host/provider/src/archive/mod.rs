//! Archives of object files (`ar`): GNU, BSD, COFF and thin ones. Each member is a document.
//!
//! A document goes by the member's name; where several members have that name, or it is one that a spelling can't hold,
//! `#` and the offset of the member's header follow. The tables that an archive keeps for a linker are no documents.

mod build;
mod fat;
mod headers;
mod import;
mod layout;
mod member;

use crate::file::SourceFile;
use crate::header::HeaderError;
use crate::image::Traits;
use crate::options::Surroundings;
use crate::{ByteOrder, ReadError, TargetKind};

pub(crate) use build::inventory;
pub(crate) use fat::FatArchive;
use headers::Member;
use member::What;

/// An archive as the headers of its members describe it.
#[derive(Debug)]
pub(crate) struct Archive {
    members: Vec<Member>,
    is_thin: bool,
    /// Why there may be more members than these.
    damage: Vec<String>,
}

/// The processor of an archive is that of the first of so many members that has one.
const TELLING: usize = 8;

impl Archive {
    /// Reads the headers of all members.
    pub(crate) fn parse(file: &SourceFile) -> Result<Archive, HeaderError> {
        headers::read(file)
    }

    pub(crate) fn traits(
        &self,
        file: &SourceFile,
        near: &Surroundings,
    ) -> Result<Traits, ReadError> {
        let mut traits = Traits {
            kind: TargetKind::StaticLibrary,
            architecture: "unknown".to_owned(),
            bits: 0,
            endianness: ByteOrder::Little,
        };
        for number in 0..self.members.len().min(TELLING) {
            if let Some(found) = self
                .opened(number, file, near)?
                .and_then(|opened| opened.traits)
            {
                traits = Traits {
                    kind: TargetKind::StaticLibrary,
                    ..found
                };
                break;
            }
        }
        Ok(traits)
    }

    /// The member that holds a byte of the file.
    pub(crate) fn owner(&self, offset: u64) -> Option<String> {
        let behind = self
            .members
            .partition_point(|member| member.data_offset <= offset);
        let member = self.members.get(behind.checked_sub(1)?)?;
        (!self.is_thin && offset - member.data_offset < member.size)
            .then(|| member.document.clone())
    }
}

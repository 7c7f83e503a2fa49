//! The header of an object file.

use super::raw::{u16_at, u32_at};
use super::section::{self, Section};
use super::table::{StringTable, Where};
use crate::escape;
use crate::file::SourceFile;
use crate::header::HeaderError;

/// An object file: its header and sections.
#[derive(Debug)]
pub(crate) struct Coff {
    pub(crate) machine: u16,
    pub(crate) characteristics: u16,
    pub(crate) timestamp: u32,
    pub(crate) sections: Vec<Section>,
    pub(crate) symbols: Option<Where>,
    /// Its section numbers have 32 bits (`/bigobj`).
    pub(crate) is_big: bool,
}

/// What `/bigobj` files have where others have their machine: 0, 0xffff, version 2, and this class.
const BIG_CLASS: [u8; 16] = [
    0xc7, 0xa1, 0xba, 0xd1, 0xee, 0xba, 0xa9, 0x4b, 0xaf, 0x20, 0xfa, 0xf6, 0x6a, 0xa4, 0xdc, 0xb8,
];

impl Coff {
    pub(crate) fn parse(file: &SourceFile) -> Result<Coff, HeaderError> {
        let head = file.read(0, file.len().min(56))?;
        let is_big = u16_at(&head, 0) == Some(0)
            && u16_at(&head, 2) == Some(0xffff)
            && head.get(12..28) == Some(&BIG_CLASS[..]);
        let size = if is_big { 56 } else { 20 };
        if head.len() < size {
            return Err(HeaderError::Truncated(format!(
                "{} bytes, and its header takes {size}",
                head.len()
            )));
        }
        let short = |at| u16_at(&head, at).unwrap_or(0);
        let word = |at| u32_at(&head, at).unwrap_or(0);
        let (machine, timestamp, count, pointer, rows, characteristics, sections_at) = if is_big {
            (short(6), word(8), word(44), word(48), word(52), 0, 56u64)
        } else {
            let behind = 20 + u64::from(short(16));
            (
                short(0),
                word(4),
                short(2).into(),
                word(8),
                word(12),
                short(18),
                behind,
            )
        };
        let bytes = u64::from(count) * section::SIZE as u64;
        if !file.holds(sections_at, bytes) {
            return Err(HeaderError::Truncated(format!(
                "{count} section headers at {sections_at:#x} lie outside the file of {} bytes",
                file.len()
            )));
        }
        let symbols = (pointer != 0 && rows != 0).then_some(Where {
            offset: pointer.into(),
            rows: rows.into(),
            big: is_big,
        });
        let strings = symbols
            .map(|place| StringTable::read(file, place))
            .transpose()?;
        Ok(Coff {
            machine,
            characteristics,
            timestamp,
            sections: section::parse(&file.read(sections_at, bytes)?, strings.as_ref()),
            symbols,
            is_big,
        })
    }

    /// The section that holds a byte of the file. An object is not loaded, so there is no address.
    pub(crate) fn owner(&self, offset: u64) -> (Option<String>, Option<u64>) {
        let holds = |section: &&Section| {
            !section.is_uninitialised()
                && offset
                    .checked_sub(section.raw_offset.into())
                    .is_some_and(|inside| inside < u64::from(section.raw_size))
        };
        let section = self.sections.iter().find(holds);
        (
            section.map(|section| escape::display(&section.name).into_owned()),
            None,
        )
    }
}

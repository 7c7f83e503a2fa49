//! The headers: DOS, COFF, optional, sections.

use crate::TargetKind;
use crate::coff::machine;
use crate::coff::raw::{u8_at, u16_at, u32_at, word_at};
use crate::coff::section::{self, Section};
use crate::coff::table::{StringTable, Where};
use crate::file::SourceFile;
use crate::header::HeaderError;
use crate::{ReadError, escape};

/// The headers of an image.
#[derive(Debug)]
pub(crate) struct Pe {
    pub(crate) is_64: bool,
    pub(crate) machine: u16,
    pub(crate) characteristics: u16,
    pub(crate) timestamp: u32,
    pub(crate) linker: (u8, u8),
    /// Relative to the image; 0 for none.
    pub(crate) entry: u32,
    pub(crate) image_base: u64,
    pub(crate) section_alignment: u32,
    pub(crate) image_size: u32,
    pub(crate) headers_size: u32,
    pub(crate) subsystem: u16,
    pub(crate) dll_characteristics: u16,
    directories: Vec<Directory>,
    pub(crate) sections: Vec<Section>,
    pub(crate) symbols: Option<Where>,
}

/// A data directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Directory {
    pub(crate) rva: u32,
    pub(crate) size: u32,
}

/// Numbers of data directories.
pub(crate) mod directory {
    pub(crate) const EXPORT: usize = 0;
    pub(crate) const IMPORT: usize = 1;
    pub(crate) const RESOURCE: usize = 2;
    pub(crate) const EXCEPTION: usize = 3;
    pub(crate) const CERTIFICATE: usize = 4;
    pub(crate) const RELOCATION: usize = 5;
    pub(crate) const DEBUG: usize = 6;
    pub(crate) const TLS: usize = 9;
    pub(crate) const LOAD_CONFIG: usize = 10;
    pub(crate) const DELAY_IMPORT: usize = 13;
    pub(crate) const CLR: usize = 14;
}

/// Where the DOS header tells of the other one.
const POINTER: u64 = 0x3c;
/// Signature and COFF header.
const COFF_HEADER: u64 = 24;
/// A loader takes no more directories.
const DIRECTORIES: u32 = 16;
/// A loader rounds where a section stands in the file down to this.
const SECTOR: u32 = 0x200;
const PAGE: u32 = 0x1000;

/// Where the PE header stands, if there is one. Its first bytes need not be near the beginning of the file.
fn header_at(file: &SourceFile) -> Result<Option<u64>, ReadError> {
    if !file.holds(POINTER, 4) {
        return Ok(None);
    }
    let at = u64::from(u32_at(&file.read(POINTER, 4)?, 0).unwrap_or(0));
    Ok((file.holds(at, 4) && file.read(at, 4)? == b"PE\0\0").then_some(at))
}

/// Whether a file that begins like an MS-DOS program is a Windows image.
pub(crate) fn is_pe(file: &SourceFile) -> Result<bool, ReadError> {
    header_at(file).map(|at| at.is_some())
}

impl Pe {
    pub(crate) fn parse(file: &SourceFile) -> Result<Pe, HeaderError> {
        let Some(at) = header_at(file)? else {
            return Err(HeaderError::Malformed("it has no PE signature".to_owned()));
        };
        let cut = |what: &str| {
            HeaderError::Truncated(format!(
                "{what} lies outside the file of {} bytes",
                file.len()
            ))
        };
        if !file.holds(at, COFF_HEADER + 2) {
            return Err(cut("the header"));
        }
        let coff = file.read(at, COFF_HEADER)?;
        let short = |at| u16_at(&coff, at).unwrap_or(0);
        let (machine, count, optional_size) = (short(4), short(6), short(20));
        let optional_at = at.saturating_add(COFF_HEADER);
        // The loader takes the fields whatever size is claimed for them.
        let optional = file.read(optional_at, file.len().saturating_sub(optional_at).min(240))?;
        let is_64 = match u16_at(&optional, 0) {
            Some(0x10b) => false,
            Some(0x20b) => true,
            Some(0x107) => {
                return Err(HeaderError::Malformed(
                    "it is a ROM image, which is not read".to_owned(),
                ));
            }
            other => {
                return Err(HeaderError::Malformed(format!(
                    "its optional header begins with {:#x}, neither 0x10b (PE32) nor 0x20b (PE32+)",
                    other.unwrap_or(0)
                )));
            }
        };
        let directories_at = if is_64 { 112usize } else { 96 };
        if optional.len() < directories_at {
            return Err(cut("the optional header"));
        }
        let word = |at| u32_at(&optional, at).unwrap_or(0);
        let claimed = word(directories_at - 4).min(DIRECTORIES) as usize;
        let directories = optional
            .get(directories_at..)
            .unwrap_or(&[])
            .chunks_exact(8)
            .take(claimed)
            .map(|row| Directory {
                rva: u32_at(row, 0).unwrap_or(0),
                size: u32_at(row, 4).unwrap_or(0),
            })
            .collect();
        let sections_at = optional_at.saturating_add(optional_size.into());
        let sections_size = u64::from(count) * section::SIZE as u64;
        if !file.holds(sections_at, sections_size) {
            return Err(cut(&format!(
                "the table of {count} sections at {sections_at:#x}"
            )));
        }
        let (pointer, rows) = (
            u32_at(&coff, 12).unwrap_or(0),
            u32_at(&coff, 16).unwrap_or(0),
        );
        // The strings behind it name sections, with or without symbols.
        let strings = (pointer != 0).then_some(Where {
            offset: pointer.into(),
            rows: rows.into(),
            big: false,
        });
        let names = strings
            .map(|place| StringTable::read(file, place))
            .transpose()?;
        Ok(Pe {
            is_64,
            machine,
            characteristics: short(22),
            timestamp: u32_at(&coff, 8).unwrap_or(0),
            linker: (
                u8_at(&optional, 2).unwrap_or(0),
                u8_at(&optional, 3).unwrap_or(0),
            ),
            entry: word(16),
            image_base: word_at(&optional, if is_64 { 24 } else { 28 }, is_64).unwrap_or(0),
            section_alignment: word(32),
            image_size: word(56),
            headers_size: word(60),
            subsystem: u16_at(&optional, 68).unwrap_or(0),
            dll_characteristics: u16_at(&optional, 70).unwrap_or(0),
            directories,
            sections: section::parse(&file.read(sections_at, sections_size)?, names.as_ref()),
            symbols: strings.filter(|place| place.rows > 0),
        })
    }

    pub(crate) fn kind(&self) -> TargetKind {
        if self.characteristics & 0x2000 != 0 {
            TargetKind::SharedLibrary
        } else if self.characteristics & 2 != 0 {
            TargetKind::Executable
        } else {
            TargetKind::Other
        }
    }

    /// A data directory that isn't empty.
    pub(crate) fn directory(&self, number: usize) -> Option<Directory> {
        self.directories
            .get(number)
            .copied()
            .filter(|directory| directory.rva != 0)
    }

    /// All data directories, empty ones too.
    pub(crate) fn directories(&self) -> &[Directory] {
        &self.directories
    }

    pub(crate) fn is_arm(&self) -> bool {
        machine::is_arm(self.machine)
    }

    /// An address relative to the image as a virtual one.
    pub(crate) fn address(&self, rva: u32) -> Option<u64> {
        self.image_base.checked_add(rva.into())
    }

    /// A virtual address as one relative to the image.
    pub(crate) fn rva(&self, address: u64) -> Option<u32> {
        u32::try_from(address.checked_sub(self.image_base)?).ok()
    }

    /// Where a section stands in the file: offset, and bytes that are loaded from there.
    pub(crate) fn section_range(&self, section: &Section) -> (u64, u64) {
        let offset = if self.section_alignment >= PAGE {
            section.raw_offset & !(SECTOR - 1)
        } else {
            section.raw_offset
        };
        let pages = section
            .memory_size()
            .checked_next_multiple_of(PAGE)
            .unwrap_or(u32::MAX);
        let size = if section.raw_offset == 0 {
            0
        } else {
            section.raw_size.min(pages)
        };
        (offset.into(), size.into())
    }

    /// The section that holds an address relative to the image: its position.
    pub(crate) fn section_at(&self, rva: u32) -> Option<usize> {
        self.sections.iter().position(|section| {
            let size = section.memory_size().max(section.raw_size.min(PAGE));
            rva.checked_sub(section.rva)
                .is_some_and(|inside| inside < size)
        })
    }

    /// The section of that name.
    pub(crate) fn section_named(&self, name: &[u8]) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The section that holds a byte of the file, and the address that byte is loaded at.
    pub(crate) fn owner(&self, offset: u64) -> (Option<String>, Option<u64>) {
        for section in &self.sections {
            let (start, size) = self.section_range(section);
            if let Some(inside) = offset.checked_sub(start).filter(|inside| *inside < size) {
                let address = (inside < u64::from(section.memory_size()))
                    .then(|| self.address(section.rva)?.checked_add(inside))
                    .flatten();
                return (Some(escape::display(&section.name).into_owned()), address);
            }
        }
        let in_headers = offset < u64::from(self.headers_size);
        (
            None,
            in_headers
                .then(|| self.image_base.checked_add(offset))
                .flatten(),
        )
    }
}

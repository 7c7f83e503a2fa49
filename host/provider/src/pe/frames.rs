//! Call-frame information that GNU tools leave in images (`.eh_frame`): on 32-bit x86 the only unwind information there is.

use super::Pe;
use crate::ReadError;
use crate::coff::machine;
use crate::elf::{FrameSetting, Frames, Shape, eh_frame};
use crate::file::SourceFile;

/// Reads the table; `None` if there is no such section.
pub(crate) fn read(file: &SourceFile, pe: &Pe) -> Result<Option<Frames>, ReadError> {
    let Some(section) = pe.section_named(b".eh_frame") else {
        return Ok(None);
    };
    let (offset, size) = pe.section_range(section);
    // What follows the table up to the next sector is no part of it.
    let size = size.min(section.memory_size().into());
    if !file.holds(offset, size) {
        return Ok(Some(Frames {
            source: ".eh_frame",
            damage: vec!["the section lies outside the file".to_owned()],
            ..Frames::default()
        }));
    }
    let setting = FrameSetting {
        shape: Shape {
            is_64: pe.is_64,
            endian: object::Endianness::Little,
        },
        // The number that ELF has for the processor.
        machine: match pe.machine {
            machine::ARM64 => 183,
            machine::AMD64 => 62,
            _ => 3,
        },
        address: pe.address(section.rva).unwrap_or(0),
        text: pe
            .section_named(b".text")
            .and_then(|text| pe.address(text.rva)),
        got: None,
        zero_ends: false,
    };
    Ok(Some(eh_frame(setting, &file.read(offset, size)?)))
}

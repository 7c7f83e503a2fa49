//! .NET: whether the code of an image is that of its native sections at all.

use super::header::directory;
use super::memory::Memory;
use crate::ReadError;
use crate::coff::raw::{u16_at, u32_at};

/// The header of an assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clr {
    /// Version of the runtime that the header is for.
    pub(crate) version: (u16, u16),
    /// Its methods are all in intermediate language.
    pub(crate) il_only: bool,
    /// It holds native code made ahead of time (ReadyToRun, NGen).
    pub(crate) precompiled: bool,
}

impl Clr {
    /// Reads the header; `None` if the image is no assembly.
    pub(crate) fn read(memory: &mut Memory<'_>) -> Result<Option<Clr>, ReadError> {
        let Some(place) = memory.pe.directory(directory::CLR) else {
            return Ok(None);
        };
        let bytes = memory.at_most(place.rva, 72)?;
        let flags = u32_at(bytes, 16).unwrap_or(0);
        Ok(Some(Clr {
            version: (u16_at(bytes, 4).unwrap_or(0), u16_at(bytes, 6).unwrap_or(0)),
            il_only: flags & 1 != 0,
            precompiled: u32_at(bytes, 64).unwrap_or(0) != 0,
        }))
    }

    /// In a word.
    pub(crate) fn kind(self) -> &'static str {
        match (self.il_only, self.precompiled) {
            (_, true) => "precompiled",
            (true, false) => "il-only",
            (false, false) => "mixed",
        }
    }
}

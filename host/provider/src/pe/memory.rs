//! The image as a loader would see it, a section at a time.

use super::Pe;
use crate::ReadError;
use crate::coff::raw::{text, u32_at};
use crate::file::SourceFile;

/// Sections that were read, by number; the headers are the last.
pub(crate) struct Memory<'a> {
    file: &'a SourceFile,
    pub(crate) pe: &'a Pe,
    loaded: Vec<Option<Vec<u8>>>,
    /// Bytes that may still be read. Sections may overlap in a damaged file; together they take no more than the file.
    budget: u64,
}

/// Addresses relative to the image that a table tells, and why they aren't all.
#[derive(Debug, Default)]
pub(crate) struct Addresses {
    pub(crate) list: Vec<u32>,
    pub(crate) damage: Vec<String>,
}

impl<'a> Memory<'a> {
    pub(crate) fn new(file: &'a SourceFile, pe: &'a Pe) -> Memory<'a> {
        Memory {
            file,
            pe,
            loaded: vec![None; pe.sections.len() + 1],
            budget: file.len().saturating_add(u64::from(pe.headers_size)),
        }
    }

    /// Where an address relative to the image stands in the file: offset, and bytes that follow there.
    pub(crate) fn file_range(&self, rva: u32) -> Option<(u64, u64)> {
        let (number, start) = self.part(rva)?;
        let (offset, size) = self.range(number);
        let inside = u64::from(rva.checked_sub(start)?);
        Some((offset.checked_add(inside)?, size.checked_sub(inside)?))
    }

    /// All bytes from an address relative to the image to the end of its section; empty if there are none in the file.
    pub(crate) fn at(&mut self, rva: u32) -> Result<&[u8], ReadError> {
        let Some((number, start)) = self.part(rva) else {
            return Ok(&[]);
        };
        let inside = rva.saturating_sub(start) as usize;
        Ok(self.section(number)?.get(inside..).unwrap_or(&[]))
    }

    /// Exactly so many bytes there.
    pub(crate) fn exactly(&mut self, rva: u32, len: usize) -> Result<Option<&[u8]>, ReadError> {
        self.at(rva).map(|bytes| bytes.get(..len))
    }

    /// As many bytes there as the file has, at most so many.
    pub(crate) fn at_most(&mut self, rva: u32, len: usize) -> Result<&[u8], ReadError> {
        self.at(rva)
            .map(|bytes| bytes.get(..len.min(bytes.len())).unwrap_or(&[]))
    }

    /// A few bytes there, read for themselves: for a look into a section that is not wanted as a whole.
    pub(crate) fn glance(&self, rva: u32, len: u64) -> Result<Vec<u8>, ReadError> {
        match self.file_range(rva) {
            Some((offset, behind)) if self.file.holds(offset, len.min(behind)) => {
                self.file.read(offset, len.min(behind))
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The text there, without its zero.
    pub(crate) fn text(&mut self, rva: u32) -> Result<Option<&[u8]>, ReadError> {
        self.at(rva).map(text)
    }

    /// A 32-bit number there.
    pub(crate) fn u32(&mut self, rva: u32) -> Result<Option<u32>, ReadError> {
        self.at(rva).map(|bytes| u32_at(bytes, 0))
    }

    /// The part of the image that holds an address, and where that begins.
    fn part(&self, rva: u32) -> Option<(usize, u32)> {
        match self.pe.section_at(rva) {
            Some(number) => Some((number, self.pe.sections.get(number)?.rva)),
            None if rva < self.pe.headers_size => Some((self.pe.sections.len(), 0)),
            None => None,
        }
    }

    fn range(&self, number: usize) -> (u64, u64) {
        match self.pe.sections.get(number) {
            Some(section) => self.pe.section_range(section),
            None => (0, self.pe.headers_size.into()),
        }
    }

    /// What the file has of a section: less than it claims if the file was cut.
    fn section(&mut self, number: usize) -> Result<&[u8], ReadError> {
        if self.loaded.get(number).is_some_and(Option::is_none) {
            let (offset, size) = self.range(number);
            let size = size.min(self.file.len().saturating_sub(offset));
            let bytes = if size > self.budget || size == 0 {
                Vec::new()
            } else {
                self.budget -= size;
                self.file.read(offset, size)?
            };
            if let Some(slot) = self.loaded.get_mut(number) {
                *slot = Some(bytes);
            }
        }
        Ok(self
            .loaded
            .get(number)
            .and_then(Option::as_deref)
            .unwrap_or(&[]))
    }
}

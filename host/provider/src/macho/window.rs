//! A part of the file that is an image by itself: its offsets count from its own beginning.

use crate::ReadError;
use crate::file::SourceFile;

/// Where an image stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) offset: u64,
    pub(crate) size: u64,
}

/// An image's bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'a> {
    pub(crate) file: &'a SourceFile,
    pub(crate) span: Span,
}

impl Window<'_> {
    /// Whether that many bytes stand there.
    pub(crate) fn holds(&self, offset: u64, size: u64) -> bool {
        offset
            .checked_add(size)
            .is_some_and(|end| end <= self.span.size)
            && self
                .span
                .offset
                .checked_add(offset)
                .is_some_and(|from| self.file.holds(from, size))
    }

    /// Where an offset of the image stands in the file.
    pub(crate) fn absolute(&self, offset: u64) -> u64 {
        self.span.offset.saturating_add(offset)
    }

    /// Reads bytes of the image; the image's own claims are held against its size.
    pub(crate) fn read(&self, offset: u64, size: u64) -> Result<Vec<u8>, ReadError> {
        if !self.holds(offset, size) {
            return Err(ReadError::Damaged(format!(
                "{size} bytes at offset {offset:#x} lie outside the image of {} bytes",
                self.span.size
            )));
        }
        self.file.read(self.absolute(offset), size)
    }

    /// Reads what there is of a table, and says what is missing.
    pub(crate) fn table(
        &self,
        what: &str,
        offset: u64,
        size: u64,
        damage: &mut Vec<String>,
    ) -> Result<Vec<u8>, ReadError> {
        if self.holds(offset, size) {
            return self.read(offset, size);
        }
        let there = self
            .span
            .size
            .min(self.file.len().saturating_sub(self.span.offset))
            .saturating_sub(offset)
            .min(size);
        damage.push(format!(
            "{what} takes {size} bytes at {offset:#x}, and {there} of them are there"
        ));
        self.read(if there == 0 { 0 } else { offset }, there)
    }
}

//! The image's sections by address: what pointers of its data lead to.

use super::header::Image;
use super::raw::string_at;
use crate::ReadError;
use crate::file::SourceFile;

/// Sections, each read when an address of it is asked for.
pub(crate) struct Memory<'a> {
    file: &'a SourceFile,
    image: &'a Image,
    /// By address: start, end, number of the section.
    order: Vec<(u64, u64, usize)>,
    /// Their bytes, once read; empty if they can't be.
    loaded: Vec<Option<Vec<u8>>>,
    /// Bytes that may still be read: sections that share bytes don't multiply them.
    left: u64,
}

/// A text is followed up to this length.
const TEXT_LIMIT: usize = 65_536;

impl<'a> Memory<'a> {
    pub(crate) fn new(file: &'a SourceFile, image: &'a Image) -> Memory<'a> {
        let sections = &image.commands.sections;
        let mut order: Vec<_> = sections
            .iter()
            .enumerate()
            .filter(|(_, section)| image.bytes_of(section).is_some())
            .map(|(number, section)| {
                (
                    section.address,
                    section.address.saturating_add(section.size),
                    number,
                )
            })
            .collect();
        order.sort_unstable();
        Memory {
            file,
            image,
            order,
            loaded: vec![None; sections.len()],
            left: image.span.size.min(file.len()),
        }
    }

    /// The bytes from an address to the end of its section, and the number of that section's segment.
    pub(crate) fn at(&mut self, address: u64) -> Result<Option<(&[u8], usize)>, ReadError> {
        let behind = self
            .order
            .partition_point(|(start, _, _)| *start <= address);
        let Some((start, _, number)) = behind
            .checked_sub(1)
            .and_then(|at| self.order.get(at))
            .filter(|(_, end, _)| address < *end)
            .copied()
        else {
            return Ok(None);
        };
        let (Some(section), Some(slot)) = (
            self.image.commands.sections.get(number),
            self.loaded.get_mut(number),
        ) else {
            return Ok(None);
        };
        if slot.is_none() {
            let fits = section.size <= self.left;
            let bytes = if fits {
                self.image.read_section(self.file, section)?.ok()
            } else {
                None
            };
            let bytes = bytes.unwrap_or_default();
            self.left = self.left.saturating_sub(bytes.len() as u64);
            *slot = Some(bytes);
        }
        let inside = usize::try_from(address - start).unwrap_or(usize::MAX);
        Ok(slot
            .as_deref()
            .and_then(|bytes| bytes.get(inside..))
            .filter(|bytes| !bytes.is_empty())
            .map(|bytes| (bytes, section.segment_index)))
    }

    /// A text that ends with a zero.
    pub(crate) fn text(&mut self, address: u64) -> Result<Option<Vec<u8>>, ReadError> {
        let found = self.at(address)?;
        Ok(found
            .and_then(|(bytes, _)| string_at(bytes.get(..TEXT_LIMIT).unwrap_or(bytes), 0))
            .filter(|text| !text.is_empty())
            .map(<[u8]>::to_vec))
    }
}

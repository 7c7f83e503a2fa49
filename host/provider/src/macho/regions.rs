//! What of the image can hold code, and which part an address lies in.

use super::commands::kind;
use super::header::Image;
use crate::file::SourceFile;
use crate::inventory::Region;

/// The regions of an image: its sections, or its executable segments if those have no sections.
pub(crate) struct Regions {
    pub(crate) list: Vec<Region>,
    /// Position in the list of what holds stubs of imported functions.
    stubs: Vec<bool>,
    /// Executable regions by address: start, end, position.
    executable: Vec<(u64, u64, u32)>,
    /// They are segments.
    pub(crate) are_segments: bool,
}

/// Regions that overlap are looked through backwards; more of them than this is a damaged file.
const OVERLAPS: usize = 64;

impl Regions {
    pub(crate) fn of(image: &Image, file: &SourceFile) -> Regions {
        let window = image.window(file);
        let mut stubs = Vec::new();
        let mut list: Vec<Region> = Vec::new();
        for (section, index) in image.commands.sections.iter().zip(1u32..) {
            // Thread-local storage has addresses of its own.
            stubs.push(section.kind() == kind::SYMBOL_STUBS || section.name == b"__objc_stubs");
            list.push(Region {
                index,
                name: section.full_name(),
                label: String::new(),
                address: section.address,
                size: section.size,
                file_offset: image
                    .bytes_of(section)
                    .filter(|blob| window.holds(blob.offset, blob.size))
                    .map(|blob| window.absolute(blob.offset)),
                executable: section.is_code(),
                is_segment: false,
            });
        }
        // What a packer makes has segments alone. A library of data has sections, and none of them holds code.
        let are_segments = !image.is_object()
            && !list.iter().any(|region| region.executable)
            && !image
                .commands
                .sections
                .iter()
                .any(|section| section.segment == b"__TEXT");
        if are_segments {
            stubs.clear();
            list = (0u32..)
                .zip(&image.commands.segments)
                .map(|(index, segment)| Region {
                    index,
                    name: Vec::new(),
                    label: String::new(),
                    address: segment.address,
                    size: segment.memory_size,
                    file_offset: (segment.file_size > 0
                        && window.holds(segment.offset, segment.file_size))
                    .then(|| window.absolute(segment.offset)),
                    executable: segment.access & 4 != 0,
                    is_segment: true,
                })
                .collect();
        }
        let mut executable: Vec<(u64, u64, u32)> = (0u32..)
            .zip(&list)
            .filter(|(_, region)| region.executable)
            .map(|(number, region)| {
                (
                    region.address,
                    region.address.saturating_add(region.size),
                    number,
                )
            })
            .collect();
        executable.sort_unstable();
        Regions {
            list,
            stubs,
            executable,
            are_segments,
        }
    }

    /// The executable region that an address lies in.
    pub(crate) fn at(&self, address: u64) -> Option<u32> {
        let behind = self
            .executable
            .partition_point(|(start, _, _)| *start <= address);
        self.executable
            .get(..behind)?
            .iter()
            .rev()
            .take(OVERLAPS)
            .find(|(_, end, _)| address < *end)
            .map(|(_, _, number)| *number)
    }

    /// The region of a section by its number in symbols, which begins with 1, if that is executable and holds the address.
    pub(crate) fn in_section(&self, section: u8, address: u64) -> Option<u32> {
        if self.are_segments {
            return None;
        }
        let number = u32::from(section).checked_sub(1)?;
        self.list
            .get(number as usize)
            .filter(|region| region.executable && region.contains(address))?;
        Some(number)
    }

    /// Whether a symbol's section is executable, whatever its address.
    pub(crate) fn is_code_section(&self, section: u8) -> bool {
        usize::from(section)
            .checked_sub(1)
            .and_then(|number| self.list.get(number))
            .is_some_and(|region| region.executable && !region.is_segment)
    }

    /// Whether the region holds stubs of imported functions.
    pub(crate) fn is_stubs(&self, region: u32) -> bool {
        self.stubs.get(region as usize) == Some(&true)
    }

    /// The address behind a region.
    pub(crate) fn end(&self, region: u32) -> u64 {
        self.list
            .get(region as usize)
            .map_or(0, |region| region.address.saturating_add(region.size))
    }
}

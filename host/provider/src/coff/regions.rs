//! Which section an address lies in, and whether code can run there.

use super::section::Section;
use crate::file::SourceFile;
use crate::inventory::Region;

/// The sections of an image or an object, by number and by address.
pub(crate) struct Regions {
    pub(crate) list: Vec<Region>,
    /// Executable regions by address: start, end, position.
    executable: Vec<(u64, u64, u32)>,
    /// Where the image is loaded; none in an object, where addresses are offsets in sections.
    base: Option<u64>,
}

/// Sections that overlap are looked through backwards; more of them than this is a damaged file.
const OVERLAPS: usize = 64;

impl Regions {
    pub(crate) fn of(file: &SourceFile, sections: &[Section], base: Option<u64>) -> Regions {
        let list: Vec<Region> = (1u32..)
            .zip(sections)
            .map(|(index, section)| {
                let (offset, size) = (u64::from(section.raw_offset), u64::from(section.raw_size));
                Region {
                    index,
                    name: section.name.clone(),
                    label: String::new(),
                    address: base.map_or(0, |base| base.saturating_add(u64::from(section.rva))),
                    size: u64::from(if base.is_some() {
                        section.memory_size()
                    } else {
                        section.raw_size
                    }),
                    file_offset: (!section.is_uninitialised() && file.holds(offset, size))
                        .then_some(offset),
                    executable: section.is_executable(),
                    is_segment: false,
                }
            })
            .collect();
        let mut executable: Vec<(u64, u64, u32)> = (0u32..)
            .zip(&list)
            .filter(|(_, region)| region.executable)
            .map(|(number, region)| {
                let end = region.address.saturating_add(region.size);
                (region.address, end, number)
            })
            .collect();
        executable.sort_unstable();
        Regions {
            list,
            executable,
            base,
        }
    }

    /// Whether addresses are offsets in sections.
    pub(crate) fn is_object(&self) -> bool {
        self.base.is_none()
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

    /// Like [`at`](Self::at), for an address relative to the image; with the address itself.
    pub(crate) fn at_rva(&self, rva: u32) -> Option<(u64, u32)> {
        let address = self.base?.checked_add(u64::from(rva))?;
        Some((address, self.at(address)?))
    }

    /// Where an offset in a section (its number counts from 1) is, if that is executable and holds it.
    pub(crate) fn in_section(&self, section: u32, offset: u64) -> Option<(u64, u32)> {
        let number = section.checked_sub(1)?;
        let region = self.list.get(number as usize)?;
        let address = region.address.checked_add(offset)?;
        (region.executable && region.contains(address)).then_some((address, number))
    }

    /// Whether an address lies in any section.
    pub(crate) fn holds_rva(&self, rva: u32) -> bool {
        self.base
            .and_then(|base| base.checked_add(u64::from(rva)))
            .is_some_and(|address| self.list.iter().any(|region| region.contains(address)))
    }
}

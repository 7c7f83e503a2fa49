//! What of the image can hold code, and which part an address lies in.

use object::elf;

use super::Elf;
use super::raw::{Section, Segment};
use crate::file::SourceFile;
use crate::inventory::Region;

/// The regions of a file: its allocated sections, or its loaded segments if it has no sections that hold code.
pub(crate) struct Regions {
    pub(crate) list: Vec<Region>,
    /// From section number to position in the list; `u32::MAX` for none.
    by_section: Vec<u32>,
    /// Executable regions by address: start, end, position.
    executable: Vec<(u64, u64, u32)>,
    /// They are segments.
    pub(crate) are_segments: bool,
}

const NONE: u32 = u32::MAX;
/// Regions that overlap are looked through backwards; more of them than this is a damaged file.
const OVERLAPS: usize = 64;

impl Regions {
    pub(crate) fn of(elf: &Elf, file: &SourceFile) -> Regions {
        let mut list = Vec::new();
        let mut by_section = vec![NONE; elf.sections.len()];
        for (number, section) in elf.sections.iter().enumerate().skip(1) {
            if let Some(region) = region_of_section(elf, file, number, section) {
                if let Some(slot) = by_section.get_mut(number) {
                    *slot = u32::try_from(list.len()).unwrap_or(NONE);
                }
                list.push(region);
            }
        }
        let are_segments = !elf.is_relocatable() && !list.iter().any(|region| region.executable);
        if are_segments {
            by_section.clear();
            list = (0u32..)
                .zip(&elf.segments)
                .filter_map(|(number, segment)| region_of_segment(file, number, segment))
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
            by_section,
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

    /// The region of a section, if that is executable and holds the address.
    pub(crate) fn in_section(&self, section: u32, address: u64) -> Option<u32> {
        let number = *self.by_section.get(section as usize)?;
        self.list
            .get(number as usize)
            .filter(|region| region.executable && region.contains(address))?;
        Some(number)
    }

    /// Whether an address lies in a procedure linkage table, by the section's name.
    pub(crate) fn is_plt(&self, region: u32) -> bool {
        self.list
            .get(region as usize)
            .is_some_and(|region| is_plt_name(&region.name))
    }
}

/// `.plt`, `.plt.got`, `.plt.sec`, `.iplt` and the like.
pub(crate) fn is_plt_name(name: &[u8]) -> bool {
    name == b".plt" || name.starts_with(b".plt.") || name == b".iplt"
}

fn region_of_section(
    elf: &Elf,
    file: &SourceFile,
    number: usize,
    section: &Section,
) -> Option<Region> {
    let has = |flag: u64| section.flags & flag != 0;
    // Thread-local sections without bytes overlap what follows them.
    if !has(elf::SHF_ALLOC.0) || (has(elf::SHF_TLS.0) && section.kind == elf::SHT_NOBITS.0) {
        return None;
    }
    let in_file = section.kind != elf::SHT_NOBITS.0 && file.holds(section.offset, section.size);
    Some(Region {
        index: u32::try_from(number).ok()?,
        name: elf.section_name(section).to_vec(),
        label: String::new(),
        address: if elf.is_relocatable() {
            0
        } else {
            section.address
        },
        size: section.size,
        file_offset: in_file.then_some(section.offset),
        executable: has(elf::SHF_EXECINSTR.0),
        is_segment: false,
    })
}

fn region_of_segment(file: &SourceFile, number: u32, segment: &Segment) -> Option<Region> {
    (segment.kind == elf::PT_LOAD.0).then(|| Region {
        index: number,
        name: Vec::new(),
        label: String::new(),
        address: segment.address,
        size: segment.memory_size,
        file_offset: file
            .holds(segment.offset, segment.file_size)
            .then_some(segment.offset),
        executable: segment.flags & elf::PF_X.0 != 0,
        is_segment: true,
    })
}

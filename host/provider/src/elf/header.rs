//! The file header and the two tables it leads to.

use object::{Endianness, elf};

use super::raw::{Header, Section, Segment, Shape};
use crate::file::SourceFile;
use crate::header::HeaderError;
use crate::{ByteOrder, ReadError, TargetKind};

/// An ELF file as its headers describe it.
#[derive(Debug)]
pub(crate) struct Elf {
    pub(crate) shape: Shape,
    pub(crate) header: Header,
    pub(crate) segments: Vec<Segment>,
    pub(crate) sections: Vec<Section>,
    /// The string table of section names; empty if there is none.
    section_names: Vec<u8>,
    /// What is wrong with the section headers, if they aren't usable.
    pub(crate) sections_damaged: Option<String>,
}

impl Elf {
    /// Reads the headers.
    pub(crate) fn parse(file: &SourceFile) -> Result<Elf, HeaderError> {
        let ident_size = file.len().min(16);
        let ident = file.read(0, ident_size)?;
        let (Some(class), Some(data)) = (ident.get(4), ident.get(5)) else {
            return Err(HeaderError::Truncated(format!(
                "{ident_size} bytes, and its identification takes 16"
            )));
        };
        let shape = Shape {
            is_64: match class {
                1 => false,
                2 => true,
                other => {
                    return Err(HeaderError::Malformed(format!(
                        "its class is {other}, neither 1 (32 bits) nor 2 (64 bits)"
                    )));
                }
            },
            endian: match data {
                1 => Endianness::Little,
                2 => Endianness::Big,
                other => {
                    return Err(HeaderError::Malformed(format!(
                        "its byte order is {other}, neither 1 (little) nor 2 (big)"
                    )));
                }
            },
        };
        let size = shape.header_size();
        if file.len() < size {
            return Err(HeaderError::Truncated(format!(
                "{} bytes, and its header takes {size}",
                file.len()
            )));
        }
        let header = shape
            .header(&file.read(0, size)?)
            .ok_or_else(|| HeaderError::Malformed("its header can't be read".to_owned()))?;
        let (sections, damage) = read_sections(file, shape, &header)?;
        let segments = read_segments(file, shape, &header, &sections)?;
        if let Some(damage) = &damage {
            // A loader needs no section headers, so a file without usable ones may still be whole. One whose
            // segments are cut off too, or that has none, is not.
            let cut = segments
                .iter()
                .any(|s| s.kind == elf::PT_LOAD.0 && !file.holds(s.offset, s.file_size));
            if cut || segments.is_empty() {
                return Err(HeaderError::Truncated(damage.clone()));
            }
        }
        let mut this = Elf {
            shape,
            header,
            segments,
            sections,
            section_names: Vec::new(),
            sections_damaged: damage,
        };
        this.section_names = this.read_section_names(file)?;
        Ok(this)
    }

    fn read_section_names(&self, file: &SourceFile) -> Result<Vec<u8>, ReadError> {
        let index = match u32::from(self.header.names_section) {
            index if index == u32::from(elf::SHN_XINDEX.0) => {
                self.sections.first().map_or(0, |zero| zero.link)
            }
            index => index,
        };
        match self.sections.get(index as usize) {
            Some(table)
                if index != 0
                    && table.kind != elf::SHT_NOBITS.0
                    && file.holds(table.offset, table.size) =>
            {
                file.read(table.offset, table.size)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The raw name of a section; empty if it has none or its name is damaged.
    pub(crate) fn section_name(&self, section: &Section) -> &[u8] {
        string_at(&self.section_names, section.name).unwrap_or(&[])
    }

    /// The first section of that name.
    pub(crate) fn section_named(&self, name: &[u8]) -> Option<&Section> {
        self.sections
            .iter()
            .find(|section| self.section_name(section) == name)
    }

    /// Whether it is what a compiler makes and a linker takes: addresses are offsets in sections.
    pub(crate) fn is_relocatable(&self) -> bool {
        self.header.kind == elf::ET_REL.0
    }

    /// Whether it is for 32-bit ARM, where bit 0 of a function's value says Thumb.
    pub(crate) fn is_arm(&self) -> bool {
        self.header.machine == elf::EM_ARM.0
    }

    /// The bytes of a section, or why they can't be had.
    pub(crate) fn section_bytes(
        &self,
        file: &SourceFile,
        section: &Section,
    ) -> Result<Result<Vec<u8>, String>, ReadError> {
        if section.kind == elf::SHT_NOBITS.0 {
            return Ok(Err("the section has no bytes in this file".to_owned()));
        }
        if section.flags & elf::SHF_COMPRESSED.0 != 0 {
            return Ok(Err(
                "the section is compressed, which is not read yet".to_owned()
            ));
        }
        if !file.holds(section.offset, section.size) {
            return Ok(Err(format!(
                "the section's {} bytes at {:#x} lie outside the file",
                section.size, section.offset
            )));
        }
        file.read(section.offset, section.size).map(Ok)
    }

    /// Where an address stands in the file, and how many bytes of its segment follow there.
    pub(crate) fn file_range(&self, address: u64) -> Option<(u64, u64)> {
        self.segments
            .iter()
            .filter(|segment| segment.kind == elf::PT_LOAD.0)
            .find_map(|segment| {
                let inside = address
                    .checked_sub(segment.address)
                    .filter(|inside| *inside < segment.file_size)?;
                Some((
                    segment.offset.checked_add(inside)?,
                    segment.file_size - inside,
                ))
            })
    }

    /// Which section or segment holds a byte of the file, and where that byte is loaded, if it is.
    pub(crate) fn owner(&self, offset: u64) -> (Option<String>, Option<u64>) {
        let within =
            |from: u64, size: u64| offset.checked_sub(from).filter(|inside| *inside < size);
        let section = self
            .sections
            .iter()
            .skip(1)
            .filter(|section| section.kind != elf::SHT_NOBITS.0)
            .find_map(|section| {
                let inside = within(section.offset, section.size)?;
                let loaded = !self.is_relocatable() && section.flags & elf::SHF_ALLOC.0 != 0;
                let address = loaded
                    .then(|| section.address.checked_add(inside))
                    .flatten();
                Some((
                    crate::escape::display(self.section_name(section)).into_owned(),
                    address,
                ))
            });
        if let Some((name, address)) = section {
            return (Some(name), address);
        }
        let segment = (0u32..)
            .zip(&self.segments)
            .filter(|(_, segment)| segment.kind == elf::PT_LOAD.0)
            .find_map(|(number, segment)| {
                let inside = within(segment.offset, segment.file_size)?;
                Some((number, segment.address.checked_add(inside)))
            });
        segment.map_or((None, None), |(number, address)| {
            (Some(format!("segment {number}")), address)
        })
    }

    /// What the file is made for.
    pub(crate) fn kind(&self, file: &SourceFile) -> Result<TargetKind, ReadError> {
        Ok(match self.header.kind {
            1 => TargetKind::Relocatable,
            2 => TargetKind::Executable,
            3 if super::dynamic::is_program(file, self)? => TargetKind::Executable,
            3 => TargetKind::SharedLibrary,
            4 => TargetKind::Core,
            _ => TargetKind::Other,
        })
    }

    /// The byte order in the words of an identity.
    pub(crate) fn byte_order(&self) -> ByteOrder {
        match self.shape.endian {
            Endianness::Little => ByteOrder::Little,
            Endianness::Big => ByteOrder::Big,
        }
    }

    /// The processor.
    pub(crate) fn architecture(&self) -> String {
        let name = match (self.header.machine, self.shape.is_64) {
            (2 | 18, _) => "sparc",
            (3, _) => "x86",
            (4, _) => "m68k",
            (8, false) => "mips",
            (8, true) => "mips64",
            (15, _) => "parisc",
            (20, _) => "powerpc",
            (21, _) => "powerpc64",
            (22, false) => "s390",
            (22, true) => "s390x",
            (40, _) => "arm",
            (42, _) => "superh",
            (43, _) => "sparc64",
            (50, _) => "ia64",
            (62, true) => "x86-64",
            (62, false) => "x86-64 (x32)",
            (83, _) => "avr",
            (94, _) => "xtensa",
            (164, _) => "hexagon",
            (183, _) => "aarch64",
            (190, _) => "cuda",
            (224, _) => "amdgpu",
            (243, false) => "riscv32",
            (243, true) => "riscv64",
            (247, _) => "bpf",
            (258, _) => "loongarch",
            (0x9026, _) => "alpha",
            (other, _) => return format!("machine {other:#x}"),
        };
        name.to_owned()
    }
}

/// The zero-terminated string at an offset of a string table; `None` if it doesn't lie in it or doesn't end.
pub(crate) fn string_at(table: &[u8], offset: u32) -> Option<&[u8]> {
    let tail = table.get(offset as usize..)?;
    tail.get(..memchr::memchr(0, tail)?)
}

fn read_sections(
    file: &SourceFile,
    shape: Shape,
    header: &Header,
) -> Result<(Vec<Section>, Option<String>), ReadError> {
    if header.sections_at == 0 {
        return Ok((Vec::new(), None));
    }
    let row = shape.section_size();
    if u64::from(header.section_size) != row {
        return Ok((
            Vec::new(),
            Some(format!(
                "a section header is said to take {} bytes, not {row}",
                header.section_size
            )),
        ));
    }
    let count = if header.section_count != 0 {
        u64::from(header.section_count)
    } else if file.holds(header.sections_at, row) {
        // 65,280 sections and more: the number stands in the first header.
        shape
            .sections(&file.read(header.sections_at, row)?)
            .first()
            .map_or(0, |zero| zero.size)
    } else {
        1
    };
    match count.checked_mul(row) {
        Some(size) if file.holds(header.sections_at, size) => {
            Ok((shape.sections(&file.read(header.sections_at, size)?), None))
        }
        _ => Ok((
            Vec::new(),
            Some(format!(
                "{count} section headers at {:#x} lie outside the file of {} bytes",
                header.sections_at,
                file.len()
            )),
        )),
    }
}

fn read_segments(
    file: &SourceFile,
    shape: Shape,
    header: &Header,
    sections: &[Section],
) -> Result<Vec<Segment>, HeaderError> {
    let count = match header.segment_count {
        // As many or more: the number stands in the first section header.
        0xffff => sections.first().map_or(0, |zero| u64::from(zero.info)),
        count => u64::from(count),
    };
    if header.segments_at == 0 || count == 0 {
        return Ok(Vec::new());
    }
    let row = shape.segment_size();
    if u64::from(header.segment_size) != row {
        return Err(HeaderError::Malformed(format!(
            "a program header is said to take {} bytes, not {row}",
            header.segment_size
        )));
    }
    match count.checked_mul(row) {
        Some(size) if file.holds(header.segments_at, size) => {
            Ok(shape.segments(&file.read(header.segments_at, size)?))
        }
        _ => Err(HeaderError::Truncated(format!(
            "{count} program headers at {:#x} lie outside the file of {} bytes",
            header.segments_at,
            file.len()
        ))),
    }
}

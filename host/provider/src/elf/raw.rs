//! The four shapes of ELF (two widths, two byte orders) made one.

use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{Dyn, FileHeader, ProgramHeader, SectionHeader, Sym};
use object::{Endianness, pod};

/// Width and byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) is_64: bool,
    pub(crate) endian: Endianness,
}

/// The file header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) kind: u16,
    pub(crate) machine: u16,
    pub(crate) os_abi: u8,
    pub(crate) abi_version: u8,
    pub(crate) flags: u32,
    pub(crate) entry: u64,
    pub(crate) segments_at: u64,
    pub(crate) segment_size: u16,
    pub(crate) segment_count: u16,
    pub(crate) sections_at: u64,
    pub(crate) section_size: u16,
    pub(crate) section_count: u16,
    pub(crate) names_section: u16,
}

/// A section header.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Section {
    pub(crate) name: u32,
    pub(crate) kind: u32,
    pub(crate) flags: u64,
    pub(crate) address: u64,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) link: u32,
    pub(crate) info: u32,
    pub(crate) align: u64,
}

/// A program header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) kind: u32,
    pub(crate) flags: u32,
    pub(crate) offset: u64,
    pub(crate) address: u64,
    pub(crate) file_size: u64,
    pub(crate) memory_size: u64,
    pub(crate) align: u64,
}

/// A row of the dynamic section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DynamicEntry {
    pub(crate) tag: u64,
    pub(crate) value: u64,
}

/// A row of a symbol table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: u32,
    pub(crate) bind: u8,
    pub(crate) kind: u8,
    pub(crate) other: u8,
    pub(crate) section: u16,
    pub(crate) value: u64,
    pub(crate) size: u64,
}

type Elf32 = FileHeader32<Endianness>;
type Elf64 = FileHeader64<Endianness>;

impl Shape {
    /// Bytes of a file header.
    pub(crate) fn header_size(self) -> u64 {
        if self.is_64 { 64 } else { 52 }
    }

    /// Bytes of a program header.
    pub(crate) fn segment_size(self) -> u64 {
        if self.is_64 { 56 } else { 32 }
    }

    /// Bytes of a section header.
    pub(crate) fn section_size(self) -> u64 {
        if self.is_64 { 64 } else { 40 }
    }

    /// Bytes of a symbol.
    pub(crate) fn symbol_size(self) -> u64 {
        if self.is_64 { 24 } else { 16 }
    }

    /// Bytes of an address.
    pub(crate) fn word(self) -> u64 {
        if self.is_64 { 8 } else { 4 }
    }

    /// The file header, if the bytes hold one.
    pub(crate) fn header(self, bytes: &[u8]) -> Option<Header> {
        if self.is_64 {
            header::<Elf64>(bytes, self.endian)
        } else {
            header::<Elf32>(bytes, self.endian)
        }
    }

    /// As many whole section headers as the bytes hold.
    pub(crate) fn sections(self, bytes: &[u8]) -> Vec<Section> {
        if self.is_64 {
            sections::<Elf64>(bytes, self.endian)
        } else {
            sections::<Elf32>(bytes, self.endian)
        }
    }

    /// As many whole program headers as the bytes hold.
    pub(crate) fn segments(self, bytes: &[u8]) -> Vec<Segment> {
        if self.is_64 {
            segments::<Elf64>(bytes, self.endian)
        } else {
            segments::<Elf32>(bytes, self.endian)
        }
    }

    /// The rows of a dynamic section up to DT_NULL, or to its end.
    pub(crate) fn dynamic(self, bytes: &[u8]) -> Vec<DynamicEntry> {
        if self.is_64 {
            dynamic::<Elf64>(bytes, self.endian)
        } else {
            dynamic::<Elf32>(bytes, self.endian)
        }
    }

    /// Calls for every whole symbol the bytes hold, with its number.
    pub(crate) fn each_symbol(self, bytes: &[u8], call: impl FnMut(usize, Symbol)) {
        if self.is_64 {
            each_symbol::<Elf64>(bytes, self.endian, call);
        } else {
            each_symbol::<Elf32>(bytes, self.endian, call);
        }
    }

    /// The symbol of a number.
    pub(crate) fn symbol(self, bytes: &[u8], number: u32) -> Option<Symbol> {
        let size = usize::try_from(self.symbol_size()).ok()?;
        let at = size.checked_mul(number as usize)?;
        let mut found = None;
        self.each_symbol(bytes.get(at..at.checked_add(size)?)?, |_, symbol| {
            found = Some(symbol);
        });
        found
    }

    /// An address at an offset: 32 or 64 bits.
    pub(crate) fn word_at(self, bytes: &[u8], offset: usize) -> Option<u64> {
        if !self.is_64 {
            return self.u32_at(bytes, offset).map(u64::from);
        }
        let field: [u8; 8] = bytes.get(offset..offset.checked_add(8)?)?.try_into().ok()?;
        Some(match self.endian {
            Endianness::Little => u64::from_le_bytes(field),
            Endianness::Big => u64::from_be_bytes(field),
        })
    }

    /// A 16-bit number at an offset.
    pub(crate) fn u16_at(self, bytes: &[u8], offset: usize) -> Option<u16> {
        let field: [u8; 2] = bytes.get(offset..offset.checked_add(2)?)?.try_into().ok()?;
        Some(match self.endian {
            Endianness::Little => u16::from_le_bytes(field),
            Endianness::Big => u16::from_be_bytes(field),
        })
    }

    /// A 32-bit number at an offset.
    pub(crate) fn u32_at(self, bytes: &[u8], offset: usize) -> Option<u32> {
        let field: [u8; 4] = bytes.get(offset..offset.checked_add(4)?)?.try_into().ok()?;
        Some(match self.endian {
            Endianness::Little => u32::from_le_bytes(field),
            Endianness::Big => u32::from_be_bytes(field),
        })
    }
}

/// As many whole rows as the bytes hold.
fn rows<T: pod::Pod>(bytes: &[u8]) -> &[T] {
    match pod::slice_from_bytes::<T>(bytes, bytes.len() / size_of::<T>()) {
        Ok((rows, _)) => rows,
        Err(()) => &[],
    }
}

fn header<E: FileHeader<Endian = Endianness>>(bytes: &[u8], endian: Endianness) -> Option<Header> {
    let header = rows::<E>(bytes).first()?;
    Some(Header {
        kind: header.e_type(endian).0,
        machine: header.e_machine(endian).0,
        os_abi: header.e_ident().os_abi.0,
        abi_version: header.e_ident().abi_version,
        flags: header.e_flags(endian).0,
        entry: header.e_entry(endian).into(),
        segments_at: header.e_phoff(endian).into(),
        segment_size: header.e_phentsize(endian),
        segment_count: header.e_phnum(endian),
        sections_at: header.e_shoff(endian).into(),
        section_size: header.e_shentsize(endian),
        section_count: header.e_shnum(endian),
        names_section: header.e_shstrndx(endian).0,
    })
}

fn sections<E: FileHeader<Endian = Endianness>>(bytes: &[u8], endian: Endianness) -> Vec<Section> {
    let row = |header: &E::SectionHeader| Section {
        name: header.sh_name(endian),
        kind: header.sh_type(endian).0,
        flags: header.sh_flags(endian).0,
        address: header.sh_addr(endian).into(),
        offset: header.sh_offset(endian).into(),
        size: header.sh_size(endian).into(),
        link: header.sh_link(endian),
        info: header.sh_info(endian),
        align: header.sh_addralign(endian).into(),
    };
    rows::<E::SectionHeader>(bytes).iter().map(row).collect()
}

fn segments<E: FileHeader<Endian = Endianness>>(bytes: &[u8], endian: Endianness) -> Vec<Segment> {
    let row = |header: &E::ProgramHeader| Segment {
        kind: header.p_type(endian).0,
        flags: header.p_flags(endian).0,
        offset: header.p_offset(endian).into(),
        address: header.p_vaddr(endian).into(),
        file_size: header.p_filesz(endian).into(),
        memory_size: header.p_memsz(endian).into(),
        align: header.p_align(endian).into(),
    };
    rows::<E::ProgramHeader>(bytes).iter().map(row).collect()
}

fn dynamic<E: FileHeader<Endian = Endianness>>(
    bytes: &[u8],
    endian: Endianness,
) -> Vec<DynamicEntry> {
    // The low half is the same whether a tag is read as signed or not.
    let row = |entry: &E::Dyn| DynamicEntry {
        tag: entry.d_tag(endian).0 as u64 & 0xffff_ffff,
        value: entry.d_val(endian).into(),
    };
    rows::<E::Dyn>(bytes)
        .iter()
        .map(row)
        .take_while(|entry| entry.tag != 0)
        .collect()
}

fn each_symbol<E: FileHeader<Endian = Endianness>>(
    bytes: &[u8],
    endian: Endianness,
    mut call: impl FnMut(usize, Symbol),
) {
    for (number, symbol) in rows::<E::Sym>(bytes).iter().enumerate() {
        call(
            number,
            Symbol {
                name: symbol.st_name(endian),
                bind: symbol.st_bind().0,
                kind: symbol.st_type().0,
                other: symbol.st_other().0,
                section: symbol.st_shndx(endian).0,
                value: symbol.st_value(endian).into(),
                size: symbol.st_size(endian).into(),
            },
        );
    }
}

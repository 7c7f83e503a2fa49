//! Call-frame information: where functions start and how long they are, in a stripped file too.

use gimli::{
    BaseAddresses, CieOrFde, DebugFrame, EhFrame, EhFrameHdr, EhFrameOffset, EndianSlice,
    RunTimeEndian, UnwindSection,
};
use object::{Endianness, elf};

use super::Elf;
use super::dynamic::Dynamic;
use super::raw::Shape;
use crate::ReadError;
use crate::file::SourceFile;

/// Where a function, or a part of one, starts, and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Frame {
    pub(crate) start: u64,
    pub(crate) size: u64,
}

/// What a table of frames holds.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    pub(crate) source: &'static str,
    pub(crate) list: Vec<Frame>,
    /// Why it isn't all of it.
    pub(crate) damage: Vec<String>,
}

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

/// Reads every table of frames that a linked file has.
pub(crate) fn read(
    file: &SourceFile,
    elf: &Elf,
    dynamic: Option<&Dynamic>,
) -> Result<Vec<Frames>, ReadError> {
    let mut tables = Vec::new();
    match elf.section_named(b".eh_frame") {
        Some(section) => match elf.section_bytes(file, section)? {
            Ok(bytes) => tables.push(eh_frame(
                Setting::of(elf, dynamic, section.address, false),
                &bytes,
            )),
            // A debug file keeps the header of the section alone.
            Err(_) if section.kind == elf::SHT_NOBITS.0 => {}
            Err(why) => tables.push(Frames {
                source: ".eh_frame",
                damage: vec![why],
                ..Frames::default()
            }),
        },
        None => tables.extend(by_segment(file, elf, dynamic)?),
    }
    if let Some(section) = elf.section_named(b".debug_frame") {
        match elf.section_bytes(file, section)? {
            Ok(bytes) => tables.push(debug_frame(elf.shape, elf.header.machine, &bytes)),
            Err(_) if section.kind == elf::SHT_NOBITS.0 => {}
            Err(why) => tables.push(Frames {
                source: ".debug_frame",
                damage: vec![why],
                ..Frames::default()
            }),
        }
    }
    Ok(tables)
}

/// Without section headers: PT_GNU_EH_FRAME leads to a header that leads to the frames, which end with a zero.
fn by_segment(
    file: &SourceFile,
    elf: &Elf,
    dynamic: Option<&Dynamic>,
) -> Result<Option<Frames>, ReadError> {
    let Some(segment) = elf
        .segments
        .iter()
        .find(|segment| segment.kind == elf::PT_GNU_EH_FRAME.0)
    else {
        return Ok(None);
    };
    let broken = |why: String| {
        Ok(Some(Frames {
            source: "PT_GNU_EH_FRAME",
            damage: vec![why],
            ..Frames::default()
        }))
    };
    if !file.holds(segment.offset, segment.file_size) {
        return broken("the segment lies outside the file".to_owned());
    }
    let bytes = file.read(segment.offset, segment.file_size)?;
    let bases = BaseAddresses::default().set_eh_frame_hdr(segment.address);
    let header = EhFrameHdr::new(&bytes, endian(elf.shape)).parse(&bases, address_size(elf.shape));
    let address = match header.map(|header| header.eh_frame_ptr()) {
        Ok(gimli::Pointer::Direct(address)) => address,
        Ok(gimli::Pointer::Indirect(_)) => {
            return broken("it points to the frames through memory".to_owned());
        }
        Err(error) => return broken(format!("it can't be read: {error}")),
    };
    let Some((offset, behind)) = elf
        .file_range(address)
        .filter(|(offset, _)| *offset < file.len())
    else {
        return broken(format!(
            "it says that the frames are at {address:#x}, outside the loaded segments"
        ));
    };
    let bytes = file.read(offset, behind.min(file.len().saturating_sub(offset)))?;
    Ok(Some(Frames {
        source: "PT_GNU_EH_FRAME",
        ..eh_frame(Setting::of(elf, dynamic, address, true), &bytes)
    }))
}

/// What the addresses in a table are relative to, and how the table ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) shape: Shape,
    pub(crate) machine: u16,
    /// Where the table itself is loaded.
    pub(crate) address: u64,
    pub(crate) text: Option<u64>,
    pub(crate) got: Option<u64>,
    /// Nothing but a zero tells the end. Elsewhere a zero ends what one linker input brought, and more may follow.
    pub(crate) zero_ends: bool,
}

impl Setting {
    fn of(elf: &Elf, dynamic: Option<&Dynamic>, address: u64, zero_ends: bool) -> Setting {
        Setting {
            shape: elf.shape,
            machine: elf.header.machine,
            address,
            text: elf.section_named(b".text").map(|text| text.address),
            got: elf
                .section_named(b".got")
                .map(|got| got.address)
                .or_else(|| dynamic?.get(elf::DT_PLTGOT)),
            zero_ends,
        }
    }
}

/// Walks `.eh_frame`. A record that can't be read is counted and passed over.
pub(crate) fn eh_frame(setting: Setting, bytes: &[u8]) -> Frames {
    let Setting {
        shape, zero_ends, ..
    } = setting;
    let mut section = EhFrame::new(bytes, endian(shape));
    section.set_address_size(address_size(shape));
    if setting.machine == elf::EM_AARCH64.0 {
        section.set_vendor(gimli::Vendor::AArch64);
    }
    let mut bases = BaseAddresses::default().set_eh_frame(setting.address);
    if let Some(text) = setting.text {
        bases = bases.set_text(text);
    }
    if let Some(got) = setting.got {
        bases = bases.set_got(got);
    }
    let mut frames = Frames {
        source: ".eh_frame",
        ..Frames::default()
    };
    let mut cie = None;
    let mut unread = 0u64;
    let mut at = 0usize;
    loop {
        let Some((header, size)) = record(shape, bytes, at) else {
            if at < bytes.len() || zero_ends {
                frames.damage.push(format!(
                    "the records end at offset {at:#x} of {:#x} without a terminator",
                    bytes.len()
                ));
            }
            break;
        };
        if size == 0 {
            if zero_ends {
                break;
            }
            at += header;
            if at >= bytes.len() {
                break;
            }
            continue;
        }
        let body = at + header;
        let Some(next) = body.checked_add(size).filter(|next| *next <= bytes.len()) else {
            frames.damage.push(format!(
                "the record at offset {at:#x} is longer than what is left"
            ));
            break;
        };
        // 0 is a description that several frames share; anything else leads back to one.
        if shape.u32_at(bytes, body) != Some(0) {
            let fde = section.fde_from_offset(
                &bases,
                EhFrameOffset(at),
                |section, bases, offset: EhFrameOffset| match &cie {
                    Some((known, cie)) if *known == offset.0 => Ok(Clone::clone(cie)),
                    _ => {
                        let fresh = section.cie_from_offset(bases, offset)?;
                        cie = Some((offset.0, fresh.clone()));
                        Ok(fresh)
                    }
                },
            );
            match fde {
                Ok(fde) => frames.list.push(Frame {
                    start: fde.initial_address(),
                    size: fde.len(),
                }),
                Err(_) => unread += 1,
            }
        }
        at = next;
    }
    if unread > 0 {
        frames
            .damage
            .push(format!("{unread} records can't be read"));
    }
    frames
}

/// The bytes of a record's length field, and the length; `None` at the end.
fn record(shape: Shape, bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    match shape.u32_at(bytes, at)? {
        0xffff_ffff => {
            let (first, second) = (
                shape.u32_at(bytes, at.checked_add(4)?)?,
                shape.u32_at(bytes, at.checked_add(8)?)?,
            );
            let (low, high) = if shape.endian == Endianness::Little {
                (first, second)
            } else {
                (second, first)
            };
            Some((
                12,
                usize::try_from((u64::from(high) << 32) | u64::from(low)).ok()?,
            ))
        }
        size => Some((4, size as usize)),
    }
}

fn debug_frame(shape: Shape, machine: u16, bytes: &[u8]) -> Frames {
    let mut section = DebugFrame::new(bytes, endian(shape));
    section.set_address_size(address_size(shape));
    if machine == elf::EM_AARCH64.0 {
        section.set_vendor(gimli::Vendor::AArch64);
    }
    let bases = BaseAddresses::default();
    let mut frames = Frames {
        source: ".debug_frame",
        ..Frames::default()
    };
    let mut unread = 0u64;
    let mut entries = section.entries(&bases);
    loop {
        match entries.next() {
            Ok(None) => break,
            Ok(Some(CieOrFde::Cie(_))) => {}
            Ok(Some(CieOrFde::Fde(partial))) => {
                match partial.parse(|section: &DebugFrame<Slice<'_>>, bases, offset| {
                    section.cie_from_offset(bases, offset)
                }) {
                    Ok(fde) => frames.list.push(Frame {
                        start: fde.initial_address(),
                        size: fde.len(),
                    }),
                    Err(_) => unread += 1,
                }
            }
            Err(error) => {
                frames
                    .damage
                    .push(format!("it can't be read to its end: {error}"));
                break;
            }
        }
    }
    if unread > 0 {
        frames
            .damage
            .push(format!("{unread} records can't be read"));
    }
    frames
}

fn endian(shape: Shape) -> RunTimeEndian {
    match shape.endian {
        Endianness::Little => RunTimeEndian::Little,
        Endianness::Big => RunTimeEndian::Big,
    }
}

fn address_size(shape: Shape) -> u8 {
    if shape.is_64 { 8 } else { 4 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTING: Setting = Setting {
        shape: Shape {
            is_64: true,
            endian: Endianness::Little,
        },
        machine: 62,
        address: 0x1000,
        text: None,
        got: None,
        zero_ends: false,
    };

    /// A description, and a frame that starts at an address and belongs to it.
    fn linker_input(at: u64, start: u64, size: u32) -> Vec<u8> {
        let mut bytes = vec![
            20, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 16, 1, 0x1b, 0, 0, 0, 0, 0, 0, 0,
        ];
        let field = SETTING.address + at + 32;
        bytes.extend(16u32.to_le_bytes());
        bytes.extend(28u32.to_le_bytes());
        bytes.extend((start.wrapping_sub(field) as u32).to_le_bytes());
        bytes.extend(size.to_le_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    #[test]
    fn a_zero_between_linker_inputs_does_not_end_the_frames() {
        let mut bytes = linker_input(0, 0x4000, 16);
        bytes.extend([0; 4]);
        bytes.extend(linker_input(bytes.len() as u64, 0x5000, 32));
        bytes.extend([0; 4]);
        let frames = eh_frame(SETTING, &bytes);
        assert_eq!(
            frames.list,
            [
                Frame {
                    start: 0x4000,
                    size: 16
                },
                Frame {
                    start: 0x5000,
                    size: 32
                }
            ]
        );
        assert!(frames.damage.is_empty(), "{:?}", frames.damage);
        let first = eh_frame(
            Setting {
                zero_ends: true,
                ..SETTING
            },
            &bytes,
        );
        assert_eq!(first.list.len(), 1, "unless nothing else tells the end");
    }

    #[test]
    fn a_record_that_is_damaged_is_counted_and_the_rest_is_read() {
        let mut bytes = linker_input(0, 0x4000, 16);
        // The version of the description: its frame can't be read any more.
        bytes[8] = 99;
        bytes.extend(linker_input(bytes.len() as u64, 0x5000, 32));
        let frames = eh_frame(SETTING, &bytes);
        assert_eq!(
            frames.list,
            [Frame {
                start: 0x5000,
                size: 32
            }]
        );
        assert_eq!(frames.damage, ["1 records can't be read"]);
        let cut = eh_frame(SETTING, &bytes[..bytes.len() - 4]);
        assert!(
            cut.list.is_empty() && cut.damage.len() == 2,
            "{:?}",
            cut.damage
        );
    }
}

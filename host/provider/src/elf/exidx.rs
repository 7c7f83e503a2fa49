//! `.ARM.exidx`: how to unwind each function of 32-bit ARM, by where it starts.

use object::elf;

use super::Elf;
use crate::ReadError;
use crate::file::SourceFile;

/// What the table holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Starts {
    pub(crate) list: Vec<u64>,
    pub(crate) rows: u64,
    pub(crate) damage: Vec<String>,
}

/// SHT_ARM_EXIDX and PT_ARM_EXIDX.
const KIND: u32 = 0x7000_0001;
/// The function can't be unwound. A linker also ends the table so.
const CANT_UNWIND: u32 = 1;

/// Reads it, by sections or by the segment; `None` if there is none.
pub(crate) fn read(file: &SourceFile, elf: &Elf) -> Result<Option<Starts>, ReadError> {
    if elf.header.machine != elf::EM_ARM.0 || elf.is_relocatable() {
        return Ok(None);
    }
    let mut tables: Vec<(u64, u64, u64)> = elf
        .sections
        .iter()
        .filter(|section| section.kind == KIND)
        .map(|section| (section.address, section.offset, section.size))
        .collect();
    if tables.is_empty() {
        tables.extend(
            elf.segments
                .iter()
                .filter(|segment| segment.kind == KIND)
                .map(|segment| (segment.address, segment.offset, segment.file_size)),
        );
    }
    if tables.is_empty() {
        return Ok(None);
    }
    let mut found = Starts::default();
    for (address, offset, size) in tables {
        if !file.holds(offset, size) {
            found.damage.push(format!(
                "its {size} bytes at {offset:#x} lie outside the file"
            ));
            continue;
        }
        found.take(elf, address, &file.read(offset, size)?);
    }
    Ok(Some(found))
}

impl Starts {
    fn take(&mut self, elf: &Elf, address: u64, bytes: &[u8]) {
        let rows = bytes.len() / 8;
        let mut odd = 0u64;
        for (row, number) in bytes.chunks_exact(8).zip(1usize..) {
            let (Some(place), Some(what)) = (elf.shape.u32_at(row, 0), elf.shape.u32_at(row, 4))
            else {
                continue;
            };
            self.rows += 1;
            // A distance of 31 bits from the row; the highest bit is 0.
            if place & 0x8000_0000 != 0 {
                odd += 1;
                continue;
            }
            let distance = i64::from(place << 1) << 32 >> 33;
            let here = address.wrapping_add((number as u64 - 1) * 8);
            // The last row may tell no more than where the code ends.
            if number == rows && what == CANT_UNWIND {
                continue;
            }
            let start = here.wrapping_add_signed(distance) & 0xffff_ffff;
            self.list.push(start & !1);
        }
        if odd > 0 {
            self.damage.push(format!("{odd} rows hold no distance"));
        }
    }
}

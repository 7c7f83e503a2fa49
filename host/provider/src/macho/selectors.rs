//! `__objc_stubs`: a stub for each selector, which a linker makes and whose symbols stripping takes.

use super::fixups::{Pointer, Pointers};
use super::header::Image;
use super::machine::ARM64;
use super::memory::Memory;
use super::regions::Regions;
use super::rows::{self, Made};
use crate::ReadError;
use crate::file::SourceFile;
use crate::inventory::{Candidate, ProcedureKind};

/// How linkers name such a stub.
const PREFIX: &[u8] = b"_objc_msgSend$";

/// What was found: stubs, and how many of them have no name.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) rows: u64,
    pub(crate) unnamed: u64,
    /// The section is of a form that isn't known.
    pub(crate) unknown: bool,
}

/// Adds the stubs of an image whose symbols of them are gone; `None` if it has no such section, or has the symbols.
pub(crate) fn add(
    file: &SourceFile,
    image: &Image,
    regions: &Regions,
    pointers: &Pointers,
    made: &mut Made,
    candidates: &mut Vec<Candidate>,
) -> Result<Option<Found>, ReadError> {
    let section = (0u32..)
        .zip(&image.commands.sections)
        .find(|(_, section)| section.name == b"__objc_stubs" && section.size > 0);
    let Some((region, section)) = section else {
        return Ok(None);
    };
    let is_named = candidates
        .iter()
        .any(|candidate| candidate.region == region && candidate.name.is_some());
    if is_named || regions.are_segments || image.is_object() || image.is_debug() {
        return Ok(None);
    }
    let mut found = Found::default();
    let code = image.read_section(file, section)?.unwrap_or_default();
    let word = |at: usize| image.shape.u32_at(&code, at);
    // adrp x1; ldr x1, [x1]; and then `b`, or adrp, ldr, br and padding.
    let size = match (image.machine.kind, word(8)) {
        (ARM64, Some(third)) if third >> 26 == 0b00_0101 => 12usize,
        (ARM64, Some(_)) => 32,
        _ => {
            found.unknown = true;
            return Ok(Some(found));
        }
    };
    let mut memory = Memory::new(file, image);
    for at in (0..code.len() / size).map(|number| number * size) {
        let address = section.address.wrapping_add(at as u64);
        let reference = word(at)
            .zip(word(at + 4))
            .and_then(|(page, load)| selector(address, page, load));
        let selector = match reference {
            Some(reference) => text(image, pointers, &mut memory, reference)?,
            None => None,
        };
        let name = selector.and_then(|text| made.add(&[PREFIX, &text], rows::binding(2)));
        found.rows += 1;
        found.unnamed += u64::from(name.is_none());
        candidates.push(Candidate {
            address,
            size: size as u64,
            region,
            kind: ProcedureKind::ImportStub,
            mode: None,
            name,
            inferred: false,
        });
    }
    Ok(Some(found))
}

/// The address that `adrp x1` and `ldr x1, [x1, n]` make.
fn selector(address: u64, page: u32, load: u32) -> Option<u64> {
    if page & 0x9f00_001f != 0x9000_0001 || load & 0xffc0_03ff != 0xf940_0021 {
        return None;
    }
    let pages = ((page >> 3) & 0x1f_fffc) | ((page >> 29) & 3);
    // 21 bits, signed.
    let pages = i64::from((pages << 11).cast_signed() >> 11);
    let offset = u64::from((load >> 10) & 0xfff) * 8;
    Some((address & !0xfff).wrapping_add_signed(pages << 12) + offset)
}

fn text(
    image: &Image,
    pointers: &Pointers,
    memory: &mut Memory<'_>,
    reference: u64,
) -> Result<Option<Vec<u8>>, ReadError> {
    let pointer = memory.at(reference)?.and_then(|(bytes, segment)| {
        Some(pointers.decode(segment, image.shape.word_at(bytes, 0)?))
    });
    match pointer {
        Some(Pointer::Address(text)) => memory.text(text),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stub_tells_where_its_selector_is() {
        // adrp x1, +0x11000; ldr x1, [x1, #0x28]
        assert_eq!(selector(0x7_9120, 0xb000_0081, 0xf940_1421), Some(0x8_a028));
        // adrp x1, -0x1000
        assert_eq!(selector(0x7_9120, 0xf0ff_ffe1, 0xf940_0021), Some(0x7_8000));
        assert_eq!(selector(0, 0x1400_0000, 0xf940_0021), None);
    }
}

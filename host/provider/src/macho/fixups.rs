//! Pointers as they stand in the file: plain, or with the links of a chain in them.

use super::header::Image;
use super::raw::{Shape, string_at};
use crate::ReadError;
use crate::file::SourceFile;

/// What a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointer {
    Null,
    Address(u64),
    /// A symbol of another image, by its number in the table of imports if that is known.
    Import(Option<u32>),
    /// The form isn't known.
    Unknown,
}

/// How pointers of an image are written.
#[derive(Debug)]
pub(crate) struct Pointers {
    /// The form in each segment that has chains.
    forms: Vec<Option<u16>>,
    base: u64,
    /// Without chains, pointers that are signed are written in a form of their own.
    signed: bool,
    pub(crate) damage: Vec<String>,
    /// The table.
    bytes: Vec<u8>,
    shape: Shape,
}

impl Pointers {
    /// Reads which segments have chains, and of which form.
    pub(crate) fn read(file: &SourceFile, image: &Image) -> Result<Pointers, ReadError> {
        let mut pointers = Pointers {
            forms: Vec::new(),
            base: image.base().unwrap_or(0),
            signed: image.machine.is_arm64e(),
            damage: Vec::new(),
            bytes: Vec::new(),
            shape: image.shape,
        };
        if let Some(blob) = image.commands.chained_fixups {
            let bytes = image.window(file).table(
                "LC_DYLD_CHAINED_FIXUPS",
                blob.offset,
                blob.size,
                &mut pointers.damage,
            )?;
            if pointers
                .parse(&bytes, image.commands.segments.len())
                .is_none()
            {
                pointers
                    .damage
                    .push("LC_DYLD_CHAINED_FIXUPS: its table is cut off".to_owned());
            }
            pointers.bytes = bytes;
        }
        Ok(pointers)
    }

    fn parse(&mut self, bytes: &[u8], segments: usize) -> Option<()> {
        self.signed = false;
        let shape = self.shape;
        let word = |at: usize| shape.u32_at(bytes, at);
        let starts = word(4)? as usize;
        let count = (word(starts)? as usize).min(segments);
        for number in 0..count {
            let form = match word(starts.checked_add(4 + number * 4)?)? as usize {
                0 => None,
                offset => Some(shape.u16_at(bytes, starts.checked_add(offset)?.checked_add(6)?)?),
            };
            self.forms.push(form);
        }
        Some(())
    }

    /// What a pointer in a segment leads to.
    pub(crate) fn decode(&self, segment: usize, raw: u64) -> Pointer {
        if raw == 0 {
            return Pointer::Null;
        }
        let bit = |number: u32| raw >> number & 1 == 1;
        let low = |bits: u32| raw & ((1u64 << bits) - 1);
        let high = |at: u32| (raw >> at & 0xff) << 56;
        let number = |bits: u32| u32::try_from(low(bits)).ok();
        let from_base = |offset: u64| Pointer::Address(self.base.wrapping_add(offset));
        match self.forms.get(segment).copied().flatten() {
            None if self.signed && raw >> 48 != 0 => Pointer::Unknown,
            None => Pointer::Address(raw),
            // Signed pointers of arm64e; the kernel's have no imports of that form.
            Some(form @ (1 | 7 | 9 | 10 | 12)) => match (bit(63), bit(62)) {
                (_, true) => Pointer::Import(number(if form == 12 { 24 } else { 16 })),
                (true, false) => from_base(low(32)),
                (false, false) => {
                    let target = low(43) | high(43);
                    if form == 1 || form == 10 {
                        Pointer::Address(target)
                    } else {
                        from_base(target)
                    }
                }
            },
            Some(2 | 6) if bit(63) => Pointer::Import(number(24)),
            Some(2) => Pointer::Address(low(36) | high(36)),
            Some(6) => from_base(low(36) | high(36)),
            Some(3) if bit(31) => Pointer::Import(number(20)),
            Some(3) => Pointer::Address(low(26)),
            Some(_) => Pointer::Unknown,
        }
    }
}

impl Pointers {
    /// The name of an import.
    pub(crate) fn import(&self, number: u32) -> Option<&[u8]> {
        let word = |at: usize| self.shape.u32_at(&self.bytes, at);
        let (imports, symbols) = (word(8)? as usize, word(12)? as usize);
        if number >= word(16)? {
            return None;
        }
        let number = number as usize;
        let offset = match word(20)? {
            1 => word(imports.checked_add(number * 4)?)? >> 9,
            2 => word(imports.checked_add(number * 8)?)? >> 9,
            3 => word(imports.checked_add(number * 16 + 4)?)?,
            _ => return None,
        };
        string_at(&self.bytes, symbols.checked_add(offset as usize)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_pointer_is_told() {
        let pointers = Pointers {
            forms: vec![None, Some(2), Some(6), Some(9), Some(99)],
            base: 0x1_0000_0000,
            signed: false,
            damage: Vec::new(),
            bytes: Vec::new(),
            shape: Shape {
                is_64: true,
                is_big: false,
            },
        };
        let next = 5u64 << 51;
        for (segment, raw, expected) in [
            (0, 0, Pointer::Null),
            (0, 0x1234, Pointer::Address(0x1234)),
            (7, 0x1234, Pointer::Address(0x1234)),
            (1, 0x1_0000_4000 | next, Pointer::Address(0x1_0000_4000)),
            (1, 1 << 63 | 7, Pointer::Import(Some(7))),
            (2, 0x4000 | next, Pointer::Address(0x1_0000_4000)),
            (3, 0x4000 | 1 << 63 | next, Pointer::Address(0x1_0000_4000)),
            (3, 0x4000, Pointer::Address(0x1_0000_4000)),
            (3, 1 << 62 | 0xf_0008, Pointer::Import(Some(8))),
            (4, 0x4000, Pointer::Unknown),
        ] {
            assert_eq!(
                pointers.decode(segment, raw),
                expected,
                "{segment} {raw:#x}"
            );
        }
    }
}

//! Pointers as they stand in the file: plain, or with the links of a chain in them.

use super::header::Image;
use crate::ReadError;
use crate::file::SourceFile;

/// What a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointer {
    Null,
    Address(u64),
    /// A symbol of another image.
    Import,
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
}

/// The table has a few words for each segment, then the imports, which aren't needed.
const LIMIT: u64 = 1 << 20;

impl Pointers {
    /// Reads which segments have chains, and of which form.
    pub(crate) fn read(file: &SourceFile, image: &Image) -> Result<Pointers, ReadError> {
        let mut pointers = Pointers {
            forms: Vec::new(),
            base: image.base().unwrap_or(0),
            signed: image.machine.is_arm64e(),
            damage: Vec::new(),
        };
        if let Some(blob) = image.commands.chained_fixups {
            let bytes = image.window(file).table(
                "LC_DYLD_CHAINED_FIXUPS",
                blob.offset,
                blob.size.min(LIMIT),
                &mut pointers.damage,
            )?;
            if pointers
                .parse(image, &bytes, image.commands.segments.len())
                .is_none()
            {
                pointers
                    .damage
                    .push("LC_DYLD_CHAINED_FIXUPS: its table is cut off".to_owned());
            }
        }
        Ok(pointers)
    }

    fn parse(&mut self, image: &Image, bytes: &[u8], segments: usize) -> Option<()> {
        self.signed = false;
        let word = |at: usize| image.shape.u32_at(bytes, at);
        let starts = word(4)? as usize;
        let count = (word(starts)? as usize).min(segments);
        for number in 0..count {
            let form = match word(starts.checked_add(4 + number * 4)?)? as usize {
                0 => None,
                offset => Some(
                    image
                        .shape
                        .u16_at(bytes, starts.checked_add(offset)?.checked_add(6)?)?,
                ),
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
        let from_base = |offset: u64| Pointer::Address(self.base.wrapping_add(offset));
        match self.forms.get(segment).copied().flatten() {
            None if self.signed && raw >> 48 != 0 => Pointer::Unknown,
            None => Pointer::Address(raw),
            // Signed pointers of arm64e; the kernel's have no imports of that form.
            Some(form @ (1 | 7 | 9 | 10 | 12)) => match (bit(63), bit(62)) {
                (_, true) => Pointer::Import,
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
            Some(2 | 6) if bit(63) => Pointer::Import,
            Some(2) => Pointer::Address(low(36) | high(36)),
            Some(6) => from_base(low(36) | high(36)),
            Some(3) if bit(31) => Pointer::Import,
            Some(3) => Pointer::Address(low(26)),
            Some(_) => Pointer::Unknown,
        }
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
        };
        let next = 5u64 << 51;
        for (segment, raw, expected) in [
            (0, 0, Pointer::Null),
            (0, 0x1234, Pointer::Address(0x1234)),
            (7, 0x1234, Pointer::Address(0x1234)),
            (1, 0x1_0000_4000 | next, Pointer::Address(0x1_0000_4000)),
            (1, 1 << 63, Pointer::Import),
            (2, 0x4000 | next, Pointer::Address(0x1_0000_4000)),
            (3, 0x4000 | 1 << 63 | next, Pointer::Address(0x1_0000_4000)),
            (3, 0x4000, Pointer::Address(0x1_0000_4000)),
            (3, 1 << 62, Pointer::Import),
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

//! The four shapes of Mach-O (two widths, two byte orders) made one.

/// Width and byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) is_64: bool,
    pub(crate) is_big: bool,
}

impl Shape {
    /// By the first four bytes of an image; `None` if they are no magic number of one.
    pub(crate) fn of_magic(bytes: &[u8]) -> Option<Shape> {
        let (is_64, is_big) = match bytes.get(..4)? {
            [0xce, 0xfa, 0xed, 0xfe] => (false, false),
            [0xcf, 0xfa, 0xed, 0xfe] => (true, false),
            [0xfe, 0xed, 0xfa, 0xce] => (false, true),
            [0xfe, 0xed, 0xfa, 0xcf] => (true, true),
            _ => return None,
        };
        Some(Shape { is_64, is_big })
    }

    /// Bytes of the header.
    pub(crate) fn header_size(self) -> u64 {
        if self.is_64 { 32 } else { 28 }
    }

    /// Bytes of a row of the symbol table.
    pub(crate) fn symbol_size(self) -> usize {
        if self.is_64 { 16 } else { 12 }
    }

    /// Bytes of an address.
    pub(crate) fn word(self) -> usize {
        if self.is_64 { 8 } else { 4 }
    }

    pub(crate) fn u16_at(self, bytes: &[u8], at: usize) -> Option<u16> {
        let field: [u8; 2] = field(bytes, at)?;
        Some(if self.is_big {
            u16::from_be_bytes(field)
        } else {
            u16::from_le_bytes(field)
        })
    }

    pub(crate) fn u32_at(self, bytes: &[u8], at: usize) -> Option<u32> {
        let field: [u8; 4] = field(bytes, at)?;
        Some(if self.is_big {
            u32::from_be_bytes(field)
        } else {
            u32::from_le_bytes(field)
        })
    }

    pub(crate) fn u64_at(self, bytes: &[u8], at: usize) -> Option<u64> {
        let field: [u8; 8] = field(bytes, at)?;
        Some(if self.is_big {
            u64::from_be_bytes(field)
        } else {
            u64::from_le_bytes(field)
        })
    }

    /// An address: 32 or 64 bits.
    pub(crate) fn word_at(self, bytes: &[u8], at: usize) -> Option<u64> {
        if self.is_64 {
            self.u64_at(bytes, at)
        } else {
            self.u32_at(bytes, at).map(u64::from)
        }
    }

    /// Calls for every whole symbol the bytes hold, with its number.
    pub(crate) fn each_symbol(self, bytes: &[u8], mut call: impl FnMut(u32, Symbol)) {
        for (number, row) in (0u32..).zip(bytes.chunks_exact(self.symbol_size())) {
            if let Some(symbol) = self.symbol(row) {
                call(number, symbol);
            }
        }
    }

    /// A row of the symbol table.
    pub(crate) fn symbol(self, row: &[u8]) -> Option<Symbol> {
        Some(Symbol {
            name: self.u32_at(row, 0)?,
            kind: *row.get(4)?,
            section: *row.get(5)?,
            desc: self.u16_at(row, 6)?,
            value: self.word_at(row, 8)?,
        })
    }
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// A row of the symbol table (`nlist`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: u32,
    pub(crate) kind: u8,
    pub(crate) section: u8,
    pub(crate) desc: u16,
    pub(crate) value: u64,
}

impl Symbol {
    /// It is for a debugger.
    pub(crate) fn is_stab(self) -> bool {
        self.kind & 0xe0 != 0
    }

    /// It is defined in a section.
    pub(crate) fn is_in_section(self) -> bool {
        !self.is_stab() && self.kind & 0x0e == 0x0e
    }

    /// It is defined elsewhere. One with a value is storage for a linker to reserve.
    pub(crate) fn is_undefined(self) -> bool {
        !self.is_stab() && matches!(self.kind & 0x0e, 0 | 0x0c) && self.value == 0
    }

    /// Others see it.
    pub(crate) fn is_external(self) -> bool {
        self.kind & 0x01 != 0
    }

    /// Only other parts of the same image see, or saw, it.
    pub(crate) fn is_private_external(self) -> bool {
        self.kind & 0x10 != 0
    }

    pub(crate) fn has(self, bit: u16) -> bool {
        self.desc & bit != 0
    }
}

/// Bits of a defined symbol's description.
pub(crate) mod desc {
    /// Thumb code, on 32-bit ARM.
    pub(crate) const THUMB: u16 = 0x0008;
    /// Another definition may stand for it.
    pub(crate) const WEAK_DEFINITION: u16 = 0x0080;
    /// An undefined symbol that may be missing.
    pub(crate) const WEAK_REFERENCE: u16 = 0x0040;
    /// The code picks an implementation.
    pub(crate) const RESOLVER: u16 = 0x0100;
    /// It lies inside what the symbol before it begins.
    pub(crate) const ALT_ENTRY: u16 = 0x0200;
}

/// The bytes from an offset to the next zero; `None` if there is none.
pub(crate) fn string_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at..)?;
    rest.get(..memchr::memchr(0, rest)?)
}

/// A ULEB128 number and the offset behind it; `None` if it runs out of the bytes or of 64 bits.
pub(crate) fn uleb(bytes: &[u8], mut at: usize) -> Option<(u64, usize)> {
    let (mut value, mut shift) = (0u64, 0u32);
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        let part = u64::from(byte & 0x7f);
        // Linkers pad numbers with zero bits, so a tenth byte may be there and say nothing.
        if shift >= 64 || (shift == 63 && part > 1) {
            if part != 0 {
                return None;
            }
        } else {
            value |= part << shift;
        }
        if byte & 0x80 == 0 {
            return Some((value, at));
        }
        shift = shift.checked_add(7).filter(|shift| *shift < 140)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_variable_length_are_bounded() {
        assert_eq!(uleb(&[0x05], 0), Some((5, 1)));
        assert_eq!(uleb(&[0x80, 0x01], 0), Some((128, 2)));
        assert_eq!(uleb(&[0x85, 0x80, 0x00], 0), Some((5, 3)));
        assert_eq!(
            uleb(
                &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
                0
            ),
            Some((u64::MAX, 10))
        );
        assert_eq!(
            uleb(
                &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
                0
            ),
            None
        );
        assert_eq!(uleb(&[0x80; 100], 0), None);
        assert_eq!(uleb(&[0x80], 0), None);
        assert_eq!(uleb(&[], 0), None);
    }
}

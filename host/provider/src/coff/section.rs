//! Section headers.

use super::raw::{padded, text, u16_at, u32_at};
use super::table::StringTable;

/// Bytes of a section header.
pub(crate) const SIZE: usize = 40;

const CODE: u32 = 0x20;
const UNINITIALISED: u32 = 0x80;
const EXECUTE: u32 = 0x2000_0000;
/// Longer names of sections stay as they are spelled in the header (`/123`).
const NAME_LIMIT: usize = 1024;

/// A section.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// Its name; a long one as the string table has it.
    pub(crate) name: Vec<u8>,
    /// Bytes in memory; 0 in an object file, and in images of some old linkers.
    pub(crate) virtual_size: u32,
    /// Where it is loaded, relative to the image.
    pub(crate) rva: u32,
    /// Bytes in the file.
    pub(crate) raw_size: u32,
    /// Where these stand.
    pub(crate) raw_offset: u32,
    pub(crate) relocations: u16,
    pub(crate) flags: u32,
}

impl Section {
    /// Whether code may run in it.
    pub(crate) fn is_executable(&self) -> bool {
        self.flags & (EXECUTE | CODE) != 0
    }

    /// Whether it has no bytes in the file.
    pub(crate) fn is_uninitialised(&self) -> bool {
        self.raw_size == 0
            || self.raw_offset == 0
            || self.flags & (UNINITIALISED | CODE) == UNINITIALISED
    }

    /// Bytes it takes in memory.
    pub(crate) fn memory_size(&self) -> u32 {
        if self.virtual_size == 0 {
            self.raw_size
        } else {
            self.virtual_size
        }
    }
}

/// As many whole section headers as the bytes hold. Long names (`/4`, `//AAAAAA`) are taken from the string table.
pub(crate) fn parse(bytes: &[u8], strings: Option<&StringTable>) -> Vec<Section> {
    // Names may overlap in the table; together they take no more than it and the headers do.
    let mut budget = strings.map_or(0, |strings| strings.bytes().len()) + bytes.len();
    bytes
        .chunks_exact(SIZE)
        .filter_map(|row| {
            let short = padded(row.get(..8)?);
            let long = strings
                .and_then(|strings| strings.bytes().get(long_name(short)?..))
                .and_then(text)
                .filter(|name| name.len() <= NAME_LIMIT && name.len() <= budget);
            budget = budget.saturating_sub(long.map_or(0, <[u8]>::len));
            Some(Section {
                name: long.unwrap_or(short).to_vec(),
                virtual_size: u32_at(row, 8)?,
                rva: u32_at(row, 12)?,
                raw_size: u32_at(row, 16)?,
                raw_offset: u32_at(row, 20)?,
                relocations: u16_at(row, 32)?,
                flags: u32_at(row, 36)?,
            })
        })
        .collect()
}

/// The offset in the string table that a name field stands for.
fn long_name(field: &[u8]) -> Option<usize> {
    match field {
        [b'/', b'/', digits @ ..] => digits.iter().try_fold(0usize, |value, digit| {
            let digit = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            value.checked_mul(64)?.checked_add(usize::from(digit))
        }),
        [b'/', digits @ ..] if !digits.is_empty() => std::str::from_utf8(digits).ok()?.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::long_name;

    #[test]
    fn long_names_are_decimal_or_base_64() {
        assert_eq!(long_name(b"/4"), Some(4));
        assert_eq!(long_name(b"/1234567"), Some(1_234_567));
        assert_eq!(long_name(b"//AAAABA"), Some(64));
        assert_eq!(long_name(b"/"), None);
        assert_eq!(long_name(b".text"), None);
        assert_eq!(long_name(b"/x"), None);
    }
}

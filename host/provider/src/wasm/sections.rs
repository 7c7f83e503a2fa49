//! The sections of a module or component, without their content.

use crate::ReadError;
use crate::file::SourceFile;

/// A section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) id: u8,
    /// The name of a custom section.
    pub(crate) name: Vec<u8>,
    /// Where its content begins; of a custom section, behind the name.
    pub(crate) offset: u64,
    pub(crate) size: u64,
}

/// A module has a dozen sections, with debug information two; more than this is a bomb.
const SECTIONS: usize = 65_536;
/// Longer names of custom sections are cut.
const NAME: u64 = 1024;
/// Magic and version.
pub(crate) const HEADER: u64 = 8;

/// The sections in order, and why they aren't all.
pub(crate) fn read(file: &SourceFile) -> Result<(Vec<Section>, Option<String>), ReadError> {
    let mut found = Vec::new();
    let mut at = HEADER.min(file.len());
    while at < file.len() {
        if found.len() == SECTIONS {
            return Ok((found, Some(format!("it has more than {SECTIONS} sections"))));
        }
        let head = file.read_unchecked(at, (file.len() - at).min(6))?;
        let (Some(&id), Some((size, length))) = (head.first(), head.get(1..).and_then(leb)) else {
            let why = format!("the section header at {at:#x} can't be read");
            return Ok((found, Some(why)));
        };
        let offset = at + 1 + length;
        let size = u64::from(size);
        if !file.holds(offset, size) {
            let why = format!("the section at {at:#x} is longer than what is left of the file");
            return Ok((found, Some(why)));
        }
        found.push(section(file, id, offset, size)?);
        at = offset + size;
    }
    file.check()?;
    Ok((found, None))
}

fn section(file: &SourceFile, id: u8, offset: u64, size: u64) -> Result<Section, ReadError> {
    let plain = Section {
        id,
        name: Vec::new(),
        offset,
        size,
    };
    if id != 0 {
        return Ok(plain);
    }
    let head = file.read_unchecked(offset, size.min(NAME + 5))?;
    let Some((name_size, length)) = leb(&head) else {
        return Ok(plain);
    };
    let behind = length + u64::from(name_size);
    if behind > size {
        return Ok(plain);
    }
    let name = head
        .iter()
        .skip(usize::try_from(length).unwrap_or(0))
        .take(name_size as usize)
        .copied()
        .collect();
    Ok(Section {
        id,
        name,
        offset: offset + behind,
        size: size - behind,
    })
}

/// A number of up to 32 bits at the beginning of bytes, and how many bytes it takes.
pub(crate) fn leb(bytes: &[u8]) -> Option<(u32, u64)> {
    let mut value = 0u64;
    for (&byte, position) in bytes.iter().zip(0u32..5) {
        value |= u64::from(byte & 0x7f) << (7 * position);
        if byte & 0x80 == 0 {
            return Some((u32::try_from(value).ok()?, u64::from(position) + 1));
        }
    }
    None
}

/// Numbers that stand far apart, read through a window that moves forward.
pub(crate) struct Window<'a> {
    file: &'a SourceFile,
    start: u64,
    bytes: Vec<u8>,
}

/// Bytes of a window.
const WINDOW: u64 = 64 * 1024;

impl<'a> Window<'a> {
    pub(crate) fn new(file: &'a SourceFile) -> Window<'a> {
        Window {
            file,
            start: 0,
            bytes: Vec::new(),
        }
    }

    /// The number at an offset, and how many bytes it takes; `None` if none is there.
    pub(crate) fn leb(&mut self, offset: u64) -> Result<Option<(u32, u64)>, ReadError> {
        let end = self.start + self.bytes.len() as u64;
        let wanted = offset.saturating_add(5).min(self.file.len());
        if offset < self.start || wanted > end {
            if offset >= self.file.len() {
                return Ok(None);
            }
            let size = WINDOW.min(self.file.len() - offset);
            self.bytes = self.file.read_unchecked(offset, size)?;
            self.start = offset;
        }
        let inside = usize::try_from(offset - self.start).unwrap_or(usize::MAX);
        Ok(self.bytes.get(inside..).and_then(leb))
    }
}

/// The name by which the specification calls a section of a module.
pub(crate) fn kind(id: u8) -> String {
    let name = match id {
        0 => "custom",
        1 => "type",
        2 => "import",
        3 => "function",
        4 => "table",
        5 => "memory",
        6 => "global",
        7 => "export",
        8 => "start",
        9 => "element",
        10 => "code",
        11 => "data",
        12 => "data count",
        13 => "tag",
        other => return format!("section {other}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_at_most_32_bits() {
        assert_eq!(leb(&[0x05, 0xff]), Some((5, 1)));
        assert_eq!(leb(&[0xe5, 0x8e, 0x26]), Some((624_485, 3)));
        assert_eq!(leb(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Some((u32::MAX, 5)));
        assert_eq!(leb(&[0xff, 0xff, 0xff, 0xff, 0x1f]), None);
        assert_eq!(leb(&[0x80, 0x80, 0x80, 0x80, 0x80, 0]), None);
        assert_eq!(leb(&[0x80]), None);
        assert_eq!(leb(&[]), None);
    }
}

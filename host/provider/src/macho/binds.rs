//! The loader's program of binds (LC_DYLD_INFO): which pointers lead to classes of other images.

use std::collections::BTreeMap;

use super::header::Image;
use super::raw::{string_at, uleb};
use crate::ReadError;
use crate::file::SourceFile;

/// What symbols of classes begin with.
pub(crate) const CLASS: &[u8] = b"_OBJC_CLASS_$_";

/// Names of classes by the address of the pointer that leads to them.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    map: BTreeMap<u64, Vec<u8>>,
}

/// Pointers that are kept: a program of a few bytes may bind without end.
const LIMIT: usize = 1 << 20;
/// A name that is kept that often must not be long.
const NAME_LIMIT: usize = 1024;

impl Classes {
    /// Runs the program, as far as it makes sense; what it doesn't tell is missed by whoever asks.
    pub(crate) fn read(file: &SourceFile, image: &Image) -> Result<Classes, ReadError> {
        let mut classes = Classes::default();
        if let Some(blob) = image.commands.binds {
            let mut damage = Vec::new();
            let bytes =
                image
                    .window(file)
                    .table("the binds", blob.offset, blob.size, &mut damage)?;
            let segments: Vec<u64> = image
                .commands
                .segments
                .iter()
                .map(|segment| segment.address)
                .collect();
            classes.run(&bytes, &segments, image.shape.word() as u64);
        }
        Ok(classes)
    }

    /// The class that the pointer at an address leads to.
    pub(crate) fn at(&self, address: u64) -> Option<&[u8]> {
        self.map.get(&address).map(Vec::as_slice)
    }

    fn run(&mut self, bytes: &[u8], segments: &[u64], word: u64) -> Option<()> {
        let mut at = 0usize;
        let mut name: Option<&[u8]> = None;
        let mut address = 0u64;
        let mut left = LIMIT;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            let small = u64::from(byte & 0x0f);
            let mut number = || {
                let (value, next) = uleb(bytes, at)?;
                at = next;
                Some(value)
            };
            // How often to bind, and what to step over after each.
            let (times, skip) = match byte & 0xf0 {
                // The end of a program; lazy ones go on behind it.
                0x00 => continue,
                // The library: small, large, special. The type.
                0x10 | 0x30 | 0x50 => continue,
                0x20 => {
                    number()?;
                    continue;
                }
                0x40 => {
                    let text = string_at(bytes, at)?;
                    at += text.len() + 1;
                    name = text
                        .strip_prefix(CLASS)
                        .filter(|name| name.len() <= NAME_LIMIT);
                    continue;
                }
                // A signed addend; its bytes end alike.
                0x60 => {
                    at += bytes.get(at..)?.iter().position(|byte| byte & 0x80 == 0)? + 1;
                    continue;
                }
                0x70 => {
                    let offset = number()?;
                    address = segments
                        .get(usize::try_from(small).ok()?)?
                        .wrapping_add(offset);
                    continue;
                }
                0x80 => {
                    address = address.wrapping_add(number()?);
                    continue;
                }
                0x90 => (1, 0),
                0xa0 => (1, number()?),
                0xb0 => (1, small.wrapping_mul(word)),
                0xc0 => {
                    let times = number()?;
                    (times, number()?)
                }
                // Threaded binds, whose pointers are of a form of their own.
                _ => return None,
            };
            let step = word.wrapping_add(skip);
            if let Some(name) = name {
                for _ in 0..times {
                    left = left.checked_sub(1)?;
                    self.map.insert(address, name.to_vec());
                    address = address.wrapping_add(step);
                }
            } else {
                address = address.wrapping_add(step.wrapping_mul(times));
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_to_classes_are_kept() {
        let mut bytes = vec![0x11, 0x40];
        bytes.extend(b"_puts\0");
        bytes.extend([0x51, 0x71, 0x10, 0x90, 0x40]);
        bytes.extend(b"_OBJC_CLASS_$_NSObject\0");
        bytes.extend([0x90, 0xa0, 0x08, 0xb2, 0xc0, 0x02, 0x10, 0x00]);
        let mut classes = Classes::default();
        assert!(classes.run(&bytes, &[0, 0x1000], 8).is_some());
        let found: Vec<u64> = classes.map.keys().copied().collect();
        assert_eq!(found, [0x1018, 0x1020, 0x1030, 0x1048, 0x1060]);
        assert_eq!(classes.at(0x1018), Some(&b"NSObject"[..]));
        for cut in 0..bytes.len() {
            let _ = Classes::default().run(&bytes[..cut], &[0, 0x1000], 8);
        }
    }

    #[test]
    fn a_program_that_binds_without_end_is_ended() {
        let mut bytes = vec![0x40];
        bytes.extend(b"_OBJC_CLASS_$_A\0");
        bytes.extend([0x70, 0, 0xc0]);
        bytes.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0]);
        let mut classes = Classes::default();
        assert!(classes.run(&bytes, &[0], 8).is_none());
        assert!(classes.map.len() <= LIMIT);
    }
}

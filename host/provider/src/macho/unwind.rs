//! `__unwind_info`: Apple's compact unwind information, read for where functions start.
//!
//! A linker joins neighbours that unwind alike, so this knows fewer starts than there are functions.

use super::raw::Shape;

/// Starts as offsets from the header, in the order of the table; and why that isn't all.
#[derive(Debug, Default)]
pub(crate) struct Unwind {
    pub(crate) list: Vec<u64>,
    pub(crate) damage: Vec<String>,
}

/// Reads the two levels of the table. No more rows than the table has words.
pub(crate) fn parse(shape: Shape, bytes: &[u8]) -> Unwind {
    let mut unwind = Unwind::default();
    if header(shape, bytes, &mut unwind).is_none() {
        unwind.damage.push("the table is cut off".to_owned());
    }
    unwind
}

fn header(shape: Shape, bytes: &[u8], unwind: &mut Unwind) -> Option<()> {
    let word = |at: usize| shape.u32_at(bytes, at);
    let version = word(0)?;
    if version != 1 {
        unwind
            .damage
            .push(format!("its version is {version}; 1 is read"));
        return Some(());
    }
    let (common_at, common_count) = (word(4)? as usize, word(8)?);
    let (index_at, index_count) = (word(20)? as usize, word(24)?);
    let common = Encodings {
        shape,
        bytes,
        at: common_at,
        count: common_count,
    };
    let mut left = bytes.len() / 4;
    // The last row only tells where the last function ends.
    for number in 0..(index_count as usize).saturating_sub(1) {
        let row = index_at.checked_add(number.checked_mul(12)?)?;
        let (first, page) = (word(row)?, word(row.checked_add(4)?)? as usize);
        if page == 0 {
            continue;
        }
        match word(page)? {
            2 => regular(shape, bytes, page, &mut left, unwind)?,
            3 => compressed(shape, bytes, page, first, common, &mut left, unwind)?,
            other => unwind
                .damage
                .push(format!("a page is of kind {other}; 2 and 3 are read")),
        }
        if left == 0 || unwind.damage.len() > 16 {
            unwind
                .damage
                .push("it has more rows than there is room for".to_owned());
            break;
        }
    }
    Some(())
}

/// A list of encodings. 0 says that nothing is known of these bytes.
#[derive(Clone, Copy)]
struct Encodings<'a> {
    shape: Shape,
    bytes: &'a [u8],
    at: usize,
    count: u32,
}

impl Encodings<'_> {
    fn get(self, index: u32) -> Option<u32> {
        if index >= self.count {
            return None;
        }
        self.shape.u32_at(
            self.bytes,
            self.at.checked_add((index as usize).checked_mul(4)?)?,
        )
    }
}

fn regular(
    shape: Shape,
    bytes: &[u8],
    page: usize,
    left: &mut usize,
    unwind: &mut Unwind,
) -> Option<()> {
    let at = page + usize::from(shape.u16_at(bytes, page + 4)?);
    let count = usize::from(shape.u16_at(bytes, page + 6)?).min(*left);
    *left -= count;
    for number in 0..count {
        let row = at + number * 8;
        let (start, encoding) = (shape.u32_at(bytes, row)?, shape.u32_at(bytes, row + 4)?);
        if encoding != 0 {
            unwind.list.push(start.into());
        }
    }
    Some(())
}

fn compressed(
    shape: Shape,
    bytes: &[u8],
    page: usize,
    first: u32,
    common: Encodings<'_>,
    left: &mut usize,
    unwind: &mut Unwind,
) -> Option<()> {
    let half = |at: usize| shape.u16_at(bytes, page + at).map(usize::from);
    let at = page + half(4)?;
    let count = half(6)?.min(*left);
    let own = Encodings {
        shape,
        bytes,
        at: page + half(8)?,
        count: u32::try_from(half(10)?).ok()?,
    };
    *left -= count;
    for number in 0..count {
        let row = shape.u32_at(bytes, at + number * 4)?;
        let index = row >> 24;
        let encoding = match index.checked_sub(common.count) {
            Some(index) => own.get(index)?,
            None => common.get(index)?,
        };
        if encoding != 0 {
            unwind
                .list
                .push(u64::from(first) + u64::from(row & 0x00ff_ffff));
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape {
        is_64: true,
        is_big: false,
    };

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// A regular page with one function, a compressed one with two and a gap.
    fn table() -> Vec<u8> {
        let mut bytes = words(&[1, 28, 1, 32, 0, 32, 3]);
        bytes.extend(words(&[0x0200_0000]));
        bytes.extend(words(&[0x100, 68, 0, 0x200, 84, 0, 0x300, 0, 0]));
        bytes.extend(words(&[2, 8 | (1 << 16), 0x100, 0x0400_0000]));
        bytes.extend(words(&[
            3,
            12 | (3 << 16),
            24 | (2 << 16),
            0,
            0x0100_0010,
            0x0200_0020,
            0x0300_0000,
            0,
        ]));
        bytes
    }

    #[test]
    fn both_kinds_of_pages_are_read_and_gaps_left_out() {
        let unwind = parse(SHAPE, &table());
        assert!(unwind.damage.is_empty(), "{:?}", unwind.damage);
        assert_eq!(unwind.list, [0x100, 0x200, 0x210]);
    }

    #[test]
    fn every_cut_and_every_number_is_an_answer() {
        let whole = table();
        for cut in 0..whole.len() {
            assert!(parse(SHAPE, &whole[..cut]).list.len() <= 3);
        }
        for at in (0..whole.len()).step_by(4) {
            for value in [0u32, 1, 0xffff_ffff, 0x7fff_ffff] {
                let mut bytes = whole.clone();
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                let unwind = parse(SHAPE, &bytes);
                assert!(unwind.list.len() <= bytes.len() / 4);
            }
        }
    }
}

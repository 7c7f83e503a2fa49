//! Text in one piece: values one after the other, each ended by a NUL.
//!
//! No value holds a NUL (it is a control character), so an offset alone stands for a value, and eight bytes read at
//! once tell by themselves whether the value ends among them.

use super::{announced, no_memory};
use crate::session::Fault;

/// NULs behind the last value, so that eight bytes can be read from anywhere.
pub(super) const PADDING: usize = 8;

/// Values, each found by the offset of its first byte.
#[derive(Debug, Default)]
pub(super) struct Arena {
    text: String,
}

impl Arena {
    /// Room for so many bytes, terminators and padding included.
    pub(super) fn reserved(bytes: u64) -> Result<Self, Fault> {
        let bytes = usize::try_from(bytes).map_err(|_| announced::too_large())?;
        let mut text = String::new();
        text.try_reserve_exact(bytes)
            .map_err(|_| announced::too_large())?;
        Ok(Self { text })
    }

    /// Probably so many bytes. Growing means copying, so it is worth a try, no more.
    pub(super) fn expecting(bytes: u64) -> Self {
        Self::reserved(bytes.saturating_add(PADDING as u64)).unwrap_or_default()
    }

    /// Adds a value and says where it begins.
    pub(super) fn push(&mut self, value: &str) -> Result<u32, Fault> {
        let start = u32::try_from(self.text.len()).map_err(|_| no_memory())?;
        let more = value.len() + 1 + PADDING;
        if self.text.capacity() - self.text.len() < more {
            // By a quarter, not double: memory of the sandbox is limited and never shrinks.
            let more = more.max(self.text.len() / 4).max(4096);
            self.text.try_reserve_exact(more).map_err(|_| no_memory())?;
        }
        self.text.push_str(value);
        self.text.push('\0');
        Ok(start)
    }

    /// Ends the text. Must stand between the last `push` and the first `chunk`.
    pub(super) fn seal(&mut self) {
        for _ in 0..PADDING {
            self.text.push('\0');
        }
    }

    /// The value that begins at an offset.
    pub(super) fn value(&self, start: u32) -> &str {
        self.text
            .get(start as usize..)
            .and_then(|rest| rest.split('\0').next())
            .unwrap_or_default()
    }

    /// A byte of the value that begins at an offset. 0 is its end; behind the end it is of no meaning.
    pub(super) fn byte(&self, start: u32, depth: usize) -> u8 {
        self.text
            .as_bytes()
            .get(start as usize + depth)
            .copied()
            .unwrap_or(0)
    }

    /// The bytes from an offset on, as many as asked for, not stopping at the end of the value.
    pub(super) fn bytes(&self, start: u32, count: usize) -> &[u8] {
        let rest = self
            .text
            .as_bytes()
            .get(start as usize..)
            .unwrap_or_default();
        rest.get(..count).unwrap_or(rest)
    }

    /// Eight bytes of a value from a depth on, as a number that compares as they do. Behind the end of the value
    /// there are zeros, so a number whose last byte is 0 contains the end.
    #[inline]
    pub(super) fn chunk(&self, start: u32, depth: usize) -> u64 {
        let at = start as usize + depth;
        let Some(word) = self.text.as_bytes().get(at..).and_then(<[u8]>::first_chunk) else {
            return 0;
        };
        until_nul(u64::from_le_bytes(*word)).swap_bytes()
    }
}

/// Whether a chunk contains the end of its value.
#[inline]
pub(super) fn ended(chunk: u64) -> bool {
    chunk & 0xff == 0
}

/// Clears what stands behind the first zero byte. The byte that stands first is the lowest.
#[inline]
fn until_nul(word: u64) -> u64 {
    // The well-known test for a zero byte. It may be wrong above the lowest zero byte, never below or at it.
    let zeros = word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080;
    if zeros == 0 {
        return word;
    }
    word & ((1_u64 << (zeros.trailing_zeros() - 7)) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_stop_at_the_end_of_the_value() {
        let mut arena = Arena::default();
        let starts: Vec<u32> = [
            "",
            "a",
            "abcdefg",
            "abcdefgh",
            "abcdefghi",
            "\u{10ffff}\u{1}",
        ]
        .iter()
        .map(|value| arena.push(value).unwrap())
        .collect();
        arena.seal();
        let chunk = |row: usize, depth| arena.chunk(starts[row], depth).to_be_bytes();
        assert_eq!(&chunk(0, 0), b"\0\0\0\0\0\0\0\0");
        assert_eq!(&chunk(1, 0), b"a\0\0\0\0\0\0\0");
        assert_eq!(&chunk(2, 0), b"abcdefg\0");
        assert_eq!(&chunk(3, 0), b"abcdefgh");
        assert_eq!(&chunk(3, 8), b"\0\0\0\0\0\0\0\0");
        assert_eq!(&chunk(4, 8), b"i\0\0\0\0\0\0\0");
        assert_eq!(&chunk(5, 0), b"\xf4\x8f\xbf\xbf\x01\0\0\0");
        assert_eq!(arena.value(starts[4]), "abcdefghi");
        assert_eq!(arena.value(starts[0]), "");
        assert_eq!(arena.byte(starts[1], 1), 0);
        assert_eq!(arena.chunk(u32::MAX, 0), 0);
    }
}

//! Numbers in bytes, lowest byte first, as everything of Windows is.

/// An 8-bit number at an offset.
pub(crate) fn u8_at(bytes: &[u8], at: usize) -> Option<u8> {
    bytes.get(at).copied()
}

/// A 16-bit number at an offset.
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    field(bytes, at).map(u16::from_le_bytes)
}

/// A 32-bit number at an offset.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    field(bytes, at).map(u32::from_le_bytes)
}

/// A 64-bit number at an offset.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    field(bytes, at).map(u64::from_le_bytes)
}

/// An address at an offset: 4 or 8 bytes.
pub(crate) fn word_at(bytes: &[u8], at: usize, is_64: bool) -> Option<u64> {
    if is_64 {
        u64_at(bytes, at)
    } else {
        u32_at(bytes, at).map(u64::from)
    }
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// Longest name that is looked for, in bytes; the index takes no longer ones.
pub(crate) const NAME_LIMIT: usize = 65_536;

/// The text at the beginning of bytes, up to a zero. `None` if none follows within [`NAME_LIMIT`].
pub(crate) fn text(bytes: &[u8]) -> Option<&[u8]> {
    let near = bytes.get(..bytes.len().min(NAME_LIMIT + 1))?;
    near.get(..memchr::memchr(0, near)?)
}

/// A text that its field pads with zeros.
pub(crate) fn padded(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or(&[])
}

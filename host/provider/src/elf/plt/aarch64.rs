//! Stubs on AArch64: `adrp x16, page; ldr x17, [x16, #offset]; add x16, x16, #offset; br x17`.

use super::{Decoded, Stub};

const LANDING: u32 = 0xd503_245f;
const BRANCH: u32 = 0xd61f_0220;

pub(super) fn decode(code: &[u8], address: u64) -> Decoded {
    let words: Vec<u32> = code
        .chunks_exact(4)
        .filter_map(|word| word.try_into().ok())
        .map(u32::from_le_bytes)
        .collect();
    let word = |at: usize| words.get(at).copied().unwrap_or(0);
    let address_of = |at: usize| address.wrapping_add(at as u64 * 4);
    let mut found = Decoded {
        unknown: (code.len() % 4) as u64,
        ..Decoded::default()
    };
    let mut at = 0usize;
    while at < words.len() {
        let is_stub = (at + 2..at + 5).find(|end| word(*end) == BRANCH);
        if let (Some(page), Some(offset), Some(end)) = (
            page(word(at), address_of(at)),
            offset(word(at + 1)),
            is_stub,
        ) {
            let first = if at > 0 && word(at - 1) == LANDING {
                at - 1
            } else {
                at
            };
            found.stubs.push(Stub {
                start: address_of(first),
                size: (end + 1 - first) as u64 * 4,
                slot: page.wrapping_add(offset),
                mode: None,
            });
            at = end + 1;
            continue;
        }
        if !is_known(word(at)) {
            found.unknown += 4;
        }
        at += 1;
    }
    found
}

/// `adrp x16, page`: what it puts into x16.
fn page(word: u32, here: u64) -> Option<u64> {
    if word & 0x9f00_001f != 0x9000_0010 {
        return None;
    }
    let pages = (((word >> 5) & 0x7_ffff) << 2) | ((word >> 29) & 3);
    // 21 bits with a sign.
    let pages = (i64::from(pages) << 43) >> 43;
    Some((here & !0xfff).wrapping_add_signed(pages << 12))
}

/// `ldr x17, [x16, #offset]`, or `ldr w17` where pointers have 32 bits.
fn offset(word: u32) -> Option<u64> {
    let number = u64::from((word >> 10) & 0xfff);
    match word & 0xffc0_03ff {
        0xf940_0211 => Some(number * 8),
        0xb940_0211 => Some(number * 4),
        _ => None,
    }
}

/// What else stands in such a table: `nop`, `bti c`, `autia1716`, `stp x16, x30, [sp, #-16]!`, zeros.
fn is_known(word: u32) -> bool {
    matches!(word, 0xd503_201f | LANDING | 0xd503_219f | 0xa9bf_7bf0 | 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_a_page_and_an_offset() {
        let words = [
            LANDING,
            0xa9bf_7bf0,
            0xb000_0090, // adrp x16, 0x11000 behind
            0xf947_fe11, // ldr x17, [x16, #4088]
            0x913f_e210,
            BRANCH,
            0xd503_201f,
            LANDING,
            0xb000_0090,
            0xf940_0211,
            0x9100_0210,
            BRANCH,
        ];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let found = decode(&code, 0x600);
        assert_eq!(found.unknown, 0);
        assert_eq!(
            found.stubs,
            [
                Stub {
                    start: 0x608,
                    size: 16,
                    slot: 0x11ff8,
                    mode: None
                },
                Stub {
                    start: 0x61c,
                    size: 20,
                    slot: 0x11000,
                    mode: None
                }
            ]
        );
        assert_eq!(decode(&[1, 2, 3, 4, 5], 0).unknown, 5);
    }
}

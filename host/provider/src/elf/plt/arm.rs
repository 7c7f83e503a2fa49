//! Stubs on 32-bit ARM: `add ip, pc, #…; add ip, ip, #…; ldr pc, [ip, #…]!`, and lld's long form.

use super::{Decoded, Stub};
use crate::inventory::Mode;

/// `bx pc; nop` or `bx pc; b .-2` in Thumb: how Thumb code enters the stub behind it. In either byte order.
fn is_from_thumb(word: u32) -> bool {
    matches!(word, 0x46c0_4778 | 0xe7fd_4778 | 0x4778_46c0 | 0x4778_e7fd)
}

pub(super) fn decode(code: &[u8], address: u64, is_little: bool) -> Decoded {
    let words: Vec<u32> = code
        .chunks_exact(4)
        .filter_map(|word| word.try_into().ok())
        .map(|word| {
            if is_little {
                u32::from_le_bytes(word)
            } else {
                u32::from_be_bytes(word)
            }
        })
        .collect();
    let word = |at: usize| words.get(at).copied().unwrap_or(0);
    let address_of = |at: usize| address.wrapping_add(at as u64 * 4);
    let mut found = Decoded {
        unknown: (code.len() % 4) as u64,
        ..Decoded::default()
    };
    let mut at = 0usize;
    while at < words.len() {
        if let Some((slot, used)) = slot(word, at, address) {
            let from_thumb = at > 0 && is_from_thumb(word(at - 1));
            let first = if from_thumb { at - 1 } else { at };
            found.stubs.push(Stub {
                start: address_of(first),
                size: (at + used - first) as u64 * 4,
                slot,
                mode: Some(if from_thumb { Mode::Thumb } else { Mode::Arm }),
            });
            at += used;
        } else {
            let known = head(word, at);
            if known == 0 {
                found.unknown += 4;
            }
            at += known.max(1);
        }
    }
    found
}

/// The slot of the stub at a word, and how many words that takes.
fn slot(word: impl Fn(usize) -> u32, at: usize, address: u64) -> Option<(u64, usize)> {
    // pc is two instructions ahead.
    let pc = |at: usize| {
        u32::try_from(address & 0xffff_ffff)
            .unwrap_or(0)
            .wrapping_add(u32::try_from(at * 4 + 8).unwrap_or(0))
    };
    let first = word(at);
    if first & 0xffff_f000 == 0xe28f_c000 {
        let mut ip = pc(at).wrapping_add(immediate(first));
        for step in 1..4 {
            let next = word(at + step);
            match next & 0xffff_f000 {
                0xe28c_c000 => ip = ip.wrapping_add(immediate(next)),
                0xe5bc_f000 => {
                    return Some((u64::from(ip.wrapping_add(next & 0xfff)), step + 1));
                }
                _ => return None,
            }
        }
        return None;
    }
    // ldr ip, [pc, #…]; add ip, ip, pc; ldr pc, [ip]; the distance stands behind them.
    if first & 0xffff_f000 == 0xe59f_c000
        && matches!(word(at + 1), 0xe08c_c00f | 0xe08f_c00c)
        && matches!(word(at + 2), 0xe59c_f000)
    {
        let distance = at
            .checked_add(2)?
            .checked_add((first & 0xfff) as usize / 4)?;
        let ip = pc(at + 1).wrapping_add(word(distance));
        let used = if distance == at + 3 { 4 } else { 3 };
        return Some((ip.into(), used));
    }
    None
}

/// An immediate of eight bits, rotated.
fn immediate(word: u32) -> u32 {
    (word & 0xff).rotate_right((word >> 8 & 0xf) * 2)
}

/// How many words are the head of a table or padding.
fn head(word: impl Fn(usize) -> u32, at: usize) -> usize {
    match word(at) {
        // push {lr}; ldr lr, [pc, #4]; add lr, pc, lr; ldr pc, [lr, #8]!; the distance.
        0xe52d_e004 if word(at + 1) == 0xe59f_e004 => 5,
        // lld's: push {lr}; add lr, pc, #…; add lr, lr, #…; ldr pc, [lr, #…]!
        0xe52d_e004 => 4,
        // nop, lld's trap, the entry from Thumb, zeros.
        0xe1a0_0000 | 0xe320_f000 | 0xd4d4_d4d4 | 0 => 1,
        word if is_from_thumb(word) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// angr 339: stubs are four bytes longer where Thumb code calls them.
    #[test]
    fn angr_339_a_stub_may_have_an_entry_from_thumb() {
        let words = [
            0xe52d_e004,
            0xe59f_e004,
            0xe08f_e00e,
            0xe5be_f008,
            0x0001_0c40,
            0xe7fd_4778,
            0xe28f_c600,
            0xe28c_ca10,
            0xe5bc_fc40,
            0xe28f_c600,
            0xe28c_ca10,
            0xe5bc_fc38,
        ];
        let code: Vec<u8> = words
            .iter()
            .flat_map(|word: &u32| word.to_le_bytes())
            .collect();
        let found = decode(&code, 0x400, true);
        assert_eq!(found.unknown, 0);
        assert_eq!(
            found.stubs,
            [
                Stub {
                    start: 0x414,
                    size: 16,
                    slot: 0x400 + 0x18 + 8 + 0x10000 + 0xc40,
                    mode: Some(Mode::Thumb)
                },
                Stub {
                    start: 0x424,
                    size: 12,
                    slot: 0x400 + 0x24 + 8 + 0x10000 + 0xc38,
                    mode: Some(Mode::Arm)
                }
            ]
        );
        let big: Vec<u8> = words[9..]
            .iter()
            .flat_map(|word: &u32| word.to_be_bytes())
            .collect();
        assert_eq!(decode(&big, 0x424, false).stubs, found.stubs[1..]);
    }

    #[test]
    fn the_long_form_holds_its_distance() {
        let words = [0xe59f_c004, 0xe08c_c00f, 0xe59c_f000, 0x0002_0000u32];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let found = decode(&code, 0x1000, true);
        assert_eq!(found.stubs[0].slot, 0x1000 + 4 + 8 + 0x20000);
        assert_eq!((found.stubs[0].size, found.unknown), (16, 0));
    }
}

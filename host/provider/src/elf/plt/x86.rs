//! Stubs on x86 and x86-64: `jmp *slot`, with or without a landing pad before it and the lazy part behind it.

use super::{Decoded, Stub};

/// An instruction as far as it matters here.
enum Step {
    /// `endbr`: where an indirect jump may land.
    Landing,
    /// A jump through memory.
    Jump(u64),
    /// `push`: the number of the relocation, for the lazy binder.
    Push,
    /// A direct jump: to the lazy binder.
    Leave,
    /// Padding.
    Pad,
}

/// Where reading goes on behind what isn't understood.
const ALIGN: usize = 16;

pub(super) fn decode(code: &[u8], address: u64, is_64: bool, got: Option<u64>) -> Decoded {
    let mut found = Decoded::default();
    let mut at = 0usize;
    let mut landing: Option<u64> = None;
    // The stub that the next instruction may belong to.
    let mut open = false;
    while let Some(rest) = code.get(at..).filter(|rest| !rest.is_empty()) {
        let here = address.wrapping_add(at as u64);
        let Some((size, step)) = step(rest, here, is_64, got) else {
            let next = (at + 1).next_multiple_of(ALIGN).min(code.len());
            found.unknown += (next - at) as u64;
            at = next;
            landing = None;
            open = false;
            continue;
        };
        at += size;
        let end = address.wrapping_add(at as u64);
        let before = landing.take();
        match step {
            Step::Landing => landing = Some(here),
            Step::Jump(slot) => {
                let start = before.unwrap_or(here);
                found.stubs.push(Stub {
                    start,
                    size: end.wrapping_sub(start),
                    slot,
                    mode: None,
                });
            }
            Step::Push | Step::Leave => {
                if open && let Some(stub) = found.stubs.last_mut() {
                    stub.size = end.wrapping_sub(stub.start);
                }
            }
            Step::Pad => {}
        }
        open = matches!(step, Step::Jump(_)) || (open && matches!(step, Step::Push));
    }
    found
}

fn step(code: &[u8], here: u64, is_64: bool, got: Option<u64>) -> Option<(usize, Step)> {
    let absolute = |field: [u8; 4]| u64::from(u32::from_le_bytes(field));
    let relative = |field: [u8; 4], size: u64| {
        let distance = i64::from(i32::from_le_bytes(field));
        here.wrapping_add(size).wrapping_add_signed(distance)
    };
    Some(match *code {
        [0xf3, 0x0f, 0x1e, 0xfa | 0xfb, ..] => (4, Step::Landing),
        [0xf2, 0xff, 0x25, a, b, c, d, ..] if is_64 => (7, Step::Jump(relative([a, b, c, d], 7))),
        [0xff, 0x25, a, b, c, d, ..] if is_64 => (6, Step::Jump(relative([a, b, c, d], 6))),
        [0xff, 0x25, a, b, c, d, ..] => (6, Step::Jump(absolute([a, b, c, d]))),
        [0xff, 0xa3, a, b, c, d, ..] if !is_64 => {
            let slot = got?.wrapping_add(absolute([a, b, c, d])) & 0xffff_ffff;
            (6, Step::Jump(slot))
        }
        [0x68, _, _, _, _, ..] => (5, Step::Push),
        [0xff, 0x35 | 0xb3, _, _, _, _, ..] => (6, Step::Push),
        [0xf2, 0xe9, _, _, _, _, ..] => (6, Step::Leave),
        [0xe9, _, _, _, _, ..] => (5, Step::Leave),
        [0x66, 0x2e, 0x0f, 0x1f, 0x84, _, _, _, _, _, ..] => (10, Step::Pad),
        [0x66, 0x0f, 0x1f, 0x84, _, _, _, _, _, ..] => (9, Step::Pad),
        [0x0f, 0x1f, 0x84, _, _, _, _, _, ..] => (8, Step::Pad),
        [0x0f, 0x1f, 0x80, _, _, _, _, ..] => (7, Step::Pad),
        [0x66, 0x0f, 0x1f, 0x44, _, _, ..] => (6, Step::Pad),
        [0x0f, 0x1f, 0x44, _, _, ..] => (5, Step::Pad),
        [0x0f, 0x1f, 0x40, _, ..] => (4, Step::Pad),
        [0x0f, 0x1f, 0x00, ..] => (3, Step::Pad),
        [0x66, 0x90, ..] => (2, Step::Pad),
        [0x90 | 0xcc | 0x00, ..] => (1, Step::Pad),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stub(start: u64, size: u64, slot: u64) -> Stub {
        Stub {
            start,
            size,
            slot,
            mode: None,
        }
    }

    /// rizin 153, samply 778: names by position are off by the head, and in `.plt.sec`.
    #[test]
    fn rizin_153_a_slot_is_read_from_the_code() {
        let mut lazy = vec![
            0xff, 0x35, 2, 0, 0, 0, 0xff, 0x25, 4, 0, 0, 0, 0x0f, 0x1f, 0x40, 0,
        ];
        // The number of the relocation looks like a jump.
        lazy.extend([
            0xff, 0x25, 0, 0x10, 0, 0, 0x68, 0xff, 0x25, 0, 0, 0xe9, 0, 0, 0, 0,
        ]);
        let found = decode(&lazy, 0x1000, true, None);
        assert_eq!(found.unknown, 0);
        assert_eq!(
            found.stubs,
            [stub(0x1006, 6, 0x1010), stub(0x1010, 16, 0x2016)]
        );
        let second = [
            0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0, 0x10, 0, 0, 0x0f, 0x1f, 0x44, 0, 0,
        ];
        assert_eq!(
            decode(&second, 0x1000, true, None).stubs,
            [stub(0x1000, 11, 0x200b)]
        );
        let first = [
            0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0, 0, 0, 0xf2, 0xe9, 0, 0, 0, 0, 0x90,
        ];
        assert_eq!(decode(&first, 0x1000, true, None), Decoded::default());
    }

    #[test]
    fn slots_of_32_bits_are_absolute_or_behind_ebx() {
        let code = [
            0xff, 0x25, 0x10, 0x20, 0, 0, 0xff, 0xa3, 0xfc, 0xff, 0xff, 0xff, 0x66, 0x90,
        ];
        assert_eq!(
            decode(&code, 0x1000, false, Some(0x3000)).stubs,
            [stub(0x1000, 6, 0x2010), stub(0x1006, 6, 0x2ffc)]
        );
        assert_eq!(decode(&code[6..], 0x1000, false, None).unknown, 8);
    }

    #[test]
    fn what_is_not_understood_is_counted() {
        let code = [
            0x4c, 0x8b, 0x1d, 0, 0, 0, 0, 0xe8, 0, 0, 0, 0, 0, 0, 0, 0, 0x90,
        ];
        let found = decode(&code, 0x1000, true, None);
        assert_eq!((found.unknown, found.stubs.len()), (16, 0));
    }
}

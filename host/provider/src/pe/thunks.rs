//! Code that does nothing but jump to an imported function, by its bytes.

use super::Pe;
use crate::coff::machine;
use crate::coff::raw::u32_at;

/// A jump through a slot of the import table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thunk {
    /// Where it begins, relative to the image.
    pub(super) rva: u32,
    pub(super) size: u32,
    /// The slot, relative to the image.
    pub(super) slot: u32,
    /// Nothing that runs stands directly before it: padding, the beginning of the section, or another thunk.
    pub(super) stands_apart: bool,
}

/// How thunks look on a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `jmp [slot]`, by its virtual address.
    X86 { base: u64 },
    /// `jmp [rip + distance]`.
    X64,
    /// `adrp x16; ldr x16, [x16, n]; br x16`.
    Arm64,
}

/// Thunks have padding up to the next multiple of 16 at most.
const PADDING: usize = 15;

impl Shape {
    pub(super) fn of(pe: &Pe) -> Option<Shape> {
        match pe.machine {
            machine::I386 => Some(Shape::X86 {
                base: pe.image_base,
            }),
            machine::AMD64 => Some(Shape::X64),
            machine::ARM64 => Some(Shape::Arm64),
            _ => None,
        }
    }

    /// The bytes that are searched for, and how far behind the beginning they stand.
    fn needle(self) -> (&'static [u8], usize) {
        match self {
            Shape::X86 { .. } | Shape::X64 => (&[0xff, 0x25], 0),
            Shape::Arm64 => (&[0x00, 0x02, 0x1f, 0xd6], 8),
        }
    }

    /// Bytes of a thunk.
    pub(super) fn size(self) -> usize {
        match self {
            Shape::X86 { .. } | Shape::X64 => 6,
            Shape::Arm64 => 12,
        }
    }

    fn slot(self, code: &[u8], rva: u32) -> Option<u32> {
        match self {
            Shape::X86 { base } => {
                u32::try_from(u64::from(u32_at(code, 2)?).checked_sub(base)?).ok()
            }
            Shape::X64 => Some(rva.wrapping_add(6).wrapping_add(u32_at(code, 2)?)),
            Shape::Arm64 => {
                let (page, load) = (u32_at(code, 0)?, u32_at(code, 4)?);
                if page & 0x9f00_001f != 0x9000_0010 || load & 0xffc0_03ff != 0xf940_0210 {
                    return None;
                }
                let pages = ((page >> 5) & 0x7_ffff) << 2 | ((page >> 29) & 3);
                // 21 bits with a sign.
                let pages = if pages & (1 << 20) != 0 {
                    pages | 0xffe0_0000
                } else {
                    pages
                };
                let offset = ((load >> 10) & 0xfff) * 8;
                Some(
                    (rva & !0xfff)
                        .wrapping_add(pages << 12)
                        .wrapping_add(offset),
                )
            }
        }
    }

    /// Calls for every thunk that begins in `bytes` at or behind `from`. `bytes` begin at `rva`; `first`: so does the section.
    pub(super) fn each(
        self,
        bytes: &[u8],
        rva: u32,
        from: usize,
        first: bool,
        mut call: impl FnMut(Thunk),
    ) {
        let (needle, behind) = self.needle();
        let mut last_end: Option<usize> = None;
        for hit in memchr::memmem::find_iter(bytes, needle) {
            let Some(at) = hit.checked_sub(behind) else {
                continue;
            };
            let Some(code) = bytes.get(at..at + self.size()) else {
                continue;
            };
            let Some(start) = u32::try_from(at).ok().and_then(|at| rva.checked_add(at)) else {
                continue;
            };
            if self == Shape::Arm64 && start % 4 != 0 {
                continue;
            }
            let Some(slot) = self.slot(code, start) else {
                continue;
            };
            let gap = last_end.and_then(|end| bytes.get(end..at));
            let follows = gap.is_some_and(|gap| gap.len() <= PADDING && gap.iter().all(is_padding));
            let before = bytes.get(at.saturating_sub(2)..at).unwrap_or(&[]);
            let padded = matches!(before, [0xcc, 0xcc] | [0x90, 0x90])
                || (start % 16 == 0 && matches!(before, [_, 0xcc | 0x90]));
            last_end = Some(at + self.size());
            if at >= from {
                call(Thunk {
                    rva: start,
                    size: u32::try_from(self.size()).unwrap_or(0),
                    slot,
                    // Three instructions with this register are no chance.
                    stands_apart: follows || padded || (first && at == 0) || self == Shape::Arm64,
                });
            }
        }
    }
}

fn is_padding(byte: &u8) -> bool {
    matches!(byte, 0xcc | 0x90 | 0)
}

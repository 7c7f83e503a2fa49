//! Processors, by the numbers of COFF headers.

use crate::image::Traits;
use crate::{ByteOrder, TargetKind};

pub(crate) const I386: u16 = 0x14c;
pub(crate) const ARM: u16 = 0x1c0;
pub(crate) const THUMB: u16 = 0x1c2;
pub(crate) const ARMNT: u16 = 0x1c4;
pub(crate) const AMD64: u16 = 0x8664;
pub(crate) const ARM64: u16 = 0xaa64;
pub(crate) const ARM64EC: u16 = 0xa641;
pub(crate) const ARM64X: u16 = 0xa64e;

/// The name of a processor, as for other formats.
pub(crate) fn architecture(machine: u16) -> String {
    let name = match machine {
        I386 => "x86",
        AMD64 => "x86-64",
        ARM | THUMB | ARMNT => "arm",
        ARM64 => "aarch64",
        ARM64EC => "arm64ec",
        ARM64X => "arm64x",
        0x200 => "ia64",
        0x166 | 0x168 | 0x169 | 0x266 | 0x366 | 0x466 => "mips",
        0x184 => "alpha",
        0x284 => "alpha64",
        0x1a2..=0x1a8 => "superh",
        0x1f0 | 0x1f1 => "powerpc",
        0xebc => "efi byte code",
        0x5032 => "riscv32",
        0x5064 => "riscv64",
        0x6232 => "loongarch32",
        0x6264 => "loongarch64",
        other => return format!("machine {other:#x}"),
    };
    name.to_owned()
}

/// What an object or an import for a processor is. (In an image the optional header tells how wide an address is.)
pub(crate) fn traits(machine: u16) -> Traits {
    Traits {
        kind: TargetKind::Relocatable,
        architecture: architecture(machine),
        bits: if is_64(machine) { 64 } else { 32 },
        endianness: ByteOrder::Little,
    }
}

fn is_64(machine: u16) -> bool {
    matches!(
        machine,
        AMD64 | ARM64 | ARM64EC | ARM64X | 0x200 | 0x284 | 0x5064 | 0x6264
    )
}

/// Whether bit 0 of a code address may say Thumb.
pub(crate) fn is_arm(machine: u16) -> bool {
    matches!(machine, ARM | THUMB | ARMNT)
}

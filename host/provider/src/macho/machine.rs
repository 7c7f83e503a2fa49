//! Processors, by the names that `lipo` gives them.

/// A processor and its variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Machine {
    pub(crate) kind: u32,
    pub(crate) variant: u32,
}

const ABI_64: u32 = 0x0100_0000;
const ABI_64_32: u32 = 0x0200_0000;
pub(crate) const X86: u32 = 7;
pub(crate) const X86_64: u32 = 7 | ABI_64;
pub(crate) const ARM: u32 = 12;
pub(crate) const ARM64: u32 = 12 | ABI_64;
pub(crate) const ARM64_32: u32 = 12 | ABI_64_32;
pub(crate) const POWERPC: u32 = 18;
pub(crate) const POWERPC64: u32 = 18 | ABI_64;

impl Machine {
    /// Whether bit 0 of an address says Thumb.
    pub(crate) fn is_arm(self) -> bool {
        self.kind == ARM
    }

    /// Pointers are signed.
    pub(crate) fn is_arm64e(self) -> bool {
        self.kind == ARM64 && self.variant & 0x00ff_ffff == 2
    }

    /// The name: `x86_64`, `arm64`, `arm64e`, `armv7`, or both numbers.
    pub(crate) fn name(self) -> String {
        // The highest byte holds capabilities.
        let name = match (self.kind, self.variant & 0x00ff_ffff) {
            (X86, _) => "i386",
            (X86_64, 8) => "x86_64h",
            (X86_64, _) => "x86_64",
            (ARM, 5) => "armv4t",
            (ARM, 6) => "armv6",
            (ARM, 7) => "armv5e",
            (ARM, 9) => "armv7",
            (ARM, 10) => "armv7f",
            (ARM, 11) => "armv7s",
            (ARM, 12) => "armv7k",
            (ARM, 13) => "armv8",
            (ARM, 14) => "armv6m",
            (ARM, 15) => "armv7m",
            (ARM, 16) => "armv7em",
            (ARM, _) => "arm",
            (ARM64, 1) => "arm64v8",
            (ARM64, 2) => "arm64e",
            (ARM64, _) => "arm64",
            (ARM64_32, _) => "arm64_32",
            (POWERPC, 100) => "ppc970",
            (POWERPC, _) => "ppc",
            (POWERPC64, _) => "ppc64",
            (kind, variant) => return format!("cpu-{kind:#x}-{variant:#x}"),
        };
        name.to_owned()
    }
}

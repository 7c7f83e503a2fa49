//! What is known about a target at once.

use std::path::PathBuf;

use crate::{Fingerprint, Format};

/// What a target is, known from its header alone.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Identity {
    /// The real path: no symbolic links, no `..`.
    pub path: PathBuf,
    /// The path as it was given, if it was not the real one (a link, or an application bundle).
    pub given: Option<PathBuf>,
    /// The last part of the path, escaped if it isn't printable. The name of the document.
    pub file_name: String,
    /// The format.
    pub format: Format,
    /// What kind of file of that format.
    pub kind: TargetKind,
    /// The processor, as `x86-64`, `aarch64`, `arm` or `machine 0x1234`; of Mach-O in the words of `lipo` (`x86_64`, `arm64`,
    /// `arm64e`), and of a universal file all of them: `x86_64, arm64`.
    pub architecture: String,
    /// Width of an address: 32 or 64; of a universal file the widest.
    pub bits: u8,
    /// Order of the bytes in a number.
    pub endianness: ByteOrder,
    /// Bytes.
    pub size: u64,
    /// Device, inode, size and time.
    pub fingerprint: Fingerprint,
}

/// What a file is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetKind {
    /// A program, position independent or not.
    Executable,
    /// A library that is loaded at run time.
    SharedLibrary,
    /// What a compiler makes and a linker takes.
    Relocatable,
    /// Debug information kept apart from the image it belongs to (what a `.dSYM` bundle holds).
    DebugCompanion,
    /// The memory of a process that died.
    Core,
    /// Anything else that the header may say.
    Other,
}

/// Order of the bytes in a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByteOrder {
    /// Lowest first.
    Little,
    /// Highest first.
    Big,
}

//! Which format a file is of, by its content alone.

use object::read::FileKind;

/// A file format, recognised by content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// Executable and linkable format, 32 or 64 bits.
    Elf,
    /// Windows portable executable.
    Pe,
    /// MS-DOS program without a PE header.
    Dos,
    /// Mach-O for one architecture.
    MachO,
    /// Mach-O for several architectures (universal).
    MachOFat,
    /// Universal file whose slices are `ar` archives (a static library for several architectures).
    FatArchive,
    /// dyld shared cache.
    DyldCache,
    /// WebAssembly module.
    Wasm,
    /// WebAssembly component.
    WasmComponent,
    /// COFF object.
    Coff,
    /// COFF import library member.
    CoffImport,
    /// AIX XCOFF.
    Xcoff,
    /// `ar` archive (static library).
    Archive,
    /// LLVM bitcode.
    LlvmBitcode,
    /// Java class.
    JavaClass,
    /// Dalvik executable.
    Dex,
    /// ZIP and what is one: JAR, APK, IPA, wheel.
    Zip,
    /// Electron application archive.
    Asar,
    /// 7z archive.
    SevenZip,
    /// gzip stream.
    Gzip,
    /// xz stream.
    Xz,
    /// Zstandard stream.
    Zstd,
    /// PDF document.
    Pdf,
    /// PNG image.
    Png,
    /// SQLite database.
    Sqlite,
    /// Program database of the Microsoft tools.
    Pdb,
    /// Text whose first line names an interpreter.
    Script,
    /// Text.
    Text,
    /// None of these.
    Unknown,
}

impl Format {
    /// The name as a person writes it, with an article.
    pub fn with_article(self) -> &'static str {
        match self {
            Format::Elf => "an ELF file",
            Format::Pe => "a Windows PE file",
            Format::Dos => "an MS-DOS program",
            Format::MachO => "a Mach-O file",
            Format::MachOFat => "a universal (fat) Mach-O file",
            Format::FatArchive => "a universal (fat) static library",
            Format::DyldCache => "a dyld shared cache",
            Format::Wasm => "a WebAssembly module",
            Format::WasmComponent => "a WebAssembly component",
            Format::Coff => "a COFF object file",
            Format::CoffImport => "a COFF import library member",
            Format::Xcoff => "an XCOFF file",
            Format::Archive => "an ar archive (static library)",
            Format::LlvmBitcode => "LLVM bitcode",
            Format::JavaClass => "a Java class file",
            Format::Dex => "a Dalvik executable",
            Format::Zip => "a ZIP archive",
            Format::Asar => "an Electron asar archive",
            Format::SevenZip => "a 7z archive",
            Format::Gzip => "a gzip stream",
            Format::Xz => "an xz stream",
            Format::Zstd => "a Zstandard stream",
            Format::Pdf => "a PDF document",
            Format::Png => "a PNG image",
            Format::Sqlite => "an SQLite database",
            Format::Pdb => "a program database (PDB)",
            Format::Script => "a script",
            Format::Text => "a text file",
            Format::Unknown => "of an unknown format",
        }
    }

    /// Recognises a format by the first bytes of a file (4 KiB are enough).
    pub fn recognise(head: &[u8]) -> Format {
        by_magic(head).unwrap_or_else(|| by_text(head))
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.with_article();
        f.write_str(
            name.strip_prefix("an ")
                .or_else(|| name.strip_prefix("a "))
                .unwrap_or(name),
        )
    }
}

fn by_magic(head: &[u8]) -> Option<Format> {
    // Java classes share a magic with universal Mach-O; there the next word is a count of slices, here a version (45 and up).
    if let [0xca, 0xfe, 0xba, 0xbe, a, b, c, d, ..] = head {
        let word = u32::from_be_bytes([*a, *b, *c, *d]);
        return Some(if word < 45 {
            Format::MachOFat
        } else {
            Format::JavaClass
        });
    }
    let found = match head {
        [0x7f, b'E', b'L', b'F', ..] => Format::Elf,
        [0, b'a', b's', b'm', _, _, 0, 0, ..] => Format::Wasm,
        [0, b'a', b's', b'm', ..] => Format::WasmComponent,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => Format::Zip,
        [4, 0, 0, 0, _, _, _, _, _, _, _, _, _, _, _, _, b'{', ..] => Format::Asar,
        [b'B', b'C', 0xc0, 0xde, ..] | [0xde, 0xc0, 0x17, 0x0b, ..] => Format::LlvmBitcode,
        [b'd', b'e', b'x', b'\n', ..] => Format::Dex,
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Format::SevenZip,
        [0x1f, 0x8b, 8, ..] => Format::Gzip,
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Format::Xz,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Format::Zstd,
        [b'%', b'P', b'D', b'F', b'-', ..] => Format::Pdf,
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Format::Png,
        [0x01, 0xdf, ..] | [0x01, 0xf7, ..] => Format::Xcoff,
        _ if head.starts_with(b"SQLite format 3\0") => Format::Sqlite,
        _ if head.starts_with(b"Microsoft C/C++ ") => Format::Pdb,
        [b'#', b'!', ..] => Format::Script,
        _ => match FileKind::parse(head) {
            Ok(FileKind::Archive) => Format::Archive,
            Ok(FileKind::Coff | FileKind::CoffBig) => Format::Coff,
            Ok(FileKind::CoffImport) => Format::CoffImport,
            Ok(FileKind::DyldCache) => Format::DyldCache,
            Ok(FileKind::MachO32 | FileKind::MachO64) => Format::MachO,
            Ok(FileKind::MachOFat32 | FileKind::MachOFat64) => Format::MachOFat,
            Ok(FileKind::Pe32 | FileKind::Pe64) => Format::Pe,
            // The PE header may lie behind the part that was read, or be broken: `MZ` alone says little.
            _ if head.starts_with(b"MZ") => Format::Dos,
            _ if head.starts_with(b"!<arch>\n") || head.starts_with(b"!<thin>\n") => {
                Format::Archive
            }
            _ => return None,
        },
    };
    Some(found)
}

fn by_text(head: &[u8]) -> Format {
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        // A character may be cut at the end of what was read.
        Err(error) if error.error_len().is_none() => head
            .get(..error.valid_up_to())
            .and_then(|part| std::str::from_utf8(part).ok())
            .unwrap_or(""),
        Err(_) => return Format::Unknown,
    };
    let printable =
        |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}');
    if !valid.is_empty() && valid.chars().all(printable) {
        Format::Text
    } else {
        Format::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_content() {
        let pe = {
            let mut bytes = vec![0u8; 512];
            bytes[..2].copy_from_slice(b"MZ");
            bytes[0x3c] = 0x80;
            bytes[0x80..0x84].copy_from_slice(b"PE\0\0");
            bytes[0x98..0x9a].copy_from_slice(&[0x0b, 0x02]);
            bytes
        };
        let rows: &[(&[u8], Format)] = &[
            (b"\x7fELF\x02\x01\x01", Format::Elf),
            (&pe, Format::Pe),
            (b"MZ and little else than that", Format::Dos),
            (b"\xcf\xfa\xed\xfe\0\0\0\0\0\0\0\0\0\0\0\0", Format::MachO),
            (
                b"\xca\xfe\xba\xbe\0\0\0\x02\0\0\0\0\0\0\0\0",
                Format::MachOFat,
            ),
            (
                b"\xca\xfe\xba\xbe\0\0\0\x34\0\0\0\0\0\0\0\0",
                Format::JavaClass,
            ),
            (b"\0asm\x01\0\0\0", Format::Wasm),
            (b"\0asm\x0d\0\x01\0", Format::WasmComponent),
            (
                b"\x64\x86\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
                Format::Coff,
            ),
            (b"!<arch>\n", Format::Archive),
            (b"PK\x03\x04rest", Format::Zip),
            (
                b"\x04\0\0\0\x10\0\0\0\x0c\0\0\0\x0a\0\0\0{\"files\":{}}",
                Format::Asar,
            ),
            (b"#!/bin/sh\necho", Format::Script),
            (b"hello\n", Format::Text),
            ("gr\u{fc}n".as_bytes(), Format::Text),
            (b"\0\x01\x02", Format::Unknown),
            (b"\xff\xfe", Format::Unknown),
            (b"", Format::Unknown),
        ];
        for (head, expected) in rows {
            assert_eq!(Format::recognise(head), *expected, "{head:?}");
        }
    }
}

//! Notes: what a linker left about the build.

use std::fmt::Write;

use object::elf;

use crate::ReadError;
use crate::elf::Elf;
use crate::file::SourceFile;

/// What the notes say.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// NT_GNU_BUILD_ID in hexadecimal.
    pub(super) build_id: Option<String>,
    /// The oldest kernel it runs on.
    pub(super) kernel: Option<String>,
    /// The bits of GNU_PROPERTY_X86_FEATURE_1_AND.
    pub(super) x86_features: Option<u32>,
    /// The bits of GNU_PROPERTY_AARCH64_FEATURE_1_AND.
    pub(super) aarch64_features: Option<u32>,
}

/// Notes take some hundred bytes; core files have large ones, which say nothing of interest here.
const LIMIT: u64 = 1 << 20;
/// A build id is a hash.
const BUILD_ID_LIMIT: usize = 64;

/// Reads the notes, by segments if there are any, else by sections.
pub(super) fn read(
    file: &SourceFile,
    elf: &Elf,
    limitations: &mut Vec<String>,
) -> Result<Notes, ReadError> {
    let mut ranges: Vec<(u64, u64, u64)> = elf
        .sections
        .iter()
        .filter(|section| section.kind == elf::SHT_NOTE.0)
        .map(|section| (section.offset, section.size, section.align))
        .collect();
    if ranges.is_empty() {
        ranges.extend(
            elf.segments
                .iter()
                .filter(|segment| segment.kind == elf::PT_NOTE.0)
                .map(|segment| (segment.offset, segment.file_size, segment.align)),
        );
    }
    let mut notes = Notes::default();
    for (offset, size, align) in ranges.into_iter().take(1000) {
        if !file.holds(offset, size) || size > LIMIT {
            limitations.push(format!("{size} bytes of notes at {offset:#x} are not read"));
            continue;
        }
        let bytes = file.read(offset, size)?;
        if notes
            .take(elf, &bytes, if align == 8 { 8 } else { 4 })
            .is_none()
        {
            limitations.push(format!("the notes at {offset:#x} are damaged"));
        }
    }
    Ok(notes)
}

impl Notes {
    /// Name size, content size, type (32 bits each), name, content; both padded. `None` if they run out of their bytes.
    fn take(&mut self, elf: &Elf, bytes: &[u8], align: usize) -> Option<()> {
        let mut at = 0usize;
        while at.checked_add(12)? <= bytes.len() {
            let name_size = elf.shape.u32_at(bytes, at)? as usize;
            let size = elf.shape.u32_at(bytes, at + 4)? as usize;
            let kind = elf.shape.u32_at(bytes, at + 8)?;
            let name_at = at + 12;
            let content_at = name_at
                .checked_add(name_size)?
                .checked_next_multiple_of(align)?;
            let end = content_at.checked_add(size)?;
            let content = bytes.get(content_at..end)?;
            if bytes.get(name_at..name_at.checked_add(name_size)?)? == b"GNU\0" {
                self.take_gnu(elf, kind, content);
            }
            at = end.checked_next_multiple_of(align)?;
        }
        Some(())
    }

    fn take_gnu(&mut self, elf: &Elf, kind: u32, content: &[u8]) {
        match kind {
            1 => {
                let word = |index: usize| elf.shape.u32_at(content, index * 4);
                if let (Some(0), Some(a), Some(b), Some(c)) = (word(0), word(1), word(2), word(3)) {
                    self.kernel = Some(format!("Linux {a}.{b}.{c}"));
                }
            }
            3 => {
                let mut text = String::new();
                for byte in content.iter().take(BUILD_ID_LIMIT) {
                    let _ = write!(text, "{byte:02x}");
                }
                self.build_id = Some(text);
            }
            5 => self.take_properties(elf, content),
            _ => {}
        }
    }

    /// Type, size (32 bits each), data, padded to a word.
    fn take_properties(&mut self, elf: &Elf, content: &[u8]) {
        let mut at = 0usize;
        while let (Some(kind), Some(size)) = (
            elf.shape.u32_at(content, at),
            elf.shape.u32_at(content, at.saturating_add(4)),
        ) {
            let value = elf
                .shape
                .u32_at(content, at.saturating_add(8))
                .filter(|_| size >= 4);
            match kind {
                0xc000_0002 => self.x86_features = value,
                0xc000_0000 => self.aarch64_features = value,
                _ => {}
            }
            let padded = usize::try_from(u64::from(size).next_multiple_of(elf.shape.word()))
                .unwrap_or(usize::MAX);
            at = at.saturating_add(8).saturating_add(padded);
        }
    }
}

//! The dynamic section: what a loader reads, and all there is in a file without section headers.

use object::elf;

use super::Elf;
use super::raw::DynamicEntry;
use crate::ReadError;
use crate::file::SourceFile;

/// The dynamic section.
#[derive(Debug, Default)]
pub(crate) struct Dynamic {
    pub(crate) entries: Vec<DynamicEntry>,
    /// Why it isn't whole.
    pub(crate) damage: Option<String>,
}

impl Dynamic {
    /// Reads it where the loader would, or where the section headers say; `None` if there is none.
    pub(crate) fn read(file: &SourceFile, elf: &Elf) -> Result<Option<Dynamic>, ReadError> {
        let segment = elf
            .segments
            .iter()
            .find(|segment| segment.kind == elf::PT_DYNAMIC.0)
            .map(|segment| (segment.offset, segment.file_size));
        let section = elf
            .sections
            .iter()
            .find(|section| section.kind == elf::SHT_DYNAMIC.0)
            .map(|section| (section.offset, section.size));
        let mut damage = None;
        for (offset, size) in [segment, section].into_iter().flatten() {
            if file.holds(offset, size) {
                return Ok(Some(Dynamic {
                    entries: elf.shape.dynamic(&file.read(offset, size)?),
                    damage: None,
                }));
            }
            damage = Some(format!(
                "its {size} bytes at {offset:#x} lie outside the file"
            ));
        }
        Ok(damage.map(|damage| Dynamic {
            entries: Vec::new(),
            damage: Some(damage),
        }))
    }

    /// The first value of a tag.
    pub(crate) fn get(&self, tag: elf::DynamicTag) -> Option<u64> {
        let tag = low_half(tag);
        self.entries
            .iter()
            .find(|entry| entry.tag == tag)
            .map(|entry| entry.value)
    }

    /// All values of a tag, in order.
    pub(crate) fn all(&self, tag: elf::DynamicTag) -> impl Iterator<Item = u64> {
        let tag = low_half(tag);
        self.entries
            .iter()
            .filter(move |entry| entry.tag == tag)
            .map(|entry| entry.value)
    }

    /// The lowest address behind another one at which a table of the dynamic section begins.
    pub(crate) fn next_table(&self, address: u64) -> Option<u64> {
        let tables = [
            elf::DT_HASH,
            elf::DT_GNU_HASH,
            elf::DT_STRTAB,
            elf::DT_SYMTAB,
            elf::DT_RELA,
            elf::DT_REL,
            elf::DT_JMPREL,
            elf::DT_VERSYM,
            elf::DT_VERDEF,
            elf::DT_VERNEED,
            elf::DT_INIT,
            elf::DT_FINI,
        ];
        tables
            .into_iter()
            .filter_map(|tag| self.get(tag))
            .filter(|table| *table > address)
            .min()
    }
}

/// DF_1_PIE.
pub(crate) const PIE: u64 = 0x0800_0000;

/// Whether a shared object (ET_DYN) is a position-independent program: it says so, or it asks for an interpreter and has
/// no name as a library. (libc asks for one too, as it can be run.)
pub(crate) fn is_program(file: &SourceFile, elf: &Elf) -> Result<bool, ReadError> {
    let has_interpreter = elf
        .segments
        .iter()
        .any(|segment| segment.kind == elf::PT_INTERP.0);
    Ok(match Dynamic::read(file, elf)? {
        Some(dynamic)
            if dynamic
                .get(elf::DT_FLAGS_1)
                .is_some_and(|flags| flags & PIE != 0) =>
        {
            true
        }
        Some(dynamic) => has_interpreter && dynamic.get(elf::DT_SONAME).is_none(),
        None => has_interpreter,
    })
}

/// Tags are signed in 64-bit files and unsigned in 32-bit ones; the low half is the same.
fn low_half(tag: elf::DynamicTag) -> u64 {
    tag.0 as u64 & 0xffff_ffff
}

//! The import directories: which library, which name or number, and the slot that the loader fills in.

use super::header::directory;
use super::memory::Memory;
use crate::ReadError;
use crate::coff::raw::{text, u16_at, u32_at, word_at};

/// One import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// Position in [`Imports::libraries`].
    pub(crate) library: u32,
    /// The slot that holds its address, relative to the image.
    pub(crate) slot: u32,
    pub(crate) what: Wanted,
}

/// How an import is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Name(Vec<u8>),
    Ordinal(u16),
}

/// A library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Library {
    pub(crate) name: Vec<u8>,
    /// It is loaded when it is first called.
    pub(crate) delayed: bool,
}

/// Both import directories.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    pub(crate) libraries: Vec<Library>,
    pub(crate) list: Vec<Import>,
    pub(crate) damage: Vec<String>,
    /// Bytes of names that are taken.
    bytes: usize,
}

/// More libraries, imports or bytes of names are a damaged file.
const LIBRARIES: usize = 10_000;
const IMPORTS: usize = 1_000_000;
const BYTES: usize = 64 << 20;
/// Longer names are cut.
const NAME: usize = 4096;

impl Imports {
    pub(crate) fn read(memory: &mut Memory<'_>) -> Result<Imports, ReadError> {
        let mut imports = Imports::default();
        if let Some(place) = memory.pe.directory(directory::IMPORT) {
            imports.plain(memory, place.rva)?;
        }
        if let Some(place) = memory.pe.directory(directory::DELAY_IMPORT) {
            imports.delayed(memory, place.rva)?;
        }
        Ok(imports)
    }

    fn is_full(&mut self) -> bool {
        let full =
            self.libraries.len() >= LIBRARIES || self.list.len() >= IMPORTS || self.bytes >= BYTES;
        if full {
            self.damage
                .push("there are more imports than are taken".to_owned());
        }
        full
    }

    /// Rows of 20 bytes: table of names, time, forwarder, library's name, table of slots. A zero row ends them.
    fn plain(&mut self, memory: &mut Memory<'_>, rva: u32) -> Result<(), ReadError> {
        let mut at = rva;
        loop {
            let Some(row) = memory.exactly(at, 20)?.map(<[u8]>::to_vec) else {
                self.damage
                    .push("the import directory runs out of its section".to_owned());
                return Ok(());
            };
            let word = |at| u32_at(&row, at).unwrap_or(0);
            let (names, library, slots) = (word(0), word(12), word(16));
            if library == 0 || slots == 0 || self.is_full() {
                return Ok(());
            }
            let names = if names == 0 { slots } else { names };
            self.library(memory, library, names, slots, 0, false)?;
            at = at.saturating_add(20);
        }
    }

    /// Rows of 32 bytes: attributes, library's name, module, table of slots, table of names …. In old 32-bit files these are virtual
    /// addresses, as bit 0 of the attributes tells.
    fn delayed(&mut self, memory: &mut Memory<'_>, rva: u32) -> Result<(), ReadError> {
        let mut at = rva;
        loop {
            let Some(row) = memory.exactly(at, 32)?.map(<[u8]>::to_vec) else {
                self.damage
                    .push("the delay import directory runs out of its section".to_owned());
                return Ok(());
            };
            let word = |at| u32_at(&row, at).unwrap_or(0);
            let base = if word(0) & 1 == 1 {
                0
            } else {
                u32::try_from(memory.pe.image_base).unwrap_or(0)
            };
            let (library, slots, names) = (word(4), word(12), word(16));
            if library == 0 || names == 0 || self.is_full() {
                return Ok(());
            }
            self.library(
                memory,
                library.wrapping_sub(base),
                names.wrapping_sub(base),
                slots.wrapping_sub(base),
                base,
                true,
            )?;
            at = at.saturating_add(32);
        }
    }

    fn library(
        &mut self,
        memory: &mut Memory<'_>,
        name: u32,
        names: u32,
        slots: u32,
        base: u32,
        delayed: bool,
    ) -> Result<(), ReadError> {
        let number = u32::try_from(self.libraries.len()).unwrap_or(u32::MAX);
        let name = memory.text(name)?.map(cut);
        if name.is_none() {
            self.damage.push(format!("library {number} has no name"));
        }
        let name = name.unwrap_or_default();
        self.bytes = self.bytes.saturating_add(name.len());
        self.libraries.push(Library { name, delayed });
        let is_64 = memory.pe.is_64;
        let width = if is_64 { 8u32 } else { 4 };
        let by_ordinal = if is_64 { 1u64 << 63 } else { 1 << 31 };
        let (mut at, mut slot) = (names, slots);
        loop {
            let Some(entry) = word_at(memory.at(at)?, 0, is_64) else {
                self.damage.push(format!(
                    "the imports of library {number} run out of their section"
                ));
                return Ok(());
            };
            if entry == 0 || self.is_full() {
                return Ok(());
            }
            let what = if entry & by_ordinal != 0 {
                Wanted::Ordinal(u16::try_from(entry & 0xffff).unwrap_or(0))
            } else {
                let hint = u32::try_from(entry).unwrap_or(u32::MAX).wrapping_sub(base);
                // The number that stands before the name is a hint for the loader.
                let bytes = memory.at(hint)?;
                match u16_at(bytes, 0).and_then(|_| text(bytes.get(2..)?)) {
                    Some(name) => Wanted::Name(cut(name)),
                    None => {
                        self.damage.push(format!(
                            "the imports of library {number} have names outside the image"
                        ));
                        return Ok(());
                    }
                }
            };
            if let Wanted::Name(name) = &what {
                self.bytes = self.bytes.saturating_add(name.len());
            }
            self.list.push(Import {
                library: number,
                slot,
                what,
            });
            at = at.saturating_add(width);
            slot = slot.saturating_add(width);
        }
    }

    /// How a stub that jumps to an import is called: `KERNEL32.dll!Sleep`, `WS2_32.dll!#115`.
    pub(crate) fn spelled(&self, import: &Import) -> Vec<u8> {
        let mut name = self
            .libraries
            .get(import.library as usize)
            .map(|library| library.name.clone())
            .unwrap_or_default();
        name.push(b'!');
        match &import.what {
            Wanted::Name(text) => name.extend_from_slice(text),
            Wanted::Ordinal(number) => name.extend_from_slice(format!("#{number}").as_bytes()),
        }
        name
    }
}

fn cut(name: &[u8]) -> Vec<u8> {
    name.get(..name.len().min(NAME)).unwrap_or(&[]).to_vec()
}

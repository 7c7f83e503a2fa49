//! The load configuration: what hardens the image, and the functions whose address is taken.

use super::Pe;
use super::header::directory;
use super::memory::{Addresses, Memory};
use crate::ReadError;
use crate::coff::raw::{u32_at, word_at};

/// The fields that are of interest; none where the structure is too short for them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LoadConfig {
    pub(crate) security_cookie: Option<u64>,
    pub(crate) handlers: Option<u64>,
    pub(crate) handler_count: Option<u64>,
    pub(crate) guard_table: Option<u64>,
    pub(crate) guard_count: Option<u64>,
    pub(crate) guard_flags: Option<u32>,
    /// Of an image that holds code for two processors.
    pub(crate) hybrid: Option<u64>,
}

/// A reader of one of the two shapes.
struct Fields<'a> {
    bytes: &'a [u8],
    is_64: bool,
}

impl Fields<'_> {
    fn word(&self, narrow: usize, wide: usize) -> Option<u64> {
        word_at(
            self.bytes,
            if self.is_64 { wide } else { narrow },
            self.is_64,
        )
    }
}

impl LoadConfig {
    /// Reads the structure; `None` if the image has none.
    pub(crate) fn read(memory: &mut Memory<'_>) -> Result<Option<LoadConfig>, ReadError> {
        let pe: &Pe = memory.pe;
        let Some(place) = pe.directory(directory::LOAD_CONFIG) else {
            return Ok(None);
        };
        // Its first field is its size; old linkers wrote a wrong one into the directory.
        let size = memory.u32(place.rva)?.unwrap_or(0).min(0x1000);
        let fields = Fields {
            bytes: memory.at_most(place.rva, size as usize)?,
            is_64: pe.is_64,
        };
        Ok(Some(LoadConfig {
            security_cookie: fields.word(60, 88),
            handlers: fields.word(64, 96),
            handler_count: fields.word(68, 104),
            guard_table: fields.word(80, 128),
            guard_count: fields.word(84, 136),
            guard_flags: u32_at(fields.bytes, if pe.is_64 { 144 } else { 88 }),
            hybrid: fields.word(124, 200).filter(|pointer| *pointer != 0),
        }))
    }

    /// The exception handlers of a 32-bit image, relative to it, and why they aren't all.
    pub(crate) fn handler_list(
        &self,
        memory: &mut Memory<'_>,
    ) -> Result<Option<Addresses>, ReadError> {
        table(memory, self.handlers, self.handler_count, 4)
    }

    /// The addresses, relative to the image, of the functions whose address is taken, and why they aren't all.
    pub(crate) fn guarded(&self, memory: &mut Memory<'_>) -> Result<Option<Addresses>, ReadError> {
        // Four bits say how many bytes each row has beside the address.
        let stride = 4 + (self.guard_flags.unwrap_or(0) >> 28) as usize;
        table(memory, self.guard_table, self.guard_count, stride)
    }
}

/// The addresses in a table that a virtual address and a number of rows tell; `None` if either is 0.
fn table(
    memory: &mut Memory<'_>,
    table: Option<u64>,
    count: Option<u64>,
    stride: usize,
) -> Result<Option<Addresses>, ReadError> {
    let (Some(table), Some(count)) = (
        table.filter(|table| *table != 0),
        count.filter(|count| *count != 0),
    ) else {
        return Ok(None);
    };
    let mut damage = Vec::new();
    let Some(rva) = memory.pe.rva(table) else {
        damage.push(format!("the table at {table:#x} lies outside the image"));
        return Ok(Some(Addresses {
            list: Vec::new(),
            damage,
        }));
    };
    let wanted = usize::try_from(count).unwrap_or(usize::MAX);
    let rows = memory.at_most(rva, wanted.saturating_mul(stride))?;
    if rows.len() / stride < wanted {
        damage.push(format!(
            "{count} rows are claimed, and the section holds {}",
            rows.len() / stride
        ));
    }
    let list = rows
        .chunks_exact(stride)
        .filter_map(|row| u32_at(row, 0))
        .collect();
    Ok(Some(Addresses { list, damage }))
}

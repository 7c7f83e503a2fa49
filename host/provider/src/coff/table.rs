//! A symbol table and the string table behind it.

use super::raw::{text, u32_at};
use crate::ReadError;
use crate::file::SourceFile;
use crate::inventory::TextTable;

/// Where the symbols stand, and of which form they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Where {
    pub(crate) offset: u64,
    pub(crate) rows: u64,
    /// Rows of 20 bytes with a section number of 32 bits (`/bigobj`), not of 18.
    pub(crate) big: bool,
}

impl Where {
    /// Bytes of a row.
    pub(crate) fn row(self) -> usize {
        if self.big { 20 } else { 18 }
    }

    fn strings_offset(self) -> u64 {
        self.offset
            .saturating_add(self.rows.saturating_mul(self.row() as u64))
    }
}

/// The string table: four bytes of length, which count themselves, then texts.
#[derive(Debug, Default)]
pub(crate) struct StringTable {
    bytes: Vec<u8>,
}

impl StringTable {
    /// Reads the string table behind the symbols; empty if there is none.
    pub(crate) fn read(file: &SourceFile, place: Where) -> Result<StringTable, ReadError> {
        let at = place.strings_offset();
        let len = strings_len(file, at)?;
        if len == 0 {
            return Ok(StringTable::default());
        }
        Ok(StringTable {
            bytes: file.read(at, len)?,
        })
    }

    /// All of it, the length included: offsets count from there.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes of a string table that the file really has.
fn strings_len(file: &SourceFile, at: u64) -> Result<u64, ReadError> {
    if !file.holds(at, 4) {
        return Ok(0);
    }
    let claimed = u32_at(&file.read(at, 4)?, 0).unwrap_or(0);
    Ok(u64::from(claimed).clamp(4, file.len().saturating_sub(at).max(4)))
}

/// A symbol table with its strings, as one piece of the file: short names stand in the rows themselves.
#[derive(Debug)]
pub(crate) struct SymbolTable {
    pub(crate) place: Where,
    pub(crate) bytes: Vec<u8>,
    pub(crate) text: TextTable,
    /// Whole rows that are there.
    pub(crate) rows: usize,
    /// Why it is not the whole table.
    pub(crate) damage: Vec<String>,
}

impl SymbolTable {
    /// Reads as much of a table as there is.
    pub(crate) fn read(file: &SourceFile, place: Where) -> Result<SymbolTable, ReadError> {
        let row = place.row() as u64;
        let mut damage = Vec::new();
        let there = file.len().saturating_sub(place.offset) / row;
        let rows = place.rows.min(there);
        if rows < place.rows {
            damage.push(format!(
                "{} symbols are claimed, and the file holds {rows}",
                place.rows
            ));
        }
        let mut len = rows.saturating_mul(row);
        if damage.is_empty() {
            let at = place.strings_offset();
            let strings = strings_len(file, at)?;
            if strings == 0 {
                damage.push("the string table behind it is missing".to_owned());
            } else if let Some(claimed) = u32_at(&file.read(at, 4)?, 0)
                && u64::from(claimed) > strings
            {
                damage.push(format!(
                    "the string table claims {claimed} bytes, and the file holds {strings}"
                ));
            }
            len = len.saturating_add(strings);
        }
        let offset = place.offset.min(file.len());
        Ok(SymbolTable {
            place,
            bytes: file.read(offset, len)?,
            text: TextTable::of_file(offset, len),
            rows: usize::try_from(rows).unwrap_or(0),
            damage,
        })
    }

    /// Where in `bytes` the strings begin.
    pub(crate) fn strings_at(&self) -> usize {
        self.rows.saturating_mul(self.place.row())
    }

    /// The name of a row, and where in `bytes` it stands. `Err` if it runs out of the table.
    pub(crate) fn name(&self, row: usize) -> Result<(usize, &[u8]), ()> {
        let at = row.checked_mul(self.place.row()).ok_or(())?;
        let field = self.bytes.get(at..at.saturating_add(8)).ok_or(())?;
        if !field.starts_with(&[0; 4]) {
            return Ok((at, super::raw::padded(field)));
        }
        let offset = u32_at(field, 4).ok_or(())? as usize;
        if offset < 4 {
            // No name at all.
            return if offset == 0 { Ok((at, &[])) } else { Err(()) };
        }
        let at = self.strings_at().checked_add(offset).ok_or(())?;
        let name = self.bytes.get(at..).and_then(text).ok_or(())?;
        Ok((at, name))
    }
}

//! The text of names: string tables of the file, in memory or read again.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

use super::NameRow;
use crate::ReadError;
use crate::file::SourceFile;

/// Where a string table stands in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextTable {
    pub(crate) file_offset: u64,
    pub(crate) len: u64,
}

/// The offset of a table that stands nowhere in the file.
const NOWHERE: u64 = u64::MAX;

impl TextTable {
    /// A table of names that were put together while reading. It stays in memory.
    pub(crate) fn made(len: u64) -> TextTable {
        TextTable {
            file_offset: NOWHERE,
            len,
        }
    }

    fn is_made(&self) -> bool {
        self.file_offset == NOWHERE
    }
}

type Tables = Arc<Vec<Vec<u8>>>;

/// The string tables of a document.
#[derive(Debug)]
pub(crate) struct Text {
    file: Arc<SourceFile>,
    tables: Vec<TextTable>,
    loaded: RwLock<Option<Tables>>,
    /// The bytes of the tables that were made, by the number of the table; empty for the others.
    made: Vec<Vec<u8>>,
}

impl Text {
    pub(crate) fn new(
        file: Arc<SourceFile>,
        tables: Vec<TextTable>,
        mut bytes: Vec<Vec<u8>>,
    ) -> Text {
        let made = tables
            .iter()
            .zip(&mut bytes)
            .map(|(table, bytes)| match table.is_made() {
                true => std::mem::take(bytes),
                false => Vec::new(),
            })
            .collect();
        Text {
            file,
            tables,
            loaded: RwLock::new(Some(Arc::new(bytes))),
            made,
        }
    }

    pub(crate) fn release(&self) {
        *self.loaded.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn loaded(&self) -> Option<Tables> {
        self.loaded
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Reads names one by one: from memory while it is there, from the file otherwise.
    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader {
            text: self,
            loaded: self.loaded(),
        }
    }

    /// Reads many names: the tables are loaded for as long as the reader lives.
    pub(crate) fn bulk_reader(&self) -> Result<Reader<'_>, ReadError> {
        let loaded = match self.loaded() {
            Some(tables) => tables,
            None => {
                let read = |table: &TextTable| match table.is_made() {
                    true => Ok(Vec::new()),
                    false => self.file.read(table.file_offset, table.len),
                };
                Arc::new(
                    self.tables
                        .iter()
                        .map(read)
                        .collect::<Result<Vec<_>, _>>()?,
                )
            }
        };
        Ok(Reader {
            text: self,
            loaded: Some(loaded),
        })
    }
}

/// Gives the text of names. Call [`finish`](Self::finish) after the last one and before using any.
pub(crate) struct Reader<'a> {
    text: &'a Text,
    loaded: Option<Tables>,
}

impl Reader<'_> {
    /// The bytes of a name, without its version.
    pub(crate) fn raw(&self, row: NameRow) -> Result<Cow<'_, [u8]>, ReadError> {
        let missing = || ReadError::Damaged("a name lies outside its string table".to_owned());
        let start = row.offset as usize;
        let end = start.checked_add(row.len as usize).ok_or_else(missing)?;
        if self
            .text
            .tables
            .get(row.table())
            .is_some_and(TextTable::is_made)
        {
            return self
                .text
                .made
                .get(row.table())
                .and_then(|table| table.get(start..end))
                .map(Cow::Borrowed)
                .ok_or_else(missing);
        }
        if let Some(tables) = &self.loaded {
            return tables
                .get(row.table())
                .and_then(|table| table.get(start..end))
                .map(Cow::Borrowed)
                .ok_or_else(missing);
        }
        let table = self.text.tables.get(row.table()).ok_or_else(missing)?;
        let offset = table
            .file_offset
            .checked_add(u64::from(row.offset))
            .ok_or_else(missing)?;
        self.text
            .file
            .read_unchecked(offset, u64::from(row.len))
            .map(Cow::Owned)
    }

    /// Fails if what was read isn't of the file that was opened.
    pub(crate) fn finish(&self) -> Result<(), ReadError> {
        if self.loaded.is_some() {
            Ok(())
        } else {
            self.text.file.check()
        }
    }
}

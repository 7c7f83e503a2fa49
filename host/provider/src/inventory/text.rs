//! The text of names: string tables of the file, in memory or read again.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

use super::NameRow;
use crate::ReadError;
use crate::file::SourceFile;

/// Where a string table stands.
#[derive(Clone, Debug)]
pub(crate) struct TextTable {
    /// The file that holds it, if that is not the document's: a debug file, or what was unpacked or made up.
    pub(crate) source: Option<SourceFile>,
    pub(crate) file_offset: u64,
    pub(crate) len: u64,
}

impl TextTable {
    /// A table that is kept in memory: text that stands in no file.
    pub(crate) fn of_memory(bytes: Vec<u8>) -> TextTable {
        TextTable {
            file_offset: 0,
            len: bytes.len() as u64,
            source: Some(SourceFile::of_memory(bytes)),
        }
    }
}

type Tables = Arc<Vec<Vec<u8>>>;

/// The string tables of a document.
#[derive(Debug)]
pub(crate) struct Text {
    file: Arc<SourceFile>,
    tables: Vec<TextTable>,
    loaded: RwLock<Option<Tables>>,
}

impl Text {
    pub(crate) fn new(file: Arc<SourceFile>, tables: Vec<TextTable>, bytes: Vec<Vec<u8>>) -> Text {
        Text {
            file,
            tables,
            loaded: RwLock::new(Some(Arc::new(bytes))),
        }
    }

    /// The document's own file.
    pub(crate) fn file(&self) -> &SourceFile {
        &self.file
    }

    fn file_of<'a>(&'a self, table: &'a TextTable) -> &'a SourceFile {
        table.source.as_ref().unwrap_or(&self.file)
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
                let read =
                    |table: &TextTable| self.file_of(table).read(table.file_offset, table.len);
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
        if let Some(tables) = &self.loaded {
            let start = row.offset as usize;
            let end = start.checked_add(row.len as usize).ok_or_else(missing)?;
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
            .file_of(table)
            .read_unchecked(offset, u64::from(row.len))
            .map(Cow::Owned)
    }

    /// Fails if what was read isn't of the file that was opened.
    pub(crate) fn finish(&self) -> Result<(), ReadError> {
        if self.loaded.is_some() {
            return Ok(());
        }
        self.text.file.check()?;
        self.text
            .tables
            .iter()
            .filter_map(|table| table.source.as_ref())
            .try_for_each(SourceFile::check)
    }
}

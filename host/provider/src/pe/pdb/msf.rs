//! The container of a PDB: numbered streams, each a list of pages.

use crate::ReadError;
use crate::coff::raw::u32_at;
use crate::file::SourceFile;

const MAGIC: &[u8; 32] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";

/// An opened container.
pub(super) struct Msf<'a> {
    file: &'a SourceFile,
    page: u64,
    /// Stream sizes, then pages of all streams, one list after the other.
    directory: Vec<u8>,
    /// Of every stream: bytes, and where in the directory its pages begin.
    streams: Vec<(u32, u64)>,
    /// Bytes that may still be read: streams may share pages in a damaged file.
    budget: u64,
}

/// A stream that isn't there.
const NOTHING: u32 = u32::MAX;

impl<'a> Msf<'a> {
    /// Reads the header and the directory of streams; `Err` with why it can't be used.
    pub(super) fn open(file: &'a SourceFile) -> Result<Result<Msf<'a>, String>, ReadError> {
        let head = file.read(0, file.len().min(56))?;
        if !head.starts_with(MAGIC) {
            return Ok(Err("it is no MSF 7.00 file".to_owned()));
        }
        let word = |at| u32_at(&head, at).unwrap_or(0);
        let (page, size, map) = (word(32), word(44), word(52));
        if !page.is_power_of_two() || !(512..=1 << 16).contains(&page) {
            return Ok(Err(format!("its pages are said to have {page} bytes")));
        }
        let mut msf = Msf {
            file,
            page: page.into(),
            directory: Vec::new(),
            streams: Vec::new(),
            budget: file.len().saturating_mul(3),
        };
        // The list of the directory's pages stands in pages that follow each other.
        let pages = u64::from(size).div_ceil(u64::from(page));
        let list_at = u64::from(map).saturating_mul(u64::from(page));
        if !file.holds(list_at, pages.saturating_mul(4)) {
            return Ok(Err("its directory lies outside the file".to_owned()));
        }
        let list = file.read(list_at, pages.saturating_mul(4))?;
        match msf.pages(&list, size)? {
            Some(directory) => msf.directory = directory,
            None => return Ok(Err("its directory lies outside the file".to_owned())),
        }
        let streams = u32_at(&msf.directory, 0).unwrap_or(0) as usize;
        if streams > msf.directory.len() / 4 {
            return Ok(Err("its directory has more streams than room".to_owned()));
        }
        let mut at = (streams as u64).saturating_add(1).saturating_mul(4);
        for stream in 1..=streams {
            let size = match u32_at(&msf.directory, stream.saturating_mul(4)) {
                Some(NOTHING) | None => 0,
                Some(size) => size,
            };
            msf.streams.push((size, at));
            at = at.saturating_add(msf.list_size(size));
        }
        Ok(Ok(msf))
    }

    /// Bytes of the list of pages of a stream.
    fn list_size(&self, size: u32) -> u64 {
        u64::from(size).div_ceil(self.page).saturating_mul(4)
    }

    /// A whole stream; `None` if it isn't there or is damaged.
    pub(super) fn stream(&mut self, number: u16) -> Result<Option<Vec<u8>>, ReadError> {
        let Some(&(size, first)) = self.streams.get(usize::from(number)) else {
            return Ok(None);
        };
        let end = first.saturating_add(self.list_size(size));
        let (Ok(first), Ok(end)) = (usize::try_from(first), usize::try_from(end)) else {
            return Ok(None);
        };
        let Some(list) = self.directory.get(first..end).map(<[u8]>::to_vec) else {
            return Ok(None);
        };
        self.pages(&list, size)
    }

    /// The bytes of a list of pages. Neighbours are read at once.
    fn pages(&mut self, list: &[u8], size: u32) -> Result<Option<Vec<u8>>, ReadError> {
        if u64::from(size) > self.budget || u64::from(size) > self.file.len() {
            return Ok(None);
        }
        self.budget -= u64::from(size);
        let mut bytes: Vec<u8> = Vec::new();
        let mut left = u64::from(size);
        let numbers: Vec<u64> = list
            .chunks_exact(4)
            .filter_map(|row| u32_at(row, 0))
            .map(u64::from)
            .collect();
        for run in numbers.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
            let Some(first) = run.first() else { continue };
            let want = (run.len() as u64).saturating_mul(self.page).min(left);
            let at = first.saturating_mul(self.page);
            if !self.file.holds(at, want) {
                return Ok(None);
            }
            bytes.append(&mut self.file.read_unchecked(at, want)?);
            left -= want;
        }
        Ok((left == 0).then_some(bytes))
    }
}

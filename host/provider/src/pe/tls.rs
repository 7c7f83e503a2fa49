//! Thread-local storage: functions that run when a thread starts, before the entry point too.

use super::header::directory;
use super::memory::{Addresses, Memory};
use crate::ReadError;
use crate::coff::raw::word_at;

/// More are a damaged file.
const CALLBACKS: usize = 4096;

/// The callbacks, relative to the image, and why they aren't all; `None` if the image has no such directory.
pub(crate) fn callbacks(memory: &mut Memory<'_>) -> Result<Option<Addresses>, ReadError> {
    let Some(place) = memory.pe.directory(directory::TLS) else {
        return Ok(None);
    };
    let is_64 = memory.pe.is_64;
    let width = if is_64 { 8 } else { 4 };
    let Some(list) = word_at(memory.at(place.rva)?, 3 * width, is_64) else {
        let why = "the directory lies outside the file".to_owned();
        return Ok(Some(Addresses {
            list: Vec::new(),
            damage: vec![why],
        }));
    };
    if list == 0 {
        return Ok(Some(Addresses::default()));
    }
    let Some(at) = memory.pe.rva(list) else {
        let why = format!("the list at {list:#x} lies outside the image");
        return Ok(Some(Addresses {
            list: Vec::new(),
            damage: vec![why],
        }));
    };
    let bytes = memory.at_most(at, CALLBACKS * width)?.to_vec();
    let mut found = Vec::new();
    for row in bytes.chunks_exact(width) {
        match word_at(row, 0, is_64) {
            Some(0) | None => {
                return Ok(Some(Addresses {
                    list: found,
                    damage: Vec::new(),
                }));
            }
            Some(address) => found.extend(memory.pe.rva(address)),
        }
    }
    let why = "the list has no end".to_owned();
    Ok(Some(Addresses {
        list: found,
        damage: vec![why],
    }))
}

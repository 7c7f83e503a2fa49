//! `.gnu_debugdata`: a small debug file, compressed, in the program itself. It holds the symbols that `.dynsym` lacks.

use std::io::Read;

use super::Elf;
use crate::ReadError;
use crate::file::SourceFile;
use crate::header::HeaderError;

/// Unpacked it is never larger than this.
const LIMIT: u64 = 256 << 20;
/// Nor than so many times what is packed, beyond the first 16 MiB: symbol tables shrink to a fifth or a tenth.
const RATIO: u64 = 64;
const FREE: u64 = 16 << 20;
/// Memory of the decoder: the dictionary of the strongest setting has 64 MiB.
const DECODER_KIB: u32 = 96 << 10;

/// The debug file, or why it can't be read.
pub(crate) type Unpacked = Result<(SourceFile, Elf), String>;

/// The debug file; `None` if there is none.
pub(crate) fn read(file: &SourceFile, elf: &Elf) -> Result<Option<Unpacked>, ReadError> {
    let Some(section) = elf.section_named(b".gnu_debugdata") else {
        return Ok(None);
    };
    let packed = match elf.section_bytes(file, section)? {
        Ok(packed) => packed,
        // A debug file keeps the header of the section alone.
        Err(_) if section.kind == object::elf::SHT_NOBITS.0 => return Ok(None),
        Err(why) => return Ok(Some(Err(why))),
    };
    let bytes = match unpack(&packed) {
        Ok(bytes) => bytes,
        Err(why) => return Ok(Some(Err(why))),
    };
    let inner = SourceFile::of_memory(bytes);
    Ok(Some(match Elf::parse(&inner) {
        Ok(elf) => Ok((inner, elf)),
        Err(HeaderError::Read(error)) => Err(error.to_string()),
        Err(error) => Err(error.reason()),
    }))
}

fn unpack(packed: &[u8]) -> Result<Vec<u8>, String> {
    let limit = (packed.len() as u64)
        .saturating_mul(RATIO)
        .clamp(FREE, LIMIT);
    let mut reader = lzma_rust2::XzReader::new_mem_limit(packed, true, DECODER_KIB).take(limit + 1);
    let mut bytes = Vec::new();
    reader
        .read_to_end(&mut bytes)
        .map_err(|error| format!("it can't be unpacked: {error}"))?;
    if bytes.len() as u64 > limit {
        return Err(format!("unpacked it takes more than {limit} bytes"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_packed_is_an_error() {
        assert!(unpack(b"no xz").is_err());
        assert!(unpack(b"").is_err());
    }
}

//! How many dynamic symbols there are, where no section says so: by the hash tables.

use object::elf;

use super::Elf;
use super::dynamic::Dynamic;
use crate::ReadError;
use crate::file::SourceFile;

/// The number of dynamic symbols, and how it was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// A hash table says so.
    Known(u64),
    /// No hash table does; this many fit before the next table.
    AtMost(u64),
}

/// Chains are read in pieces of this many bytes.
const PIECE: u64 = 64 * 1024;

/// The number of symbols of the table at `symbols` (DT_SYMTAB); `None` if that lies outside the file.
pub(crate) fn count(
    file: &SourceFile,
    elf: &Elf,
    dynamic: &Dynamic,
    symbols: u64,
) -> Result<Option<Count>, ReadError> {
    let Some((_, behind)) = elf.file_range(symbols) else {
        return Ok(None);
    };
    let fit = behind / elf.shape.symbol_size();
    if let Some(address) = dynamic.get(elf::DT_HASH)
        && let Some(count) = sysv(file, elf, address)?
        && count <= fit
        && count > 0
    {
        return Ok(Some(Count::Known(count)));
    }
    if let Some(address) = dynamic.get(elf::DT_GNU_HASH)
        && let Some(count) = gnu(file, elf, address)?
        && count <= fit
        && count > 0
    {
        return Ok(Some(Count::Known(count)));
    }
    let bytes = dynamic
        .next_table(symbols)
        .map_or(behind, |next| (next - symbols).min(behind));
    Ok(Some(Count::AtMost(bytes / elf.shape.symbol_size())))
}

/// DT_HASH: the number of buckets and the number of chains, which is that of symbols.
fn sysv(file: &SourceFile, elf: &Elf, address: u64) -> Result<Option<u64>, ReadError> {
    // Two processors have 64-bit entries here: s390x and Alpha.
    let wide = elf.shape.is_64 && matches!(elf.header.machine, 22 | 0x9026);
    let header = if wide { 16 } else { 8 };
    let Some((offset, behind)) = elf
        .file_range(address)
        .filter(|(_, behind)| *behind >= header)
    else {
        return Ok(None);
    };
    if !file.holds(offset, header) {
        return Ok(None);
    }
    let bytes = file.read(offset, header)?;
    let word = |index: usize| -> Option<u64> {
        if !wide {
            return elf.shape.u32_at(&bytes, index * 4).map(u64::from);
        }
        let (first, second) = (
            elf.shape.u32_at(&bytes, index * 8)?,
            elf.shape.u32_at(&bytes, index * 8 + 4)?,
        );
        let (low, high) = if elf.shape.endian == object::Endianness::Little {
            (first, second)
        } else {
            (second, first)
        };
        Some((u64::from(high) << 32) | u64::from(low))
    };
    let (Some(buckets), Some(chains)) = (word(0), word(1)) else {
        return Ok(None);
    };
    // A table of zeros says nothing; one that doesn't fit is none.
    let needed = buckets
        .checked_add(chains)
        .and_then(|words| words.checked_mul(header / 2))
        .and_then(|size| size.checked_add(header));
    Ok((buckets > 0 && needed.is_some_and(|needed| needed <= behind)).then_some(chains))
}

/// DT_GNU_HASH says only where its chains begin: the last symbol is the end of the chain that begins last.
fn gnu(file: &SourceFile, elf: &Elf, address: u64) -> Result<Option<u64>, ReadError> {
    let Some((offset, behind)) = elf.file_range(address) else {
        return Ok(None);
    };
    let behind = behind.min(file.len().saturating_sub(offset));
    if behind < 16 {
        return Ok(None);
    }
    let header = file.read(offset, 16)?;
    let word = |index: usize| elf.shape.u32_at(&header, index * 4).map(u64::from);
    let (Some(buckets), Some(base), Some(filters)) = (word(0), word(1), word(2)) else {
        return Ok(None);
    };
    let Some(buckets_at) = filters
        .checked_mul(elf.shape.word())
        .and_then(|size| size.checked_add(16))
    else {
        return Ok(None);
    };
    let Some(chains_at) = buckets
        .checked_mul(4)
        .and_then(|size| size.checked_add(buckets_at))
    else {
        return Ok(None);
    };
    if buckets == 0 || base == 0 || chains_at > behind {
        return Ok(None);
    }
    let bytes = file.read(offset + buckets_at, chains_at - buckets_at)?;
    let last = (0..bytes.len() / 4)
        .filter_map(|index| elf.shape.u32_at(&bytes, index * 4))
        .max()
        .map_or(0, u64::from);
    if last == 0 {
        // Nothing is exported: the symbols before the table are imports.
        return Ok(Some(base));
    }
    let Some(mut chain) = last.checked_sub(base) else {
        return Ok(None);
    };
    loop {
        let Some(at) = chain
            .checked_mul(4)
            .and_then(|size| size.checked_add(chains_at))
            .filter(|at| at.saturating_add(4) <= behind)
        else {
            return Ok(None);
        };
        let piece = file.read(offset + at, PIECE.min(behind - at))?;
        for index in 0..piece.len() / 4 {
            chain += 1;
            if elf
                .shape
                .u32_at(&piece, index * 4)
                .is_some_and(|value| value & 1 == 1)
            {
                return Ok(base.checked_add(chain));
            }
        }
    }
}

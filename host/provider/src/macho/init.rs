//! Functions that run before and after the program proper.

use super::commands::{Section, kind};
use super::fixups::{Pointer, Pointers};
use super::header::Image;
use crate::ReadError;
use crate::file::SourceFile;

/// Where they start, by section.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) source: String,
    pub(crate) list: Vec<u64>,
    pub(crate) damage: Vec<String>,
}

/// More of these than this is a damaged file.
const TABLES: usize = 64;

/// Reads the tables of a linked image. In an object file their addresses are not filled in yet, and symbols tell them.
pub(crate) fn read(
    file: &SourceFile,
    image: &Image,
    pointers: &Pointers,
) -> Result<Vec<Table>, ReadError> {
    let mut tables = Vec::new();
    let wanted = |section: &&Section| {
        matches!(
            section.kind(),
            kind::INIT_POINTERS
                | kind::TERM_POINTERS
                | kind::THREAD_INIT_POINTERS
                | kind::INIT_OFFSETS
        ) && section.size > 0
    };
    if image.is_object() || image.is_debug() {
        return Ok(tables);
    }
    // Sections that share bytes don't multiply what is read.
    let mut left = image.span.size;
    for section in image.commands.sections.iter().filter(wanted).take(TABLES) {
        let mut table = Table {
            source: crate::escape::display(&section.full_name()).into_owned(),
            list: Vec::new(),
            damage: Vec::new(),
        };
        if section.size > left {
            table
                .damage
                .push("it shares its bytes with other sections".to_owned());
            tables.push(table);
            continue;
        }
        left -= section.size;
        match image.read_section(file, section)? {
            Ok(bytes) => fill(image, pointers, section, &bytes, &mut table),
            Err(why) => table.damage.push(why),
        }
        tables.push(table);
    }
    Ok(tables)
}

fn fill(image: &Image, pointers: &Pointers, section: &Section, bytes: &[u8], table: &mut Table) {
    if section.kind() == kind::INIT_OFFSETS {
        let base = image.base().unwrap_or(0);
        table.list.extend(
            bytes
                .chunks_exact(4)
                .filter_map(|row| image.shape.u32_at(row, 0))
                .map(|offset| base.wrapping_add(offset.into())),
        );
        return;
    }
    let mut unknown = 0u64;
    for row in bytes.chunks_exact(image.shape.word()) {
        let raw = image.shape.word_at(row, 0).unwrap_or(0);
        match pointers.decode(section.segment_index, raw) {
            Pointer::Address(address) => table.list.push(address),
            Pointer::Null | Pointer::Import(_) => {}
            Pointer::Unknown => unknown += 1,
        }
    }
    if unknown > 0 {
        table
            .damage
            .push(format!("{unknown} pointers are of a form that isn't known"));
    }
}

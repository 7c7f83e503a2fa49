//! Go's table of functions in an image.

use super::fixups::{Pointer, Pointers};
use super::header::Image;
use super::regions::Regions;
use crate::ReadError;
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::golang::{Code, Table};
use crate::inventory::{Candidate, TextTable};

/// Adds every function of the table; its names are then the text of number `number`.
pub(crate) fn add(
    file: &SourceFile,
    image: &Image,
    regions: &Regions,
    pointers: &Pointers,
    number: u16,
    candidates: &mut Vec<Candidate>,
    ledger: &mut Ledger,
) -> Result<Option<(TextTable, Vec<u8>)>, ReadError> {
    const SOURCE: &str = "__gopclntab";
    let Some(section) = image
        .commands
        .sections
        .iter()
        .find(|section| section.name == b"__gopclntab" && section.size > 0)
    else {
        return Ok(None);
    };
    let region = |address| regions.at(address);
    let mut code = Code {
        relocated: None,
        text: image.section(b"__TEXT", b"__text").map(|text| text.address),
        entry: image
            .commands
            .main
            .and_then(|offset| image.address_of(offset))
            .or(image.commands.thread),
        region: &region,
    };
    let read = match (image.read_section(file, section)?, image.bytes_of(section)) {
        (Ok(bytes), Some(blob)) => Table::parse(&bytes).and_then(|table| {
            // In the file it may be a link of a chain that the loader walks.
            if let Pointer::Address(start) =
                pointers.decode(section.segment_index, table.text_start)
            {
                code.relocated = Some(start);
            }
            let start = table.start(&bytes, &code)?;
            Ok((bytes, blob.offset, table, start))
        }),
        (Err(why), _) => Err(why),
        (Ok(_), None) => Err("it has no bytes in the file".to_owned()),
    };
    match read {
        Ok((bytes, offset, table, start)) => {
            let damage = table.add(start, &bytes, number, &code, candidates);
            let rows = table.functions.len() as u64;
            ledger.damaged(&format!("{SOURCE} (Go {})", table.layout), rows, damage);
            let names = table.text(&bytes).to_vec();
            let from = image
                .window(file)
                .absolute(offset)
                .saturating_add(table.names.start as u64);
            Ok(Some((TextTable::of_file(from, names.len() as u64), names)))
        }
        Err(why) => {
            ledger.damaged(SOURCE, 0, vec![why]);
            Ok(None)
        }
    }
}

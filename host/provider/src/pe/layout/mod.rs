//! The layout of an image.

mod imports;
mod mitigations;
mod names;
mod resources;

use super::clr::Clr;
use super::exports::Exports;
use super::header::{Pe, directory};
use super::imports::Imports;
use super::load_config::LoadConfig;
use super::memory::Memory;
use super::{debug, pdb, unread};
use crate::coff::raw::u32_at;
use crate::coff::{self, shown};
use crate::file::SourceFile;
use crate::layout::{
    Finding, Hex, Layout, LayoutHeader, Listed, PeDebug, PeDirectory, PeLayout, Relocations,
};
use crate::options::Surroundings;
use crate::{Identity, ReadError};

/// Reads what the layout tells.
pub(crate) fn layout(
    file: &SourceFile,
    pe: &Pe,
    identity: &Identity,
    near: Option<&Surroundings>,
) -> Result<Layout, ReadError> {
    let mut limitations = Vec::new();
    let mut memory = Memory::new(file, pe);
    let config = LoadConfig::read(&mut memory)?;
    let entries = debug::entries(file, &mut memory)?;
    let clr = Clr::read(&mut memory)?;
    let hybrid = unread::hybrid(pe.machine, config.as_ref());
    let taken = Imports::read(&mut memory)?;
    limitations.extend(taken.damage.iter().map(|why| format!("imports: {why}")));
    let mut offered = imports::Offered::default();
    if let Some(exports) = Exports::read(&mut memory)? {
        limitations.extend(exports.damage.iter().map(|why| format!("exports: {why}")));
        offered = imports::offered(file, &mut memory, &exports)?;
    }
    let listed = imports::listed(&taken);
    if listed.total > listed.rows.len() as u64 {
        limitations.push(format!(
            "{} of {} imports are listed",
            listed.rows.len(),
            listed.total
        ));
    }
    if clr.is_some() {
        limitations.push("the metadata of the .NET assembly is not read".to_owned());
    }
    if hybrid.is_some() {
        limitations.push("of a hybrid image only the view of its header is told".to_owned());
    }
    let libraries = |delayed: bool| {
        taken
            .libraries
            .iter()
            .filter(move |library| library.delayed == delayed)
            .take(coff::ROWS)
            .map(|library| shown(&library.name))
            .collect::<Vec<_>>()
    };
    let resources = resources::types(&mut memory, &mut limitations)?;
    let relocations = relocations(&mut memory, &mut limitations)?;
    let header = LayoutHeader {
        file_type: names::file_type(pe),
        machine: pe.machine.into(),
        flags: Hex(pe.characteristics.into()),
        entry: (pe.entry != 0)
            .then(|| pe.address(pe.entry).map(Hex))
            .flatten(),
        ..LayoutHeader::default()
    };
    let layout = Layout {
        soname: offered.name,
        needed: libraries(false),
        sections: coff::sections(&pe.sections, Some(pe.image_base)),
        imports: listed,
        exports: offered.counts,
        relocations,
        mitigations: mitigations::read(pe, config.as_ref(), &entries, &taken),
        build: build(pe),
        pe: Some(PeLayout {
            address_space: format!(
                "virtual addresses at the preferred image base {:#x}",
                pe.image_base
            ),
            image_base: Some(Hex(pe.image_base)),
            subsystem: Some(names::subsystem(pe.subsystem)),
            characteristics: names::characteristics(pe.characteristics),
            dll_characteristics: names::dll_characteristics(pe.dll_characteristics),
            image_size: Some(Hex(pe.image_size.into())),
            linker: Some(format!("{}.{}", pe.linker.0, pe.linker.1)),
            timestamp: Hex(pe.timestamp.into()),
            directories: directories(pe),
            delay_needed: libraries(true),
            exports: offered.exports,
            debug: entries.iter().map(debug_row).collect(),
            resources,
            managed: clr.map(|clr| {
                format!(
                    "{}, runtime header {}.{}",
                    clr.kind(),
                    clr.version.0,
                    clr.version.1
                )
            }),
            hybrid: hybrid.map(str::to_owned),
        }),
        companions: pdb::companion(near, debug::pdb(&entries).as_ref())?
            .into_iter()
            .collect(),
        limitations,
        ..Layout::new(identity, header)
    };
    file.check()?;
    Ok(layout)
}

fn directories(pe: &Pe) -> Vec<PeDirectory> {
    (0u32..)
        .zip(pe.directories())
        .filter(|(_, row)| row.rva != 0 || row.size != 0)
        .map(|(index, row)| PeDirectory {
            index,
            name: names::directory(index).to_owned(),
            address: Hex(if index as usize == directory::CERTIFICATE {
                row.rva.into()
            } else {
                pe.address(row.rva).unwrap_or(0)
            }),
            size: Hex(row.size.into()),
        })
        .collect()
}

fn debug_row(entry: &debug::Entry) -> PeDebug {
    let link = debug::pdb(std::slice::from_ref(entry));
    PeDebug {
        kind: debug::kind(entry.kind),
        pdb: link.as_ref().map(|link| shown(&link.path)),
        guid: link.as_ref().map(|link| debug::guid(&link.guid)),
        age: link.map(|link| link.age),
    }
}

/// Blocks of a page: its address, bytes, then rows of two bytes.
fn relocations(
    memory: &mut Memory<'_>,
    limitations: &mut Vec<String>,
) -> Result<Listed<Relocations>, ReadError> {
    let Some(place) = memory.pe.directory(directory::RELOCATION) else {
        return Ok(Listed::default());
    };
    let bytes = memory.at_most(place.rva, place.size as usize)?;
    let mut rows = 0u64;
    let mut rest = bytes;
    while let Some(size) = u32_at(rest, 4).filter(|size| *size != 0) {
        let Some((block, behind)) = rest.split_at_checked(size as usize).filter(|_| size >= 8)
        else {
            limitations.push("the base relocations are damaged".to_owned());
            break;
        };
        // Rows of type 0 are padding.
        rows += block
            .get(8..)
            .unwrap_or(&[])
            .chunks_exact(2)
            .filter(|row| row.get(1).is_some_and(|high| high >> 4 != 0))
            .count() as u64;
        rest = behind;
    }
    Ok(Listed {
        total: 1,
        rows: vec![Relocations {
            table: "base relocation directory".to_owned(),
            form: "base".to_owned(),
            rows,
        }],
    })
}

fn build(pe: &Pe) -> Vec<Finding> {
    let mut found = vec![match pe.symbols {
        Some(place) => Finding::new(
            "stripped",
            "no",
            format!("there is a COFF symbol table of {} rows", place.rows),
        ),
        None => Finding::new("stripped", "yes", "there is no COFF symbol table"),
    }];
    found.extend(coff::debug(&pe.sections));
    found
}

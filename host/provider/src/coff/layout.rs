//! The layout of an object file.

use super::Coff;
use super::section::Section;
use super::symbols::each;
use super::table::SymbolTable;
use crate::escape;
use crate::file::SourceFile;
use crate::layout::{
    Exports, Finding, Hex, Import, Layout, LayoutHeader, LayoutSection, Listed, PeLayout,
    Relocations,
};
use crate::{Identity, ReadError};

/// Rows of a list of sections.
pub(crate) const ROWS: usize = 1000;
/// Imports that are listed.
pub(crate) const IMPORTS: usize = 2000;
/// Bytes of a text of the file that are shown.
const TEXT: usize = 1024;

/// Reads what the layout tells.
pub(crate) fn layout(
    file: &SourceFile,
    coff: &Coff,
    identity: &Identity,
) -> Result<Layout, ReadError> {
    let mut limitations = Vec::new();
    let mut imports = Listed::default();
    let mut exports = Exports::default();
    if let Some(place) = coff.symbols {
        let table = SymbolTable::read(file, place)?;
        limitations.extend(
            table
                .damage
                .iter()
                .map(|why| format!("symbol table: {why}")),
        );
        each(&table, |symbol| {
            let Ok((_, name)) = table.name(symbol.number) else {
                return;
            };
            if symbol.is_undefined() || (symbol.is_weak() && symbol.section == 0) {
                imports.total += 1;
                if imports.rows.len() < IMPORTS {
                    imports.rows.push(Import {
                        name: shown(name),
                        version: None,
                        library: None,
                        kind: if symbol.is_function() {
                            "function"
                        } else {
                            "untyped"
                        }
                        .to_owned(),
                        weak: symbol.is_weak(),
                    });
                }
            } else if symbol.class == 2 && symbol.section > 0 {
                exports.total += 1;
                if symbol.is_function() {
                    exports.functions += 1;
                }
            }
        });
    }
    if imports.total > imports.rows.len() as u64 {
        limitations.push(format!(
            "{} of {} undefined symbols are listed",
            imports.rows.len(),
            imports.total
        ));
    }
    let mut relocations: Vec<Relocations> = coff
        .sections
        .iter()
        .filter(|section| section.relocations > 0)
        .map(|section| Relocations {
            table: shown(&section.name),
            form: "coff".to_owned(),
            rows: section.relocations.into(),
        })
        .collect();
    let tables = relocations.len() as u64;
    relocations.truncate(ROWS);
    let header = LayoutHeader {
        file_type: if coff.is_big {
            "COFF object (bigobj)"
        } else {
            "COFF object"
        }
        .to_owned(),
        machine: coff.machine.into(),
        flags: Hex(coff.characteristics.into()),
        ..LayoutHeader::default()
    };
    let layout = Layout {
        sections: sections(&coff.sections, None),
        imports,
        exports,
        relocations: Listed {
            total: tables,
            rows: relocations,
        },
        build: debug(&coff.sections).into_iter().collect(),
        pe: Some(PeLayout {
            address_space: "offsets in sections".to_owned(),
            timestamp: Hex(coff.timestamp.into()),
            ..PeLayout::default()
        }),
        limitations,
        ..Layout::new(identity, header)
    };
    file.check()?;
    Ok(layout)
}

/// The sections, as they are listed.
pub(crate) fn sections(sections: &[Section], base: Option<u64>) -> Listed<LayoutSection> {
    let row = |(index, section): (u32, &Section)| LayoutSection {
        index,
        name: shown(&section.name),
        kind: kind(section.flags).to_owned(),
        flags: flags(section.flags),
        address: Hex(base.map_or(0, |base| base.saturating_add(section.rva.into()))),
        file_offset: Hex(section.raw_offset.into()),
        size: Hex(section.memory_size().into()),
    };
    Listed {
        total: sections.len() as u64,
        rows: (1u32..).zip(sections).take(ROWS).map(row).collect(),
    }
}

/// Whether DWARF or CodeView was left in the file itself.
pub(crate) fn debug(sections: &[Section]) -> Option<Finding> {
    let section = sections.iter().find(|section| {
        matches!(
            &section.name[..],
            b".debug_info" | b".zdebug_info" | b".debug$S"
        )
    })?;
    Some(Finding::new(
        "debug-information",
        "yes",
        format!("there is a {}", shown(&section.name)),
    ))
}

fn kind(flags: u32) -> &'static str {
    match flags {
        flags if flags & 0x20 != 0 => "code",
        flags if flags & 0x40 != 0 => "initialised data",
        flags if flags & 0x80 != 0 => "uninitialised data",
        flags if flags & 0x200 != 0 => "linker information",
        _ => "other",
    }
}

fn flags(flags: u32) -> String {
    let mut text: String = [
        (0x4000_0000, 'r'),
        (0x8000_0000u32, 'w'),
        (0x2000_0000, 'x'),
    ]
    .into_iter()
    .map(|(bit, letter)| if flags & bit != 0 { letter } else { '-' })
    .collect();
    for (bit, word) in [
        (0x1000_0000, " shared"),
        (0x0200_0000, " discardable"),
        (0x800, " removed"),
        (0x1000, " comdat"),
    ] {
        if flags & bit != 0 {
            text.push_str(word);
        }
    }
    text
}

/// A text of the file, escaped and bounded.
pub(crate) fn shown(bytes: &[u8]) -> String {
    if bytes.len() <= TEXT {
        return escape::display(bytes).into_owned();
    }
    format!(
        "{}… ({} bytes)",
        escape::display(bytes.get(..TEXT).unwrap_or(&[])),
        bytes.len()
    )
}

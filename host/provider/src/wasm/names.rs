//! Names of functions: from the name section, the exports, and the symbols of an object file.

use wasmparser::{
    BinaryReader, ExportSectionReader, ExternalKind, Linking, LinkingSectionReader, SymbolInfo,
};

use super::module::Module;
use super::sections::Section;
use crate::ReadError;
use crate::file::SourceFile;

/// A name of a function: where its text stands in a section's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) function: u32,
    pub(super) offset: u32,
    pub(super) len: u32,
    /// 0 global, 1 weak, 2 local.
    pub(super) binding: u16,
}

/// What a section of names holds.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) source: &'static str,
    pub(super) section: Section,
    pub(super) bytes: Vec<u8>,
    pub(super) names: Vec<Named>,
    /// Why it isn't all of it.
    pub(super) damage: Vec<String>,
    /// They are what the module offers to others.
    pub(super) exported: bool,
}

/// The names of functions, from each section that has some.
pub(super) fn read(file: &SourceFile, module: &Module) -> Result<Vec<Names>, ReadError> {
    let sources = [
        ("name section", module.custom(b"name"), false),
        ("export section", module.section(7), true),
        ("linking section", module.custom(b"linking"), false),
    ];
    let mut found = Vec::new();
    for (source, section, exported) in sources {
        let Some(section) = section else { continue };
        let mut names = Names {
            source,
            section: section.clone(),
            bytes: file.read(section.offset, section.size)?,
            names: Vec::new(),
            damage: Vec::new(),
            exported,
        };
        let bytes = std::mem::take(&mut names.bytes);
        let result = match source {
            "name section" => of_name_section(&bytes, &mut names.names),
            "export section" => of_exports(&bytes, &mut names.names),
            _ => of_symbols(&bytes, &mut names.names),
        };
        if let Err(error) = result {
            names
                .damage
                .push(format!("it can't be read to its end: {error}"));
        }
        names.bytes = bytes;
        found.push(names);
    }
    Ok(found)
}

type Result_ = wasmparser::Result<()>;

/// Subsections of an id and a size; the one of functions (1) is a list of number and name. Names that aren't UTF-8 against the
/// specification are taken as they are.
fn of_name_section(bytes: &[u8], names: &mut Vec<Named>) -> Result_ {
    let mut section = BinaryReader::new(bytes, 0);
    while !section.eof() {
        let id = section.read_u8()?;
        let mut part = section.read_reader()?;
        if id != 1 {
            continue;
        }
        for _ in 0..part.read_var_u32()? {
            let function = part.read_var_u32()?;
            let len = part.read_var_u32()?;
            let offset = part.original_position();
            part.read_bytes(len as usize)?;
            names.push(Named {
                function,
                offset: u32::try_from(offset).unwrap_or(u32::MAX),
                len,
                binding: 2,
            });
        }
    }
    Ok(())
}

fn of_exports(bytes: &[u8], names: &mut Vec<Named>) -> Result_ {
    for export in ExportSectionReader::new(BinaryReader::new(bytes, 0))? {
        let export = export?;
        if matches!(export.kind, ExternalKind::Func | ExternalKind::FuncExact) {
            names.extend(named(bytes, export.index, export.name, 0));
        }
    }
    Ok(())
}

/// The symbols of an object file. One that is imported has no name of its own, and no code.
fn of_symbols(bytes: &[u8], names: &mut Vec<Named>) -> Result_ {
    for part in LinkingSectionReader::new(BinaryReader::new(bytes, 0))?.subsections() {
        let Linking::SymbolTable(symbols) = part? else {
            continue;
        };
        for symbol in symbols {
            let SymbolInfo::Func { flags, index, name } = symbol? else {
                continue;
            };
            if let Some(name) = name {
                let binding = if flags.contains(wasmparser::SymbolFlags::BINDING_LOCAL) {
                    2
                } else {
                    u16::from(flags.contains(wasmparser::SymbolFlags::BINDING_WEAK))
                };
                names.extend(named(bytes, index, name, binding));
            }
        }
    }
    Ok(())
}

fn named(bytes: &[u8], function: u32, name: &str, binding: u16) -> Option<Named> {
    let offset = name.as_ptr().addr().checked_sub(bytes.as_ptr().addr())?;
    Some(Named {
        function,
        offset: u32::try_from(offset).ok()?,
        len: u32::try_from(name.len()).ok()?,
        binding,
    })
}

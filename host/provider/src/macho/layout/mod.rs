//! The layout of a Mach-O file: of a universal one the list of its images, of an image everything.

mod findings;
mod imports;

use super::header::Image;
use super::regions::Regions;
use super::symbols::SymbolTable;
use super::{MachO, exports, names, signature};
use crate::escape;
use crate::file::SourceFile;
use crate::layout::{
    Exports, Hex, Layout, LayoutHeader, LayoutLibrary, LayoutSection, LayoutSegment, LayoutSlice,
    Listed, LoadCommandCount, Relocations,
};
use crate::{Identity, ReadError};

/// Rows of a list of segments, sections or libraries.
const ROWS: usize = 1000;
/// Bytes of a text of the file that are shown.
const TEXT: usize = 1024;

/// The layout of the image of a thin file, or the list of the images of a universal one.
pub(crate) fn layout(
    file: &SourceFile,
    macho: &MachO,
    identity: &Identity,
) -> Result<Layout, ReadError> {
    match (macho.slices.as_slice(), macho.is_fat) {
        ([slice], false) => match &slice.image {
            Ok(image) => of_image(file, image, identity),
            Err(why) => Err(ReadError::Damaged(why.clone())),
        },
        _ => Ok(universal(macho, identity)),
    }
}

/// The layout of the image of one document.
pub(crate) fn layout_of(
    file: &SourceFile,
    macho: &MachO,
    identity: &Identity,
    document: &str,
) -> Result<Option<Layout>, ReadError> {
    let slice = macho
        .slices
        .iter()
        .find(|slice| macho.document(&identity.file_name, slice) == document);
    match slice.map(|slice| &slice.image) {
        Some(Ok(image)) => of_image(file, image, identity).map(Some),
        Some(Err(why)) => Err(ReadError::Damaged(why.clone())),
        None => Ok(None),
    }
}

/// A layout that tells nothing yet.
fn empty(identity: &Identity) -> Layout {
    fn none<T>() -> Listed<T> {
        Listed {
            total: 0,
            rows: Vec::new(),
        }
    }
    Layout {
        format: identity.format,
        kind: identity.kind,
        architecture: identity.architecture.clone(),
        bits: identity.bits,
        endianness: identity.endianness,
        slices: Vec::new(),
        header: LayoutHeader {
            file_type: String::new(),
            machine: 0,
            variant: None,
            os_abi: None,
            abi_version: None,
            flags: Hex(0),
            flag_names: Vec::new(),
            entry: None,
        },
        load_commands: Vec::new(),
        interpreter: None,
        soname: None,
        needed: Vec::new(),
        libraries: Vec::new(),
        rpath: Vec::new(),
        runpath: Vec::new(),
        build_id: None,
        debug_link: None,
        segments: none(),
        sections: none(),
        imports: none(),
        exports: Exports::default(),
        relocations: none(),
        mitigations: Vec::new(),
        build: Vec::new(),
        limitations: Vec::new(),
    }
}

fn universal(macho: &MachO, identity: &Identity) -> Layout {
    let mut layout = empty(identity);
    layout.header.file_type = "FAT_MAGIC".to_owned();
    layout.slices = macho
        .slices
        .iter()
        .map(|slice| LayoutSlice {
            document: macho.document(&identity.file_name, slice),
            architecture: slice.name.clone(),
            file_offset: Hex(slice.span.offset),
            size: Hex(slice.span.size),
            kind: slice.image.as_ref().ok().map(Image::kind),
            damage: slice.image.as_ref().err().cloned(),
        })
        .collect();
    layout.limitations = vec![
        "this is a universal file: each of its images has a layout of its own, by its document"
            .to_owned(),
    ];
    layout
}

fn of_image(file: &SourceFile, image: &Image, identity: &Identity) -> Result<Layout, ReadError> {
    let mut limitations = image.commands.damage.clone();
    let regions = Regions::of(image, file);
    let table = SymbolTable::read(file, image)?;
    limitations.extend(table.damage.iter().cloned());
    let trie = exports::Exports::read(file, image)?;
    limitations.extend(trie.damage.iter().cloned());
    let seen = imports::read(image, &regions, &table, &trie, &mut limitations);
    let signature = signature::read(file, image)?;
    if let Some(signature) = &signature {
        limitations.extend(signature.damage.iter().cloned());
        limitations.push("the code signature is read, not verified".to_owned());
    }
    let commands = &image.commands;
    for (what, total) in [
        ("segments", commands.segments.len()),
        ("sections", commands.sections.len()),
        ("libraries", commands.libraries.len()),
        ("search paths", commands.rpaths.len()),
    ] {
        if total > ROWS {
            limitations.push(format!("{ROWS} of {total} {what} are listed"));
        }
    }
    if seen.imports.total > seen.imports.rows.len() as u64 {
        limitations.push(format!(
            "{} of {} imports are listed",
            seen.imports.rows.len(),
            seen.imports.total
        ));
    }
    let entry = commands
        .main
        .and_then(|offset| image.address_of(offset))
        .or(commands.thread);
    let libraries: Vec<LayoutLibrary> = commands.libraries.iter().take(ROWS).map(library).collect();
    let layout = Layout {
        kind: image.kind(),
        architecture: image.machine.name(),
        bits: image.bits(),
        endianness: image.byte_order(),
        header: LayoutHeader {
            file_type: names::file_type(image.file_type),
            machine: image.machine.kind,
            variant: Some(Hex(image.machine.variant.into())),
            os_abi: None,
            abi_version: None,
            flags: Hex(image.flags.into()),
            flag_names: names::header_flags(image.flags),
            entry: entry.map(Hex),
        },
        load_commands: commands
            .counts
            .iter()
            .take(ROWS)
            .map(|(command, count)| LoadCommandCount {
                command: names::command(*command),
                count: *count,
            })
            .collect(),
        interpreter: commands.loader.as_deref().map(shown),
        soname: commands.id.as_ref().map(|library| shown(&library.name)),
        needed: libraries
            .iter()
            .map(|library| library.name.clone())
            .collect(),
        libraries,
        rpath: commands
            .rpaths
            .iter()
            .take(ROWS)
            .map(|path| shown(path))
            .collect(),
        build_id: commands.uuid.map(hexadecimal),
        segments: segments(image),
        sections: sections(image),
        exports: seen.exports,
        relocations: relocations(image),
        mitigations: findings::mitigations(image, &seen, signature.as_ref()),
        build: findings::build(image, &seen, signature.as_ref()),
        imports: seen.imports,
        limitations,
        ..empty(identity)
    };
    file.check()?;
    Ok(layout)
}

fn library(library: &super::commands::Library) -> LayoutLibrary {
    use super::commands::lc;
    LayoutLibrary {
        name: shown(&library.name),
        binding: match library.command {
            lc::LOAD_WEAK_DYLIB => "weak",
            lc::REEXPORT_DYLIB => "reexport",
            lc::LOAD_UPWARD_DYLIB => "upward",
            lc::LAZY_LOAD_DYLIB => "lazy",
            _ => "load",
        },
        current_version: names::version(library.current),
        compatibility_version: names::version(library.compatibility),
    }
}

fn segments(image: &Image) -> Listed<LayoutSegment> {
    let rows = (0u32..).zip(&image.commands.segments).take(ROWS);
    Listed {
        total: image.commands.segments.len() as u64,
        rows: rows
            .map(|(index, segment)| LayoutSegment {
                index,
                kind: shown(&segment.name),
                access: access(segment.access),
                address: Hex(segment.address),
                file_offset: Hex(image.span.offset.saturating_add(segment.offset)),
                file_size: Hex(segment.file_size),
                memory_size: Hex(segment.memory_size),
                align: Hex(0),
            })
            .collect(),
    }
}

fn sections(image: &Image) -> Listed<LayoutSection> {
    let rows = image.commands.sections.iter().zip(1u32..).take(ROWS);
    Listed {
        total: image.commands.sections.len() as u64,
        rows: rows
            .map(|(section, index)| LayoutSection {
                index,
                name: shown(&section.full_name()),
                kind: names::section(section.kind()),
                flags: format!("{:#x}", section.flags & !0xff),
                address: Hex(section.address),
                file_offset: Hex(match image.bytes_of(section) {
                    Some(blob) => image.span.offset.saturating_add(blob.offset),
                    None => 0,
                }),
                size: Hex(section.size),
            })
            .collect(),
    }
}

fn relocations(image: &Image) -> Listed<Relocations> {
    let mut rows: Vec<Relocations> = image
        .commands
        .sections
        .iter()
        .filter(|section| section.relocations > 0)
        .map(|section| Relocations {
            table: shown(&section.full_name()),
            form: "relocation_info".to_owned(),
            rows: section.relocations.into(),
        })
        .collect();
    let total = rows.len() as u64;
    rows.truncate(ROWS);
    Listed { total, rows }
}

fn access(bits: u32) -> String {
    [(1, 'r'), (2, 'w'), (4, 'x')]
        .into_iter()
        .map(|(bit, letter)| if bits & bit != 0 { letter } else { '-' })
        .collect()
}

fn hexadecimal(bytes: [u8; 16]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A text of the file, escaped and bounded.
fn shown(bytes: &[u8]) -> String {
    if bytes.len() <= TEXT {
        return escape::display(bytes).into_owned();
    }
    format!(
        "{}… ({} bytes)",
        escape::display(bytes.get(..TEXT).unwrap_or(&[])),
        bytes.len()
    )
}

//! The layout of an ELF file.

mod imports;
mod mitigations;
mod names;
mod notes;

use object::elf;

use super::Elf;
use super::build::Ledger;
use super::dynamic::Dynamic;
use super::header::string_at;
use super::raw::Section;
use super::tables;
use crate::escape;
use crate::file::SourceFile;
use crate::layout::{
    DebugLink, Hex, Layout, LayoutHeader, LayoutSection, LayoutSegment, Listed, Relocations,
};
use crate::{Identity, ReadError};
use notes::Notes;

/// Rows of a list of segments, sections or relocation tables.
const ROWS: usize = 1000;
/// Bytes of a text of the file that are shown.
const TEXT: usize = 1024;

/// Reads what the layout tells.
pub(crate) fn layout(
    file: &SourceFile,
    elf: &Elf,
    identity: &Identity,
) -> Result<Layout, ReadError> {
    let mut limitations = Vec::new();
    if let Some(damage) = &elf.sections_damaged {
        limitations.push(format!("the section headers are damaged: {damage}"));
    } else if elf.sections.is_empty() {
        limitations.push("there are no section headers: sections are not known".to_owned());
    }
    let dynamic = if elf.is_relocatable() {
        None
    } else {
        Dynamic::read(file, elf)?
    };
    let mut ledger = Ledger::default();
    let symbols = tables::symbol_tables(file, elf, &mut ledger)?;
    limitations.extend(
        ledger
            .naming_partial
            .into_iter()
            .chain(ledger.naming_unknown),
    );
    limitations.extend(symbols.iter().flat_map(|table| {
        table
            .damage
            .iter()
            .map(|why| format!("{}: {why}", table.source))
    }));
    let texts = Texts::read(file, elf, dynamic.as_ref(), &mut limitations)?;
    let notes = notes::read(file, elf, &mut limitations)?;
    let seen = imports::read(elf, &symbols);
    if seen.imports.total > seen.imports.rows.len() as u64 {
        limitations.push(format!(
            "{} of {} imports are listed",
            seen.imports.rows.len(),
            seen.imports.total
        ));
    }
    let segments = (0u32..).zip(&elf.segments).take(ROWS);
    let sections = (0u32..).zip(&elf.sections).skip(1).take(ROWS);
    for (what, total) in [
        ("segments", elf.segments.len()),
        ("sections", elf.sections.len().saturating_sub(1)),
    ] {
        if total > ROWS {
            limitations.push(format!("{ROWS} of {total} {what} are listed"));
        }
    }
    let layout = Layout {
        format: identity.format,
        kind: identity.kind,
        architecture: identity.architecture.clone(),
        bits: identity.bits,
        endianness: identity.endianness,
        slices: Vec::new(),
        load_commands: Vec::new(),
        libraries: Vec::new(),
        header: LayoutHeader {
            file_type: names::file_type(elf.header.kind),
            machine: elf.header.machine.into(),
            variant: None,
            os_abi: Some(elf.header.os_abi),
            abi_version: Some(elf.header.abi_version),
            flags: Hex(elf.header.flags.into()),
            flag_names: Vec::new(),
            entry: (elf.header.entry != 0).then_some(Hex(elf.header.entry)),
        },
        interpreter: interpreter(file, elf)?,
        soname: texts.first(elf::DT_SONAME),
        needed: texts.all(elf::DT_NEEDED),
        rpath: texts.all(elf::DT_RPATH),
        runpath: texts.all(elf::DT_RUNPATH),
        build_id: notes.build_id.clone(),
        debug_link: debug_link(file, elf)?,
        segments: Listed {
            total: elf.segments.len() as u64,
            rows: segments
                .map(|(index, segment)| LayoutSegment {
                    index,
                    kind: names::segment(segment.kind),
                    access: names::access(segment.flags),
                    address: Hex(segment.address),
                    file_offset: Hex(segment.offset),
                    file_size: Hex(segment.file_size),
                    memory_size: Hex(segment.memory_size),
                    align: Hex(segment.align),
                })
                .collect(),
        },
        sections: Listed {
            total: elf.sections.len().saturating_sub(1) as u64,
            rows: sections
                .map(|(index, section)| LayoutSection {
                    index,
                    name: shown(elf.section_name(section)),
                    kind: names::section(section.kind),
                    flags: names::section_flags(section.flags),
                    address: Hex(section.address),
                    file_offset: Hex(section.offset),
                    size: Hex(section.size),
                })
                .collect(),
        },
        exports: seen.exports,
        relocations: relocations(elf, dynamic.as_ref()),
        mitigations: mitigations::read(elf, dynamic.as_ref(), &notes, &seen),
        build: build(elf, &notes, &seen),
        imports: seen.imports,
        limitations,
    };
    file.check()?;
    Ok(layout)
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

/// The strings that the dynamic section refers to.
struct Texts<'a> {
    dynamic: Option<&'a Dynamic>,
    strings: Vec<u8>,
}

impl<'a> Texts<'a> {
    fn read(
        file: &SourceFile,
        elf: &Elf,
        dynamic: Option<&'a Dynamic>,
        limitations: &mut Vec<String>,
    ) -> Result<Texts<'a>, ReadError> {
        let mut strings = Vec::new();
        if let Some(this) = dynamic {
            let mut damage = this.damage.clone().into_iter().collect();
            if let (Some(address), Some(size)) = (this.get(elf::DT_STRTAB), this.get(elf::DT_STRSZ))
            {
                strings = tables::piece(file, elf, address, size, &mut damage)?;
            }
            limitations.extend(
                damage
                    .into_iter()
                    .map(|why| format!("the dynamic section: {why}")),
            );
        }
        Ok(Texts { dynamic, strings })
    }

    fn all(&self, tag: elf::DynamicTag) -> Vec<String> {
        let text = |offset: u64| {
            u32::try_from(offset)
                .ok()
                .and_then(|offset| string_at(&self.strings, offset))
                .map(shown)
        };
        self.dynamic
            .map(|dynamic| dynamic.all(tag).filter_map(text).take(ROWS).collect())
            .unwrap_or_default()
    }

    fn first(&self, tag: elf::DynamicTag) -> Option<String> {
        self.all(tag).into_iter().next()
    }
}

fn interpreter(file: &SourceFile, elf: &Elf) -> Result<Option<String>, ReadError> {
    let Some(segment) = elf
        .segments
        .iter()
        .find(|segment| segment.kind == elf::PT_INTERP.0)
    else {
        return Ok(None);
    };
    if !file.holds(segment.offset, segment.file_size) {
        return Ok(None);
    }
    let bytes = file.read(segment.offset, segment.file_size.min(TEXT as u64 + 1))?;
    Ok(Some(shown(
        bytes.split(|byte| *byte == 0).next().unwrap_or(&[]),
    )))
}

/// A file name, zero, padding to four bytes, a CRC.
fn debug_link(file: &SourceFile, elf: &Elf) -> Result<Option<DebugLink>, ReadError> {
    let Some(Ok(bytes)) = elf
        .section_named(b".gnu_debuglink")
        .map(|section| elf.section_bytes(file, section))
        .transpose()?
    else {
        return Ok(None);
    };
    let Some(end) = memchr::memchr(0, &bytes) else {
        return Ok(None);
    };
    let crc = elf.shape.u32_at(&bytes, (end + 1).next_multiple_of(4));
    Ok(crc.map(|crc| DebugLink {
        file_name: shown(bytes.get(..end).unwrap_or(&[])),
        crc: Hex(crc.into()),
    }))
}

fn relocations(elf: &Elf, dynamic: Option<&Dynamic>) -> Listed<Relocations> {
    let word = elf.shape.word();
    let forms = |kind: u32| match kind {
        kind if kind == elf::SHT_REL.0 => Some(("rel", 2 * word)),
        kind if kind == elf::SHT_RELA.0 => Some(("rela", 3 * word)),
        kind if kind == elf::SHT_RELR.0 => Some(("relr", word)),
        _ => None,
    };
    let of_section = |section: &Section| {
        let (form, row) = forms(section.kind)?;
        Some(Relocations {
            table: shown(elf.section_name(section)),
            form: form.to_owned(),
            rows: section.size / row,
        })
    };
    let mut rows: Vec<Relocations> = elf.sections.iter().filter_map(of_section).collect();
    if elf.sections.is_empty()
        && let Some(dynamic) = dynamic
    {
        let plt = if dynamic.get(elf::DT_PLTREL) == Some(17) {
            ("rel", 2 * word)
        } else {
            ("rela", 3 * word)
        };
        let tables = [
            ("DT_REL", elf::DT_RELSZ, ("rel", 2 * word)),
            ("DT_RELA", elf::DT_RELASZ, ("rela", 3 * word)),
            ("DT_RELR", elf::DT_RELRSZ, ("relr", word)),
            ("DT_JMPREL", elf::DT_PLTRELSZ, plt),
        ];
        rows.extend(tables.into_iter().filter_map(|(table, size, (form, row))| {
            Some(Relocations {
                table: table.to_owned(),
                form: form.to_owned(),
                rows: dynamic.get(size)? / row,
            })
        }));
    }
    let total = rows.len() as u64;
    rows.truncate(ROWS);
    Listed { total, rows }
}

fn build(elf: &Elf, notes: &Notes, seen: &imports::Seen) -> Vec<crate::layout::Finding> {
    use crate::layout::Finding;
    let mut found = Vec::new();
    if elf.sections.is_empty() {
        found.push(Finding::new(
            "stripped",
            "yes",
            "there are no section headers",
        ));
    } else if seen.has_symtab {
        found.push(Finding::new("stripped", "no", "there is a .symtab"));
    } else {
        found.push(Finding::new("stripped", "yes", "there is no .symtab"));
    }
    let debug = [&b".debug_info"[..], b".zdebug_info"]
        .into_iter()
        .find(|name| elf.section_named(name).is_some());
    found.push(match debug {
        Some(name) => Finding::new(
            "debug-information",
            "yes",
            format!("there is a {}", escape::display(name)),
        ),
        None if elf.sections.is_empty() => Finding::new(
            "debug-information",
            "unknown",
            "there are no section headers",
        ),
        None => Finding::new("debug-information", "no", "there is no .debug_info"),
    });
    if let Some(version) = &notes.kernel {
        found.push(Finding::new("oldest-kernel", version, "NT_GNU_ABI_TAG"));
    }
    found
}

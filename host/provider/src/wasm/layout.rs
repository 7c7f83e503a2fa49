//! The layout of a module.

use wasmparser::{BinaryReader, ExportSectionReader, ExternalKind};

use super::imports;
use super::module::{Module, shown};
use super::sections::{self, Window};
use crate::file::SourceFile;
use crate::layout::{Finding, Hex, Import, Layout, LayoutHeader, LayoutSection};
use crate::{Identity, ReadError, escape};

/// Rows of a list.
const ROWS: usize = 2000;
/// Bytes of a text of the file that are shown.
const TEXT: usize = 1024;

/// Reads what the layout tells.
pub(crate) fn layout(
    module: &Module,
    file: &SourceFile,
    identity: &Identity,
) -> Result<Layout, ReadError> {
    let entry = match module.section(8) {
        Some(section) => Window::new(file).leb(section.offset)?,
        None => None,
    };
    let mut layout = Layout::new(
        identity,
        LayoutHeader {
            file_type: "module".to_owned(),
            entry: entry.map(|(function, _)| Hex(function.into())),
            ..LayoutHeader::default()
        },
    );
    layout.limitations.extend(module.damage.clone());
    layout.sections.total = module.sections.len() as u64;
    layout.sections.rows = (0u32..)
        .zip(&module.sections)
        .take(ROWS)
        .map(|(index, section)| LayoutSection {
            index,
            name: shown(section),
            kind: sections::kind(section.id),
            flags: String::new(),
            address: Hex(0),
            file_offset: Hex(file.base().saturating_add(section.offset)),
            size: Hex(section.size),
        })
        .collect();
    let imports = &mut layout.imports;
    let damage = imports::each(file, module, |import| {
        imports.total += 1;
        if imports.rows.len() < ROWS {
            imports.rows.push(Import {
                name: text(&import.name),
                version: None,
                library: Some(text(&import.module)),
                kind: import.kind.to_owned(),
                weak: false,
            });
        }
    })?;
    if let Some(why) = damage {
        layout.limitations.push(format!("import section: {why}"));
    }
    if let Some(section) = module.section(7) {
        let bytes = file.read(section.offset, section.size)?;
        let exports = &mut layout.exports;
        let result = ExportSectionReader::new(BinaryReader::new(&bytes, 0)).and_then(|rows| {
            for export in rows {
                exports.total += 1;
                match export?.kind {
                    ExternalKind::Func | ExternalKind::FuncExact => exports.functions += 1,
                    _ => exports.objects += 1,
                }
            }
            Ok(())
        });
        if let Err(error) = result {
            layout.limitations.push(format!(
                "export section: it can't be read to its end: {error}"
            ));
        }
    }
    let has = |name: &[u8]| module.custom(name).is_some();
    layout.build.push(if has(b"name") {
        Finding::new("stripped", "no", "there is a name section")
    } else {
        Finding::new("stripped", "yes", "there is no name section")
    });
    layout.build.push(if has(b".debug_info") {
        Finding::new("debug-information", "yes", "there is a .debug_info")
    } else {
        Finding::new("debug-information", "no", "there is no .debug_info")
    });
    for (what, total, listed) in [
        (
            "sections",
            layout.sections.total,
            layout.sections.rows.len(),
        ),
        ("imports", layout.imports.total, layout.imports.rows.len()),
    ] {
        if total > listed as u64 {
            layout
                .limitations
                .push(format!("{listed} of {total} {what} are listed"));
        }
    }
    file.check()?;
    Ok(layout)
}

/// A text of the file, escaped and bounded.
fn text(name: &str) -> String {
    let mut end = name.len().min(TEXT);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    let shown = escape::display(name.get(..end).unwrap_or("").as_bytes()).into_owned();
    if end < name.len() {
        format!("{shown}… ({} bytes)", name.len())
    } else {
        shown
    }
}

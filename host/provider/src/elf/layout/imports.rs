//! What an image takes from others and offers to them.

use super::{names, shown};
use crate::elf::Elf;
use crate::elf::header::string_at;
use crate::elf::symbols::SymbolTable;
use crate::layout::{Exports, Import, Listed};

/// Imports that are listed.
const ROWS: usize = 2000;
/// Names that are told as examples.
const EXAMPLES: usize = 5;

/// What the symbol tables say.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) imports: Listed<Import>,
    pub(super) exports: Exports,
    pub(super) has_symtab: bool,
    pub(super) has_tables: bool,
    /// A symbol that code with stack canaries refers to.
    pub(super) canary: Option<String>,
    /// Checked variants of functions (`__memcpy_chk`): how many, and some.
    pub(super) fortified: (u64, Vec<String>),
}

/// Walks the tables: the dynamic one for imports and exports, the other one for imports where there is no dynamic one.
pub(super) fn read(elf: &Elf, tables: &[SymbolTable]) -> Seen {
    let mut seen = Seen {
        imports: Listed {
            total: 0,
            rows: Vec::new(),
        },
        exports: Exports::default(),
        has_symtab: tables
            .iter()
            .any(|table| !table.dynamic && !table.rows.is_empty()),
        has_tables: tables.iter().any(|table| !table.rows.is_empty()),
        canary: None,
        fortified: (0, Vec::new()),
    };
    let has_dynamic = tables
        .iter()
        .any(|table| table.dynamic && !table.rows.is_empty());
    for table in tables {
        let lists = table.dynamic || !has_dynamic;
        elf.shape.each_symbol(&table.rows, |number, symbol| {
            let Some(name) = string_at(&table.strings, symbol.name)
                .filter(|name| number > 0 && !name.is_empty())
            else {
                return;
            };
            if matches!(
                name,
                b"__stack_chk_fail"
                    | b"__stack_chk_fail_local"
                    | b"__stack_chk_guard"
                    | b"__stack_smash_handler"
            ) && seen.canary.is_none()
            {
                seen.canary = Some(shown(name));
            }
            if lists && name.starts_with(b"__") && name.ends_with(b"_chk") {
                seen.fortified.0 += 1;
                if seen.fortified.1.len() < EXAMPLES {
                    seen.fortified.1.push(shown(name));
                }
            }
            if symbol.section != 0 {
                // Global, weak and unique; neither hidden nor internal.
                if table.dynamic
                    && symbol.bind != 0
                    && !matches!(symbol.other & 3, 1 | 2)
                    && symbol.kind != 3
                {
                    seen.exports.total += 1;
                    match symbol.kind {
                        2 | 10 => seen.exports.functions += 1,
                        1 | 5 | 6 => seen.exports.objects += 1,
                        _ => {}
                    }
                }
                return;
            }
            if !lists {
                return;
            }
            seen.imports.total += 1;
            if seen.imports.rows.len() < ROWS {
                let version = table
                    .versions
                    .of(elf.shape, number)
                    .ok()
                    .flatten()
                    .map(|(version, _)| usize::from(version));
                seen.imports.rows.push(Import {
                    name: shown(name),
                    version: version
                        .and_then(|version| table.versions.names.get(version))
                        .map(|name| shown(name)),
                    library: version
                        .and_then(|version| table.versions.libraries.get(version))
                        .filter(|name| !name.is_empty())
                        .map(|name| shown(name)),
                    kind: names::symbol(symbol.kind),
                    weak: symbol.bind == 2,
                });
            }
        });
    }
    seen
}

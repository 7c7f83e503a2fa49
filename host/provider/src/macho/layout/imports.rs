//! What an image takes from others and offers to them.

use super::shown;
use crate::layout::{Exports, Import, Listed};
use crate::macho::exports;
use crate::macho::header::Image;
use crate::macho::raw::{Symbol, desc};
use crate::macho::regions::Regions;
use crate::macho::symbols::SymbolTable;
use crate::macho::trie::{self, Export};

/// Imports that are listed.
const ROWS: usize = 2000;
/// Names that are told as examples.
const EXAMPLES: usize = 5;
/// A header's flag: each undefined symbol says which library it comes from.
const TWO_LEVEL: u32 = 0x80;

/// What the symbol table and the trie say.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) imports: Listed<Import>,
    pub(super) exports: Exports,
    pub(super) has_table: bool,
    /// Local symbols that are defined, apart from those for debuggers.
    pub(super) locals: u64,
    /// Symbols for debuggers.
    pub(super) stabs: u64,
    pub(super) canary: bool,
    pub(super) counting: bool,
    /// Checked variants of functions (`___memcpy_chk`): how many, and some.
    pub(super) fortified: (u64, Vec<String>),
}

pub(super) fn read(
    image: &Image,
    regions: &Regions,
    table: &SymbolTable,
    exported: &exports::Exports,
    limitations: &mut Vec<String>,
) -> Seen {
    let mut seen = Seen {
        imports: Listed {
            total: 0,
            rows: Vec::new(),
        },
        exports: Exports::default(),
        has_table: !table.rows.is_empty(),
        locals: 0,
        stabs: 0,
        canary: false,
        counting: false,
        fortified: (0, Vec::new()),
    };
    let by_trie = exported.source.is_some();
    image.shape.each_symbol(&table.rows, |_, symbol| {
        if symbol.is_stab() {
            seen.stabs += 1;
            return;
        }
        let Some(name) = table.name(symbol).filter(|name| !name.is_empty()) else {
            return;
        };
        if symbol.is_undefined() {
            seen.import(image, symbol, name);
        } else if !symbol.is_external() {
            seen.locals += u64::from(symbol.is_in_section());
        } else if !by_trie && !symbol.is_private_external() {
            seen.exports.total += 1;
            if symbol.is_in_section() {
                match regions.in_section(symbol.section, symbol.value) {
                    Some(_) => seen.exports.functions += 1,
                    None => seen.exports.objects += 1,
                }
            }
        }
    });
    if let (Some(source), Some(base)) = (exported.source, image.base()) {
        let exports = &mut seen.exports;
        let walked = trie::walk(&exported.bytes, |_, export| {
            exports.total += 1;
            match export {
                Export::Regular { offset, .. } => match regions.at(base.wrapping_add(offset)) {
                    Some(_) => exports.functions += 1,
                    None => exports.objects += 1,
                },
                Export::Resolver { .. } => exports.functions += 1,
                Export::ThreadLocal => exports.objects += 1,
                Export::Reexport | Export::Absolute => {}
            }
        });
        limitations.extend(
            walked
                .damage
                .into_iter()
                .map(|why| format!("{source}: {why}")),
        );
    }
    if seen.imports.total == 0 && image.commands.chained_fixups.is_some() && !image.is_object() {
        limitations.push(
            "imports are read from the symbol table, and it has none; those of LC_DYLD_CHAINED_FIXUPS are not listed"
                .to_owned(),
        );
    }
    seen
}

impl Seen {
    fn import(&mut self, image: &Image, symbol: Symbol, name: &[u8]) {
        self.canary |= matches!(name, b"___stack_chk_fail" | b"___stack_chk_guard");
        self.counting |= matches!(
            name,
            b"_objc_release" | b"_objc_retain" | b"_objc_storeStrong"
        );
        if name.starts_with(b"___") && name.ends_with(b"_chk") {
            self.fortified.0 += 1;
            if self.fortified.1.len() < EXAMPLES {
                self.fortified.1.push(shown(name));
            }
        }
        self.imports.total += 1;
        if self.imports.rows.len() < ROWS {
            self.imports.rows.push(Import {
                name: shown(name),
                version: None,
                library: (image.flags & TWO_LEVEL != 0)
                    .then(|| library(image, symbol))
                    .flatten(),
                kind: "untyped".to_owned(),
                weak: symbol.has(desc::WEAK_REFERENCE),
            });
        }
    }
}

/// The library of an undefined symbol, by its number from 1 on.
fn library(image: &Image, symbol: Symbol) -> Option<String> {
    match symbol.desc >> 8 {
        0 => None,
        0xfe => Some("any (looked up when the program runs)".to_owned()),
        0xff => Some("the program itself".to_owned()),
        number => image
            .commands
            .libraries
            .get(usize::from(number) - 1)
            .map(|library| shown(&library.name)),
    }
}

//! The symbol table: from rows to candidates for places.

use super::header::Image;
use super::raw::{Symbol, desc, string_at};
use super::regions::Regions;
use super::rows::{self, STRINGS};
use super::starts::Starts;
use crate::ReadError;
use crate::elf::is_fragment;
use crate::file::SourceFile;
use crate::inventory::{Candidate, Mode, NameRow, ProcedureKind, TextTable, flag};

/// The symbol table as bytes.
#[derive(Debug)]
pub(crate) struct SymbolTable {
    pub(crate) rows: Vec<u8>,
    pub(crate) strings: Vec<u8>,
    pub(crate) text: TextTable,
    /// Why it is not the whole table.
    pub(crate) damage: Vec<String>,
}

impl SymbolTable {
    /// Reads what there is of it; without one the table is empty.
    pub(crate) fn read(file: &SourceFile, image: &Image) -> Result<SymbolTable, ReadError> {
        let window = image.window(file);
        let mut damage = Vec::new();
        let (mut rows, mut strings, mut offset) = (Vec::new(), Vec::new(), 0);
        if let Some(symtab) = image.commands.symtab {
            let size = u64::from(symtab.count) * image.shape.symbol_size() as u64;
            rows = window.table("the symbol table", symtab.symbols, size, &mut damage)?;
            strings = window.table(
                "the string table",
                symtab.strings.offset,
                symtab.strings.size,
                &mut damage,
            )?;
            offset = symtab.strings.offset;
        }
        Ok(SymbolTable {
            text: TextTable {
                file_offset: if strings.is_empty() {
                    0
                } else {
                    window.absolute(offset)
                },
                len: strings.len() as u64,
            },
            rows,
            strings,
            damage,
        })
    }

    /// The name of a symbol: empty without one, `None` if it runs out of the strings.
    pub(crate) fn name(&self, symbol: Symbol) -> Option<&[u8]> {
        if symbol.name == 0 {
            return Some(&[]);
        }
        let at = symbol.name as usize;
        // The last string of a table may lack its end where a tool cut the padding.
        string_at(&self.strings, at).or_else(|| {
            self.strings
                .get(at..)
                .filter(|rest| !rest.is_empty() && self.damage.is_empty())
        })
    }

    /// The symbol of that number.
    pub(crate) fn symbol(&self, image: &Image, number: u32) -> Option<Symbol> {
        let size = image.shape.symbol_size();
        let at = (number as usize).checked_mul(size)?;
        image
            .shape
            .symbol(self.rows.get(at..at.checked_add(size)?)?)
    }
}

/// What a walk over the table found besides candidates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    pub(crate) rows: u64,
    /// Symbols of sections with code whose address lies outside everything executable.
    pub(crate) outside: u64,
    pub(crate) damaged_names: u64,
    /// Local symbols that are defined.
    pub(crate) locals: u64,
    /// Methods of Objective-C (`-[Class selector]`).
    pub(crate) methods: u64,
}

/// Adds a candidate for every function and label of the table.
pub(crate) fn walk(
    image: &Image,
    regions: &Regions,
    starts: &Starts,
    table: &SymbolTable,
    candidates: &mut Vec<Candidate>,
) -> Found {
    let mut found = Found::default();
    image.shape.each_symbol(&table.rows, |_, symbol| {
        found.rows += 1;
        if !symbol.is_in_section() {
            return;
        }
        let name = table.name(symbol);
        if name.is_none() {
            found.damaged_names += 1;
        }
        let name = name.unwrap_or(&[]);
        if is_header(name) {
            return;
        }
        found.locals += u64::from(!symbol.is_external());
        let is_arm = image.machine.is_arm();
        let address = if is_arm {
            symbol.value & !1
        } else {
            symbol.value
        };
        // Tools that edit a linked image may leave the section behind; the address is what counts.
        let region = regions
            .in_section(symbol.section, address)
            .or_else(|| regions.at(address).filter(|_| !image.is_object()));
        let Some(region) = region else {
            if regions.is_code_section(symbol.section) {
                found.outside += 1;
            }
            return;
        };
        if is_assembler_label(image, symbol, name) {
            return;
        }
        found.methods += u64::from(is_method(name));
        let kind = if symbol.has(desc::RESOLVER) && image.is_object() {
            ProcedureKind::IfuncResolver
        } else if regions.is_stubs(region) {
            ProcedureKind::ImportStub
        } else if (symbol.has(desc::ALT_ENTRY) && image.is_object()) || starts.deny(address) {
            ProcedureKind::Label
        } else if is_fragment(name) {
            ProcedureKind::Fragment
        } else {
            ProcedureKind::Function
        };
        let thumb = symbol.has(desc::THUMB) || symbol.value & 1 == 1 || starts.is_thumb(address);
        candidates.push(Candidate {
            address,
            size: 0,
            region,
            kind,
            mode: is_arm.then_some(if thumb { Mode::Thumb } else { Mode::Arm }),
            name: (!name.is_empty()).then(|| row(symbol, name, kind)),
            inferred: false,
        });
    });
    found
}

fn row(symbol: Symbol, name: &[u8], kind: ProcedureKind) -> NameRow {
    let mut flags = STRINGS | flag::SYMTAB;
    flags |= rows::binding(match symbol.is_external() {
        false => 2,
        true => u16::from(symbol.has(desc::WEAK_DEFINITION)),
    });
    if symbol.is_private_external() {
        flags |= flag::RESTRICTED;
    }
    if kind == ProcedureKind::Label {
        flags |= flag::UNTYPED;
    }
    rows::row(symbol.name, name, flags)
}

/// The image's own header, which a linker gives a symbol in the section of code.
pub(crate) fn is_header(name: &[u8]) -> bool {
    name == b"___dso_handle" || (name.starts_with(b"__mh_") && name.ends_with(b"_header"))
}

/// A method of Objective-C.
fn is_method(name: &[u8]) -> bool {
    matches!(name, [b'-' | b'+', b'[', .., b']'])
}

/// Labels that an assembler made for itself: `ltmp0`; in object files also what begins with `L`.
fn is_assembler_label(image: &Image, symbol: Symbol, name: &[u8]) -> bool {
    if symbol.is_external() {
        return false;
    }
    let numbered = name
        .strip_prefix(b"ltmp")
        .is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit));
    numbered || (image.is_object() && name.starts_with(b"L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// cle 769, 796: which rows of the symbol table are functions.
    #[test]
    fn cle_769_the_header_is_no_function() {
        assert!(is_header(b"__mh_execute_header") && is_header(b"__mh_dylib_header"));
        assert!(!is_header(b"__mh_execute_headers") && !is_header(b"_main"));
        assert!(is_method(b"-[NSString length]") && is_method(b"+[A b:c:]"));
        assert!(!is_method(b"-[") && !is_method(b"_f"));
    }
}

//! Symbols: from rows to candidates for places.

use std::collections::HashSet;

use super::machine::is_arm;
use super::raw::{u8_at, u16_at, u32_at};
use super::regions::Regions;
use super::section::Section;
use super::table::SymbolTable;
use crate::elf::is_fragment;
use crate::inventory::{Candidate, Mode, NameRow, ProcedureKind, flag, name_row};

const EXTERNAL: u8 = 2;
const STATIC: u8 = 3;
const LABEL: u8 = 6;
const WEAK: u8 = 105;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    pub(crate) number: usize,
    pub(crate) value: u32,
    /// The section it is defined in, from 1; 0 for none; -1 absolute, -2 for debuggers.
    pub(crate) section: i32,
    pub(crate) kind: u16,
    pub(crate) class: u8,
    /// Rows behind it that belong to it.
    pub(crate) aux: u8,
}

impl Symbol {
    /// Whether its type says that it is a function.
    pub(crate) fn is_function(self) -> bool {
        (self.kind >> 4) & 3 == 2
    }

    /// Whether another file has to define it.
    pub(crate) fn is_undefined(self) -> bool {
        self.section == 0 && self.class == EXTERNAL && self.value == 0
    }

    /// Whether it is weak: the linker takes another definition, or the default that it names.
    pub(crate) fn is_weak(self) -> bool {
        self.class == WEAK
    }
}

/// What a walk over a table found besides candidates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// Rows, those that belong to others not counted.
    pub(crate) rows: u64,
    /// Function symbols outside everything executable.
    pub(crate) outside: u64,
    /// Names that run out of the string table.
    pub(crate) damaged_names: u64,
    /// Symbols that name a function or a label.
    pub(crate) named: u64,
}

/// Calls for every symbol of a table.
pub(crate) fn each(table: &SymbolTable, mut call: impl FnMut(Symbol)) {
    let mut number = 0usize;
    while number < table.rows {
        let Some(symbol) = read(table, number) else {
            break;
        };
        call(symbol);
        number = number.saturating_add(1).saturating_add(symbol.aux.into());
    }
}

fn read(table: &SymbolTable, number: usize) -> Option<Symbol> {
    let at = number.checked_mul(table.place.row())?;
    let bytes = table.bytes.get(at..at.checked_add(table.place.row())?)?;
    let (section, rest) = if table.place.big {
        (u32_at(bytes, 12)?.cast_signed(), 16)
    } else {
        (signed(u16_at(bytes, 12)?), 14)
    };
    Some(Symbol {
        number,
        value: u32_at(bytes, 8)?,
        section,
        kind: u16_at(bytes, rest)?,
        class: u8_at(bytes, rest + 2)?,
        aux: u8_at(bytes, rest + 3)?,
    })
}

/// Section numbers of 16 bits go up to 65,279; what is above counts backwards from 0.
fn signed(section: u16) -> i32 {
    if section > 0xfeff {
        i32::from(section.cast_signed())
    } else {
        i32::from(section)
    }
}

/// What a walk needs.
pub(crate) struct Walk<'a> {
    pub(crate) regions: &'a Regions,
    pub(crate) sections: &'a [Section],
    pub(crate) machine: u16,
    /// Number of the table's strings in the document.
    pub(crate) table: u16,
}

impl Walk<'_> {
    /// Adds a candidate for every function and label of a table.
    pub(crate) fn run(&self, table: &SymbolTable, candidates: &mut Vec<Candidate>) -> Found {
        let mut found = Found::default();
        // Bodies of weak symbols: the weak one has the name that counts.
        let mut bodies: HashSet<usize> = HashSet::new();
        each(table, |symbol| {
            if symbol.is_weak() && symbol.section == 0 {
                let body = self.stand_in(table, symbol);
                bodies.extend(
                    body.filter(|body| is_body_of(table, *body, symbol))
                        .map(|body| body.number),
                );
            }
        });
        each(table, |symbol| {
            found.rows += 1;
            if !bodies.contains(&symbol.number) {
                self.take(table, symbol, candidates, &mut found);
            }
        });
        found
    }

    fn take(
        &self,
        table: &SymbolTable,
        symbol: Symbol,
        candidates: &mut Vec<Candidate>,
        found: &mut Found,
    ) {
        let binding = match symbol.class {
            EXTERNAL => 0,
            WEAK => 1,
            STATIC | LABEL => 2,
            // Files, sections, blocks, begins and ends of functions, members of structures.
            _ => return,
        };
        // A weak symbol that is defined nowhere names, in the row behind it, the symbol that stands in for it.
        let body = if symbol.class == WEAK && symbol.section == 0 {
            match self.stand_in(table, symbol) {
                Some(body) => body,
                None => return,
            }
        } else {
            symbol
        };
        if body.section <= 0 {
            return;
        }
        let typed = symbol.is_function() || body.is_function();
        let place = u32::try_from(body.section)
            .ok()
            .and_then(|section| self.regions.in_section(section, body.value.into()));
        let Some((address, region)) = place else {
            if typed {
                found.outside += 1;
            }
            return;
        };
        let Ok((at, name)) = table.name(symbol.number) else {
            found.damaged_names += 1;
            if typed {
                candidates.push(self.candidate(address, 0, region, ProcedureKind::Function, None));
            }
            return;
        };
        if name.is_empty() || (!typed && self.names_no_code(symbol, name)) {
            return;
        }
        let kind = match typed {
            _ if is_fragment(name) => ProcedureKind::Fragment,
            true => ProcedureKind::Function,
            false => ProcedureKind::Label,
        };
        let Ok(offset) = u32::try_from(at) else {
            return;
        };
        let mut row = name_row(name, offset, self.table);
        row.flags |= flag::SYMTAB | (binding << flag::BINDING_SHIFT);
        if !typed {
            row.flags |= flag::UNTYPED;
        }
        found.named += 1;
        let size = if typed { self.size(table, symbol) } else { 0 };
        candidates.push(self.candidate(address, size, region, kind, Some(row)));
    }

    fn candidate(
        &self,
        address: u64,
        size: u64,
        region: u32,
        kind: ProcedureKind,
        name: Option<NameRow>,
    ) -> Candidate {
        let is_arm = is_arm(self.machine);
        Candidate {
            address: if is_arm { address & !1 } else { address },
            size,
            region,
            kind,
            mode: is_arm.then_some(Mode::Thumb),
            name,
            inferred: false,
        }
    }

    /// The symbol that a weak one falls back to.
    fn stand_in(&self, table: &SymbolTable, symbol: Symbol) -> Option<Symbol> {
        if symbol.aux == 0 {
            return None;
        }
        let at = symbol
            .number
            .checked_add(1)?
            .checked_mul(table.place.row())?;
        let tag = u32_at(&table.bytes, at)? as usize;
        // A linker copies the row number into an image, where it means nothing: there the names must fit too.
        read(table, tag).filter(|body| {
            body.section > 0
                && tag < table.rows
                && (self.regions.is_object() || is_body_of(table, *body, symbol))
        })
    }

    /// Bytes of a function by the row behind its symbol; compilers mostly leave it 0.
    fn size(&self, table: &SymbolTable, symbol: Symbol) -> u64 {
        let aux = || {
            let at = symbol
                .number
                .checked_add(1)?
                .checked_mul(table.place.row())?;
            u32_at(&table.bytes, at.checked_add(4)?)
        };
        let room = usize::try_from(symbol.section)
            .ok()
            .and_then(|section| self.regions.list.get(section.checked_sub(1)?))
            .map_or(0, |region| region.size.saturating_sub(symbol.value.into()));
        let size = if symbol.aux > 0 && symbol.class != WEAK {
            u64::from(aux().unwrap_or(0))
        } else {
            0
        };
        if size <= room { size } else { 0 }
    }

    /// Symbols of sections, and labels that an assembler made for itself.
    fn names_no_code(&self, symbol: Symbol, name: &[u8]) -> bool {
        if symbol.class != STATIC && symbol.class != LABEL {
            return false;
        }
        let of_section = || {
            usize::try_from(symbol.section)
                .ok()
                .and_then(|section| self.sections.get(section.checked_sub(1)?))
                .is_some_and(|section| section.name == name)
        };
        symbol.aux > 0
            || name.starts_with(b".L")
            || name == b".text"
            || name.starts_with(b".text$")
            || name.starts_with(b".text.")
            || of_section()
    }
}

/// Whether a symbol is called `.weak.NAME.UNIT` or `.weak.NAME.default.UNIT`, as GNU tools call the body of a weak function
/// `NAME`.
fn is_body_of(table: &SymbolTable, body: Symbol, weak: Symbol) -> bool {
    let (Ok((_, body)), Ok((_, weak))) = (table.name(body.number), table.name(weak.number)) else {
        return false;
    };
    body.strip_prefix(b".weak.")
        .and_then(|rest| rest.strip_prefix(weak))
        .is_some_and(|rest| rest.starts_with(b"."))
}

//! Symbol tables: from rows to candidates for places.

use object::elf;

use super::Elf;
use super::descriptors::Descriptors;
use super::names::{is_assembler_label, is_fragment, is_mapping};
use super::raw::Symbol;
use super::regions::Regions;
use super::versions::Versions;
use crate::escape;
use crate::inventory::{
    Candidate, Mode, NameRow, OFFERED_LIMIT, ProcedureKind, Style, TextTable, flag, name_row,
};

/// A symbol table as bytes.
#[derive(Debug)]
pub(crate) struct SymbolTable {
    /// What it is called: `.symtab`, `.dynsym`, `DT_SYMTAB`.
    pub(crate) source: String,
    pub(crate) dynamic: bool,
    pub(crate) rows: Vec<u8>,
    /// The section numbers of symbols that don't fit into 16 bits.
    pub(crate) sections: Vec<u8>,
    /// Its string table, and where that stands.
    pub(crate) strings: Vec<u8>,
    pub(crate) text: TextTable,
    pub(crate) versions: Versions,
    /// Why it is not the whole table.
    pub(crate) damage: Vec<String>,
}

/// What a walk over a table found besides candidates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// Rows, without the empty first one.
    pub(crate) rows: u64,
    /// Function symbols outside everything executable.
    pub(crate) outside: u64,
    /// Function symbols that lie in a table of descriptors (`.opd`).
    pub(crate) descriptors: u64,
    /// Undefined symbols.
    pub(crate) imports: u64,
    /// Names that run out of the string table.
    pub(crate) damaged_names: u64,
    /// Symbols whose version number no table explains.
    pub(crate) damaged_versions: u64,
}

/// What a walk needs of the file.
pub(crate) struct Walk<'a> {
    pub(crate) elf: &'a Elf,
    pub(crate) regions: &'a Regions,
    pub(crate) descriptors: &'a Descriptors,
    /// The table is of another file: addresses are the same, numbers of sections are not.
    pub(crate) is_foreign: bool,
    /// Number of the table's strings in the document.
    pub(crate) table: u16,
    /// The flag of its names' source.
    pub(crate) source: u16,
    /// Where the table's versions begin in the document's list.
    pub(crate) first_version: u16,
}

impl Walk<'_> {
    /// Adds a candidate for every function and label of a table.
    pub(crate) fn run(&self, table: &SymbolTable, candidates: &mut Vec<Candidate>) -> Found {
        let mut found = Found::default();
        let shape = self.elf.shape;
        shape.each_symbol(&table.rows, |number, symbol| {
            if number == 0 {
                return;
            }
            found.rows += 1;
            self.take(table, number, symbol, candidates, &mut found);
        });
        found
    }

    fn take(
        &self,
        table: &SymbolTable,
        number: usize,
        symbol: Symbol,
        candidates: &mut Vec<Candidate>,
        found: &mut Found,
    ) {
        if symbol.section == elf::SHN_UNDEF.0 {
            found.imports += 1;
            return;
        }
        let is_arm = self.elf.is_arm();
        // 13 is STT_ARM_TFUNC, Thumb code of the first ARM tools.
        let typed = matches!(symbol.kind, 2 | 10) || (is_arm && symbol.kind == 13);
        if !typed && symbol.kind != 0 {
            return;
        }
        let symbol = match self.descriptors.follow(self.elf, symbol) {
            Some(code) if typed => code,
            _ => symbol,
        };
        let thumb = is_arm && typed && (symbol.value & 1 == 1 || symbol.kind == 13);
        let address = if is_arm && typed {
            symbol.value & !1
        } else {
            symbol.value
        };
        let Some(region) = self.region(table, number, symbol, address) else {
            if typed {
                match self.in_descriptors(symbol) {
                    true => found.descriptors += 1,
                    false => found.outside += 1,
                }
            }
            return;
        };
        let Some(name) = self.name(table, symbol, found) else {
            if typed {
                candidates.push(self.candidate(
                    symbol,
                    address,
                    region,
                    ProcedureKind::Function,
                    is_arm,
                    thumb,
                    None,
                ));
            }
            return;
        };
        let local = symbol.bind == 0;
        if !typed
            && (name.is_empty()
                || (local
                    && (is_mapping(name, self.elf.header.machine) || is_assembler_label(name))))
        {
            return;
        }
        let kind = match symbol.kind {
            0 => ProcedureKind::Label,
            10 => ProcedureKind::IfuncResolver,
            _ if is_fragment(name) => ProcedureKind::Fragment,
            _ => ProcedureKind::Function,
        };
        let candidate =
            |name| self.candidate(symbol, address, region, kind, is_arm && typed, thumb, name);
        if name.is_empty() {
            candidates.push(candidate(None));
            return;
        }
        let row = self.row(symbol, name);
        let version = table
            .versions
            .of(self.elf.shape, number)
            .unwrap_or_else(|()| {
                found.damaged_versions += 1;
                None
            });
        let Some((version, style)) = version else {
            candidates.push(candidate(Some(row)));
            return;
        };
        let bare_of = if style == Style::Hidden {
            flag::BARE_OF_HIDDEN
        } else {
            0
        };
        candidates.push(candidate(Some(NameRow {
            flags: row.flags | bare_of,
            ..row
        })));
        let bytes = table
            .versions
            .names
            .get(usize::from(version))
            .map_or(&[][..], |bytes| bytes);
        let mut flags = row.flags
            | if style == Style::Hidden {
                1 << flag::STYLE_SHIFT
            } else {
                2 << flag::STYLE_SHIFT
            };
        if std::str::from_utf8(bytes).is_err()
            || name.len() + bytes.len() + style.separator().len() > OFFERED_LIMIT
        {
            flags &= !flag::OFFERED;
        }
        if !escape::is_plain_ascii(bytes) {
            flags &= !flag::PLAIN;
        }
        candidates.push(candidate(Some(NameRow {
            flags,
            version: self.first_version.saturating_add(version),
            ..row
        })));
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the columns of one row, passed on once"
    )]
    fn candidate(
        &self,
        symbol: Symbol,
        address: u64,
        region: u32,
        kind: ProcedureKind,
        has_mode: bool,
        thumb: bool,
        name: Option<NameRow>,
    ) -> Candidate {
        let mode = has_mode.then_some(if thumb { Mode::Thumb } else { Mode::Arm });
        Candidate {
            address,
            size: symbol.size,
            region,
            kind,
            mode,
            name,
            inferred: false,
        }
    }

    fn row(&self, symbol: Symbol, name: &[u8]) -> NameRow {
        let row = name_row(name, symbol.name, self.table);
        let mut flags = row.flags | self.source;
        let binding = match symbol.bind {
            0 => 2,
            2 => 1,
            _ => 0,
        };
        flags |= binding << flag::BINDING_SHIFT;
        if symbol.kind == 0 {
            flags |= flag::UNTYPED;
        }
        // Hidden and internal; protected is as visible as default.
        if matches!(symbol.other & 3, 1 | 2) {
            flags |= flag::RESTRICTED;
        }
        NameRow { flags, ..row }
    }

    /// The name; `None` if it runs out of the string table.
    fn name<'t>(
        &self,
        table: &'t SymbolTable,
        symbol: Symbol,
        found: &mut Found,
    ) -> Option<&'t [u8]> {
        if symbol.name == 0 {
            return Some(&[]);
        }
        let name = super::header::string_at(&table.strings, symbol.name);
        if name.is_none() {
            found.damaged_names += 1;
        }
        name
    }

    /// The executable region of a defined symbol.
    fn region(
        &self,
        table: &SymbolTable,
        number: usize,
        symbol: Symbol,
        address: u64,
    ) -> Option<u32> {
        let section = match symbol.section {
            section if section == elf::SHN_XINDEX.0 => self
                .elf
                .shape
                .u32_at(&table.sections, number.checked_mul(4)?)?,
            section if section >= elf::SHN_LORESERVE => return None,
            section => u32::from(section),
        };
        if self.elf.is_relocatable() {
            return self.regions.in_section(section, address);
        }
        if self.is_foreign {
            return self.regions.at(address);
        }
        // Tools that edit a linked file may leave the section behind; the address is what counts.
        self.regions
            .in_section(section, address)
            .or_else(|| self.regions.at(address))
    }

    fn in_descriptors(&self, symbol: Symbol) -> bool {
        self.elf.header.machine == elf::EM_PPC64.0
            && self
                .elf
                .sections
                .get(usize::from(symbol.section))
                .is_some_and(|section| self.elf.section_name(section) == b".opd")
    }
}

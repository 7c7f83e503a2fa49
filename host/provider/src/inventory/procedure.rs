//! A procedure as it is told to a caller.

use crate::escape;
use crate::{Document, ReadError};

use super::row::{Style, flag};
use super::text::Reader;

/// What kind of place it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProcedureKind {
    /// A symbol says that it is a function.
    Function,
    /// A function that picks the implementation of another one when the program is loaded (STT_GNU_IFUNC, or a resolver of
    /// Mach-O). The name is the
    /// other one's, the code the picker's.
    IfuncResolver,
    /// A piece of code that jumps to an imported function.
    ImportStub,
    /// A part that a compiler moved out of a function (`.cold`, `.part.N`).
    Fragment,
    /// A symbol without a type in executable code: a function written in assembler, or a label inside a function.
    Label,
    /// No symbol names it: unwind information, the entry point, the dynamic section or a linker's list of functions says that
    /// code starts here.
    Inferred,
}

impl ProcedureKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [ProcedureKind; 6] = [
        ProcedureKind::Function,
        ProcedureKind::IfuncResolver,
        ProcedureKind::ImportStub,
        ProcedureKind::Fragment,
        ProcedureKind::Label,
        ProcedureKind::Inferred,
    ];
}

/// The instruction set of a place, where a file may hold two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// 32-bit ARM instructions.
    Arm,
    /// Thumb instructions. Bit 0 of the symbol's value said so; it is not part of the address.
    Thumb,
}

/// Who sees a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Binding {
    /// Everyone (also STB_GNU_UNIQUE).
    Global,
    /// Everyone, unless there is a global one.
    Weak,
    /// The unit that defines it.
    Local,
}

/// The version of a dynamic symbol.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SymbolVersion {
    /// Its name, escaped if it isn't printable.
    pub name: String,
    /// Whether a linker takes this one (`@@`). Otherwise it is hidden (`@`).
    pub is_default: bool,
}

/// The symbol tables in which a name stands; neither, if it stands in other metadata (methods of Objective-C).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct NameSources {
    /// `.symtab`; in Mach-O the symbol table.
    pub symtab: bool,
    /// `.dynsym`; in Mach-O the exports trie.
    pub dynsym: bool,
}

/// One name of a procedure.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ProcedureName {
    /// The raw (mangled) name, with its version if the row has one (`f@@V2`), escaped where it isn't printable.
    pub text: String,
    /// Whether `text` is escaped, so that it is not the name itself.
    pub escaped: bool,
    /// The version it is spelled with.
    pub version: Option<SymbolVersion>,
    /// Who sees it.
    pub binding: Binding,
    /// Where it stands.
    pub sources: NameSources,
    /// Whether the index is given this name: it is UTF-8 and not longer than 65,536 bytes.
    pub offered: bool,
}

/// A procedure: a place and its names.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Procedure {
    /// The number of the place.
    pub place: u32,
    /// How it is spelled.
    pub spelling: String,
    /// The address: virtual, or in a relocatable file the offset in the section.
    pub address: u64,
    /// The section's name, or `segment N`.
    pub section: String,
    /// Where it stands in the file, if it does.
    pub file_offset: Option<u64>,
    /// Bytes it takes, if a symbol, unwind information or the next start says so.
    pub size: Option<u64>,
    /// Whether the size comes from unwind information.
    pub size_is_unwind: bool,
    /// Whether the size is what there is up to the next procedure, or the end of the section, padding included: Mach-O
    /// tells no sizes.
    pub size_reaches_next: bool,
    /// What it is.
    pub kind: ProcedureKind,
    /// The instruction set, on 32-bit ARM.
    pub mode: Option<Mode>,
    /// Its names, the primary one first, at most 256.
    pub names: Vec<ProcedureName>,
    /// How many names it has.
    pub names_total: u32,
}

/// A page of procedures.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ProcedurePage {
    /// The number of the first place asked for.
    pub first: u32,
    /// All places of the document.
    pub total: u32,
    /// The procedures.
    pub rows: Vec<Procedure>,
}

/// A procedure with thousands of aliases doesn't fill an answer.
const NAMES_LIMIT: usize = 256;

impl Document {
    /// The procedures from number `first` on, at most `limit`, in the order of their places.
    ///
    /// Fails only after [`release_text`](Self::release_text), if the file changed or can't be read.
    pub fn procedures(&self, first: u32, limit: u32) -> Result<ProcedurePage, ReadError> {
        let total = self.extent.places;
        let reader = self.text.reader();
        let rows = (first.min(total)..first.saturating_add(limit).min(total))
            .map(|place| self.describe(&reader, place))
            .collect::<Result<_, _>>()?;
        reader.finish()?;
        Ok(ProcedurePage { first, total, rows })
    }

    /// One procedure by the number of its place. `Damaged` if there is none of that number.
    pub fn procedure(&self, place: u32) -> Result<Procedure, ReadError> {
        let reader = self.text.reader();
        let procedure = self.describe(&reader, place)?;
        reader.finish()?;
        Ok(procedure)
    }

    pub(super) fn describe(
        &self,
        reader: &Reader<'_>,
        number: u32,
    ) -> Result<Procedure, ReadError> {
        let place = self
            .places
            .get(number as usize)
            .ok_or_else(|| ReadError::Damaged(format!("there is no place {number}")))?;
        let region = self.regions.get(place.region as usize);
        let range = self.name_range(number);
        let names_total = u32::try_from(range.len()).unwrap_or(u32::MAX);
        let names = range
            .take(NAMES_LIMIT)
            .map(|row| self.describe_name(reader, row))
            .collect::<Result<_, _>>()?;
        let mut spelling = String::new();
        self.spell(place, &mut spelling);
        Ok(Procedure {
            place: number,
            spelling,
            address: place.address,
            section: region.map(super::Region::shown).unwrap_or_default(),
            file_offset: region.and_then(|region| {
                region
                    .file_offset?
                    .checked_add(place.address.checked_sub(region.address)?)
            }),
            size: (place.size != 0).then_some(place.size),
            size_is_unwind: place.size_is_unwind && !self.sizes_reach_next,
            size_reaches_next: place.size != 0 && self.sizes_reach_next,
            kind: place.kind,
            mode: place.mode,
            names,
            names_total,
        })
    }

    pub(super) fn describe_name(
        &self,
        reader: &Reader<'_>,
        row: usize,
    ) -> Result<ProcedureName, ReadError> {
        let row = self
            .names
            .get(row)
            .copied()
            .ok_or_else(|| ReadError::Damaged("there is no such name".to_owned()))?;
        let raw = reader.raw(row)?;
        let mut text = escape::display(&raw).into_owned();
        let version = row
            .version()
            .and_then(|version| self.versions.get(usize::from(version)))
            .map(|version| {
                let name = escape::display(version).into_owned();
                text.push_str(row.style().separator());
                text.push_str(&name);
                SymbolVersion {
                    name,
                    is_default: row.style() == Style::Default,
                }
            });
        Ok(ProcedureName {
            text,
            escaped: !row.has(flag::PLAIN),
            version,
            binding: match row.binding() {
                0 => Binding::Global,
                1 => Binding::Weak,
                _ => Binding::Local,
            },
            sources: NameSources {
                symtab: row.has(flag::SYMTAB),
                dynsym: row.has(flag::DYNSYM),
            },
            offered: row.has(flag::OFFERED),
        })
    }
}

//! What an image takes from others and offers to them.

use super::super::exports::{Exports, Slot};
use super::super::imports::{Imports, Wanted};
use super::super::memory::Memory;
use crate::ReadError;
use crate::coff::regions::Regions;
use crate::coff::{self, shown};
use crate::file::SourceFile;
use crate::layout;
use crate::layout::{Import, Listed, PeExports, PeForwarder};

/// The imports, as they are listed.
pub(super) fn listed(imports: &Imports) -> Listed<Import> {
    let row = |import: &super::super::imports::Import| {
        let library = imports.libraries.get(import.library as usize);
        let (name, how) = match &import.what {
            Wanted::Name(name) => (shown(name), "by-name"),
            Wanted::Ordinal(number) => (format!("#{number}"), "by-ordinal"),
        };
        let delayed = library.is_some_and(|library| library.delayed);
        Import {
            name,
            version: None,
            library: library.map(|library| shown(&library.name)),
            kind: if delayed {
                format!("delayed-{how}")
            } else {
                how.to_owned()
            },
            weak: false,
        }
    };
    Listed {
        total: imports.list.len() as u64,
        rows: imports.list.iter().take(coff::IMPORTS).map(row).collect(),
    }
}

/// What is exported.
#[derive(Debug, Default)]
pub(super) struct Offered {
    /// What the library calls itself.
    pub(super) name: Option<String>,
    pub(super) counts: layout::Exports,
    pub(super) exports: Option<PeExports>,
}

/// Counts exports and lists forwarders.
pub(super) fn offered(
    file: &SourceFile,
    memory: &mut Memory<'_>,
    exports: &Exports,
) -> Result<Offered, ReadError> {
    let regions = Regions::of(file, &memory.pe.sections, Some(memory.pe.image_base));
    let is_arm = memory.pe.is_arm();
    let is_code = |slot: &Slot| {
        let rva = if is_arm { slot.rva & !1 } else { slot.rva };
        regions.at_rva(rva).is_some()
    };
    let own = || exports.slots.iter().filter(|slot| !slot.is_forwarder);
    let functions = own().filter(|slot| is_code(slot)).count() as u64;
    let forwarders = exports.slots.iter().filter(|slot| slot.is_forwarder);
    let mut rows = Vec::new();
    for slot in forwarders.clone().take(coff::ROWS) {
        let position = exports
            .slots
            .binary_search_by_key(&slot.index, |other| other.index)
            .ok();
        let named = exports
            .names
            .iter()
            .find(|named| Some(named.slot as usize) == position)
            .filter(|_| slot.named);
        let name = match named {
            Some(named) => memory.text(named.name_rva)?.map(shown),
            None => None,
        };
        rows.push(PeForwarder {
            ordinal: exports.ordinal(*slot),
            name,
            target: memory.text(slot.rva)?.map(shown).unwrap_or_default(),
        });
    }
    let name = memory.text(exports.name_rva)?;
    Ok(Offered {
        name: name.filter(|name| !name.is_empty()).map(shown),
        counts: layout::Exports {
            total: exports.slots.len() as u64,
            functions,
            objects: (own().count() as u64).saturating_sub(functions),
        },
        exports: Some(PeExports {
            ordinal_base: exports.ordinal_base,
            slots: exports.total,
            empty: exports.total.saturating_sub(exports.slots.len() as u64),
            names: exports.names.len() as u64,
            ordinal_only: exports.slots.iter().filter(|slot| !slot.named).count() as u64,
            forwarders: Listed {
                total: forwarders.count() as u64,
                rows,
            },
        }),
    })
}

//! A member of an import library: the name of a function or datum in a DLL, from which a linker makes a stub.

use std::sync::Arc;

use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::image::Traits;
use crate::inventory::{
    Candidate, Document, Parts, ProcedureKind, Region, TextTable, assemble, flag, name_row,
};
use crate::{ReadError, coff};

/// What it says.
#[derive(Debug)]
pub(super) struct Import {
    machine: u16,
    is_code: bool,
    /// The symbol that a linker offers.
    symbol: Vec<u8>,
    /// How the library calls it: a name, or `#7`.
    pub(super) name: Vec<u8>,
    pub(super) library: Vec<u8>,
}

/// Bytes before the names.
const HEADER: u32 = 20;
/// Names are read up to this many bytes.
const NAMES: u64 = 1 << 20;

impl Import {
    pub(super) fn parse(file: &SourceFile) -> Result<Option<Import>, ReadError> {
        let bytes = file.read(0, file.len().min(NAMES))?;
        Ok(coff::import::parse(&bytes).map(|import| Import {
            machine: import.machine,
            is_code: import.is_code,
            symbol: import.symbol.to_vec(),
            name: match import.import_name {
                Some(name) => name.to_vec(),
                None => format!("#{}", import.ordinal_or_hint).into_bytes(),
            },
            library: import.dll.to_vec(),
        }))
    }

    /// `function` or `object`.
    pub(super) fn kind(&self) -> &'static str {
        if self.is_code { "function" } else { "object" }
    }

    pub(super) fn traits(&self) -> Traits {
        coff::traits(self.machine)
    }

    /// A document of one stub; of a datum, of none.
    pub(super) fn document(
        &self,
        file: &Arc<SourceFile>,
        name: &str,
    ) -> Result<Document, ReadError> {
        let mut ledger = Ledger::default();
        ledger.source("import", 1, Vec::new());
        let table = TextTable::of_file(0, file.len().min(NAMES));
        let bytes = file.read(table.file_offset, table.len)?;
        let mut row = name_row(&self.symbol, HEADER, 0);
        row.flags |= flag::DYNSYM;
        let stub = Candidate {
            address: 0,
            size: 0,
            region: 0,
            kind: ProcedureKind::ImportStub,
            mode: None,
            name: (!self.symbol.is_empty()).then_some(row),
            inferred: false,
        };
        assemble(Parts {
            document: name.to_owned(),
            file: Arc::clone(file),
            regions: vec![Region {
                index: 1,
                name: b".text".to_vec(),
                label: String::new(),
                address: 0,
                size: 1,
                file_offset: None,
                executable: true,
                is_segment: false,
            }],
            candidates: if self.is_code { vec![stub] } else { Vec::new() },
            versions: Vec::new(),
            tables: vec![table],
            bytes: vec![bytes],
            coverage: ledger.coverage(),
            relocatable: true,
            is_arm: false,
        })
    }
}

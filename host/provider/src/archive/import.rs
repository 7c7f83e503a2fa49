//! A member of an import library: the name of a function or datum in a DLL, from which a linker makes a stub.

use std::sync::Arc;

use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::image::Traits;
use crate::inventory::{
    Candidate, Document, Parts, ProcedureKind, Region, TextTable, assemble, flag, name_row,
};
use crate::{ByteOrder, ReadError, TargetKind};

/// What it says.
#[derive(Debug)]
pub(super) struct Import {
    machine: u16,
    is_code: bool,
    pub(super) name: Vec<u8>,
    pub(super) library: Vec<u8>,
}

/// Bytes of the header: two signatures, version, machine (16 bits each), date, size (32 each), hint, type (16 each).
const HEADER: usize = 20;
/// Names are read up to this many bytes.
const NAMES: u64 = 1 << 20;

impl Import {
    pub(super) fn parse(file: &SourceFile) -> Result<Option<Import>, ReadError> {
        let bytes = file.read(0, file.len().min(NAMES))?;
        let half = |at: usize| {
            let field = bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
            Some(u16::from_le_bytes(field))
        };
        let mut names = bytes.get(HEADER..).unwrap_or(&[]).split(|byte| *byte == 0);
        let (Some(machine), Some(kind)) = (half(6), half(18)) else {
            return Ok(None);
        };
        let (Some(name), Some(library), Some(_)) = (names.next(), names.next(), names.next())
        else {
            return Ok(None);
        };
        Ok(Some(Import {
            machine,
            is_code: kind & 3 == 0,
            name: name.to_vec(),
            library: library.to_vec(),
        }))
    }

    /// `function` or `object`.
    pub(super) fn kind(&self) -> &'static str {
        if self.is_code { "function" } else { "object" }
    }

    pub(super) fn traits(&self) -> Traits {
        let (architecture, bits) = match self.machine {
            0x14c => ("x86", 32),
            0x1c0 | 0x1c4 => ("arm", 32),
            0x8664 => ("x86-64", 64),
            0xaa64 | 0xa641 | 0xa64e => ("aarch64", 64),
            _ => ("unknown", 0),
        };
        Traits {
            kind: TargetKind::Relocatable,
            architecture: architecture.to_owned(),
            bits,
            endianness: ByteOrder::Little,
        }
    }

    /// A document of one stub; of a datum, of none.
    pub(super) fn document(
        &self,
        file: &Arc<SourceFile>,
        name: &str,
    ) -> Result<Document, ReadError> {
        let mut ledger = Ledger::default();
        ledger.source("import", 1, Vec::new());
        let table = TextTable {
            source: None,
            file_offset: 0,
            len: file.len().min(NAMES),
        };
        let bytes = file.read(table.file_offset, table.len)?;
        let mut row = name_row(&self.name, u32::try_from(HEADER).unwrap_or(0), 0);
        row.flags |= flag::DYNSYM;
        let stub = Candidate {
            address: 0,
            size: 0,
            region: 0,
            kind: ProcedureKind::ImportStub,
            mode: None,
            name: (!self.name.is_empty()).then_some(row),
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

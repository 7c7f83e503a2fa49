//! Places that no symbol names: unwind information, the entry point, thread callbacks, functions whose address is taken.

use super::load_config::LoadConfig;
use super::memory::{Addresses, Memory};
use super::{frames, pdata, tls};
use crate::ReadError;
use crate::coff::machine;
use crate::coff::regions::Regions;
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::inventory::{Candidate, Mode, ProcedureKind};

/// Where starts are collected.
struct Starts<'a> {
    regions: &'a Regions,
    is_arm: bool,
    candidates: &'a mut Vec<Candidate>,
}

impl Starts<'_> {
    fn add(&mut self, rva: u32, size: u64, kind: ProcedureKind) {
        let rva = if self.is_arm { rva & !1 } else { rva };
        if let Some((address, region)) = self.regions.at_rva(rva) {
            self.candidates.push(Candidate {
                address,
                size,
                region,
                kind,
                mode: self.is_arm.then_some(Mode::Thumb),
                name: None,
                inferred: true,
            });
        }
    }
}

/// Adds a candidate for every start that lies in executable code.
pub(super) fn add(
    file: &SourceFile,
    memory: &mut Memory<'_>,
    regions: &Regions,
    load_config: Option<&LoadConfig>,
    candidates: &mut Vec<Candidate>,
    ledger: &mut Ledger,
) -> Result<(), ReadError> {
    let pe = memory.pe;
    let mut starts = Starts {
        regions,
        is_arm: pe.is_arm(),
        candidates,
    };
    if let Some(pdata) = pdata::read(memory)? {
        for start in &pdata.starts {
            let kind = if start.is_fragment {
                ProcedureKind::Fragment
            } else {
                ProcedureKind::Inferred
            };
            starts.add(start.rva, start.size.into(), kind);
        }
        note(
            ledger,
            "exception directory (.pdata)",
            pdata.rows,
            pdata.damage,
        );
    }
    if let Some(table) = frames::read(file, pe)? {
        for frame in table.list.iter().filter(|frame| frame.size > 0) {
            if let Some(rva) = pe.rva(frame.start) {
                starts.add(rva, frame.size, ProcedureKind::Inferred);
            }
        }
        note(ledger, ".eh_frame", table.list.len() as u64, table.damage);
    }
    if pe.entry != 0 {
        starts.add(pe.entry, 0, ProcedureKind::Inferred);
        note(ledger, "entry point", 1, Vec::new());
    }
    if let Some(callbacks) = tls::callbacks(memory)? {
        for callback in &callbacks.list {
            starts.add(*callback, 0, ProcedureKind::Inferred);
        }
        note(
            ledger,
            "TLS callbacks",
            callbacks.list.len() as u64,
            callbacks.damage,
        );
    }
    if let Some(config) = load_config {
        let tables = [
            ("control flow guard", config.guarded(memory)?),
            (
                "safe exception handlers",
                if pe.machine == machine::I386 {
                    config.handler_list(memory)?
                } else {
                    None
                },
            ),
        ];
        for (source, table) in tables {
            let Some(Addresses { list, damage }) = table else {
                continue;
            };
            for rva in &list {
                starts.add(*rva, 0, ProcedureKind::Inferred);
            }
            note(ledger, source, list.len() as u64, damage);
        }
    }
    Ok(())
}

fn note(ledger: &mut Ledger, source: &str, rows: u64, damage: Vec<String>) {
    ledger
        .places_partial
        .extend(damage.iter().map(|why| format!("{source}: {why}")));
    ledger.source(source, rows, damage);
}

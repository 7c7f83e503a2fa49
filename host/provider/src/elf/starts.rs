//! Places that no symbol names: frames, the entry point, and what the dynamic section tells.

use object::elf;

use super::Elf;
use super::dynamic::Dynamic;
use super::frames;
use super::regions::Regions;
use crate::ReadError;
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::inventory::{Candidate, Mode, ProcedureKind};

/// Adds a candidate for every start that lies in executable code and isn't a linkage table.
pub(crate) fn add(
    file: &SourceFile,
    elf: &Elf,
    regions: &Regions,
    candidates: &mut Vec<Candidate>,
    ledger: &mut Ledger,
) -> Result<(), ReadError> {
    if elf.is_relocatable() {
        if elf.section_named(b".eh_frame").is_some() {
            let why =
                "in a relocatable file its addresses are not filled in yet, so it tells nothing";
            ledger.source(".eh_frame", 0, vec![why.to_owned()]);
        }
        return Ok(());
    }
    let dynamic = Dynamic::read(file, elf)?;
    for table in frames::read(file, elf, dynamic.as_ref())? {
        let mut list = table.list;
        ledger.places_partial.extend(
            table
                .damage
                .iter()
                .map(|why| format!("{}: {why}", table.source)),
        );
        ledger.source(table.source, list.len() as u64, table.damage);
        list.sort_unstable();
        for frame in list.into_iter().filter(|frame| frame.size > 0) {
            if let Some(region) = regions.at(frame.start)
                && !is_linkage_table(file, elf, regions, region, frame.start)?
            {
                candidates.push(start(frame.start, frame.size, region, None));
            }
        }
    }
    let is_program = matches!(elf.header.kind, 2 | 3);
    let told = [
        ("entry point", is_program.then_some(elf.header.entry)),
        (
            "DT_INIT",
            dynamic
                .as_ref()
                .and_then(|dynamic| dynamic.get(elf::DT_INIT)),
        ),
        (
            "DT_FINI",
            dynamic
                .as_ref()
                .and_then(|dynamic| dynamic.get(elf::DT_FINI)),
        ),
    ];
    for (source, value) in told {
        let Some(value) = value.filter(|value| *value != 0) else {
            continue;
        };
        ledger.source(source, 1, Vec::new());
        let thumb = elf.is_arm() && value & 1 == 1;
        let address = if elf.is_arm() { value & !1 } else { value };
        if let Some(region) = regions.at(address)
            && !regions.is_plt(region)
        {
            candidates.push(start(address, 0, region, thumb.then_some(Mode::Thumb)));
        }
    }
    Ok(())
}

fn start(address: u64, size: u64, region: u32, mode: Option<Mode>) -> Candidate {
    Candidate {
        address,
        size,
        region,
        kind: ProcedureKind::Inferred,
        mode,
        name: None,
        inferred: true,
    }
}

/// A linkage table has a frame of its own, and is no procedure. Without section headers it is known by its code, on x86.
fn is_linkage_table(
    file: &SourceFile,
    elf: &Elf,
    regions: &Regions,
    region: u32,
    address: u64,
) -> Result<bool, ReadError> {
    if !regions.are_segments {
        return Ok(regions.is_plt(region));
    }
    if !matches!(elf.header.machine, 3 | 62) {
        return Ok(false);
    }
    let Some((offset, _)) = elf
        .file_range(address)
        .filter(|(offset, behind)| *behind >= 8 && file.holds(*offset, 8))
    else {
        return Ok(false);
    };
    let mut code = [0u8; 8];
    file.fill(&mut code, offset)?;
    Ok(match code {
        // push GOT+8; push 4(%ebx): the first entry of a lazy table.
        [0xff, 0x35, ..] | [0xff, 0xb3, 4, 0, 0, 0, ..] => true,
        // jmp *slot; xchg %ax,%ax: a table without lazy binding.
        [0xff, 0x25 | 0xa3, _, _, _, _, 0x66, 0x90] => true,
        // endbr; (bnd) jmp *slot: the second table under control-flow protection.
        [0xf3, 0x0f, 0x1e, 0xfa | 0xfb, 0xff, 0x25 | 0xa3, ..]
        | [0xf3, 0x0f, 0x1e, 0xfa | 0xfb, 0xf2, 0xff, 0x25, ..] => true,
        _ => false,
    })
}

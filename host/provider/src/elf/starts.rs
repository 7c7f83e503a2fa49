//! Places that no symbol names: frames, the entry point, and what the dynamic section tells.

use object::elf;

use super::Elf;
use super::descriptors::Descriptors;
use super::dynamic::Dynamic;
use super::regions::Regions;
use super::relocs::Relocations;
use super::{exidx, frames, tables};
use crate::ReadError;
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::inventory::{Candidate, Mode, ProcedureKind};

/// An array of pointers to functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array {
    source: &'static str,
    address: u64,
    size: u64,
}

impl Array {
    /// The addresses that it takes.
    pub(crate) fn range(&self) -> (u64, u64) {
        (self.address, self.address.saturating_add(self.size))
    }
}

/// The arrays of functions that run before and after a program.
pub(crate) fn arrays(elf: &Elf, dynamic: Option<&Dynamic>) -> Vec<Array> {
    if elf.is_relocatable() {
        return Vec::new();
    }
    let known = [
        (
            ".preinit_array",
            16,
            elf::DT_PREINIT_ARRAY,
            elf::DT_PREINIT_ARRAYSZ,
        ),
        (".init_array", 14, elf::DT_INIT_ARRAY, elf::DT_INIT_ARRAYSZ),
        (".fini_array", 15, elf::DT_FINI_ARRAY, elf::DT_FINI_ARRAYSZ),
    ];
    let mut found = Vec::new();
    for (source, kind, address, size) in known {
        let told = dynamic.and_then(|dynamic| Some((dynamic.get(address)?, dynamic.get(size)?)));
        let sections = elf
            .sections
            .iter()
            .filter(|section| section.kind == kind)
            .map(|section| (section.address, section.size));
        let array = |(address, size)| Array {
            source,
            address,
            size,
        };
        match told {
            Some(told) => found.push(array(told)),
            None => found.extend(sections.map(array)),
        }
    }
    found.retain(|array| array.size > 0);
    found
}

/// What starts are found with.
pub(crate) struct Finder<'a> {
    pub(crate) file: &'a SourceFile,
    pub(crate) elf: &'a Elf,
    pub(crate) regions: &'a Regions,
    pub(crate) dynamic: Option<&'a Dynamic>,
    pub(crate) descriptors: &'a Descriptors,
    pub(crate) relocations: &'a Relocations,
    pub(crate) arrays: &'a [Array],
}

impl Finder<'_> {
    /// Adds a candidate for every start that lies in executable code and isn't a linkage table.
    pub(crate) fn add(
        &self,
        candidates: &mut Vec<Candidate>,
        ledger: &mut Ledger,
    ) -> Result<(), ReadError> {
        let elf = self.elf;
        if elf.is_relocatable() {
            if elf.section_named(b".eh_frame").is_some() {
                let why = "in a relocatable file its addresses are not filled in yet, so it tells nothing";
                ledger.source(".eh_frame", 0, vec![why.to_owned()]);
            }
            return Ok(());
        }
        self.add_frames(candidates, ledger)?;
        if let Some(starts) = exidx::read(self.file, elf)? {
            ledger
                .places_partial
                .extend(starts.damage.iter().map(|why| format!(".ARM.exidx: {why}")));
            ledger.source(".ARM.exidx", starts.rows, starts.damage);
            for address in starts.list {
                if let Some(region) = self.regions.at(address)
                    && !self.regions.is_plt(region)
                {
                    candidates.push(start(address, 0, region, None));
                }
            }
        }
        let is_program = matches!(elf.header.kind, 2 | 3);
        let told = |tag| self.dynamic.and_then(|dynamic| dynamic.get(tag));
        for (source, value) in [
            ("entry point", is_program.then_some(elf.header.entry)),
            ("DT_INIT", told(elf::DT_INIT)),
            ("DT_FINI", told(elf::DT_FINI)),
        ] {
            if let Some(value) = value.filter(|value| *value != 0) {
                ledger.source(source, 1, Vec::new());
                candidates.extend(self.pointed_to(value));
            }
        }
        for array in self.arrays {
            self.add_array(*array, candidates, ledger)?;
        }
        Ok(())
    }

    fn add_frames(
        &self,
        candidates: &mut Vec<Candidate>,
        ledger: &mut Ledger,
    ) -> Result<(), ReadError> {
        for table in frames::read(self.file, self.elf, self.dynamic)? {
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
                if let Some(region) = self.regions.at(frame.start)
                    && !is_linkage_table(self.file, self.elf, self.regions, region, frame.start)?
                {
                    candidates.push(start(frame.start, frame.size, region, None));
                }
            }
        }
        Ok(())
    }

    /// The functions of an array, as the loader fills it.
    fn add_array(
        &self,
        array: Array,
        candidates: &mut Vec<Candidate>,
        ledger: &mut Ledger,
    ) -> Result<(), ReadError> {
        let mut damage = Vec::new();
        let bytes = tables::piece(self.file, self.elf, array.address, array.size, &mut damage)?;
        let word = self.elf.shape.word();
        let mut rows = 0;
        for (at, address) in
            (0..array.size / word).map(|row| (row * word, array.address.wrapping_add(row * word)))
        {
            if at >= bytes.len() as u64 {
                break;
            }
            rows += 1;
            let there = usize::try_from(at)
                .ok()
                .and_then(|at| self.elf.shape.word_at(&bytes, at));
            let value = self.relocations.pointers.get(&address).copied().or(there);
            // 0 and -1 are the head and the end of old tables.
            if let Some(value) = value.filter(|value| *value != 0) {
                candidates.extend(self.pointed_to(value));
            }
        }
        ledger
            .places_partial
            .extend(damage.iter().map(|why| format!("{}: {why}", array.source)));
        ledger.source(array.source, rows, damage);
        Ok(())
    }

    /// The start that a pointer to a function leads to, if it leads to code.
    fn pointed_to(&self, value: u64) -> Option<Candidate> {
        let value = self.descriptors.code(self.elf, value).unwrap_or(value);
        let is_arm = self.elf.is_arm();
        let thumb = is_arm && value & 1 == 1;
        let address = if is_arm { value & !1 } else { value };
        let region = self.regions.at(address)?;
        (!self.regions.is_plt(region))
            .then(|| start(address, 0, region, thumb.then_some(Mode::Thumb)))
    }
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

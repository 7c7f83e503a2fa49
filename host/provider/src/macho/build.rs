//! The inventory of a Mach-O file: a document for every slice.

use std::sync::Arc;

use super::exports::{self, Exports};
use super::fixups::Pointers;
use super::header::Image;
use super::regions::Regions;
use super::rows::Made;
use super::starts::Starts;
use super::symbols::{self, SymbolTable};
use super::{MachO, Slice, frames, init, objc, selectors, stubs, unread, unwind};
use crate::file::SourceFile;
use crate::inventory::{Candidate, Document, Mode, Parts, ProcedureKind, TextTable, assemble};
use crate::monitor::step;
use crate::{Completeness, Coverage, Inventory, Monitor, ReadError, SourceCoverage};

/// What is known of coverage so far.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) naming_partial: Vec<String>,
    pub(crate) naming_unknown: Vec<String>,
    pub(crate) places_partial: Vec<String>,
    sources: Vec<SourceCoverage>,
    outside: u64,
}

/// What a source tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tells {
    Names,
    /// Of places that other sources tell.
    NamesAlone,
    Places,
}

impl Ledger {
    fn source(&mut self, source: &str, tells: Tells, rows: u64, damage: Vec<String>) {
        let reasons = damage.iter().map(|why| format!("{source}: {why}"));
        if tells != Tells::Places {
            self.naming_partial.extend(reasons.clone());
        }
        if tells != Tells::NamesAlone {
            self.places_partial.extend(reasons);
        }
        self.sources.push(SourceCoverage {
            source: source.to_owned(),
            rows,
            coverage: Completeness::of(damage, Vec::new()),
        });
    }
}

/// Reads every source of names and places, of every slice.
pub(crate) fn inventory(
    file: &Arc<SourceFile>,
    macho: &MachO,
    file_name: &str,
    monitor: &dyn Monitor,
) -> Result<Inventory, ReadError> {
    let mut documents = Vec::new();
    for slice in &macho.slices {
        step(monitor, slice.span.offset.min(file.len()), file.len())?;
        let name = macho.document(file_name, slice);
        documents.push(match &slice.image {
            Ok(image) => document(file, image, name, monitor)?,
            Err(why) => unreadable(file, slice, name, why)?,
        });
    }
    step(monitor, file.len(), file.len())?;
    file.check()?;
    Ok(Inventory::new(documents))
}

/// A document that only says why its slice can't be read.
fn unreadable(
    file: &Arc<SourceFile>,
    slice: &Slice,
    document: String,
    why: &str,
) -> Result<Document, ReadError> {
    assemble(Parts {
        document,
        file: Arc::clone(file),
        regions: Vec::new(),
        candidates: Vec::new(),
        versions: Vec::new(),
        tables: Vec::new(),
        bytes: Vec::new(),
        coverage: super::unreadable(&format!("{}: {why}", slice.name)),
        relocatable: false,
        is_arm: false,
    })
}

fn document(
    file: &Arc<SourceFile>,
    image: &Image,
    document: String,
    monitor: &dyn Monitor,
) -> Result<Document, ReadError> {
    let regions = Regions::of(image, file);
    let mut ledger = Ledger::default();
    let mut candidates: Vec<Candidate> = Vec::new();
    let starts = Starts::read(file, image)?;
    let table = SymbolTable::read(file, image)?;
    step(monitor, image.span.offset.min(file.len()), file.len())?;
    let found = symbols::walk(image, &regions, &starts, &table, &mut candidates);
    if image.commands.symtab.is_some() {
        let mut damage = table.damage.clone();
        if found.damaged_names > 0 {
            damage.push(format!(
                "{} names run out of the string table",
                found.damaged_names
            ));
        }
        ledger.source("LC_SYMTAB", Tells::Names, found.rows, damage);
    }
    ledger.outside = found.outside;
    let mut made = Made::new(image.span.size.min(file.len()));
    let trie = Exports::read(file, image)?;
    if let Some(source) = trie.source {
        let walked = exports::add(
            image,
            &regions,
            &trie,
            &table.strings,
            &mut made,
            &mut candidates,
        );
        let damage = trie.damage.iter().cloned().chain(walked.damage).collect();
        ledger.source(source, Tells::Names, walked.rows, damage);
    }
    drop(trie);
    let stubs = stubs::add(file, image, &regions, &table, &mut made, &mut candidates)?;
    if stubs.rows > 0 || !stubs.damage.is_empty() {
        ledger.source("indirect symbols", Tells::Names, stubs.rows, stubs.damage);
    }
    let pointers = Pointers::read(file, image)?;
    // Where the symbol table still has methods, it has all of them.
    if found.methods == 0 && objc::is_there(image) && !image.is_object() && !image.is_debug() {
        let methods = objc::add(file, image, &regions, &pointers, &mut made, &mut candidates)?;
        ledger.source(
            "Objective-C metadata",
            Tells::NamesAlone,
            methods.rows,
            methods.damage,
        );
    }
    if let Some(stubs) =
        selectors::add(file, image, &regions, &pointers, &mut made, &mut candidates)?
    {
        let mut damage = Vec::new();
        if stubs.unknown {
            damage.push("its stubs are of a form that isn't known".to_owned());
        }
        if stubs.unnamed > 0 {
            damage.push(format!(
                "{} stubs have no name that can be read",
                stubs.unnamed
            ));
        }
        ledger.source("__objc_stubs", Tells::Names, stubs.rows, damage);
    }
    step(monitor, image.span.offset.min(file.len()), file.len())?;
    add_starts(image, &regions, &starts, &mut candidates, &mut ledger);
    add_supplements(
        file,
        image,
        &regions,
        &pointers,
        &mut candidates,
        &mut ledger,
    )?;
    unread::note(image, &starts, &table, found, &mut ledger);
    measure(&regions, &mut candidates);
    let coverage = Coverage {
        naming: Completeness::of(ledger.naming_partial, ledger.naming_unknown),
        places: Completeness::of(ledger.places_partial, Vec::new()),
        sources: ledger.sources,
        outside: ledger.outside,
        unoffered_names: 0,
    };
    let made_text = TextTable::made(made.bytes.len() as u64);
    let mut document = assemble(Parts {
        document,
        file: Arc::clone(file),
        regions: regions.list,
        candidates,
        versions: Vec::new(),
        tables: vec![table.text, made_text],
        bytes: vec![table.strings, made.bytes],
        coverage,
        relocatable: false,
        is_arm: image.machine.is_arm(),
    })?;
    document.set_sizes_reach_next();
    Ok(document)
}

fn start(address: u64, region: u32, mode: Option<Mode>) -> Candidate {
    Candidate {
        address,
        size: 0,
        region,
        kind: ProcedureKind::Inferred,
        mode,
        name: None,
        inferred: true,
    }
}

/// The linker's own list of functions.
fn add_starts(
    image: &Image,
    regions: &Regions,
    starts: &Starts,
    candidates: &mut Vec<Candidate>,
    ledger: &mut Ledger,
) {
    if !starts.is_there {
        return;
    }
    let is_arm = image.machine.is_arm();
    let mut outside = 0u64;
    for (address, thumb) in &starts.list {
        match regions.at(*address) {
            Some(region) => candidates.push(start(
                *address,
                region,
                is_arm.then_some(if *thumb { Mode::Thumb } else { Mode::Arm }),
            )),
            None => outside += 1,
        }
    }
    let mut damage = starts.damage.clone();
    if outside > 0 {
        damage.push(format!(
            "{outside} starts lie outside everything executable"
        ));
    }
    let rows = starts.list.len() as u64;
    ledger.source("LC_FUNCTION_STARTS", Tells::Places, rows, damage);
}

/// What else tells that a function starts somewhere.
fn add_supplements(
    file: &SourceFile,
    image: &Image,
    regions: &Regions,
    pointers: &Pointers,
    candidates: &mut Vec<Candidate>,
    ledger: &mut Ledger,
) -> Result<(), ReadError> {
    if image.is_object() || image.is_debug() {
        return Ok(());
    }
    let base = image.base().unwrap_or(0);
    let is_arm = image.machine.is_arm();
    let mut add = |values: &[u64]| {
        for value in values {
            let address = if is_arm { value & !1 } else { *value };
            let mode = (is_arm && value & 1 == 1).then_some(Mode::Thumb);
            if let Some(region) = regions.at(address)
                && !regions.is_stubs(region)
            {
                candidates.push(start(address, region, mode));
            }
        }
    };
    if let Some(section) = image.section(b"__TEXT", b"__unwind_info") {
        let (list, damage) = match image.read_section(file, section)? {
            Ok(bytes) => {
                let unwind = unwind::parse(image.shape, &bytes);
                let address = |offset: &u64| base.wrapping_add(*offset);
                (
                    unwind.list.iter().map(address).collect::<Vec<u64>>(),
                    unwind.damage,
                )
            }
            Err(why) => (Vec::new(), vec![why]),
        };
        add(&list);
        ledger.source("__unwind_info", Tells::Places, list.len() as u64, damage);
    }
    if let Some(section) = image.section(b"__TEXT", b"__eh_frame") {
        let frames = match image.read_section(file, section)? {
            Ok(bytes) => frames::parse(image, section.address, &bytes),
            Err(why) => frames::Frames {
                damage: vec![why],
                ..frames::Frames::default()
            },
        };
        add(&frames.list);
        ledger.source(
            "__eh_frame",
            Tells::Places,
            frames.list.len() as u64,
            frames.damage,
        );
    }
    let told = [
        (
            "LC_MAIN",
            image
                .commands
                .main
                .and_then(|offset| image.address_of(offset)),
        ),
        ("LC_UNIXTHREAD", image.commands.thread),
        ("LC_ROUTINES", image.commands.routine),
    ];
    for (source, value) in told {
        if let Some(value) = value.filter(|value| *value != 0) {
            add(&[value]);
            ledger.source(source, Tells::Places, 1, Vec::new());
        }
    }
    for table in init::read(file, image, pointers)? {
        add(&table.list);
        let rows = table.list.len() as u64;
        let damage = table.damage.into_iter().chain(pointers.damage.clone());
        ledger.source(&table.source, Tells::Places, rows, damage.collect());
    }
    Ok(())
}

/// Mach-O tells no sizes. A function takes what there is up to the next one, or to the end of its section; a label, and
/// what has a size already, is left as it is.
fn measure(regions: &Regions, candidates: &mut [Candidate]) {
    let mut starts: Vec<u64> = candidates
        .iter()
        .filter(|candidate| candidate.kind != ProcedureKind::Label)
        .map(|candidate| candidate.address)
        .collect();
    starts.sort_unstable();
    starts.dedup();
    for candidate in candidates {
        if candidate.kind == ProcedureKind::Label || candidate.size != 0 {
            continue;
        }
        let next = starts.partition_point(|start| *start <= candidate.address);
        let end = regions.end(candidate.region);
        let next = starts.get(next).copied().unwrap_or(u64::MAX).min(end);
        candidate.size = next.saturating_sub(candidate.address);
    }
}

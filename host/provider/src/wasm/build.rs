//! The inventory of a module.

use std::sync::Arc;

use super::module::Module;
use super::sections::Window;
use super::{imports, names};
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::inventory::{
    Body, Candidate, Document, Parts, ProcedureKind, Region, TextTable, assemble, flag, name_row,
};
use crate::monitor::step;
use crate::{Monitor, ReadError};

/// The functions that have code, by their numbers.
struct Functions {
    /// The number of the first one: so many are imported.
    first: u32,
    bodies: Vec<Body>,
}

/// Where a function is said to stand whose code is missing: nowhere.
const NOWHERE: Body = Body {
    file_offset: u64::MAX,
    size: 0,
};

/// Makes the document of a module.
pub(crate) fn document(
    module: &Module,
    file: &Arc<SourceFile>,
    name: &str,
    monitor: &dyn Monitor,
) -> Result<Document, ReadError> {
    step(monitor, 0, file.len())?;
    let mut ledger = Ledger::default();
    if let Some(damage) = &module.damage {
        ledger.naming_partial.push(damage.clone());
        ledger.places_partial.push(damage.clone());
    }
    let functions = functions(module, file, &mut ledger)?;
    let mut candidates: Vec<Candidate> = Vec::new();
    let kind = ProcedureKind::Function;
    let last = functions
        .first
        .saturating_add(u32::try_from(functions.bodies.len()).unwrap_or(u32::MAX));
    let candidate = |function: u32| Candidate {
        address: function.into(),
        size: 0,
        region: 0,
        kind,
        mode: None,
        name: None,
        inferred: false,
    };
    candidates.extend((functions.first..last).map(candidate));
    let mut tables = Vec::new();
    let mut bytes = Vec::new();
    for source in names::read(file, module)? {
        step(monitor, source.section.offset, file.len())?;
        let mut damage = source.damage;
        let mut nowhere = 0u64;
        let table = u16::try_from(tables.len()).unwrap_or(u16::MAX);
        for named in &source.names {
            if !(functions.first..last).contains(&named.function) {
                nowhere += u64::from(named.function >= last);
                continue;
            }
            let start = named.offset as usize;
            let text = source
                .bytes
                .get(start..start.saturating_add(named.len as usize))
                .unwrap_or(&[]);
            if text.is_empty() {
                continue;
            }
            let mut row = name_row(text, named.offset, table);
            row.flags |= named.binding << flag::BINDING_SHIFT;
            row.flags |= if source.exported {
                flag::DYNSYM
            } else {
                flag::SYMTAB
            };
            candidates.push(Candidate {
                name: Some(row),
                ..candidate(named.function)
            });
        }
        if nowhere > 0 {
            damage.push(format!("{nowhere} names are of functions that don't exist"));
        }
        ledger
            .naming_partial
            .extend(damage.iter().map(|why| format!("{}: {why}", source.source)));
        ledger.source(source.source, source.names.len() as u64, damage);
        tables.push(TextTable {
            source: None,
            file_offset: source.section.offset,
            len: source.section.size,
        });
        bytes.push(source.bytes);
    }
    let has_names = module.custom(b"name").is_some() || module.custom(b"linking").is_some();
    if !has_names && module.custom(b".debug_info").is_some() {
        ledger
            .naming_partial
            .push("the names in .debug_info are not read".to_owned());
    }
    file.check()?;
    let code = module.section(10);
    let mut document = assemble(Parts {
        document: name.to_owned(),
        file: Arc::clone(file),
        regions: vec![Region {
            index: 10,
            name: b"code".to_vec(),
            label: String::new(),
            address: functions.first.into(),
            size: functions.bodies.len() as u64,
            file_offset: code.map(|code| code.offset),
            executable: true,
            is_segment: false,
        }],
        candidates,
        versions: Vec::new(),
        tables,
        bytes,
        coverage: ledger.coverage(),
        relocatable: false,
        is_arm: false,
    })?;
    document.set_bodies(functions.bodies);
    Ok(document)
}

/// Counts the imported functions, and finds the code of the others.
fn functions(
    module: &Module,
    file: &SourceFile,
    ledger: &mut Ledger,
) -> Result<Functions, ReadError> {
    let mut found = Functions {
        first: 0,
        bodies: Vec::new(),
    };
    let mut first = 0u32;
    let mut count = 0u64;
    let damage = imports::each(file, module, |import| {
        count += 1;
        first = first.saturating_add(u32::from(import.kind == "function"));
    })?;
    if let Some(why) = damage {
        // Without all imports no function can be numbered.
        let reason = format!("import section: {why}, so functions have no numbers");
        ledger.naming_partial.push(reason.clone());
        ledger.places_partial.push(reason.clone());
        ledger.source("import section", count, vec![why]);
        return Ok(found);
    }
    found.first = first;
    let mut window = Window::new(file);
    let mut damage = Vec::new();
    let declared = match module.section(3) {
        // A function takes a byte of this section, so that its size bounds their number.
        Some(section) => match window.leb(section.offset)? {
            Some((count, _)) if u64::from(count) <= section.size => count,
            _ => {
                damage.push("its count can't be read".to_owned());
                0
            }
        },
        None => 0,
    };
    if let Some(code) = module.section(10) {
        let end = code.offset + code.size;
        let mut at = code.offset;
        let count = match window.leb(at)? {
            Some((count, length)) => {
                at += length;
                count
            }
            None => 0,
        };
        for _ in 0..count.min(declared) {
            let Some((size, length)) = window.leb(at)? else {
                break;
            };
            let body = at + length;
            if body + u64::from(size) > end {
                break;
            }
            found.bodies.push(Body {
                file_offset: body,
                size,
            });
            at = body + u64::from(size);
        }
    }
    let missing = u64::from(declared).saturating_sub(found.bodies.len() as u64);
    if missing > 0 {
        damage.push(format!("the code of {missing} functions is missing"));
        found.bodies.resize(declared as usize, NOWHERE);
    }
    ledger
        .places_partial
        .extend(damage.iter().map(|why| format!("function section: {why}")));
    ledger.source("function section", declared.into(), damage);
    if let Some(start) = module.section(8)
        && let Some((_, length)) = window.leb(start.offset)?
        && length <= start.size
    {
        ledger.source("start function", 1, Vec::new());
    }
    Ok(found)
}

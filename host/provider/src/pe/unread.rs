//! What an image holds and this reader doesn't read: what coverage must say.

use super::clr::Clr;
use super::load_config::LoadConfig;
use super::memory::Memory;
use crate::ReadError;
use crate::coff::machine;
use crate::coverage::Ledger;
use crate::file::SourceFile;

/// Which two processors an image holds code for, if it does.
pub(super) fn hybrid(machine: u16, load_config: Option<&LoadConfig>) -> Option<&'static str> {
    match machine {
        machine::ARM64EC => Some("arm64ec"),
        machine::ARM64X => Some("arm64x"),
        _ => {
            load_config.and_then(|config| config.hybrid)?;
            match machine {
                machine::AMD64 => Some("arm64ec"),
                machine::ARM64 => Some("arm64x"),
                machine::I386 => Some("chpe"),
                _ => None,
            }
        }
    }
}

/// Notes every source that is there and isn't read.
pub(super) fn note(
    file: &SourceFile,
    memory: &mut Memory<'_>,
    load_config: Option<&LoadConfig>,
    ledger: &mut Ledger,
) -> Result<(), ReadError> {
    let pe = memory.pe;
    if let Some(clr) = Clr::read(memory)? {
        let why = format!(
            "it is a .NET assembly ({}): its methods and their names stand in metadata that is not read",
            clr.kind()
        );
        ledger.naming_partial.push(why.clone());
        ledger.places_partial.push(why);
    }
    match hybrid(pe.machine, load_config) {
        Some(kind @ "arm64x") => {
            ledger.naming_partial.push(format!(
                "it is a hybrid image ({kind}): the view that a process of the other kind has, with other exports, is not read"
            ));
            ledger.places_partial.push(format!(
                "it is a hybrid image ({kind}): the code of the other view is not listed"
            ));
        }
        Some(kind) => ledger.places_partial.push(format!(
            "it is a hybrid image ({kind}): the ARM64 code that its own metadata describes is not listed"
        )),
        None => {}
    }
    for section in pe.sections.iter().filter(|section| section.is_executable()) {
        let (offset, size) = pe.section_range(section);
        if size > 0 && !file.holds(offset, size) {
            ledger.places_partial.push(format!(
                "the file is cut off: it has not all bytes of {}",
                crate::coff::shown(&section.name)
            ));
        }
    }
    Ok(())
}

//! Sources of names and places that a file has, or had, and that are not read: what coverage must say.

use super::Elf;
use super::build::Gathered;

/// Notes every source that isn't read.
pub(super) fn note(elf: &Elf, gathered: &mut Gathered) {
    if gathered.has_symtab {
        return;
    }
    let ledger = &mut gathered.ledger;
    ledger
        .places_partial
        .extend(gathered.missing_companion.take());
    ledger.places_partial.push(
        if gathered.has_go {
            "there is no .symtab: symbols of functions that are neither Go's nor exported were removed"
        } else {
            "there is no .symtab: symbols of functions that are not exported were removed"
        }
        .to_owned(),
    );
    if elf.section_named(b".debug_info").is_some() {
        ledger
            .naming_partial
            .push("the names in .debug_info are not read yet".to_owned());
    }
}

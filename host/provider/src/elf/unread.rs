//! Sources of names and places that a file has and that are not read yet: what coverage must say.

use super::Elf;
use crate::coverage::Ledger;

/// Notes every source that is there and isn't read.
pub(crate) fn note(elf: &Elf, has_symtab: bool, ledger: &mut Ledger) {
    let has = |name: &[u8]| elf.section_named(name).is_some();
    if has(b".gnu_debugdata") {
        ledger.naming_partial.push(
            "the names in .gnu_debugdata (a compressed symbol table) are not read yet".to_owned(),
        );
        ledger
            .places_partial
            .push("the functions in .gnu_debugdata are not read yet".to_owned());
    }
    if has(b".gnu_debuglink") {
        ledger.places_partial.push(
            "the separate debug file that .gnu_debuglink names is not followed yet".to_owned(),
        );
    }
    if !has_symtab {
        ledger.places_partial.push(
            "there is no .symtab: symbols of functions that are not exported were removed"
                .to_owned(),
        );
        if has(b".gopclntab") || has(b".data.rel.ro.gopclntab") {
            ledger.naming_partial.push(
                "the names in .gopclntab (Go's table of functions) are not read yet".to_owned(),
            );
        }
        if has(b".debug_info") {
            ledger
                .naming_partial
                .push("the names in .debug_info are not read yet".to_owned());
        }
    }
}

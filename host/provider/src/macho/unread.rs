//! Sources of names and places that an image has and that are not read: what coverage must say.

use super::build::Ledger;
use super::header::Image;
use super::starts::Starts;
use super::symbols::{Found, SymbolTable};

/// Notes every source that is there and isn't read.
pub(crate) fn note(
    image: &Image,
    starts: &Starts,
    table: &SymbolTable,
    found: Found,
    ledger: &mut Ledger,
) {
    let has = |name: &[u8]| {
        image
            .commands
            .sections
            .iter()
            .any(|section| section.name == name && section.size > 0)
    };
    if !image.commands.damage.is_empty() {
        for why in &image.commands.damage {
            ledger.naming_unknown.push(format!(
                "load commands are missing, so a symbol table may be too: {why}"
            ));
            ledger.places_partial.push(why.clone());
        }
    }
    if image.commands.entries > 0 {
        let why = format!(
            "{} images inside this one (LC_FILESET_ENTRY) are not read yet",
            image.commands.entries
        );
        ledger.naming_partial.push(why.clone());
        ledger.places_partial.push(why);
    }
    for encryption in &image.commands.encryption {
        if encryption.system != 0 {
            ledger.places_partial.push(format!(
                "{} bytes at {:#x} are encrypted (LC_ENCRYPTION_INFO): code and unwind information there can't be read",
                encryption.range.size, encryption.range.offset
            ));
        }
    }
    // A linker that keeps no list leaves an empty one, or none: that proves nothing.
    if !image.is_object() && starts.list.is_empty() {
        ledger.places_partial.push(
            match (image.is_debug(), starts.is_there) {
                (true, _) => {
                    "a companion for debuggers names only functions that debug information knows"
                }
                (_, true) => {
                    "LC_FUNCTION_STARTS is empty: functions without a symbol may be missing"
                }
                (_, false) => {
                    "there is no LC_FUNCTION_STARTS: functions without a symbol may be missing"
                }
            }
            .to_owned(),
        );
    }
    if image.is_object()
        && table.rows.is_empty()
        && image
            .commands
            .sections
            .iter()
            .any(|s| s.is_code() && s.size > 0)
    {
        ledger.places_partial.push(
            "there is no symbol table: in an object file nothing else tells functions".to_owned(),
        );
    }
    // Local symbols are what a strip takes first; with them every name is in the symbol table too.
    if found.locals == 0 {
        if has(b"__gopclntab") {
            ledger.naming_partial.push(
                "the names in __gopclntab (Go's table of functions) are not read yet".to_owned(),
            );
        }
        if has(b"__debug_info") && table.rows.is_empty() {
            ledger
                .naming_partial
                .push("the names in __debug_info are not read yet".to_owned());
        }
    }
    // The runtime of 32-bit macOS has tables of another form.
    let is_old = |section: &super::commands::Section| {
        section.segment == b"__OBJC" && section.name == b"__module_info" && section.size > 0
    };
    if found.methods == 0 && image.commands.sections.iter().any(is_old) {
        ledger.naming_partial.push(
            "the names of methods in __OBJC (the first form of Objective-C's metadata) are not read"
                .to_owned(),
        );
    }
}

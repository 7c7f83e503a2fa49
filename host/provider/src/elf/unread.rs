//! Sources of names and places that a file has and that are not read yet: what coverage must say.

use object::elf;

use super::Elf;
use super::dynamic::Dynamic;
use super::regions::is_plt_name;
use crate::ReadError;
use crate::coverage::Ledger;
use crate::file::SourceFile;

/// Notes every source that is there and isn't read.
pub(crate) fn note(
    file: &SourceFile,
    elf: &Elf,
    has_symtab: bool,
    ledger: &mut Ledger,
) -> Result<(), ReadError> {
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
    if elf.header.machine == elf::EM_PPC64.0 && has(b".opd") {
        ledger
            .places_partial
            .push("function descriptors (.opd) are not followed yet".to_owned());
    }
    let is_exidx = |kind: u32| kind == 0x7000_0001;
    if elf.is_arm()
        && (elf.sections.iter().any(|section| is_exidx(section.kind))
            || elf.segments.iter().any(|segment| is_exidx(segment.kind)))
    {
        ledger
            .places_partial
            .push("ARM's table of functions (.ARM.exidx) is not read yet".to_owned());
    }
    let has_plt = if elf.sections.is_empty() {
        !elf.is_relocatable()
            && Dynamic::read(file, elf)?
                .is_some_and(|dynamic| dynamic.get(elf::DT_JMPREL).is_some())
    } else {
        elf.sections.iter().any(|section| {
            section.flags & elf::SHF_EXECINSTR.0 != 0 && is_plt_name(elf.section_name(section))
        })
    };
    if has_plt {
        ledger
            .places_partial
            .push("stubs of imported functions (.plt) are not listed yet".to_owned());
    }
    Ok(())
}

//! Names from elsewhere: stubs of imports, debug files, what is packed into the program.

use super::build::Gathered;
use super::companion::{self, Search};
use super::starts::Finder;
use super::symbols::Walk;
use super::{Elf, debugdata, plt, tables};
use crate::coverage::Ledger;
use crate::file::SourceFile;
use crate::inventory::{TextTable, flag};
use crate::options::Surroundings;
use crate::{Companion, ReadError};

impl Gathered {
    /// Adds the stubs of imported functions.
    pub(super) fn add_stubs(&mut self, finder: &Finder<'_>) -> Result<(), ReadError> {
        let suffix = u16::try_from(self.versions.len()).unwrap_or(u16::MAX);
        self.versions.push(Box::from(&b"plt"[..]));
        let imports = self
            .dynamic_rows
            .as_ref()
            .map(|(rows, table)| plt::Imports {
                rows,
                strings: self
                    .bytes
                    .get(usize::from(*table))
                    .map_or(&[][..], Vec::as_slice),
                table: *table,
                suffix,
            });
        plt::add(
            finder,
            imports.as_ref(),
            &mut self.candidates,
            &mut self.ledger,
        )
    }

    /// Adds what the program's debug file names. Without one nothing is amiss, unless the program has no symbols of its own.
    pub(super) fn add_companion(
        &mut self,
        finder: &Finder<'_>,
        near: &Surroundings,
    ) -> Result<Option<Companion>, ReadError> {
        let Search {
            found,
            wanted,
            refused,
        } = companion::search(finder.file, finder.elf, near)?;
        let Some(found) = found else {
            let refused = refused.join("; ");
            self.missing_companion = match wanted {
                Some(name) if refused.is_empty() => Some(format!(
                    "the separate debug file {name} that .gnu_debuglink names was not found"
                )),
                Some(name) => Some(format!(
                    "the separate debug file {name} that .gnu_debuglink names was not found: {refused}"
                )),
                None => (!refused.is_empty())
                    .then(|| format!("a debug file was found that is not its own: {refused}")),
            };
            return Ok(None);
        };
        let label = crate::escape::display(std::os::unix::ffi::OsStrExt::as_bytes(
            found.companion.path.as_os_str(),
        ))
        .into_owned();
        self.add_foreign(finder, &found.file, &found.elf, &label, true)?;
        Ok(Some(found.companion))
    }

    /// Adds what `.gnu_debugdata` names.
    pub(super) fn add_debugdata(&mut self, finder: &Finder<'_>) -> Result<(), ReadError> {
        match debugdata::read(finder.file, finder.elf)? {
            None => Ok(()),
            Some(Ok((file, elf))) => self.add_foreign(finder, &file, &elf, ".gnu_debugdata", false),
            Some(Err(why)) => {
                self.ledger.damaged(".gnu_debugdata", 0, vec![why]);
                Ok(())
            }
        }
    }

    /// Takes the `.symtab` of another file with the same addresses. `stays`: the file is on disk, where names can be read again.
    fn add_foreign(
        &mut self,
        finder: &Finder<'_>,
        file: &SourceFile,
        elf: &Elf,
        label: &str,
        stays: bool,
    ) -> Result<(), ReadError> {
        if elf.shape != finder.elf.shape || elf.header.machine != finder.elf.header.machine {
            let why = "it is for another processor".to_owned();
            self.ledger.damaged(label, 0, vec![why]);
            return Ok(());
        }
        let mut ledger = Ledger::default();
        let mut tables = tables::symbol_tables(file, elf, &mut ledger)?;
        tables.retain(|table| !table.dynamic && !table.rows.is_empty());
        for mut table in tables.into_iter().take(1) {
            table.source = format!("{} of {label}", table.source);
            table.text = if stays {
                TextTable {
                    source: Some(file.clone()),
                    ..table.text
                }
            } else {
                TextTable::made(table.strings.len() as u64)
            };
            self.take(
                table,
                Walk {
                    elf,
                    regions: finder.regions,
                    descriptors: finder.descriptors,
                    is_foreign: true,
                    table: 0,
                    source: flag::DEBUG,
                    first_version: 0,
                },
            );
        }
        Ok(())
    }
}

//! The PDB of an image: names and lengths of functions that the linker wrote into a file of its own.
//!
//! It is looked for in the folder of the image alone, and taken only if it is the very one that the image names: same GUID,
//! same age.

mod msf;
mod records;
mod streams;

use std::path::{Path, PathBuf};

use super::Pe;
use super::build::Made;
use super::debug::{PdbLink, guid};
use crate::coff::regions::Regions;
use crate::coverage::Ledger;
use crate::elf::is_fragment;
use crate::escape;
use crate::file::SourceFile;
use crate::inventory::{Candidate, Mode, ProcedureKind, flag};
use crate::options::Surroundings;
use crate::{Companion, OpenError, ReadError};
use msf::Msf;
use records::Function;
use streams::Debug;

/// What became of the PDB.
#[derive(Debug)]
pub(super) enum Pdb {
    /// The image names none.
    None,
    /// There is none to be had, or it is not the right one: why.
    Absent(String),
    /// It was read.
    Read(Box<Content>),
}

impl Pdb {
    /// The file that was read.
    pub(super) fn companion(&self) -> Option<Companion> {
        match self {
            Pdb::Read(content) => Some(content.companion.clone()),
            Pdb::None | Pdb::Absent(_) => None,
        }
    }
}

/// What a PDB holds.
#[derive(Debug)]
pub(super) struct Content {
    file_name: String,
    companion: Companion,
    debug: Debug,
}

/// A PDB that belongs to the image.
struct Own {
    file: SourceFile,
    file_name: String,
    companion: Companion,
}

/// Looks for the PDB of an image, and reads it. Without `near` none is looked for.
pub(super) fn find(near: Option<&Surroundings>, link: Option<&PdbLink>) -> Result<Pdb, ReadError> {
    let (Some(near), Some(link)) = (near, link) else {
        return Ok(Pdb::None);
    };
    let own = match own(near, link)? {
        Ok(own) => own,
        Err(why) => return Ok(Pdb::Absent(why)),
    };
    let debug = match Msf::open(&own.file)? {
        Ok(mut msf) => streams::read(&mut msf)?,
        Err(why) => return Ok(Pdb::Absent(damaged(&own.file_name, &why))),
    };
    own.file.check()?;
    Ok(Pdb::Read(Box::new(Content {
        file_name: own.file_name,
        companion: own.companion,
        debug,
    })))
}

/// The PDB of an image as a companion, if it is there.
pub(super) fn companion(
    near: Option<&Surroundings>,
    link: Option<&PdbLink>,
) -> Result<Option<Companion>, ReadError> {
    Ok(match (near, link) {
        (Some(near), Some(link)) => own(near, link)?.ok().map(|own| own.companion),
        _ => None,
    })
}

fn damaged(name: &str, why: &str) -> String {
    format!("the PDB beside it ({name}) is damaged: {why}")
}

/// Opens the PDB in the image's folder if it is the very one that the image names; else says why there is none.
fn own(near: &Surroundings, link: &PdbLink) -> Result<Result<Own, String>, ReadError> {
    let shown = escape::display(last_part(&link.path)).into_owned();
    if !near.options.beside {
        return Ok(Err(format!(
            "the PDB that it names ({shown}) is not looked for, as no other file is to be read"
        )));
    }
    let Some(path) = beside(&near.path, &link.path) else {
        return Ok(Err(format!(
            "the PDB that it names ({shown}) is not in its folder"
        )));
    };
    let refused = |why: String| Ok(Err(format!("the PDB beside it ({shown}) {why}")));
    let file = match SourceFile::open(&path) {
        Ok(file) => file,
        Err(OpenError::Unreadable { cause, .. }) => {
            return refused(format!("can't be read: {cause}"));
        }
        Err(error) => return refused(format!("is not taken: {error}")),
    };
    if file.read(0, file.len().min(4))? == b"BSJB" {
        return refused("is a portable one, of .NET, which is not read".to_owned());
    }
    let mut msf = match Msf::open(&file)? {
        Ok(msf) => msf,
        Err(why) => return Ok(Err(damaged(&shown, &why))),
    };
    let identity = match streams::identity(&mut msf)? {
        Ok(identity) => identity,
        Err(why) => return Ok(Err(damaged(&shown, &why))),
    };
    if identity.guid != link.guid || identity.age != link.age {
        return refused(format!(
            "belongs to another build: it is {} age {}, and the image wants {} age {}",
            guid(&identity.guid),
            identity.age,
            guid(&link.guid),
            link.age
        ));
    }
    drop(msf);
    Ok(Ok(Own {
        companion: Companion {
            path,
            kind: "PDB",
            found_by: "debug directory",
            proof: format!("GUID {} and age {} agree", guid(&link.guid), link.age),
        },
        file,
        file_name: shown,
    }))
}

/// The last part of a path of Windows or Unix.
fn last_part(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| matches!(byte, b'\\' | b'/'))
        .next()
        .unwrap_or(path)
}

/// The file in the folder of the image: by the name that the linker wrote, else by the image's own. A link out of the folder is
/// not followed.
fn beside(image: &Path, path: &[u8]) -> Option<PathBuf> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = image.parent()?;
    let named = folder.join(OsStr::from_bytes(
        Some(last_part(path)).filter(|name| !matches!(*name, b"" | b"." | b".."))?,
    ));
    [named, image.with_extension("pdb")]
        .into_iter()
        .filter_map(|path| std::fs::canonicalize(path).ok())
        .find(|path| path.parent() == Some(folder) && path.is_file())
}

/// Adds what a PDB tells.
pub(super) fn add(
    found: Pdb,
    pe: &Pe,
    regions: &Regions,
    made: &mut Made,
    candidates: &mut Vec<Candidate>,
    ledger: &mut Ledger,
) {
    let content = match found {
        Pdb::None => return,
        Pdb::Absent(why) => {
            ledger.places_partial.push(why);
            return;
        }
        Pdb::Read(content) => content,
    };
    let Content {
        file_name,
        mut debug,
        ..
    } = *content;
    let is_arm = pe.is_arm();
    let mut outside = 0u64;
    let mut lost = 0u64;
    for function in &debug.functions {
        let Some((address, region)) =
            regions.in_section(function.segment.into(), function.offset.into())
        else {
            if function.kind != Function::LABEL {
                outside += 1;
            }
            continue;
        };
        let name = debug.names.get(function.name_range()).unwrap_or(&[]);
        let kind = match function.kind {
            Function::PART => ProcedureKind::Fragment,
            _ if is_fragment(name) => ProcedureKind::Fragment,
            Function::LABEL => ProcedureKind::Label,
            _ => ProcedureKind::Function,
        };
        let untyped = if function.kind == Function::LABEL {
            flag::UNTYPED
        } else {
            0
        };
        let row = if name.is_empty() {
            None
        } else {
            let at = made.add(name);
            lost += u64::from(at.is_none());
            let binding = if function.is_local { 2 } else { 0 };
            at.map(|at| made.row(at, name, flag::DEBUG | untyped, binding))
        };
        candidates.push(Candidate {
            address: if is_arm { address & !1 } else { address },
            size: function.size.into(),
            region,
            kind,
            mode: is_arm.then_some(Mode::Thumb),
            name: row,
            inferred: function.kind == Function::PART,
        });
    }
    if lost > 0 {
        debug
            .damage
            .push(format!("{lost} names are more than is taken"));
    }
    let source = format!("PDB {file_name}");
    let reasons = || debug.damage.iter().map(|why| format!("{source}: {why}"));
    ledger.naming_partial.extend(reasons());
    ledger.places_partial.extend(reasons());
    ledger.outside = ledger.outside.saturating_add(outside);
    ledger.source(&source, debug.functions.len() as u64, debug.damage);
}

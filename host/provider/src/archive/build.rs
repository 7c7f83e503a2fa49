//! The inventory of an archive.

use std::sync::Arc;

use super::{Archive, What};
use crate::file::SourceFile;
use crate::inventory::{Document, unread};
use crate::monitor::step;
use crate::options::Surroundings;
use crate::{Inventory, Monitor, ReadError};

/// A monitor that hears of nothing but the wish to stop: progress is counted in members.
struct Quiet<'a>(&'a dyn Monitor);

impl Monitor for Quiet<'_> {
    fn progress(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

/// One document for each member, `prefix` before its name. What is wrong with one is said of that one.
pub(crate) fn inventory(
    archive: &Archive,
    file: &Arc<SourceFile>,
    name: &str,
    prefix: &str,
    near: &Surroundings,
    monitor: &dyn Monitor,
) -> Result<Inventory, ReadError> {
    let mut documents = Vec::with_capacity(archive.members.len());
    let total = archive.members.len() as u64;
    for (number, member) in archive.members.iter().enumerate() {
        step(monitor, number as u64, total)?;
        let called = format!("{prefix}{}", member.document);
        match document(archive, number, &called, file, near, &Quiet(monitor)) {
            Ok(document) => documents.extend(document),
            // This member is damaged; the others may be whole.
            Err(error @ (ReadError::Damaged(_) | ReadError::OutOfMemory(_))) => {
                documents.push(unread(file, &called, error.to_string())?);
            }
            Err(error) => return Err(error),
        }
    }
    if documents.is_empty() {
        documents.push(unread(file, name, "the archive has no members".to_owned())?);
    }
    file.check()?;
    Ok(Inventory::new(documents).with_limitations(archive.damage.clone()))
}

fn document(
    archive: &Archive,
    number: usize,
    name: &str,
    file: &SourceFile,
    near: &Surroundings,
    monitor: &dyn Monitor,
) -> Result<Option<Document>, ReadError> {
    let Some(opened) = archive.opened(number, file, near)? else {
        return Ok(None);
    };
    let mut document = match &opened.what {
        What::Image(image) => image.document(&opened.file, name, None, monitor)?,
        What::Import(import) => Some(import.document(&opened.file, name)?),
        What::Unread(why) => Some(unread(&opened.file, name, why.clone())?),
    };
    if let Some(document) = &mut document {
        document.set_companions(opened.companion.into_iter().collect());
    }
    Ok(document)
}

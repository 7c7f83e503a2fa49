//! The index against a brute-force oracle, against the cases that are known by heart, and against hosts that break
//! the contract.

mod cases;
mod hostile;
mod laws;
mod measure;

use super::{Builder, Extent, Index, Progress};
use crate::session::{Fault, Inventory, NamePage, PlacePage, Unavailable};

/// A document of a made-up snapshot.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) document: String,
    pub(crate) places: Vec<String>,
    pub(crate) names: Vec<(String, u32)>,
    pub(crate) complete: bool,
}

impl Rows {
    pub(crate) fn new(document: &str, places: &[&str], names: &[(&str, u32)]) -> Self {
        Self {
            document: document.to_owned(),
            places: places.iter().map(|&place| place.to_owned()).collect(),
            names: names
                .iter()
                .map(|&(name, place)| (name.to_owned(), place))
                .collect(),
            complete: true,
        }
    }

    pub(crate) fn extent(&self) -> Extent {
        Extent {
            document: self.document.clone(),
            places: self.places.len() as u32,
            place_bytes: self.places.iter().map(|place| place.len() as u64).sum(),
            names: self.names.len() as u32,
            name_bytes: self.names.iter().map(|(name, _)| name.len() as u64).sum(),
            naming_complete: self.complete,
        }
    }
}

/// A host that hands out pages of so many rows.
pub(crate) struct Host<'a> {
    pub(crate) documents: &'a [Rows],
    pub(crate) page: usize,
}

fn packed<'a>(rows: impl Iterator<Item = &'a str>) -> (String, Vec<u32>) {
    let (mut text, mut ends) = (String::new(), Vec::new());
    for row in rows {
        text.push_str(row);
        ends.push(text.len() as u32);
    }
    (text, ends)
}

impl Inventory for Host<'_> {
    fn places(&self, document: u32, first: u32) -> Result<PlacePage, Unavailable> {
        let rows = self.documents[document as usize]
            .places
            .iter()
            .skip(first as usize)
            .take(self.page);
        let (text, ends) = packed(rows.map(String::as_str));
        Ok(PlacePage { text, ends })
    }

    fn names(&self, document: u32, first: u32) -> Result<NamePage, Unavailable> {
        let rows = self.documents[document as usize]
            .names
            .iter()
            .skip(first as usize)
            .take(self.page);
        let (text, ends) = packed(rows.clone().map(|(name, _)| name.as_str()));
        Ok(NamePage {
            text,
            ends,
            places: rows.map(|&(_, place)| place).collect(),
        })
    }
}

pub(crate) fn advance_to_end(
    builder: &mut Builder,
    inventory: &dyn Inventory,
) -> Result<(), Fault> {
    let mut before = Progress::default();
    loop {
        let progress = builder.advance(inventory)?;
        assert!(
            progress.done_units >= before.done_units,
            "{before:?} {progress:?}"
        );
        assert!(progress.all_units >= progress.done_units, "{progress:?}");
        if progress.done {
            assert_eq!(progress.all_units, progress.done_units);
            return Ok(());
        }
        before = progress;
    }
}

pub(crate) fn built(documents: &[Rows], page: usize) -> Index {
    let mut builder = Builder::begin(documents.iter().map(Rows::extent).collect()).unwrap();
    advance_to_end(&mut builder, &Host { documents, page }).unwrap();
    builder.finish().unwrap()
}

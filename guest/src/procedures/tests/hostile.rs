//! Hosts that break the contract: an error each time, never a trap and never half an index.

use super::{Host, Rows, advance_to_end};
use crate::procedures::{Builder, Extent, memory_needed};
use crate::session::{FaultCode, Inventory, NamePage, PlacePage, Unavailable};

fn code_of(extents: Vec<Extent>, inventory: &dyn Inventory) -> FaultCode {
    let mut builder = match Builder::begin(extents) {
        Ok(builder) => builder,
        Err(fault) => return fault.code,
    };
    let fault = advance_to_end(&mut builder, inventory).unwrap_err();
    assert_eq!(
        builder.advance(inventory),
        Err(fault.clone()),
        "there is no way back"
    );
    assert_eq!(builder.finish().map(drop), Err(fault.clone()));
    fault.code
}

fn with_extent(change: impl FnOnce(&mut Extent)) -> FaultCode {
    let documents = [Rows::new("d", &["0x1", "0x2"], &[("main", 0), ("", 1)])];
    let mut extent = documents[0].extent();
    change(&mut extent);
    code_of(
        vec![extent],
        &Host {
            documents: &documents,
            page: 1,
        },
    )
}

#[test]
fn extents_that_are_not_what_comes_are_malformed() {
    assert_eq!(
        with_extent(|extent| extent.places += 1),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.places -= 1),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.place_bytes += 1),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.place_bytes -= 1),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.names += 1),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.names -= 1),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.name_bytes += 1),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.name_bytes -= 1),
        FaultCode::MalformedInput
    );
}

#[test]
fn extents_beyond_the_address_space_are_malformed() {
    assert_eq!(
        with_extent(|extent| extent.places = u32::MAX),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.names = u32::MAX),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.place_bytes = u64::MAX),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.name_bytes = u64::MAX),
        FaultCode::MalformedInput
    );
    assert_eq!(
        with_extent(|extent| extent.name_bytes = 1 << 32),
        FaultCode::MalformedInput
    );
}

#[test]
fn documents_have_names_and_each_its_own() {
    let extent = |document: &str| Extent {
        document: document.to_owned(),
        ..Extent::default()
    };
    for names in [&[""][..], &["a", "b", "a"]] {
        let fault = Builder::begin(names.iter().map(|name| extent(name)).collect())
            .err()
            .unwrap();
        assert_eq!(
            (fault.code, fault.field.as_str()),
            (FaultCode::MalformedInput, "documents")
        );
    }
}

#[test]
fn rows_that_cannot_be_are_malformed() {
    for rows in [
        Rows::new("d", &["0x1", "0x2", "0x1"], &[]),
        Rows::new("d", &["0x1", ""], &[]),
        Rows::new("d", &["0x1"], &[("main", 1)]),
        Rows::new("d", &[], &[("main", 0)]),
    ] {
        let mut extent = rows.extent();
        extent.place_bytes = extent.place_bytes.max(u64::from(extent.places));
        let documents = [rows];
        assert_eq!(
            code_of(
                vec![extent],
                &Host {
                    documents: &documents,
                    page: 2
                }
            ),
            FaultCode::MalformedInput
        );
    }
}

/// Two places spelled alike are found although an incomplete naming leaves the names unread.
#[test]
fn places_are_checked_without_names() {
    let mut rows = Rows::new("d", &["0x1", "0x1"], &[]);
    rows.complete = false;
    let documents = [rows];
    let extents = vec![documents[0].extent()];
    assert_eq!(
        code_of(
            extents,
            &Host {
                documents: &documents,
                page: 9
            }
        ),
        FaultCode::MalformedInput
    );
}

struct Broken {
    places: Result<PlacePage, Unavailable>,
    names: Result<NamePage, Unavailable>,
}

impl Inventory for Broken {
    fn places(&self, _: u32, first: u32) -> Result<PlacePage, Unavailable> {
        if first == 0 {
            self.places.clone()
        } else {
            Ok(PlacePage::default())
        }
    }

    fn names(&self, _: u32, _: u32) -> Result<NamePage, Unavailable> {
        self.names.clone()
    }
}

#[test]
fn pages_that_cannot_be_are_malformed() {
    let extent = || Extent {
        document: "d".to_owned(),
        places: 1,
        place_bytes: 2,
        names: 2,
        name_bytes: 2,
        naming_complete: true,
    };
    let good = PlacePage {
        text: "é".to_owned(),
        ends: vec![2],
    };
    for (text, ends, places) in [
        ("ab", vec![1, 2], vec![0]),
        ("ab", vec![1, 2], vec![0, 0, 0]),
        ("ab", vec![2, 1], vec![0, 0]),
        ("ab", vec![1, 3], vec![0, 0]),
        ("é", vec![1, 2], vec![0, 0]),
        ("", vec![], vec![0]),
    ] {
        let names = Ok(NamePage {
            text: text.to_owned(),
            ends,
            places,
        });
        let host = Broken {
            places: Ok(good.clone()),
            names,
        };
        assert_eq!(
            code_of(vec![extent()], &host),
            FaultCode::MalformedInput,
            "{text:?}"
        );
    }
    let host = Broken {
        places: Ok(PlacePage {
            text: "é".to_owned(),
            ends: vec![1],
        }),
        names: Err(Unavailable::Cold),
    };
    assert_eq!(code_of(vec![extent()], &host), FaultCode::MalformedInput);
    let host = Broken {
        places: Ok(good),
        names: Err(Unavailable::Failed),
    };
    assert_eq!(code_of(vec![extent()], &host), FaultCode::Other);
}

#[test]
fn finish_before_the_end_is_out_of_turn() {
    let documents = [Rows::new("d", &["0x1"], &[])];
    let builder = Builder::begin(vec![documents[0].extent()]).unwrap();
    assert_eq!(
        builder.finish().map(drop).unwrap_err().code,
        FaultCode::OutOfTurn
    );
}

/// Beyond the text a row takes at most 24 bytes while the index is built.
#[test]
fn memory_is_bounded_by_what_is_announced() {
    let extent = Extent {
        document: "d".to_owned(),
        places: 400_000,
        place_bytes: 4_000_000,
        names: 700_000,
        name_bytes: 130_000_000,
        naming_complete: true,
    };
    let beyond = memory_needed(&[extent]).unwrap() - 134_000_000;
    assert!(beyond <= 24 * 1_100_000, "{beyond}");
}

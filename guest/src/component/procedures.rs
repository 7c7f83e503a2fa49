//! `procedures`.

use std::cell::RefCell;

use super::convert::fault;
use super::host::Host;
use super::{Component, exports, imports};
use crate::{procedures, session};

/// What the instance knows of its snapshot.
enum Snapshot {
    Unannounced,
    Building(procedures::Builder),
    Ready(procedures::Index),
    /// A page was malformed: procedures complete to nothing for good.
    Failed,
}

thread_local! {
    static SNAPSHOT: RefCell<Snapshot> = const { RefCell::new(Snapshot::Unannounced) };
}

/// Asks with the index over the instance's snapshot, if there is one that serves.
pub(super) fn with_index<R>(ask: impl FnOnce(Option<&procedures::Index>) -> R) -> R {
    SNAPSHOT.with_borrow(|snapshot| {
        ask(match snapshot {
            Snapshot::Ready(index) => Some(index),
            Snapshot::Unannounced | Snapshot::Building(_) | Snapshot::Failed => None,
        })
    })
}

impl exports::procedures::Guest for Component {
    fn begin(documents: Vec<exports::procedures::Extent>) -> Result<(), imports::types::Fault> {
        let extents = documents
            .into_iter()
            .map(|extent| procedures::Extent {
                document: extent.document,
                places: extent.places,
                place_bytes: extent.place_bytes,
                names: extent.names,
                name_bytes: extent.name_bytes,
                naming_complete: extent.naming_complete,
            })
            .collect();
        SNAPSHOT.with_borrow_mut(|snapshot| {
            if !matches!(snapshot, Snapshot::Unannounced) {
                return Err(out_of_turn(
                    "begin was called before; a new snapshot needs a new instance",
                ));
            }
            match procedures::Builder::begin(extents) {
                Ok(builder) => {
                    *snapshot = Snapshot::Building(builder);
                    Ok(())
                }
                Err(error) => {
                    *snapshot = Snapshot::Failed;
                    Err(fault(error))
                }
            }
        })
    }

    fn advance() -> Result<exports::procedures::Progress, imports::types::Fault> {
        SNAPSHOT.with_borrow_mut(|snapshot| {
            let Snapshot::Building(builder) = snapshot else {
                return Err(out_of_turn("advance goes between begin and done"));
            };
            let progress = match builder.advance(&Host) {
                Ok(progress) => progress,
                Err(error) => {
                    *snapshot = Snapshot::Failed;
                    return Err(fault(error));
                }
            };
            if progress.done {
                let built = std::mem::replace(snapshot, Snapshot::Failed);
                if let Snapshot::Building(builder) = built {
                    *snapshot = Snapshot::Ready(builder.finish().map_err(fault)?);
                }
            }
            Ok(exports::procedures::Progress {
                done_units: progress.done_units,
                all_units: progress.all_units,
                done: progress.done,
            })
        })
    }
}

fn out_of_turn(detail: &str) -> imports::types::Fault {
    fault(session::Fault {
        code: session::FaultCode::OutOfTurn,
        field: String::new(),
        detail: detail.to_owned(),
    })
}

//! Which procedure an address lies in.

use super::resolve::spelled;
use crate::{Document, ResolveError};

/// What is at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contained {
    /// It lies in a procedure, by the size that a symbol or unwind information gives, or it is where one starts.
    Procedure {
        /// The number of its place. Of several that hold the address, the one that starts last.
        place: u32,
        /// Bytes from its start.
        offset: u64,
    },
    /// Several procedures hold it, as addresses of a relocatable file are offsets in sections: these places, at most 100.
    Several(Vec<u32>),
    /// It lies in the image, but in no procedure that is known.
    NotInProcedure {
        /// The section, or `segment N`.
        section: String,
        /// Whether that is executable: a procedure may be missing there.
        executable: bool,
    },
    /// The image has no such address.
    OutsideSegments,
}

/// So many places are listed where several hold an address.
const LISTED: usize = 100;

impl Document {
    /// What is at an address, written as for [`resolve`](Self::resolve): with `@` and a section if it is an offset in one.
    ///
    /// Of nested procedures the innermost is told; a label without a size holds only its own address, and only if
    /// nothing else does. Fails with `Malformed` if the text is no address.
    pub fn containing(&self, text: &str) -> Result<Contained, ResolveError> {
        let Some(spelled) = spelled(text)? else {
            return Err(ResolveError::Malformed(format!(
                "{} is a name",
                crate::escape::display(text.as_bytes())
            )));
        };
        let address = spelled.address;
        let fits = |region: &super::Region| {
            spelled
                .label
                .as_ref()
                .is_none_or(|label| *label == region.label)
        };
        let mut found: Vec<u32> = Vec::new();
        let regions: Vec<u32> = (0u32..)
            .zip(&self.regions)
            .filter(|(_, region)| fits(region) && region.contains(address))
            .map(|(number, _)| number)
            .collect();
        if self.by_address.is_some() {
            found.extend(
                regions
                    .iter()
                    .filter_map(|region| self.innermost(address, |place| place.region == *region)),
            );
        } else {
            found.extend(self.innermost(address, |place| {
                self.regions.get(place.region as usize).is_some_and(&fits)
            }));
        }
        match found.as_slice() {
            [place] => Ok(Contained::Procedure {
                place: *place,
                offset: address.saturating_sub(
                    self.places
                        .get(*place as usize)
                        .map_or(0, |place| place.address),
                ),
            }),
            [] => Ok(regions
                .iter()
                .filter_map(|number| self.regions.get(*number as usize))
                .max_by_key(|region| region.executable)
                .map_or(Contained::OutsideSegments, |region| {
                    Contained::NotInProcedure {
                        section: region.shown(),
                        executable: region.executable,
                    }
                })),
            several => Ok(Contained::Several(
                several.iter().take(LISTED).copied().collect(),
            )),
        }
    }

    /// The place that starts last among those that hold the address; else one that starts there.
    fn innermost(&self, address: u64, wanted: impl Fn(&super::Place) -> bool) -> Option<u32> {
        let mut exact = None;
        let mut best: Option<(u64, u64, u32)> = None;
        for (number, place) in (0u32..).zip(&self.places) {
            let Some(inside) = address.checked_sub(place.address) else {
                continue;
            };
            if !wanted(place) {
                continue;
            }
            if inside == 0 && exact.is_none() {
                exact = Some(number);
            }
            // Innermost: starts last; of two that start alike, the shorter; of two alike, the first.
            if inside < place.size
                && best.is_none_or(|(offset, size, _)| (inside, place.size) < (offset, size))
            {
                best = Some((inside, place.size, number));
            }
        }
        best.map(|(_, _, number)| number).or(exact)
    }
}

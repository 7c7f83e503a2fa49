//! The packed pages that the index over an inventory is built from.

use super::row::flag;
use crate::{Document, ReadError};

/// Rows of a page.
const ROWS: usize = 10_000;
/// Bytes of a page, unless one row is longer.
const BYTES: usize = 1 << 20;

/// Spellings of places, one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacePage {
    /// The spellings, packed.
    pub text: String,
    /// Where each ends in `text`.
    pub ends: Vec<u32>,
}

/// Names, one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamePage {
    /// The names, packed.
    pub text: String,
    /// Where each ends in `text`.
    pub ends: Vec<u32>,
    /// The place that each names.
    pub places: Vec<u32>,
}

impl Document {
    /// The spellings of the places from number `first` on. At most 10,000, and 1 MiB; no rows if there are no more.
    pub fn place_page(&self, first: u32) -> PlacePage {
        let mut page = PlacePage::default();
        for place in self.places.iter().skip(first as usize).take(ROWS) {
            let before = page.text.len();
            self.spell(place, &mut page.text);
            if page.text.len() > BYTES && before > 0 {
                page.text.truncate(before);
                break;
            }
            page.ends.push(end(&page.text));
        }
        page
    }

    /// The offered names from row `first` on, by place, the primary one of each place first. At most 10,000, and 1 MiB
    /// unless one name is longer; no rows if there are no more.
    ///
    /// Fails only after [`release_text`](Self::release_text), if the file changed or can't be read.
    pub fn name_page(&self, first: u32) -> Result<NamePage, ReadError> {
        let mut page = NamePage::default();
        let reader = self.text.reader();
        for row in self
            .names
            .iter()
            .skip(self.row_of_offered(first))
            .filter(|row| row.has(flag::OFFERED))
            .take(ROWS)
        {
            let before = page.text.len();
            let raw = reader.raw(*row)?;
            // It was UTF-8 when the inventory was made; the file may have changed since.
            page.text
                .push_str(std::str::from_utf8(&raw).map_err(|_| ReadError::Changed)?);
            if let Some(version) = row
                .version()
                .and_then(|version| self.versions.get(usize::from(version)))
            {
                page.text.push_str(row.style().separator());
                page.text
                    .push_str(std::str::from_utf8(version).unwrap_or_default());
            }
            if page.text.len() > BYTES && before > 0 {
                page.text.truncate(before);
                break;
            }
            page.ends.push(end(&page.text));
            page.places.push(row.place);
        }
        reader.finish()?;
        Ok(page)
    }

    /// The row that is the n-th offered one.
    fn row_of_offered(&self, n: u32) -> usize {
        // Before the k-th row that isn't offered stand `unoffered[k] - k` that are.
        let (mut low, mut high) = (0usize, self.unoffered.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let offered_before = self
                .unoffered
                .get(middle)
                .map_or(0, |row| (*row as usize).saturating_sub(middle));
            if offered_before <= n as usize {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (n as usize).saturating_add(low)
    }
}

/// A page holds a mebibyte and one row; both fit.
fn end(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

//! Reading pages, and refusing those that contradict the contract.

use super::malformed;
use crate::session::Fault;

/// How many rows a page may have.
const MOST_ROWS: usize = 10_000;

/// How much of one kind of rows has been read, of how much.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) rows: u32,
    bytes: u64,
}

/// What is announced of one kind of rows of one document.
pub(super) struct Announced<'a> {
    /// The field to name in a fault.
    pub(super) kind: &'static str,
    pub(super) document: &'a str,
    pub(super) rows: u32,
    pub(super) bytes: u64,
}

impl Tally {
    /// Counts a page, if it is well formed and brings no more than was announced. Returns whether it was the last:
    /// one without rows. It must be asked for even when all that was announced has come, since a row more could be
    /// the one that makes a name ambiguous.
    pub(super) fn count(
        &mut self,
        text: &str,
        ends: &[u32],
        of: &Announced<'_>,
    ) -> Result<bool, Fault> {
        check_ends(text, ends, of)?;
        let rows = u64::from(self.rows) + ends.len() as u64;
        let bytes = self.bytes + text.len() as u64;
        let last = ends.is_empty();
        let (all_rows, all_bytes) = (u64::from(of.rows), of.bytes);
        if rows > all_rows || bytes > all_bytes || (last && (rows, bytes) != (all_rows, all_bytes))
        {
            return Err(malformed(
                of.kind,
                format!(
                    "{:?} announces {all_rows} rows and {all_bytes} bytes, but {rows} rows and {bytes} bytes came.",
                    of.document
                ),
            ));
        }
        // Not more than `of.rows`, which is a u32.
        self.rows = u32::try_from(rows).unwrap_or(u32::MAX);
        self.bytes = bytes;
        Ok(last)
    }
}

fn check_ends(text: &str, ends: &[u32], of: &Announced<'_>) -> Result<(), Fault> {
    let wrong = |what: &str| {
        Err(malformed(
            of.kind,
            format!("A page of {:?} {what}.", of.document),
        ))
    };
    if ends.len() > MOST_ROWS {
        return wrong("has more than 10,000 rows");
    }
    if !ends.is_sorted() {
        return wrong("has a row that ends before it begins");
    }
    if ends.last().map_or(0, |&end| end as usize) != text.len() {
        return wrong("has text that belongs to no row, or too little of it");
    }
    if !ends.iter().all(|&end| text.is_char_boundary(end as usize)) {
        return wrong("has a row that ends within a character");
    }
    Ok(())
}

/// The rows of a page that was found well formed.
pub(super) fn rows<'a>(text: &'a str, ends: &'a [u32]) -> impl Iterator<Item = &'a str> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts
        .zip(ends)
        .map(|(start, &end)| text.get(start as usize..end as usize).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF: Announced<'static> = Announced {
        kind: "names",
        document: "d",
        rows: 3,
        bytes: 4,
    };

    fn count(text: &str, ends: &[u32]) -> Result<bool, Fault> {
        Tally::default().count(text, ends, &OF)
    }

    #[test]
    fn pages_are_checked() {
        assert_eq!(count("ab", &[1, 1, 2]), Ok(false));
        for (text, ends) in [
            ("ab", &[2, 1][..]),
            ("ab", &[1]),
            ("ab", &[3]),
            ("ab", &[]),
            ("é", &[1, 2]),
            ("abcd", &[1, 2, 3, 4]),
            ("abcde", &[5]),
            ("", &[]),
        ] {
            assert!(count(text, ends).is_err(), "{text:?} {ends:?}");
        }
        assert!(
            count("", &vec![0; MOST_ROWS + 1])
                .unwrap_err()
                .detail
                .contains("10,000")
        );
    }

    #[test]
    fn totals_are_exact_over_all_pages() {
        let mut tally = Tally::default();
        assert_eq!(tally.count("ab", &[1, 2], &OF), Ok(false));
        assert!(tally.count("", &[], &OF).is_err());
        assert_eq!(tally.count("cd", &[2], &OF), Ok(false));
        assert!(tally.count("", &[0], &OF).is_err());
        assert_eq!(tally.count("", &[], &OF), Ok(true));
    }
}

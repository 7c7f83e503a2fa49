//! From what a caller writes to a place.

use super::Mode;
use super::row::{NameRow, Style, hash};
use crate::{Document, ReadError, escape};

/// Why a text leads to no single place.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// No place has that address or name.
    #[error("no procedure has that address or name")]
    NotFound,
    /// More than one place has it.
    #[error("{total} procedures have it: {}{}", .spellings.join(", "), if (*.total as usize) > .spellings.len() { ", …" } else { "" })]
    Ambiguous {
        /// The first hundred, in the order of places.
        spellings: Vec<String>,
        /// How many there are.
        total: u32,
    },
    /// It looks like an address and is none.
    #[error("that is no address: {0}")]
    Malformed(String),
    /// A name had to be read from the file, and couldn't.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// A text that looks like an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spelled {
    pub(super) address: u64,
    /// What follows the first `@`.
    pub(super) label: Option<String>,
}

/// So many places of an ambiguous name are listed.
const LISTED: usize = 100;

impl Document {
    /// The place that a text means.
    ///
    /// A text that begins with `0x`, and one of decimal digits alone, is always an address: in any case, with leading
    /// zeros, with `@` and a section, and on ARM with the Thumb bit. Anything else is a name, exactly as in the file
    /// (`f`, `f@V1`, `f@@V2`; `f@V2` finds `f@@V2` too), or a name as it is shown, escaped.
    /// Where no name fits, `#7` and `NAME.dll#7` (with the document's name) are the export of that ordinal.
    pub fn resolve(&self, text: &str) -> Result<u32, ResolveError> {
        if let Some(spelled) = spelled(text)? {
            let places = self.at_address(&spelled);
            return self.one_of(places);
        }
        let mut places = self.named(text.as_bytes())?;
        if places.is_empty()
            && text.contains('\\')
            && let Some(bytes) = escape::parse(text)
        {
            places = self.named(&bytes)?;
        }
        if places.is_empty() && !self.ordinals.is_empty() {
            places = self.of_ordinal(text);
        }
        self.one_of(places)
    }

    fn one_of(&self, places: Vec<u32>) -> Result<u32, ResolveError> {
        match places.as_slice() {
            [] => Err(ResolveError::NotFound),
            [place] => Ok(*place),
            several => Err(ResolveError::Ambiguous {
                spellings: several
                    .iter()
                    .take(LISTED)
                    .filter_map(|place| self.spelling(*place))
                    .collect(),
                total: u32::try_from(several.len()).unwrap_or(u32::MAX),
            }),
        }
    }

    fn at_address(&self, spelled: &Spelled) -> Vec<u32> {
        let fits = |place: &u32| match &spelled.label {
            None => true,
            Some(label) => self
                .places
                .get(*place as usize)
                .and_then(|place| self.regions.get(place.region as usize))
                .is_some_and(|region| region.label == *label),
        };
        let mut places: Vec<u32> = self
            .starting_at(spelled.address)
            .into_iter()
            .filter(fits)
            .collect();
        if places.is_empty() && self.is_arm && spelled.address & 1 == 1 {
            let may_be_thumb = |place: &u32| {
                self.places
                    .get(*place as usize)
                    .is_some_and(|place| place.mode != Some(Mode::Arm))
            };
            places = self
                .starting_at(spelled.address & !1)
                .into_iter()
                .filter(|place| fits(place) && may_be_thumb(place))
                .collect();
        }
        places
    }

    /// All places at an address, in their order.
    pub(super) fn starting_at(&self, address: u64) -> Vec<u32> {
        let at = |number: u32| {
            self.places
                .get(number as usize)
                .map_or(u64::MAX, |place| place.address)
        };
        match &self.by_address {
            Some(order) => {
                let first = order.partition_point(|number| at(*number) < address);
                order
                    .iter()
                    .skip(first)
                    .copied()
                    .take_while(|number| at(*number) == address)
                    .collect()
            }
            None => {
                let first = self.places.partition_point(|place| place.address < address);
                (0u32..)
                    .zip(&self.places)
                    .skip(first)
                    .take_while(|(_, place)| place.address == address)
                    .map(|(number, _)| number)
                    .collect()
            }
        }
    }

    /// All places of a name, in their order, each once.
    fn named(&self, text: &[u8]) -> Result<Vec<u32>, ReadError> {
        // A version may stand behind any `@`; the raw name may hold one too.
        let mut forms = vec![(text, None)];
        let mut rest = text;
        while let Some(at) = memchr::memrchr(b'@', rest) {
            let (name, version) = (
                rest.get(..at).unwrap_or(&[]),
                text.get(at + 1..).unwrap_or(&[]),
            );
            match name.strip_suffix(b"@") {
                Some(name) => forms.push((name, Some((version, true)))),
                None => forms.push((name, Some((version, false)))),
            }
            rest = name;
            if forms.len() > 8 {
                break;
            }
        }
        let forms: Vec<_> = forms
            .into_iter()
            .map(|(name, version)| (name, hash(name), version))
            .collect();
        let reader = self.text.reader();
        let (mut exact, mut lenient) = (Vec::new(), Vec::new());
        for row in &self.names {
            for (name, hash, version) in &forms {
                if row.hash != *hash || row.len as usize != name.len() {
                    continue;
                }
                let list = match (version, row.style()) {
                    (None, Style::Bare) => &mut exact,
                    (Some((version, default)), style)
                        if style != Style::Bare && self.version_is(*row, version) =>
                    {
                        match (*default, style == Style::Default) {
                            (a, b) if a == b => &mut exact,
                            (false, true) => &mut lenient,
                            _ => continue,
                        }
                    }
                    _ => continue,
                };
                if list.last() != Some(&row.place) && *reader.raw(*row)? == **name {
                    list.push(row.place);
                }
            }
        }
        reader.finish()?;
        Ok(if exact.is_empty() { lenient } else { exact })
    }

    fn version_is(&self, row: NameRow, version: &[u8]) -> bool {
        self.versions
            .get(usize::from(row.version))
            .is_some_and(|name| **name == *version)
    }
}

/// Reads a text that looks like an address; `None` if it looks like a name.
pub(super) fn spelled(text: &str) -> Result<Option<Spelled>, ResolveError> {
    let (number, label) = match text.split_once('@') {
        Some((number, label)) => (number, Some(label.to_owned())),
        None => (text, None),
    };
    let malformed =
        |why: &str| ResolveError::Malformed(format!("{} {why}", escape::display(text.as_bytes())));
    let (digits, radix) = match number
        .strip_prefix("0x")
        .or_else(|| number.strip_prefix("0X"))
    {
        Some(digits) => (digits, 16),
        None if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            (number, 10)
        }
        None => return Ok(None),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(malformed("is not 0x and hexadecimal digits"));
    }
    match u64::from_str_radix(digits, radix) {
        Ok(address) => Ok(Some(Spelled { address, label })),
        Err(_) => Err(malformed("takes more than 64 bits")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_an_address_is_one() {
        let address = |text| {
            spelled(text)
                .ok()
                .flatten()
                .map(|spelled| (spelled.address, spelled.label))
        };
        assert_eq!(address("0x10"), Some((16, None)));
        assert_eq!(address("0X0000AbC"), Some((0xabc, None)));
        assert_eq!(address("16"), Some((16, None)));
        assert_eq!(
            address("0x0@.text.a"),
            Some((0, Some(".text.a".to_owned())))
        );
        assert_eq!(address("main"), None);
        assert_eq!(address("deadbeef"), None);
        for wrong in ["0x", "0xzz", "0x10000000000000000", "99999999999999999999"] {
            assert!(
                matches!(spelled(wrong), Err(ResolveError::Malformed(_))),
                "{wrong}"
            );
        }
    }
}

//! GNU symbol versions: which version a dynamic symbol has.

use super::header::string_at;
use super::raw::Shape;
use crate::inventory::Style;

/// The versions of a dynamic symbol table.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    /// `.gnu.version`: a number for each symbol.
    numbers: Vec<u8>,
    /// From number to position in `names` and whether this file defines it.
    known: Vec<Option<(u16, bool)>>,
    /// The names.
    pub(crate) names: Vec<Box<[u8]>>,
    /// For each name the library it is required from; empty if this file defines it.
    pub(crate) libraries: Vec<Box<[u8]>>,
    /// What is wrong with the tables.
    pub(crate) damage: Vec<String>,
}

/// Numbers have fifteen bits.
const NUMBERS: usize = 1 << 15;
/// The sixteenth.
const HIDDEN: u16 = 0x8000;
/// VER_FLG_BASE: the version is the file itself.
const BASE: u16 = 1;

/// The bytes of the three tables; each may be missing.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(crate) numbers: Vec<u8>,
    pub(crate) defined: Vec<u8>,
    pub(crate) needed: Vec<u8>,
}

impl Versions {
    pub(crate) fn parse(shape: Shape, tables: Tables, strings: &[u8]) -> Versions {
        let mut this = Versions {
            numbers: tables.numbers,
            ..Versions::default()
        };
        if this.numbers.is_empty() {
            return this;
        }
        if this.read_defined(shape, &tables.defined, strings).is_none() {
            this.damage
                .push("the version definitions run out of their section".to_owned());
        }
        if this.read_needed(shape, &tables.needed, strings).is_none() {
            this.damage
                .push("the version requirements run out of their section".to_owned());
        }
        this
    }

    /// `Verdef`: version, flags, number, count (16 bits each), hash, aux, next (32 each). `Verdaux`: name, next.
    fn read_defined(&mut self, shape: Shape, bytes: &[u8], strings: &[u8]) -> Option<()> {
        let mut at = 0usize;
        for _ in 0..NUMBERS {
            if bytes.is_empty() {
                break;
            }
            let flags = shape.u16_at(bytes, at.checked_add(2)?)?;
            let number = shape.u16_at(bytes, at.checked_add(4)?)?;
            let aux = shape.u32_at(bytes, at.checked_add(12)?)?;
            let next = shape.u32_at(bytes, at.checked_add(16)?)?;
            if flags & BASE == 0 {
                let name = shape.u32_at(bytes, at.checked_add(aux as usize)?)?;
                self.add(number, string_at(strings, name)?, None);
            }
            if next == 0 {
                break;
            }
            at = at.checked_add(next as usize)?;
        }
        Some(())
    }

    /// `Verneed`: version, count (16 bits each), file, aux, next (32 each). `Vernaux`: hash (32), flags, other (16 each), name,
    /// next (32 each).
    fn read_needed(&mut self, shape: Shape, bytes: &[u8], strings: &[u8]) -> Option<()> {
        each_needed(shape, bytes, |library, number, name| {
            self.add(
                number,
                string_at(strings, name)?,
                Some(string_at(strings, library)?),
            );
            Some(())
        })
    }

    fn add(&mut self, number: u16, name: &[u8], library: Option<&[u8]>) {
        let number = number & !HIDDEN;
        // 0 is local and 1 global, whatever a table says.
        if number < 2 {
            return;
        }
        let Ok(position) = u16::try_from(self.names.len()) else {
            return;
        };
        if self.known.len() <= usize::from(number) {
            self.known.resize(usize::from(number) + 1, None);
        }
        if let Some(slot) = self.known.get_mut(usize::from(number))
            && slot.is_none()
        {
            *slot = Some((position, library.is_none()));
            self.names.push(name.into());
            self.libraries.push(library.unwrap_or_default().into());
        }
    }

    /// The position of a symbol's version and how it is spelled. `Err`: it has a number that no table explains.
    pub(crate) fn of(&self, shape: Shape, symbol: usize) -> Result<Option<(u16, Style)>, ()> {
        let Some(row) = symbol
            .checked_mul(2)
            .and_then(|at| shape.u16_at(&self.numbers, at))
        else {
            return if self.numbers.is_empty() {
                Ok(None)
            } else {
                Err(())
            };
        };
        match row & !HIDDEN {
            0 | 1 => Ok(None),
            number => match self.known.get(usize::from(number)).copied().flatten() {
                Some((position, true)) if row & HIDDEN == 0 => Ok(Some((position, Style::Default))),
                Some((position, _)) => Ok(Some((position, Style::Hidden))),
                None => Err(()),
            },
        }
    }
}

/// Calls for every required version: offset of the library's name, number, offset of the version's name. `None` if the
/// table runs out of its bytes or the call gave up.
pub(crate) fn each_needed(
    shape: Shape,
    bytes: &[u8],
    mut call: impl FnMut(u32, u16, u32) -> Option<()>,
) -> Option<()> {
    let mut at = 0usize;
    let mut rows = 0usize;
    while !bytes.is_empty() {
        let count = shape.u16_at(bytes, at.checked_add(2)?)?;
        let file = shape.u32_at(bytes, at.checked_add(4)?)?;
        let mut aux = at.checked_add(shape.u32_at(bytes, at.checked_add(8)?)? as usize)?;
        let next = shape.u32_at(bytes, at.checked_add(12)?)?;
        for _ in 0..count {
            // Offsets only grow, but many rows may share bytes; no real file has this many.
            rows += 1;
            if rows > NUMBERS {
                return None;
            }
            let number = shape.u16_at(bytes, aux.checked_add(6)?)?;
            let name = shape.u32_at(bytes, aux.checked_add(8)?)?;
            call(file, number, name)?;
            match shape.u32_at(bytes, aux.checked_add(12)?)? {
                0 => break,
                step => aux = aux.checked_add(step as usize)?,
            }
        }
        rows += 1;
        if next == 0 {
            break;
        }
        if rows > NUMBERS {
            return None;
        }
        at = at.checked_add(next as usize)?;
    }
    Some(())
}

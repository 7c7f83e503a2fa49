//! The table as bytes: header, list of functions, names.

/// A function of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Where it starts: an address, or from 1.18 on a distance from the start of the code.
    pub(crate) entry: u64,
    /// Bytes up to the next function.
    pub(crate) size: u64,
    /// Where its name stands in the table of names.
    pub(crate) name: u32,
    pub(crate) name_len: u32,
}

/// What was read of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// The version of Go whose layout it has: `1.2`, `1.16`, `1.18` or `1.20`.
    pub(crate) layout: &'static str,
    /// Whether entries are distances from the start of the code.
    pub(crate) is_relative: bool,
    /// The start of the code as the header tells it: from 1.18 on; 0 if the loader or nobody fills it in.
    pub(crate) text_start: u64,
    /// Where the header keeps the start of the code.
    pub(crate) text_start_at: usize,
    /// The table of names: its range in the bytes.
    pub(crate) names: std::ops::Range<usize>,
    pub(crate) functions: Vec<Function>,
    /// Rows that are no functions, or whose names can't be read.
    pub(crate) damaged: u64,
}

/// Bytes of the fixed part of the header.
pub(crate) const FIXED: usize = 8;
/// Longest name that is taken.
const NAME: usize = 1 << 16;

/// Whether a table may begin with these eight bytes: magic, two zeros, the smallest instruction, the size of a pointer.
pub(crate) fn looks_like(head: &[u8]) -> bool {
    let (magic, rest) = match *head {
        [magic, 0xff, 0xff, 0xff, a, b, c, d, ..] => (magic, [a, b, c, d]),
        [0xff, 0xff, 0xff, magic, a, b, c, d, ..] => (magic, [a, b, c, d]),
        _ => return false,
    };
    matches!(magic, 0xfb | 0xfa | 0xf0 | 0xf1) && matches!(rest, [0, 0, 1 | 2 | 4, 4 | 8])
}

/// Numbers in the table's own byte order and width.
#[derive(Clone, Copy)]
struct Reader<'a> {
    bytes: &'a [u8],
    is_big: bool,
    word: usize,
}

impl Reader<'_> {
    fn number(self, at: usize, size: usize) -> Option<u64> {
        let field = self.bytes.get(at..at.checked_add(size)?)?;
        let fold = |value: u64, byte: &u8| (value << 8) | u64::from(*byte);
        Some(if self.is_big {
            field.iter().fold(0, fold)
        } else {
            field.iter().rev().fold(0, fold)
        })
    }

    /// A word of the header behind its fixed part, as an offset.
    fn header(self, number: usize) -> Option<usize> {
        usize::try_from(self.number(FIXED + number * self.word, self.word)?).ok()
    }
}

impl Table {
    /// Reads a table that begins with the bytes. They may go on behind it.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Table, String> {
        if !looks_like(bytes) {
            return Err("it has no header that is known".to_owned());
        }
        let is_big = bytes.first() == Some(&0xff);
        let magic = bytes.get(if is_big { 3 } else { 0 }).copied().unwrap_or(0);
        let reader = Reader {
            bytes,
            is_big,
            word: bytes.get(7).copied().unwrap_or(8).into(),
        };
        let cut = || "its header is cut off".to_owned();
        let word = |number| reader.header(number).ok_or_else(cut);
        let count = word(0)?;
        let (layout, is_relative, names, functions) = match magic {
            0xfb => ("1.2", false, 0..bytes.len(), FIXED + reader.word),
            0xfa => ("1.16", false, word(2)?..word(3)?, word(6)?),
            magic => (
                if magic == 0xf0 { "1.18" } else { "1.20" },
                true,
                word(3)?..word(4)?,
                word(7)?,
            ),
        };
        let (names_are_sane, start_at) = (
            names.start <= names.end && names.end <= bytes.len(),
            FIXED + 2 * reader.word,
        );
        if !names_are_sane || functions > bytes.len() {
            return Err("its parts lie outside it".to_owned());
        }
        let mut this = Table {
            layout,
            is_relative,
            text_start: if is_relative {
                reader.number(start_at, reader.word).unwrap_or(0)
            } else {
                0
            },
            text_start_at: start_at,
            names,
            functions: Vec::new(),
            damaged: 0,
        };
        this.read_functions(reader, count, functions)?;
        Ok(this)
    }

    /// Rows of a start and an offset, and behind them the end of the last function. The offset leads to what is known of the
    /// function: its start again, and the offset of its name.
    fn read_functions(
        &mut self,
        reader: Reader<'_>,
        count: usize,
        at: usize,
    ) -> Result<(), String> {
        let field = if self.is_relative { 4 } else { reader.word };
        let row = 2 * field;
        let there = reader.bytes.len().saturating_sub(at);
        // The count is the file's claim; every function takes a row.
        if count
            .checked_mul(row)
            .and_then(|size| size.checked_add(field))
            .is_none_or(|size| size > there)
        {
            return Err(format!("{count} functions don't fit into it"));
        }
        let base = if self.layout == "1.2" { 0 } else { at };
        let names = reader.bytes.get(self.names.clone()).unwrap_or(&[]);
        // Names of a real table hardly overlap. In a hostile one every row may lead to the same long text.
        let mut budget = names.len().saturating_mul(8);
        self.functions.reserve_exact(count);
        let start_of = |number: usize| reader.number(at + number * row, field);
        for number in 0..count {
            let mut function = || {
                let entry = start_of(number)?;
                let next = start_of(number + 1)?;
                let about =
                    usize::try_from(reader.number(at + number * row + field, field)?).ok()?;
                let about = base.checked_add(about)?;
                // The two starts must agree: this is what tells a table from chance.
                (reader.number(about, field)? == entry).then_some(())?;
                let name = reader.number(about.checked_add(field)?, 4)?;
                let tail = names.get(usize::try_from(name).ok()?..)?;
                let tail = tail.get(..NAME.min(budget)).unwrap_or(tail);
                let name_len = memchr::memchr(0, tail);
                budget = budget.saturating_sub(name_len.unwrap_or(tail.len()));
                let name_len = name_len?;
                Some(Function {
                    entry,
                    size: next.checked_sub(entry)?,
                    name: u32::try_from(name).ok()?,
                    name_len: u32::try_from(name_len).ok()?,
                })
            };
            match function() {
                Some(function) => self.functions.push(function),
                None => self.damaged += 1,
            }
        }
        if self.functions.is_empty() && count > 0 {
            return Err("none of its rows leads to a function".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A table of two functions, at 0x1000 and 0x1020, in each layout.
    fn table(magic: u8, is_big: bool, word: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let put = |out: &mut Vec<u8>, value: u64, size: usize| {
            let mut field = value.to_le_bytes()[..size].to_vec();
            if is_big {
                field.reverse();
            }
            out.extend(field);
        };
        put(&mut out, 0xffff_ff00 | u64::from(magic), 4);
        out.extend([0, 0, 1, word as u8]);
        let names = b"\0main.main\0main.f\0";
        let (main, f) = (1u64, 11u64);
        let is_relative = magic < 0xfa;
        let field = if is_relative { 4 } else { word };
        let base = if is_relative { 0 } else { 0x1000u64 };
        let header = match magic {
            0xfb => 1,
            0xfa => 7,
            _ => 8,
        };
        let names_at = (8 + header * word) as u64;
        let functions_at = names_at + names.len() as u64;
        let words: Vec<u64> = match magic {
            0xfb => vec![2],
            0xfa => vec![2, 0, names_at, functions_at, 0, 0, functions_at],
            _ => vec![2, 0, 0x1000, names_at, functions_at, 0, 0, functions_at],
        };
        for value in words {
            put(&mut out, value, word);
        }
        let rows = (5 * field) as u64;
        let about = field as u64 + 4;
        // In the first layout the list stands right behind the header, and offsets count from the table's start.
        let (about_at, main, f) = if magic == 0xfb {
            let at = out.len() as u64 + rows;
            (at, at + 2 * about + main, at + 2 * about + f)
        } else {
            out.extend(names);
            (rows, main, f)
        };
        for (start, number) in [(base, 0), (base + 0x20, 1)] {
            put(&mut out, start, field);
            put(&mut out, about_at + number * about, field);
        }
        put(&mut out, base + 0x50, field);
        for (start, name) in [(base, main), (base + 0x20, f)] {
            put(&mut out, start, field);
            put(&mut out, name, 4);
        }
        if magic == 0xfb {
            out.extend(names);
        }
        out
    }

    fn named(bytes: &[u8]) -> Vec<(u64, u64, String)> {
        let table = Table::parse(bytes).unwrap();
        assert_eq!(table.damaged, 0);
        let names = &bytes[table.names.clone()];
        table
            .functions
            .iter()
            .map(|function| {
                let start = function.name as usize;
                let name = &names[start..start + function.name_len as usize];
                (
                    table.text_start + function.entry,
                    function.size,
                    String::from_utf8_lossy(name).into_owned(),
                )
            })
            .collect()
    }

    /// golang/go 42954, GoReSym 17: the layout changes with the version of Go.
    #[test]
    fn goresym_17_every_layout_is_read() {
        for (magic, layout) in [
            (0xfb, "1.2"),
            (0xfa, "1.16"),
            (0xf0, "1.18"),
            (0xf1, "1.20"),
        ] {
            for (is_big, word) in [(false, 8), (true, 8), (false, 4), (true, 4)] {
                let bytes = table(magic, is_big, word);
                assert_eq!(Table::parse(&bytes).unwrap().layout, layout);
                assert_eq!(
                    named(&bytes),
                    [
                        (0x1000, 0x20, "main.main".to_owned()),
                        (0x1020, 0x30, "main.f".to_owned())
                    ],
                    "{layout} {is_big} {word}"
                );
            }
        }
    }

    #[test]
    fn a_table_that_is_damaged_or_cut_is_an_error_or_partial() {
        for magic in [0xfb, 0xfa, 0xf0, 0xf1] {
            let whole = table(magic, false, 8);
            for len in 0..whole.len() {
                let _ = Table::parse(&whole[..len]);
            }
            for at in 0..whole.len() {
                for value in [0, 0xff, 0x80] {
                    let mut bytes = whole.clone();
                    bytes[at] = value;
                    let _ = Table::parse(&bytes);
                    let end = bytes.len().min(at + 8);
                    bytes[at..end].fill(value);
                    let _ = Table::parse(&bytes);
                }
            }
        }
        assert!(Table::parse(b"").is_err());
    }

    proptest! {
        #[test]
        fn random_bytes_are_an_error_or_an_answer(magic in prop_oneof![Just(0xfbu8), Just(0xfa), Just(0xf0), Just(0xf1)], rest in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut bytes = vec![magic, 0xff, 0xff, 0xff, 0, 0, 1, 8];
            bytes.extend(rest);
            let _ = Table::parse(&bytes);
        }
    }
}

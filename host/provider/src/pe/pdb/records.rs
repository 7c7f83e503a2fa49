//! Symbol records.

use crate::coff::raw::{text, u16_at, u32_at};

/// A function, a part of one, or a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Function {
    /// The section, from 1.
    pub(super) segment: u16,
    pub(super) offset: u32,
    /// Bytes; 0 if not told.
    pub(super) size: u32,
    name_at: usize,
    name_len: usize,
    pub(super) kind: u8,
    pub(super) is_local: bool,
}

impl Function {
    pub(super) const FUNCTION: u8 = 0;
    /// A public symbol that is not said to be a function.
    pub(super) const LABEL: u8 = 1;
    /// A part that stands apart from its function.
    pub(super) const PART: u8 = 2;

    /// Where its name stands among the names.
    pub(super) fn name_range(&self) -> std::ops::Range<usize> {
        self.name_at..self.name_at.saturating_add(self.name_len)
    }
}

/// Functions with their names, one behind the other.
#[derive(Debug, Default)]
pub(super) struct Sink {
    pub(super) functions: Vec<Function>,
    pub(super) names: Vec<u8>,
    /// Names that run out of their record.
    pub(super) damaged: u64,
}

const PUBLIC: u16 = 0x110e;
const LOCAL_FUNCTION: [u16; 3] = [0x110f, 0x1146, 0x1155];
const GLOBAL_FUNCTION: [u16; 3] = [0x1110, 0x1147, 0x1156];
const PART: u16 = 0x1132;

impl Sink {
    /// Takes the functions of a list of records: length, type (16 bits each), content. `false` if the list is damaged.
    pub(super) fn take(&mut self, bytes: &[u8]) -> bool {
        let mut rest = bytes;
        while rest.len() >= 4 {
            let Some(len) = u16_at(rest, 0).map(usize::from).filter(|len| *len >= 2) else {
                return false;
            };
            let Some((record, behind)) = rest.split_at_checked(len + 2) else {
                return false;
            };
            self.record(record);
            rest = behind;
        }
        true
    }

    fn record(&mut self, record: &[u8]) -> Option<()> {
        let function = match u16_at(record, 2)? {
            PUBLIC => {
                let flags = u32_at(record, 4)?;
                // Some linkers set one of `code` and `function`, some the other.
                let kind = if flags & 3 == 0 {
                    Function::LABEL
                } else {
                    Function::FUNCTION
                };
                self.function(record, 12, 8, None, Some(14), kind, false)?
            }
            kind if LOCAL_FUNCTION.contains(&kind) => {
                self.function(record, 36, 32, Some(16), Some(39), Function::FUNCTION, true)?
            }
            kind if GLOBAL_FUNCTION.contains(&kind) => self.function(
                record,
                36,
                32,
                Some(16),
                Some(39),
                Function::FUNCTION,
                false,
            )?,
            PART => self.function(record, 28, 20, Some(12), None, Function::PART, true)?,
            _ => return None,
        };
        self.functions.push(function);
        Some(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the columns of a kind of record, named once"
    )]
    fn function(
        &mut self,
        record: &[u8],
        segment: usize,
        offset: usize,
        size: Option<usize>,
        name: Option<usize>,
        kind: u8,
        is_local: bool,
    ) -> Option<Function> {
        let segment = u16_at(record, segment)?;
        let offset = u32_at(record, offset)?;
        let size = match size {
            Some(at) => u32_at(record, at)?,
            None => 0,
        };
        let name = match name {
            Some(at) => text(record.get(at..)?),
            None => Some(&[][..]),
        };
        self.damaged += u64::from(name.is_none());
        let name = name.unwrap_or(&[]);
        let name_at = self.names.len();
        self.names.extend_from_slice(name);
        Some(Function {
            segment,
            offset,
            size,
            name_at,
            name_len: name.len(),
            kind,
            is_local,
        })
    }
}

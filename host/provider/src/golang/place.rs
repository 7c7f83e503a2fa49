//! From a table to places: where the code starts, and a candidate for every function.

use super::{Function, Table};
use crate::inventory::{Candidate, ProcedureKind, flag, name_row};

/// What a file says about its code, whatever its format.
pub(crate) struct Code<'a> {
    /// What the header of the table says once the program is loaded, if the file tells that otherwise.
    pub(crate) relocated: Option<u64>,
    /// Where the section of the code starts.
    pub(crate) text: Option<u64>,
    /// Where the program starts.
    pub(crate) entry: Option<u64>,
    /// The region of an address, if code may be there.
    pub(crate) region: &'a dyn Fn(u64) -> Option<u32>,
}

impl Table {
    /// The text of the names.
    pub(crate) fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        bytes.get(self.names.clone()).unwrap_or(&[])
    }

    /// Where the code starts; 0 if the table has addresses. `bytes` are those of the table.
    pub(crate) fn start(&self, bytes: &[u8], code: &Code<'_>) -> Result<u64, String> {
        let outside = || Err("its functions lie outside the code".to_owned());
        if !self.is_relative {
            return if self.fits(0, code) { Ok(0) } else { outside() };
        }
        let told = code
            .relocated
            .or(Some(self.text_start))
            .filter(|start| *start != 0);
        if let Some(start) = told {
            return if self.fits(start, code) {
                Ok(start)
            } else {
                outside()
            };
        }
        // Nobody tells. The start of the code is right if the first function of the program is where the program starts.
        let names = self.text(bytes);
        let is_first = |start: u64, function: &Function| {
            names
                .get(function.name as usize..)
                .is_some_and(|name| name.starts_with(b"_rt0_"))
                && Some(start.wrapping_add(function.entry)) == code.entry
        };
        match code.text {
            Some(start)
                if self
                    .functions
                    .iter()
                    .any(|function| is_first(start, function)) =>
            {
                Ok(start)
            }
            _ => Err("the start of the code is not known".to_owned()),
        }
    }

    /// Whether most functions lie in code.
    fn fits(&self, start: u64, code: &Code<'_>) -> bool {
        let inside = self
            .functions
            .iter()
            .filter(|function| (code.region)(start.wrapping_add(function.entry)).is_some())
            .count();
        inside > self.functions.len() / 2
    }

    /// Adds every function, and says what is wrong with them. `number` is that of the names among the texts of the document.
    pub(crate) fn add(
        &self,
        start: u64,
        bytes: &[u8],
        number: u16,
        code: &Code<'_>,
        candidates: &mut Vec<Candidate>,
    ) -> Vec<String> {
        let names = self.text(bytes);
        let mut outside = 0u64;
        for function in &self.functions {
            let address = start.wrapping_add(function.entry);
            let Some(region) = (code.region)(address) else {
                outside += 1;
                continue;
            };
            let from = function.name as usize;
            let text = names
                .get(from..from.saturating_add(function.name_len as usize))
                .unwrap_or(&[]);
            let mut row = name_row(text, function.name, number);
            // The table doesn't say who sees a function.
            row.flags |= flag::RUNTIME | (2 << flag::BINDING_SHIFT);
            let candidate = Candidate {
                address,
                size: 0,
                region,
                kind: ProcedureKind::Function,
                mode: None,
                name: (!text.is_empty()).then_some(row),
                inferred: false,
            };
            candidates.push(candidate);
            // Its size is the distance to the next function: not a symbol's.
            candidates.push(Candidate {
                size: function.size,
                kind: ProcedureKind::Inferred,
                name: None,
                inferred: true,
                ..candidate
            });
        }
        let mut damage = Vec::new();
        if self.damaged > 0 {
            damage.push(format!("{} rows lead to no function", self.damaged));
        }
        if outside > 0 {
            damage.push(format!("{outside} functions lie outside the code"));
        }
        damage
    }
}

//! Export ordinals: the numbers by which a DLL offers procedures, with or without names.

use super::Document;

impl Document {
    /// Sets the ordinals of exported procedures, with their addresses.
    pub(crate) fn set_ordinals(&mut self, mut ordinals: Vec<(u64, u32)>) {
        ordinals.sort_unstable();
        ordinals.dedup();
        self.ordinals = ordinals;
    }

    /// The ordinals of an address, ascending.
    pub(super) fn ordinals_at(&self, address: u64) -> impl Iterator<Item = u32> {
        let first = self.ordinals.partition_point(|(at, _)| *at < address);
        self.ordinals
            .iter()
            .skip(first)
            .take_while(move |(at, _)| *at == address)
            .map(|(_, ordinal)| *ordinal)
    }

    /// The places of an ordinal, written `#7` or `NAME#7` with the document's name.
    pub(super) fn of_ordinal(&self, text: &str) -> Vec<u32> {
        let digits = text
            .strip_prefix(self.name.as_str())
            .unwrap_or(text)
            .strip_prefix('#');
        let Some(ordinal) = digits
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|digits| digits.parse::<u32>().ok())
        else {
            return Vec::new();
        };
        self.ordinals
            .iter()
            .filter(|(_, known)| *known == ordinal)
            .flat_map(|(address, _)| self.starting_at(*address))
            .collect()
    }
}

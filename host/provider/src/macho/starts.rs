//! LC_FUNCTION_STARTS: where a linker says that functions start.

use super::header::Image;
use super::raw::uleb;
use crate::ReadError;
use crate::file::SourceFile;

/// The table.
#[derive(Debug, Default)]
pub(crate) struct Starts {
    /// Ascending; whether each is Thumb code.
    pub(crate) list: Vec<(u64, bool)>,
    /// There is such a load command.
    pub(crate) is_there: bool,
    pub(crate) damage: Vec<String>,
}

impl Starts {
    /// Reads the table: differences between addresses, from where the header is loaded, up to a zero.
    pub(crate) fn read(file: &SourceFile, image: &Image) -> Result<Starts, ReadError> {
        let mut starts = Starts::default();
        let Some(blob) = image.commands.function_starts else {
            return Ok(starts);
        };
        starts.is_there = true;
        let bytes =
            image
                .window(file)
                .table("the table", blob.offset, blob.size, &mut starts.damage)?;
        let Some(base) = image.base() else {
            starts
                .damage
                .push("there is no __TEXT segment to count from".to_owned());
            return Ok(starts);
        };
        starts.parse(&bytes, base, image.machine.is_arm());
        Ok(starts)
    }

    fn parse(&mut self, bytes: &[u8], base: u64, is_arm: bool) {
        let (mut at, mut address) = (0usize, base);
        while at < bytes.len() {
            let Some((delta, next)) = uleb(bytes, at) else {
                self.damage
                    .push(format!("it can't be read from offset {at:#x} on"));
                break;
            };
            if delta == 0 {
                break;
            }
            let Some(sum) = address.checked_add(delta) else {
                self.damage.push(format!(
                    "the difference at offset {at:#x} leads out of 64 bits"
                ));
                break;
            };
            (at, address) = (next, sum);
            // Elsewhere an odd address is an address: x86 code needs no alignment.
            self.list.push(if is_arm {
                (address & !1, address & 1 == 1)
            } else {
                (address, false)
            });
        }
        // The bit of Thumb may turn two differences around.
        self.list.sort_unstable();
        self.list.dedup_by_key(|(address, _)| *address);
    }

    /// Whether the table says that no function starts there: it is there, whole, and not empty, and has no such row.
    pub(crate) fn deny(&self, address: u64) -> bool {
        self.damage.is_empty() && !self.list.is_empty() && self.find(address).is_none()
    }

    /// Whether the table says that Thumb code starts there.
    pub(crate) fn is_thumb(&self, address: u64) -> bool {
        self.find(address) == Some(true)
    }

    fn find(&self, address: u64) -> Option<bool> {
        let at = self
            .list
            .binary_search_by_key(&address, |(start, _)| *start)
            .ok()?;
        self.list.get(at).map(|(_, thumb)| *thumb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(bytes: &[u8], is_arm: bool) -> Starts {
        let mut starts = Starts::default();
        starts.parse(bytes, 0x1000, is_arm);
        starts
    }

    #[test]
    fn bit_0_says_thumb_only_on_arm() {
        let bytes = [0x81, 0x02, 0x10, 0x03, 0x00, 0x55];
        assert_eq!(
            parsed(&bytes, false).list,
            [(0x1101, false), (0x1111, false), (0x1114, false)]
        );
        assert_eq!(
            parsed(&bytes, true).list,
            [(0x1100, true), (0x1110, true), (0x1114, false)]
        );
        assert!(parsed(&bytes, false).deny(0x1100) && !parsed(&bytes, false).deny(0x1101));
        assert!(!parsed(&[], false).deny(0x1100), "absence proves nothing");
    }

    #[test]
    fn a_damaged_table_is_read_as_far_as_it_goes() {
        let cut = parsed(&[0x10, 0x80], false);
        assert_eq!((cut.list.len(), cut.damage.len()), (1, 1));
        let far = parsed(
            &[
                0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x10,
            ],
            false,
        );
        assert_eq!((far.list.len(), far.damage.len()), (1, 1));
        assert!(!far.deny(5));
    }
}

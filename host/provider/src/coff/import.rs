//! Members of import libraries: one function or object of a DLL, without any code.

use super::raw::{text, u16_at, u32_at};

/// What a short import member says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShortImport<'a> {
    /// The processor's number.
    pub(crate) machine: u16,
    /// The symbol that a linker offers (and `__imp_` before it).
    pub(crate) symbol: &'a [u8],
    /// The DLL.
    pub(crate) dll: &'a [u8],
    /// The number in the DLL; without a name of its own it is imported by that.
    pub(crate) ordinal_or_hint: u16,
    /// How the DLL calls it; none if it is imported by number.
    pub(crate) import_name: Option<&'a [u8]>,
    /// Whether it is code (else data or a constant).
    pub(crate) is_code: bool,
}

/// Reads a short import member: header of 20 bytes, symbol, DLL, and sometimes the name in the DLL. `None` if it is none.
pub(crate) fn parse(bytes: &[u8]) -> Option<ShortImport<'_>> {
    if u16_at(bytes, 0)? != 0 || u16_at(bytes, 2)? != 0xffff || u16_at(bytes, 4)? != 0 {
        return None;
    }
    let size = u32_at(bytes, 12)? as usize;
    let data = bytes.get(20..20usize.checked_add(size)?)?;
    let symbol = text(data)?;
    let behind = data.get(symbol.len().checked_add(1)?..)?;
    let dll = text(behind)?;
    let bits = u16_at(bytes, 18)?;
    let undecorated = || match symbol {
        [b'?' | b'@' | b'_', rest @ ..] => rest,
        whole => whole,
    };
    let import_name = match (bits >> 2) & 7 {
        0 => None,
        1 => Some(symbol),
        2 => Some(undecorated()),
        3 => undecorated().split(|byte| *byte == b'@').next(),
        // The name in the DLL follows the DLL's.
        4 => Some(text(behind.get(dll.len().checked_add(1)?..)?)?),
        _ => return None,
    };
    Some(ShortImport {
        machine: u16_at(bytes, 6)?,
        symbol,
        dll,
        ordinal_or_hint: u16_at(bytes, 16)?,
        import_name,
        is_code: bits & 3 == 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(bits: u16, data: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0, 0, 0xff, 0xff, 0, 0, 0x64, 0x86, 0, 0, 0, 0];
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(7u16.to_le_bytes());
        bytes.extend(bits.to_le_bytes());
        bytes.extend(data);
        bytes
    }

    #[test]
    fn a_short_import_tells_symbol_library_and_name() {
        let by_name = member(1 << 2, b"Sleep\0KERNEL32.dll\0");
        let import = parse(&by_name).expect("a member");
        assert_eq!(
            (import.symbol, import.dll),
            (&b"Sleep"[..], &b"KERNEL32.dll"[..])
        );
        assert_eq!(
            (import.import_name, import.machine),
            (Some(&b"Sleep"[..]), 0x8664)
        );
        assert!(import.is_code);
        let by_number = member(0, b"f\0d.dll\0");
        let import = parse(&by_number).expect("a member");
        assert_eq!((import.import_name, import.ordinal_or_hint), (None, 7));
        let undecorated = member(3 << 2, b"_f@8\0d.dll\0");
        assert_eq!(
            parse(&undecorated).and_then(|import| import.import_name),
            Some(&b"f"[..])
        );
        let other = member(4 << 2, b"f\0d.dll\0g\0");
        assert_eq!(
            parse(&other).and_then(|import| import.import_name),
            Some(&b"g"[..])
        );
        for len in 0..by_name.len() {
            assert_eq!(parse(&by_name[..len]), None);
        }
    }
}

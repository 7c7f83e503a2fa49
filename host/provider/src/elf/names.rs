//! What a symbol's name alone says.

/// Whether a local symbol without a type marks a change between code and data rather than naming anything: `$a`,
/// `$t.1`, `$d`, `$xrv64gc`. Only some processors have them; elsewhere such a name is a name.
pub(crate) fn is_mapping(name: &[u8], machine: u16) -> bool {
    // ARM, AArch64, RISC-V, C-SKY.
    if !matches!(machine, 40 | 183 | 243 | 252) {
        return false;
    }
    match name {
        [b'$', b'x', b'r', b'v', ..] => true,
        [b'$', letter] | [b'$', letter, b'.', ..] => matches!(
            letter,
            b'a' | b'b' | b'c' | b'd' | b'f' | b'm' | b'p' | b't' | b'x'
        ),
        _ => false,
    }
}

/// Whether an assembler made the label for itself.
pub(crate) fn is_assembler_label(name: &[u8]) -> bool {
    name.starts_with(b".L")
}

/// Whether a compiler or linker moved a part of a function here: `f.cold`, `f.cold.1`, `f.warm`, `f.part.0`, `f.part.0.isra.0`.
pub(crate) fn is_fragment(name: &[u8]) -> bool {
    let mut end = name.len();
    let mut number_behind = false;
    while let Some(dot) = name.get(..end).and_then(|head| memchr::memrchr(b'.', head)) {
        let part = name.get(dot + 1..end).unwrap_or(&[]);
        match part {
            b"cold" | b"warm" => return dot > 0,
            b"part" if number_behind => return dot > 0,
            b"isra" | b"constprop" | b"lto_priv" | b"llvm" | b"clone" | b"localalias" | b"part" => {
                number_behind = false
            }
            digits if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
                number_behind = true
            }
            _ => return false,
        }
        end = dot;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// XDA 5: `.cold` blocks counted as functions.
    #[test]
    fn xda_5_cold_parts_are_fragments() {
        for name in [
            "work.cold",
            "work.cold.1",
            "work.part.0",
            "f.part.0.isra.0",
            "f.isra.0.part.3",
            "f.constprop.0.cold",
            "_ZN1a17h0123456789abcdefE.cold",
            "f.cold.llvm.99",
        ] {
            assert!(is_fragment(name.as_bytes()), "{name}");
        }
        for name in [
            "work",
            "cold",
            ".cold",
            "f.isra.0",
            "f.constprop.1",
            "a..cold..b",
            "cold.f",
            "f.part",
            "_ZN4a..cold..b17h0E",
            "f.llvm.1",
        ] {
            assert!(!is_fragment(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn mapping_symbols_are_those_of_a_processor_that_has_them() {
        for (name, machine) in [
            ("$a", 40),
            ("$t.1", 40),
            ("$d", 183),
            ("$x", 183),
            ("$xrv64i2p1", 243),
            ("$d.realdata", 40),
        ] {
            assert!(is_mapping(name.as_bytes(), machine), "{name}");
        }
        for (name, machine) in [("$a", 62), ("$foo", 40), ("a", 40), ("$", 40), ("$at", 40)] {
            assert!(!is_mapping(name.as_bytes(), machine), "{name}");
        }
    }
}

//! Names as a programmer wrote them, from the names that compilers make of them.
//!
//! Only for showing, and only beside the raw name: it is the raw one that tells procedures apart. A name may be hostile, so
//! input, output and depth are bounded, and so is what back references can make of a short name.

use std::fmt::{self, Write};

use crate::escape;

/// Longer names are not tried.
const INPUT: usize = 4096;
/// Longer results are not shown.
const OUTPUT: usize = 16 * 1024;
/// Parts in parts of C++ names are followed so deep.
const DEPTH: u32 = 128;
/// The reader of Microsoft's names keeps no count of its depth, so its input is shorter.
const MICROSOFT_INPUT: usize = 1024;
/// Nor does it count what back references add. Names that could grow larger are not tried.
const MICROSOFT_NODES: usize = 1 << 16;

/// The demangled text of a raw name, escaped; `None` if it is no mangled name, or one that is not read.
///
/// C++ (Itanium: `_Z…`; Microsoft: `?…`) and Rust (`_R…`, and the legacy form, which ends in `17h` and 16 hexadecimal
/// digits). What a name has behind or before it stays: a version, `@plt`, `DLL!`. Mach-O puts an underscore before every
/// name; one is left out.
pub fn demangle(name: &str) -> Option<String> {
    if name.len() > INPUT || !name.is_ascii() {
        return None;
    }
    let (library, symbol) = match name.find("!?").or_else(|| name.find("!_")) {
        Some(at) => name.split_at(at.saturating_add(1)),
        None => ("", name),
    };
    if symbol.starts_with('?') {
        return shown(library, &microsoft(symbol)?, "");
    }
    let symbol = match symbol.strip_prefix('_') {
        Some(inner) if inner.starts_with("_Z") || inner.starts_with("_R") => inner,
        _ => symbol,
    };
    let (symbol, version) = symbol.split_at(symbol.find('@').unwrap_or(symbol.len()));
    let text = if symbol.starts_with("_R") || is_legacy_rust(symbol) {
        rust(symbol)?
    } else if symbol.starts_with("_Z") {
        itanium(symbol)?
    } else {
        return None;
    };
    shown(library, &text, version)
}

fn shown(before: &str, text: &str, behind: &str) -> Option<String> {
    (!text.is_empty()).then(|| {
        let text = escape::display(text.as_bytes());
        format!("{before}{text}{behind}")
    })
}

/// `_ZN…17h` and 16 digits, `E`; a linker may have put something like `.llvm.1234` behind it.
fn is_legacy_rust(name: &str) -> bool {
    name.starts_with("_ZN")
        && name.rmatch_indices("17h").any(|(at, mark)| {
            let digits = name.get(at + mark.len()..).unwrap_or("").as_bytes();
            digits.get(16) == Some(&b'E')
                && digits.iter().take(16).all(u8::is_ascii_hexdigit)
                && matches!(digits.get(17), None | Some(b'.'))
        })
}

fn rust(name: &str) -> Option<String> {
    let parsed = rustc_demangle::try_demangle(name).ok()?;
    let mut text = Bounded::default();
    // Without the hash at the end.
    write!(text, "{parsed:#}").ok()?;
    Some(text.0)
}

fn itanium(name: &str) -> Option<String> {
    let options = cpp_demangle::ParseOptions::default().recursion_limit(DEPTH);
    let symbol = cpp_demangle::Symbol::new_with_options(name, &options).ok()?;
    let options = cpp_demangle::DemangleOptions::new().recursion_limit(DEPTH);
    let mut text = Bounded::default();
    symbol.structured_demangle(&mut text, &options).ok()?;
    Some(text.0)
}

fn microsoft(name: &str) -> Option<String> {
    if name.len() > MICROSOFT_INPUT || microsoft_nodes(name) > MICROSOFT_NODES {
        return None;
    }
    msvc_demangler::demangle(name, msvc_demangler::DemangleFlags::llvm())
        .ok()
        .filter(|text| text.len() <= OUTPUT)
}

/// At most so many nodes a name has. Each digit may refer to the largest type or name that is complete, and a part that
/// itself holds references is complete at an `@` or a `Z` only.
fn microsoft_nodes(name: &str) -> usize {
    let (mut nodes, mut complete) = (0usize, 0usize);
    for byte in name.bytes() {
        nodes = nodes.saturating_add(1);
        complete = complete.saturating_add(1);
        if byte.is_ascii_digit() {
            nodes = nodes.saturating_add(complete);
        } else if matches!(byte, b'@' | b'Z') {
            complete = nodes;
        }
    }
    nodes
}

/// A text that takes no more than [`OUTPUT`] bytes.
#[derive(Default)]
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        if self.0.len().saturating_add(piece.len()) > OUTPUT {
            return Err(fmt::Error);
        }
        self.0.push_str(piece);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_told_as_they_were_written() {
        for (name, text) in [
            ("_ZN3foo3barEi", "foo::bar(int)"),
            ("__ZN3foo3barEi", "foo::bar(int)"),
            ("_ZN3foo3barEi@plt", "foo::bar(int)@plt"),
            ("_ZN3foo3barEi@@V2", "foo::bar(int)@@V2"),
            ("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"),
            ("_RNvC6_123foo3bar", "123foo::bar"),
            ("?f@@YAHXZ", "int __cdecl f(void)"),
            ("a.dll!?f@@YAHXZ", "a.dll!int __cdecl f(void)"),
        ] {
            assert_eq!(demangle(name).as_deref(), Some(text), "{name}");
        }
        for name in ["main", "_main", "_Z", "_R", "?", "", "memcpy@plt", "a!b"] {
            assert_eq!(demangle(name), None, "{name}");
        }
        // C++, whose last name looks much like Rust's hash.
        let cpp = demangle("_ZN3foo17h0123456789abcdeE");
        assert!(cpp.is_none_or(|text| text.contains("h0123456789abcde")));
    }

    #[test]
    fn what_grows_or_nests_without_end_is_not_told() {
        let long = format!("_Z{}", "1a".repeat(4096));
        assert_eq!(demangle(&long), None);
        for piece in ["PEA", "P6AX", "?$a@", "0@"] {
            let _ = demangle(&format!("?f@@YAX{}", piece.repeat(300)));
        }
        let mut growing = String::from("?f@@YAXPAHP6AX0@Z");
        for number in 1..9 {
            growing.push_str(&format!("P6AX{}@Z", number.to_string().repeat(20)));
        }
        assert_eq!(demangle(&format!("{growing}@Z")), None);
        for piece in ["P", "N", "I", "S_", "T_", "Dp", "F", "M"] {
            let _ = demangle(&format!("_Z1f{}", piece.repeat(2000)));
        }
    }

    proptest! {
        #[test]
        fn random_names_are_text_or_none(
            start in prop_oneof![Just("_Z"), Just("_ZN"), Just("_R"), Just("?"), Just("??"), Just("?f@@YA")],
            rest in "[A-Z0-9a-z_@?$.]{0,200}",
        ) {
            let _ = demangle(&format!("{start}{rest}"));
        }
    }
}

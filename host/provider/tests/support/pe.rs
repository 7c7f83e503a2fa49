//! Small Windows images and COFF objects written by hand.

/// A symbol of COFF: name, value, section (from 1), type, class, and the rows behind it.
#[derive(Clone)]
pub struct TinyCoff<'a> {
    pub name: &'a [u8],
    pub value: u32,
    pub section: i16,
    pub kind: u16,
    pub class: u8,
    pub aux: Vec<[u8; 18]>,
}

/// The type of a function.
pub const FUNCTION: u16 = 0x20;
pub const EXTERNAL: u8 = 2;
pub const STATIC: u8 = 3;
pub const CODE: u32 = 0x6000_0020;
pub const DATA: u32 = 0x4000_0040;
pub const AMD64: u16 = 0x8664;
pub const I386: u16 = 0x14c;
pub const ARM64: u16 = 0xaa64;
pub const ARMNT: u16 = 0x1c4;

/// A symbol without rows behind it.
pub fn symbol(name: &[u8], value: u32, section: i16, kind: u16, class: u8) -> TinyCoff<'_> {
    TinyCoff {
        name,
        value,
        section,
        kind,
        class,
        aux: Vec::new(),
    }
}

/// A section: name, where it is loaded, flags, bytes.
pub struct TinySection {
    pub name: &'static [u8],
    pub rva: u32,
    pub flags: u32,
    pub bytes: Vec<u8>,
}

/// What an image is to be like.
pub struct TinyPe<'a> {
    pub machine: u16,
    pub characteristics: u16,
    pub dll_characteristics: u16,
    pub entry: u32,
    pub sections: Vec<TinySection>,
    /// Number, address, size.
    pub directories: Vec<(usize, u32, u32)>,
    pub symbols: Vec<TinyCoff<'a>>,
    /// Where the PE header stands.
    pub header_at: usize,
}

/// Where the images are loaded.
pub const BASE: u64 = 0x1_4000_0000;
pub const BASE32: u64 = 0x40_0000;
/// Where `code` puts its section.
pub const TEXT: u32 = 0x1000;
/// Where the other parts of a test go.
pub const RDATA: u32 = 0x2000;

impl Default for TinyPe<'_> {
    fn default() -> Self {
        TinyPe {
            machine: AMD64,
            characteristics: 0x2022,
            dll_characteristics: 0x160,
            entry: 0,
            sections: Vec::new(),
            directories: Vec::new(),
            symbols: Vec::new(),
            header_at: 0x80,
        }
    }
}

/// 256 bytes of code.
pub fn code() -> TinySection {
    TinySection {
        name: b".text",
        rva: TEXT,
        flags: CODE,
        bytes: vec![0x90; 0x100],
    }
}

/// Data that isn't changed.
pub fn rdata(bytes: Vec<u8>) -> TinySection {
    TinySection {
        name: b".rdata",
        rva: RDATA,
        flags: DATA,
        bytes,
    }
}

pub fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend(value.to_le_bytes());
}

pub fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_le_bytes());
}

pub fn put64(out: &mut Vec<u8>, value: u64) {
    out.extend(value.to_le_bytes());
}

/// Numbers of 32 bits, one behind the other.
pub fn words(values: &[u32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// Symbols and strings.
fn table(symbols: &[TinyCoff<'_>], big: bool) -> (u32, Vec<u8>) {
    let mut rows = Vec::new();
    let mut strings = Vec::new();
    let mut count = 0;
    for symbol in symbols {
        if symbol.name.len() <= 8 {
            let mut field = [0u8; 8];
            field[..symbol.name.len()].copy_from_slice(symbol.name);
            rows.extend(field);
        } else {
            put32(&mut rows, 0);
            put32(&mut rows, 4 + strings.len() as u32);
            strings.extend(symbol.name);
            strings.push(0);
        }
        put32(&mut rows, symbol.value);
        if big {
            put32(&mut rows, i32::from(symbol.section) as u32);
        } else {
            put16(&mut rows, symbol.section as u16);
        }
        put16(&mut rows, symbol.kind);
        rows.extend([symbol.class, symbol.aux.len() as u8]);
        for aux in &symbol.aux {
            rows.extend(aux);
            if big {
                put16(&mut rows, 0);
            }
        }
        count += 1 + symbol.aux.len() as u32;
    }
    put32(&mut rows, 4 + strings.len() as u32);
    rows.extend(strings);
    (count, rows)
}

fn section_header(out: &mut Vec<u8>, name: &[u8], numbers: [u32; 4], flags: u32) {
    let mut field = [0u8; 8];
    field[..name.len()].copy_from_slice(name);
    out.extend(field);
    for number in numbers {
        put32(out, number);
    }
    out.extend([0; 12]);
    put32(out, flags);
}

impl TinyPe<'_> {
    fn is_64(&self) -> bool {
        matches!(self.machine, AMD64 | ARM64)
    }

    /// The file: headers, sections at multiples of 512, symbols.
    pub fn bytes(&self) -> Vec<u8> {
        let is_64 = self.is_64();
        let optional_size = if is_64 { 240u16 } else { 224 };
        let headers = (self.header_at + 24 + usize::from(optional_size) + 40 * self.sections.len())
            .next_multiple_of(0x200);
        let mut at = headers;
        let mut places = Vec::new();
        for section in &self.sections {
            places.push(at as u32);
            at += section.bytes.len().next_multiple_of(0x200);
        }
        let symbols_at = at;
        let (count, symbols) = table(&self.symbols, false);
        let has_symbols = !self.symbols.is_empty();

        let mut out = vec![0u8; self.header_at];
        out[..2].copy_from_slice(b"MZ");
        out[0x3c..0x40].copy_from_slice(&(self.header_at as u32).to_le_bytes());
        out.extend(b"PE\0\0");
        put16(&mut out, self.machine);
        put16(&mut out, self.sections.len() as u16);
        put32(&mut out, 0x5f00_0000);
        put32(&mut out, if has_symbols { symbols_at as u32 } else { 0 });
        put32(&mut out, if has_symbols { count } else { 0 });
        put16(&mut out, optional_size);
        put16(&mut out, self.characteristics);
        put16(&mut out, if is_64 { 0x20b } else { 0x10b });
        out.extend([14, 38]);
        for value in [0x200, 0x200, 0, self.entry, TEXT] {
            put32(&mut out, value);
        }
        if is_64 {
            put64(&mut out, BASE);
        } else {
            put32(&mut out, 0);
            put32(&mut out, BASE32 as u32);
        }
        put32(&mut out, 0x1000);
        put32(&mut out, 0x200);
        out.extend([6, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]);
        put32(&mut out, 0x10_0000);
        put32(&mut out, headers as u32);
        put32(&mut out, 0);
        put16(&mut out, 3);
        put16(&mut out, self.dll_characteristics);
        out.extend(vec![0; if is_64 { 32 } else { 16 }]);
        put32(&mut out, 0);
        put32(&mut out, 16);
        for number in 0..16 {
            let row = self.directories.iter().find(|row| row.0 == number);
            put32(&mut out, row.map_or(0, |row| row.1));
            put32(&mut out, row.map_or(0, |row| row.2));
        }
        for (section, place) in self.sections.iter().zip(&places) {
            let len = section.bytes.len() as u32;
            section_header(
                &mut out,
                section.name,
                [len, section.rva, len.next_multiple_of(0x200), *place],
                section.flags,
            );
        }
        for (section, place) in self.sections.iter().zip(&places) {
            out.resize(*place as usize, 0);
            out.extend(&section.bytes);
        }
        out.resize(symbols_at, 0);
        if has_symbols {
            out.extend(symbols);
        }
        out
    }
}

/// An object file with sections (name, flags, bytes).
pub fn object(
    machine: u16,
    sections: &[(&[u8], u32, &[u8])],
    symbols: &[TinyCoff<'_>],
    big: bool,
) -> Vec<u8> {
    let (count, table) = table(symbols, big);
    let header = if big { 56 } else { 20 };
    let data_at = header + 40 * sections.len();
    let size: usize = sections.iter().map(|section| section.2.len()).sum();
    let symbols_at = (data_at + size) as u32;
    let mut out = Vec::new();
    if big {
        put16(&mut out, 0);
        put16(&mut out, 0xffff);
        put16(&mut out, 2);
        put16(&mut out, machine);
        put32(&mut out, 0);
        out.extend([
            0xc7, 0xa1, 0xba, 0xd1, 0xee, 0xba, 0xa9, 0x4b, 0xaf, 0x20, 0xfa, 0xf6, 0x6a, 0xa4,
            0xdc, 0xb8,
        ]);
        out.extend([0; 16]);
        put32(&mut out, sections.len() as u32);
        put32(&mut out, symbols_at);
        put32(&mut out, count);
    } else {
        put16(&mut out, machine);
        put16(&mut out, sections.len() as u16);
        put32(&mut out, 0);
        put32(&mut out, symbols_at);
        put32(&mut out, count);
        put16(&mut out, 0);
        put16(&mut out, 0);
    }
    let mut at = data_at as u32;
    for (name, flags, bytes) in sections {
        section_header(&mut out, name, [0, 0, bytes.len() as u32, at], *flags);
        at += bytes.len() as u32;
    }
    for (_, _, bytes) in sections {
        out.extend(*bytes);
    }
    out.extend(table);
    out
}

/// What a slot of an export directory holds.
#[derive(Clone, Copy)]
pub enum Slot<'a> {
    Empty,
    At(u32),
    Forward(&'a str),
}

/// An export directory that stands at an address. Names go with the number of their slot.
pub fn exports(
    rva: u32,
    dll: &str,
    base: u32,
    slots: &[Slot<'_>],
    names: &[(&str, u16)],
) -> Vec<u8> {
    let slots_at = rva + 40;
    let names_at = slots_at + 4 * slots.len() as u32;
    let indices_at = names_at + 4 * names.len() as u32;
    let mut text_at = indices_at + 2 * names.len() as u32;
    let mut text = Vec::new();
    let mut say = |words: &str| {
        let at = text_at;
        text.extend(words.as_bytes());
        text.push(0);
        text_at += words.len() as u32 + 1;
        at
    };
    let dll_at = say(dll);
    let slot_values: Vec<u32> = slots
        .iter()
        .map(|slot| match slot {
            Slot::Empty => 0,
            Slot::At(rva) => *rva,
            Slot::Forward(target) => say(target),
        })
        .collect();
    let name_values: Vec<u32> = names.iter().map(|(name, _)| say(name)).collect();
    let mut out = words(&[
        0,
        0,
        0,
        dll_at,
        base,
        slots.len() as u32,
        names.len() as u32,
        slots_at,
        names_at,
        indices_at,
    ]);
    out.extend(words(&slot_values));
    out.extend(words(&name_values));
    for (_, index) in names {
        put16(&mut out, *index);
    }
    out.extend(text);
    out
}

/// An import directory at an address: one library, names or ordinals. Gives the bytes and the address of the first slot.
pub fn imports(rva: u32, is_64: bool, dll: &str, wanted: &[Result<&str, u16>]) -> (Vec<u8>, u32) {
    let width = if is_64 { 8u32 } else { 4 };
    let list = (wanted.len() as u32 + 1) * width;
    let (names_at, slots_at) = (rva + 40, rva + 40 + list);
    let mut text = Vec::new();
    let text_at = slots_at + list;
    let mut entries = Vec::new();
    for import in wanted {
        let value = match import {
            Ok(name) => {
                let at = text_at + text.len() as u32;
                text.extend([0, 0]);
                text.extend(name.as_bytes());
                text.push(0);
                u64::from(at)
            }
            Err(number) => u64::from(*number) | if is_64 { 1 << 63 } else { 1 << 31 },
        };
        entries.extend(&value.to_le_bytes()[..width as usize]);
    }
    entries.extend(&[0; 8][..width as usize]);
    let dll_at = text_at + text.len() as u32;
    text.extend(dll.as_bytes());
    text.push(0);
    let mut out = words(&[names_at, 0, 0, dll_at, slots_at, 0, 0, 0, 0, 0]);
    out.extend(&entries);
    out.extend(&entries);
    out.extend(text);
    (out, slots_at)
}

/// `jmp [rip + n]` through a slot.
pub fn jump(rva: u32, slot: u32) -> Vec<u8> {
    let mut out = vec![0xff, 0x25];
    put32(&mut out, slot.wrapping_sub(rva + 6));
    out
}

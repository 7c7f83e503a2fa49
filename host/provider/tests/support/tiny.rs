//! Small ELF files written by hand, of either width and byte order.

/// A symbol: name, value, size, type and binding, section.
pub type TinySymbol<'a> = (&'a [u8], u64, u64, u8, u16);

/// `st_info` of a global function.
pub const GLOBAL_FUNCTION: u8 = 0x12;
/// `st_info` of a local symbol without a type.
pub const LOCAL_UNTYPED: u8 = 0x00;
/// `st_info` of a local function.
pub const LOCAL_FUNCTION: u8 = 0x02;
/// The section of the code.
pub const TEXT: u16 = 1;

/// What a file is to be like.
pub struct Tiny<'a> {
    pub is_64: bool,
    pub is_big: bool,
    pub machine: u16,
    pub file_type: u16,
    /// Where the code is loaded.
    pub address: u64,
    /// Bytes of code.
    pub code: usize,
    pub entry: u64,
    pub symbols: &'a [TinySymbol<'a>],
}

impl Default for Tiny<'_> {
    fn default() -> Self {
        Tiny {
            is_64: true,
            is_big: false,
            machine: 62,
            file_type: 2,
            address: 0x1000,
            code: 64,
            entry: 0,
            symbols: &[],
        }
    }
}

/// Writes numbers in a byte order.
pub struct Out {
    pub bytes: Vec<u8>,
    is_64: bool,
    is_big: bool,
}

impl Out {
    pub fn new(is_64: bool, is_big: bool) -> Out {
        Out {
            bytes: Vec::new(),
            is_64,
            is_big,
        }
    }

    pub fn number(&mut self, value: u64, size: usize) {
        let little = value.to_le_bytes();
        let mut field = little[..size].to_vec();
        if self.is_big {
            field.reverse();
        }
        self.bytes.extend(field);
    }

    pub fn half(&mut self, value: u16) {
        self.number(value.into(), 2);
    }

    pub fn word(&mut self, value: u32) {
        self.number(value.into(), 4);
    }

    /// An address: 4 or 8 bytes.
    pub fn address(&mut self, value: u64) {
        self.number(value, if self.is_64 { 8 } else { 4 });
    }
}

impl Tiny<'_> {
    /// The file: header, one segment, code, `.symtab`, `.strtab`, `.shstrtab`, section headers.
    pub fn bytes(&self) -> Vec<u8> {
        let (header, segment, row) = if self.is_64 {
            (64, 56, 64u16)
        } else {
            (52, 32, 40)
        };
        let linked = self.file_type != 1;
        let mut strings = vec![0u8];
        let mut symbols = Out::new(self.is_64, self.is_big);
        symbols.bytes.resize(if self.is_64 { 24 } else { 16 }, 0);
        let symbol_size = symbols.bytes.len();
        for (name, value, size, info, section) in self.symbols {
            let at = strings.len() as u32;
            strings.extend_from_slice(name);
            strings.push(0);
            symbols.word(at);
            if self.is_64 {
                symbols.bytes.extend([*info, 0]);
                symbols.half(*section);
                symbols.address(*value);
                symbols.address(*size);
            } else {
                symbols.address(*value);
                symbols.address(*size);
                symbols.bytes.extend([*info, 0]);
                symbols.half(*section);
            }
        }
        let section_names = b"\0.text\0.symtab\0.strtab\0.shstrtab\0";
        let code_at = header + if linked { segment } else { 0 };
        let symbols_at = (code_at + self.code).next_multiple_of(8);
        let strings_at = symbols_at + symbols.bytes.len();
        let names_at = strings_at + strings.len();
        let sections_at = (names_at + section_names.len()).next_multiple_of(8);

        let mut out = Out::new(self.is_64, self.is_big);
        out.bytes.extend([
            0x7f,
            b'E',
            b'L',
            b'F',
            if self.is_64 { 2 } else { 1 },
            if self.is_big { 2 } else { 1 },
            1,
            0,
        ]);
        out.bytes.extend([0; 8]);
        out.half(self.file_type);
        out.half(self.machine);
        out.word(1);
        out.address(self.entry);
        out.address(if linked { header as u64 } else { 0 });
        out.address(sections_at as u64);
        out.word(0);
        for value in [header as u16, segment as u16, linked.into(), row, 5, 4] {
            out.half(value);
        }
        if linked {
            // PT_LOAD of the code, readable and executable.
            out.word(1);
            if self.is_64 {
                out.word(5);
            }
            for value in [
                code_at as u64,
                self.address,
                self.address,
                self.code as u64,
                self.code as u64,
            ] {
                out.address(value);
            }
            if !self.is_64 {
                out.word(5);
            }
            out.address(1);
        }
        out.bytes.resize(code_at + self.code, 0x90);
        out.bytes.resize(symbols_at, 0);
        out.bytes.extend(&symbols.bytes);
        out.bytes.extend(&strings);
        out.bytes.extend(section_names);
        out.bytes.resize(sections_at, 0);
        let text_address = if linked { self.address } else { 0 };
        let rows: [[u64; 10]; 5] = [
            [0; 10],
            [
                1,
                1,
                6,
                text_address,
                code_at as u64,
                self.code as u64,
                0,
                0,
                1,
                0,
            ],
            [
                7,
                2,
                0,
                0,
                symbols_at as u64,
                symbols.bytes.len() as u64,
                3,
                1,
                8,
                symbol_size as u64,
            ],
            [
                15,
                3,
                0,
                0,
                strings_at as u64,
                strings.len() as u64,
                0,
                0,
                1,
                0,
            ],
            [
                23,
                3,
                0,
                0,
                names_at as u64,
                section_names.len() as u64,
                0,
                0,
                1,
                0,
            ],
        ];
        for [
            name,
            kind,
            flags,
            address,
            offset,
            size,
            link,
            info,
            align,
            entry,
        ] in rows
        {
            out.word(name as u32);
            out.word(kind as u32);
            for value in [flags, address, offset, size] {
                out.address(value);
            }
            out.word(link as u32);
            out.word(info as u32);
            out.address(align);
            out.address(entry);
        }
        out.bytes
    }
}

/// Makes a 64-bit little-endian file one without section headers.
pub fn without_sections(bytes: &mut [u8]) {
    bytes[0x28..0x30].fill(0);
    bytes[0x3a..0x40].fill(0);
}

/// Replaces every occurrence of a text by one of the same length.
pub fn patch(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> = bytes
        .windows(from.len())
        .enumerate()
        .filter(|(_, window)| *window == from)
        .map(|(at, _)| at)
        .collect();
    assert!(!places.is_empty(), "nothing to patch");
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
}

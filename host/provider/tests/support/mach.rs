//! Small Mach-O files written by hand: thin ones of either width and byte order, and universal ones.

/// A symbol: name, type, section, description, value.
pub type MachSymbol<'a> = (&'a [u8], u8, u8, u16, u64);

/// Type of a symbol that is defined in a section.
pub const LOCAL: u8 = 0x0e;
/// The same, seen by others.
pub const GLOBAL: u8 = 0x0f;
/// The same, seen by others of the same image.
pub const PRIVATE: u8 = 0x1e;
/// A symbol of another image.
pub const UNDEFINED: u8 = 0x01;
/// A symbol for debuggers (N_FUN).
pub const STAB: u8 = 0x24;
/// Numbers of the sections.
pub const TEXT: u8 = 1;
pub const STUBS: u8 = 2;
pub const DATA: u8 = 3;

pub const X86_64: u32 = 0x0100_0007;
pub const ARM64: u32 = 0x0100_000c;
pub const ARM: u32 = 12;
pub const I386: u32 = 7;
pub const POWERPC: u32 = 18;

/// What a file is to be like. The code is loaded at `base + 0x1000`, the stubs behind it, the data behind these.
#[derive(Clone)]
pub struct Mach<'a> {
    pub is_64: bool,
    pub is_big: bool,
    pub machine: u32,
    pub variant: u32,
    pub file_type: u32,
    pub flags: u32,
    pub base: u64,
    /// Bytes of code.
    pub code: usize,
    pub symbols: &'a [MachSymbol<'a>],
    /// Differences, as they stand in the table.
    pub function_starts: Option<&'a [u8]>,
    pub exports: Option<&'a [u8]>,
    /// Numbers of symbols: a stub for each.
    pub stubs: &'a [u32],
    pub stub_size: u32,
    /// Offset of the entry point in the code.
    pub main: Option<u64>,
    /// Pointers in `__mod_init_func`.
    pub inits: &'a [u64],
    /// Load commands to add: number and body.
    pub commands: &'a [(u32, Vec<u8>)],
}

impl Default for Mach<'_> {
    fn default() -> Self {
        Mach {
            is_64: true,
            is_big: false,
            machine: X86_64,
            variant: 3,
            file_type: 2,
            flags: 0x20_0085,
            base: 0x1_0000_0000,
            code: 0x100,
            symbols: &[],
            function_starts: None,
            exports: None,
            stubs: &[],
            stub_size: 6,
            main: None,
            inits: &[],
            commands: &[],
        }
    }
}

struct Out {
    bytes: Vec<u8>,
    is_64: bool,
    is_big: bool,
}

impl Out {
    fn number(&mut self, value: u64, size: usize) {
        let mut field = value.to_le_bytes()[..size].to_vec();
        if self.is_big {
            field.reverse();
        }
        self.bytes.extend(field);
    }

    fn word(&mut self, value: u64) {
        self.number(value, 4);
    }

    fn address(&mut self, value: u64) {
        self.number(value, if self.is_64 { 8 } else { 4 });
    }

    fn name(&mut self, name: &str) {
        let mut field = name.as_bytes().to_vec();
        field.resize(16, 0);
        self.bytes.extend(field);
    }
}

/// Where the code stands in the image.
pub const CODE_AT: u64 = 0x1000;

impl Mach<'_> {
    fn out(&self) -> Out {
        Out {
            bytes: Vec::new(),
            is_64: self.is_64,
            is_big: self.is_big,
        }
    }

    /// The address of the first byte of code.
    pub fn text(&self) -> u64 {
        if self.file_type == 1 {
            0
        } else {
            self.base + CODE_AT
        }
    }

    /// The address of the first stub.
    pub fn stubs_at(&self) -> u64 {
        self.text() + self.code as u64
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let stubs_size = u64::from(self.stub_size) * self.stubs.len() as u64;
        let data_at = (CODE_AT + self.code as u64 + stubs_size).next_multiple_of(8);
        let mut data = self.out();
        for value in self.inits {
            data.address(*value);
        }
        let inits_size = data.bytes.len() as u64;
        data.bytes.resize(data.bytes.len() + 16, 0);
        let link_at = data_at + data.bytes.len() as u64;

        let mut link = self.out();
        let mut strings = vec![b' ', 0];
        for (name, kind, section, desc, value) in self.symbols {
            link.word(if name.is_empty() {
                0
            } else {
                strings.len() as u64
            });
            link.bytes.extend([*kind, *section]);
            link.number((*desc).into(), 2);
            link.address(*value);
            if !name.is_empty() {
                strings.extend_from_slice(name);
                strings.push(0);
            }
        }
        let indirect_at = link_at + link.bytes.len() as u64;
        for number in self.stubs {
            link.word((*number).into());
        }
        let mut blob = |bytes: &[u8]| {
            let at = link_at + link.bytes.len() as u64;
            link.bytes.extend_from_slice(bytes);
            at
        };
        let strings_at = blob(&strings);
        let starts_at = self.function_starts.map(&mut blob);
        let exports_at = self.exports.map(&mut blob);

        let mut commands: Vec<Vec<u8>> = Vec::new();
        let command = |number: u32, body: &dyn Fn(&mut Out)| {
            let mut out = self.out();
            body(&mut out);
            let padding = out.bytes.len().next_multiple_of(8) - out.bytes.len();
            let mut whole = self.out();
            whole.word(number.into());
            whole.word((8 + out.bytes.len() + padding) as u64);
            whole.bytes.extend(&out.bytes);
            whole.bytes.extend(vec![0; padding]);
            whole.bytes
        };
        let segment = if self.is_64 { 0x19 } else { 1 };
        let is_object = self.file_type == 1;
        let (text_name, text_address, text_from) = if is_object {
            ("", 0, CODE_AT)
        } else {
            ("__TEXT", self.base, 0)
        };
        let shift = |at: u64| at - text_from + text_address;
        let section = |out: &mut Out,
                       segment: &str,
                       name: &str,
                       at: u64,
                       size: u64,
                       flags: u64,
                       reserved: [u64; 2]| {
            out.name(name);
            out.name(segment);
            out.address(shift(at));
            out.address(size);
            for value in [at, 0, 0, 0, flags, reserved[0], reserved[1]] {
                out.word(value);
            }
            if out.is_64 {
                out.word(0);
            }
        };
        commands.push(command(segment, &|out| {
            out.name(text_name);
            let end = if is_object { link_at } else { data_at };
            for value in [text_address, end - text_from, text_from, end - text_from] {
                out.address(value);
            }
            for value in [5, 5, if is_object { 4 } else { 2 }, 0] {
                out.word(value);
            }
            section(
                out,
                "__TEXT",
                "__text",
                CODE_AT,
                self.code as u64,
                0x8000_0400,
                [0, 0],
            );
            section(
                out,
                "__TEXT",
                "__stubs",
                CODE_AT + self.code as u64,
                stubs_size,
                0x8000_0408,
                [0, self.stub_size.into()],
            );
            if is_object {
                section(out, "__DATA", "__data", data_at + inits_size, 16, 0, [0, 0]);
                section(
                    out,
                    "__DATA",
                    "__mod_init_func",
                    data_at,
                    inits_size,
                    9,
                    [0, 0],
                );
            }
        }));
        if !is_object {
            commands.push(command(segment, &|out| {
                out.name("__DATA");
                for value in [
                    shift(data_at),
                    link_at - data_at,
                    data_at,
                    link_at - data_at,
                ] {
                    out.address(value);
                }
                for value in [3, 3, 2, 0] {
                    out.word(value);
                }
                section(out, "__DATA", "__data", data_at + inits_size, 16, 0, [0, 0]);
                section(
                    out,
                    "__DATA",
                    "__mod_init_func",
                    data_at,
                    inits_size,
                    9,
                    [0, 0],
                );
            }));
            commands.push(command(segment, &|out| {
                out.name("__LINKEDIT");
                let size = link.bytes.len() as u64;
                for value in [shift(link_at), size, link_at, size] {
                    out.address(value);
                }
                for value in [1, 1, 0, 0] {
                    out.word(value);
                }
            }));
        }
        commands.push(command(2, &|out| {
            for value in [
                link_at,
                self.symbols.len() as u64,
                strings_at,
                strings.len() as u64,
            ] {
                out.word(value);
            }
        }));
        commands.push(command(0xb, &|out| {
            out.bytes.resize(48, 0);
            out.word(indirect_at);
            out.word(self.stubs.len() as u64);
            out.bytes.resize(72, 0);
        }));
        for (number, at, bytes) in [
            (0x26, starts_at, self.function_starts),
            (0x8000_0033, exports_at, self.exports),
        ] {
            if let (Some(at), Some(bytes)) = (at, bytes) {
                commands.push(command(number, &|out| {
                    out.word(at);
                    out.word(bytes.len() as u64);
                }));
            }
        }
        if let Some(main) = self.main {
            commands.push(command(0x8000_0028, &|out| {
                out.number(CODE_AT + main, 8);
                out.number(0, 8);
            }));
        }
        for (number, body) in self.commands {
            commands.push(command(*number, &|out| out.bytes.extend(body)));
        }

        let mut out = self.out();
        out.word(if self.is_64 { 0xfeed_facf } else { 0xfeed_face });
        for value in [self.machine, self.variant, self.file_type] {
            out.word(value.into());
        }
        out.word(commands.len() as u64);
        out.word(commands.iter().map(Vec::len).sum::<usize>() as u64);
        out.word(self.flags.into());
        if self.is_64 {
            out.word(0);
        }
        out.bytes.extend(commands.concat());
        assert!(
            out.bytes.len() as u64 <= CODE_AT,
            "the commands are too long"
        );
        out.bytes.resize(CODE_AT as usize, 0);
        out.bytes
            .resize(CODE_AT as usize + self.code + stubs_size as usize, 0x90);
        out.bytes.resize(data_at as usize, 0);
        out.bytes.extend(data.bytes);
        out.bytes.extend(link.bytes);
        out.bytes
    }
}

/// Bytes of a text command's text (a library, a path): the offset of the text, further words, the text.
pub fn text_command(words: &[u32], text: &str) -> Vec<u8> {
    let mut body = (12 + 4 * words.len() as u32).to_le_bytes().to_vec();
    for word in words {
        body.extend(word.to_le_bytes());
    }
    body.extend(text.as_bytes());
    body.push(0);
    body
}

/// A universal file: (processor, variant, bytes) each, aligned to 4096 bytes.
pub fn fat(is_64: bool, slices: &[(u32, u32, Vec<u8>)]) -> Vec<u8> {
    let mut head = vec![0xca, 0xfe, 0xba, if is_64 { 0xbf } else { 0xbe }];
    head.extend((slices.len() as u32).to_be_bytes());
    let mut body = vec![0u8; 4096];
    for (machine, variant, bytes) in slices {
        head.extend(machine.to_be_bytes());
        head.extend(variant.to_be_bytes());
        let (at, size) = (body.len() as u64, bytes.len() as u64);
        if is_64 {
            head.extend(at.to_be_bytes());
            head.extend(size.to_be_bytes());
            head.extend(12u32.to_be_bytes());
            head.extend(0u32.to_be_bytes());
        } else {
            head.extend((at as u32).to_be_bytes());
            head.extend((size as u32).to_be_bytes());
            head.extend(12u32.to_be_bytes());
        }
        body.extend(bytes);
        body.resize(body.len().next_multiple_of(4096), 0);
    }
    body[..head.len()].copy_from_slice(&head);
    body
}

/// A trie of names that share no beginning but the root: name, flags, the numbers behind them.
pub fn trie(exports: &[(&[u8], u8, &[u8])]) -> Vec<u8> {
    let root: usize = 2 + exports
        .iter()
        .map(|(name, _, _)| name.len() + 3)
        .sum::<usize>();
    let mut bytes = vec![0, exports.len() as u8];
    let mut at = root;
    for (name, _, numbers) in exports {
        bytes.extend_from_slice(name);
        bytes.push(0);
        bytes.extend([at as u8 | 0x80, (at >> 7) as u8]);
        at += numbers.len() + 3;
    }
    for (_, flags, numbers) in exports {
        bytes.extend([numbers.len() as u8 + 1, *flags]);
        bytes.extend_from_slice(numbers);
        bytes.push(0);
    }
    bytes
}

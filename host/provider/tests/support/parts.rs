//! ELF files written by hand, section by section.

use super::tiny::Out;

/// A section.
#[derive(Clone, Default)]
pub struct Part {
    pub name: &'static str,
    pub kind: u32,
    /// 2 is loaded, 4 is code.
    pub flags: u64,
    pub address: u64,
    pub bytes: Vec<u8>,
    pub link: u32,
    pub info: u32,
}

/// A file: everything that is loaded is in one segment.
pub struct Parts {
    pub is_64: bool,
    pub is_big: bool,
    pub machine: u16,
    pub file_type: u16,
    pub entry: u64,
    /// From section 1 on.
    pub sections: Vec<Part>,
}

impl Parts {
    /// Numbers in the file's order and width, each of so many bytes.
    pub fn numbers(&self, rows: &[(u64, usize)]) -> Vec<u8> {
        let mut out = Out::new(self.is_64, self.is_big);
        for (value, size) in rows {
            out.number(*value, *size);
        }
        out.bytes
    }

    /// A symbol table and its strings: name, value, size, info, section.
    pub fn symbols(&self, rows: &[(&str, u64, u64, u8, u16)]) -> (Vec<u8>, Vec<u8>) {
        let mut strings = vec![0u8];
        let mut table = vec![0u8; if self.is_64 { 24 } else { 16 }];
        for (name, value, size, info, section) in rows {
            let at = strings.len() as u64;
            strings.extend(name.as_bytes());
            strings.push(0);
            let (info, section) = ((u64::from(*info), 1), (u64::from(*section), 2));
            table.extend(if self.is_64 {
                self.numbers(&[(at, 4), info, (0, 1), section, (*value, 8), (*size, 8)])
            } else {
                self.numbers(&[(at, 4), (*value, 4), (*size, 4), info, (0, 1), section])
            });
        }
        (table, strings)
    }

    pub fn bytes(&self) -> Vec<u8> {
        let (header, segment, row) = if self.is_64 {
            (64u64, 56u64, 64u64)
        } else {
            (52, 32, 40)
        };
        let loaded = |part: &&Part| part.flags & 2 != 0 && self.file_type != 1;
        let base = self.sections.iter().filter(loaded).map(|p| p.address).min();
        let end = self
            .sections
            .iter()
            .filter(loaded)
            .map(|p| p.address + p.bytes.len() as u64)
            .max();
        let (base, end) = (base.unwrap_or(0), end.unwrap_or(0));
        let image = header + segment;
        let mut content = vec![0u8; (end - base) as usize];
        let mut offsets = Vec::new();
        for part in &self.sections {
            let at = if loaded(&part) {
                let at = (part.address - base) as usize;
                content[at..at + part.bytes.len()].copy_from_slice(&part.bytes);
                at
            } else {
                let at = content.len().next_multiple_of(8);
                content.resize(at, 0);
                content.extend(&part.bytes);
                at
            };
            offsets.push(image + at as u64);
        }
        let mut names = vec![0u8];
        let mut name_at = Vec::new();
        for name in self.sections.iter().map(|p| p.name).chain([".shstrtab"]) {
            name_at.push(names.len() as u64);
            names.extend(name.as_bytes());
            names.push(0);
        }
        let names_offset = image + content.len() as u64;
        content.extend(&names);
        content.resize(content.len().next_multiple_of(8), 0);
        let mut out = Out::new(self.is_64, self.is_big);
        out.bytes.extend(b"\x7fELF");
        out.bytes
            .extend([1 + u8::from(self.is_64), 1 + u8::from(self.is_big), 1]);
        out.bytes.resize(16, 0);
        out.half(self.file_type);
        out.half(self.machine);
        out.word(1);
        out.address(self.entry);
        out.address(header);
        out.address(image + content.len() as u64);
        out.word(0);
        let count = self.sections.len() as u64 + 2;
        for value in [header, segment, 1, row, count, count - 1] {
            out.half(value as u16);
        }
        // PT_LOAD; in a relocatable file PT_NULL.
        let size = end - base;
        out.word(u32::from(self.file_type != 1));
        if self.is_64 {
            out.word(7);
        }
        for value in [image, base, base, size, size] {
            out.address(value);
        }
        if !self.is_64 {
            out.word(7);
        }
        out.address(1);
        out.bytes.extend(content);
        out.bytes.resize(out.bytes.len() + row as usize, 0);
        let own = Part {
            kind: 3,
            bytes: names,
            ..Part::default()
        };
        let parts = self.sections.iter().chain([&own]);
        for ((part, name), offset) in parts
            .zip(name_at)
            .zip(offsets.into_iter().chain([names_offset]))
        {
            out.word(name as u32);
            out.word(part.kind);
            for value in [part.flags, part.address, offset, part.bytes.len() as u64] {
                out.address(value);
            }
            out.word(part.link);
            out.word(part.info);
            out.address(1);
            out.address(0);
        }
        out.bytes
    }
}

//! Load commands: what of them is used, as plain rows.

use super::raw::{Shape, string_at};

/// A segment.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) name: Vec<u8>,
    pub(crate) address: u64,
    pub(crate) memory_size: u64,
    pub(crate) offset: u64,
    pub(crate) file_size: u64,
    pub(crate) access: u32,
}

/// A section of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) segment: Vec<u8>,
    pub(crate) name: Vec<u8>,
    /// The number of the segment command that holds it.
    pub(crate) segment_index: usize,
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) offset: u64,
    pub(crate) flags: u32,
    pub(crate) reserved1: u32,
    pub(crate) reserved2: u32,
    pub(crate) relocations: u32,
}

/// Types of sections.
pub(crate) mod kind {
    pub(crate) const ZERO_FILL: u32 = 1;
    pub(crate) const SYMBOL_STUBS: u32 = 8;
    pub(crate) const INIT_POINTERS: u32 = 9;
    pub(crate) const TERM_POINTERS: u32 = 10;
    pub(crate) const LARGE_ZERO_FILL: u32 = 12;
    pub(crate) const THREAD_ZERO_FILL: u32 = 18;
    pub(crate) const THREAD_INIT_POINTERS: u32 = 21;
    pub(crate) const INIT_OFFSETS: u32 = 22;
}

/// A section holds nothing but instructions, or some.
const INSTRUCTIONS: u32 = 0x8000_0000 | 0x400;

impl Section {
    /// The low byte of the flags: what the section holds.
    pub(crate) fn kind(&self) -> u32 {
        self.flags & 0xff
    }

    /// Its attributes say that it holds instructions.
    pub(crate) fn is_code(&self) -> bool {
        self.flags & INSTRUCTIONS != 0 || self.kind() == kind::SYMBOL_STUBS
    }

    /// It has no bytes in the file.
    pub(crate) fn is_zero_fill(&self) -> bool {
        matches!(
            self.kind(),
            kind::ZERO_FILL | kind::LARGE_ZERO_FILL | kind::THREAD_ZERO_FILL
        )
    }

    /// `__TEXT,__text`.
    pub(crate) fn full_name(&self) -> Vec<u8> {
        [&self.segment[..], b",", &self.name[..]].concat()
    }

    pub(crate) fn is(&self, segment: &[u8], name: &[u8]) -> bool {
        self.segment == segment && self.name == name
    }
}

/// Bytes of the file that a command leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blob {
    pub(crate) offset: u64,
    pub(crate) size: u64,
}

/// A library that the image is bound to.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    pub(crate) command: u32,
    pub(crate) name: Vec<u8>,
    pub(crate) current: u32,
    pub(crate) compatibility: u32,
}

/// The symbol table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symtab {
    pub(crate) symbols: u64,
    pub(crate) count: u32,
    pub(crate) strings: Blob,
}

/// Bytes that only the system can read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encryption {
    pub(crate) range: Blob,
    pub(crate) system: u32,
}

/// The platform and the oldest version of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Platform {
    pub(crate) number: u32,
    pub(crate) minimum: u32,
    pub(crate) sdk: u32,
}

/// All load commands of an image.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commands {
    pub(crate) segments: Vec<Segment>,
    pub(crate) sections: Vec<Section>,
    pub(crate) libraries: Vec<Library>,
    pub(crate) id: Option<Library>,
    pub(crate) loader: Option<Vec<u8>>,
    pub(crate) rpaths: Vec<Vec<u8>>,
    pub(crate) symtab: Option<Symtab>,
    /// The table of symbol numbers that stubs and pointers refer to.
    pub(crate) indirect: Option<Blob>,
    pub(crate) exports: Option<(&'static str, Blob)>,
    /// The program that binds pointers to other images (LC_DYLD_INFO).
    pub(crate) binds: Option<Blob>,
    pub(crate) function_starts: Option<Blob>,
    pub(crate) chained_fixups: Option<Blob>,
    pub(crate) signature: Option<Blob>,
    pub(crate) encryption: Vec<Encryption>,
    /// An offset in the file (LC_MAIN).
    pub(crate) main: Option<u64>,
    /// An address (LC_UNIXTHREAD).
    pub(crate) thread: Option<u64>,
    /// An address (LC_ROUTINES).
    pub(crate) routine: Option<u64>,
    pub(crate) uuid: Option<[u8; 16]>,
    pub(crate) platforms: Vec<Platform>,
    pub(crate) source_version: Option<u64>,
    /// LC_FILESET_ENTRY: images inside this one.
    pub(crate) entries: u32,
    /// Each command's number and how often it is there, in the order of first appearance.
    pub(crate) counts: Vec<(u32, u32)>,
    /// Why the list isn't complete.
    pub(crate) damage: Vec<String>,
}

/// Numbers of load commands.
pub(crate) mod lc {
    pub(crate) const SEGMENT: u32 = 0x1;
    pub(crate) const SYMTAB: u32 = 0x2;
    pub(crate) const UNIXTHREAD: u32 = 0x5;
    pub(crate) const DYSYMTAB: u32 = 0xb;
    pub(crate) const LOAD_DYLIB: u32 = 0xc;
    pub(crate) const ID_DYLIB: u32 = 0xd;
    pub(crate) const LOAD_DYLINKER: u32 = 0xe;
    pub(crate) const ROUTINES: u32 = 0x11;
    pub(crate) const SEGMENT_64: u32 = 0x19;
    pub(crate) const ROUTINES_64: u32 = 0x1a;
    pub(crate) const UUID: u32 = 0x1b;
    pub(crate) const CODE_SIGNATURE: u32 = 0x1d;
    pub(crate) const LAZY_LOAD_DYLIB: u32 = 0x20;
    pub(crate) const ENCRYPTION_INFO: u32 = 0x21;
    pub(crate) const DYLD_INFO: u32 = 0x22;
    pub(crate) const VERSION_MIN_MACOSX: u32 = 0x24;
    pub(crate) const VERSION_MIN_IPHONEOS: u32 = 0x25;
    pub(crate) const FUNCTION_STARTS: u32 = 0x26;
    pub(crate) const SOURCE_VERSION: u32 = 0x2a;
    pub(crate) const ENCRYPTION_INFO_64: u32 = 0x2c;
    pub(crate) const VERSION_MIN_TVOS: u32 = 0x2f;
    pub(crate) const VERSION_MIN_WATCHOS: u32 = 0x30;
    pub(crate) const BUILD_VERSION: u32 = 0x32;
    pub(crate) const LOAD_WEAK_DYLIB: u32 = 0x8000_0018;
    pub(crate) const RPATH: u32 = 0x8000_001c;
    pub(crate) const REEXPORT_DYLIB: u32 = 0x8000_001f;
    pub(crate) const DYLD_INFO_ONLY: u32 = 0x8000_0022;
    pub(crate) const LOAD_UPWARD_DYLIB: u32 = 0x8000_0023;
    pub(crate) const MAIN: u32 = 0x8000_0028;
    pub(crate) const DYLD_EXPORTS_TRIE: u32 = 0x8000_0033;
    pub(crate) const DYLD_CHAINED_FIXUPS: u32 = 0x8000_0034;
    pub(crate) const FILESET_ENTRY: u32 = 0x8000_0035;
}

/// Kinds of commands, encrypted ranges and faults that are kept; real files have few, hostile ones millions.
const KEPT: usize = 256;

impl Commands {
    /// Reads the commands, as many as there are whole.
    pub(crate) fn parse(shape: Shape, machine: u32, bytes: &[u8], count: u32) -> Commands {
        let mut commands = Commands::default();
        let mut at = 0usize;
        for number in 0..count {
            let rest = bytes.get(at..).unwrap_or(&[]);
            let (Some(command), Some(size)) = (shape.u32_at(rest, 0), shape.u32_at(rest, 4)) else {
                commands.damage.push(format!(
                    "{} of {count} load commands don't fit into their bytes",
                    count - number
                ));
                break;
            };
            let Some(body) = rest.get(..size as usize).filter(|_| size >= 8) else {
                commands.damage.push(format!(
                    "load command {number} of {count} has the size {size}, and {} bytes are left",
                    rest.len()
                ));
                break;
            };
            let room = commands.counts.len() < KEPT;
            match commands
                .counts
                .iter_mut()
                .find(|(known, _)| *known == command)
            {
                Some((_, times)) => *times += 1,
                None if room => commands.counts.push((command, 1)),
                None => {}
            }
            if commands.take(shape, machine, command, body).is_none()
                && commands.damage.len() < KEPT
            {
                commands.damage.push(format!(
                    "load command {number} ({}) is cut off",
                    super::names::command(command)
                ));
            }
            at += size as usize;
        }
        commands
    }

    /// Takes one command; `None` if it is shorter than it has to be.
    fn take(&mut self, shape: Shape, machine: u32, command: u32, body: &[u8]) -> Option<()> {
        let word = |at: usize| shape.u32_at(body, at);
        let blob = |at: usize| {
            Some(Blob {
                offset: word(at)?.into(),
                size: word(at + 4)?.into(),
            })
        };
        let text = || string_at(body, word(8)? as usize).map(<[u8]>::to_vec);
        match command {
            lc::SEGMENT => self.segment(shape, false, body)?,
            lc::SEGMENT_64 => self.segment(shape, true, body)?,
            lc::SYMTAB => {
                self.symtab = Some(Symtab {
                    symbols: word(8)?.into(),
                    count: word(12)?,
                    strings: blob(16)?,
                });
            }
            lc::DYSYMTAB => {
                let size = u64::from(word(60)?) * 4;
                self.indirect = (size > 0).then_some(Blob {
                    offset: word(56)?.into(),
                    size,
                });
            }
            lc::LOAD_DYLIB
            | lc::LOAD_WEAK_DYLIB
            | lc::REEXPORT_DYLIB
            | lc::LAZY_LOAD_DYLIB
            | lc::LOAD_UPWARD_DYLIB
            | lc::ID_DYLIB => {
                let library = Library {
                    command,
                    name: text()?,
                    current: word(16)?,
                    compatibility: word(20)?,
                };
                if command == lc::ID_DYLIB {
                    self.id = Some(library);
                } else {
                    self.libraries.push(library);
                }
            }
            lc::LOAD_DYLINKER => self.loader = Some(text()?),
            lc::RPATH => self.rpaths.push(text()?),
            lc::UUID => self.uuid = Some(body.get(8..24)?.try_into().ok()?),
            lc::CODE_SIGNATURE => self.signature = Some(blob(8)?),
            lc::FUNCTION_STARTS => self.function_starts = Some(blob(8)?),
            lc::DYLD_CHAINED_FIXUPS => self.chained_fixups = Some(blob(8)?),
            lc::DYLD_EXPORTS_TRIE => self.exports = Some(("LC_DYLD_EXPORTS_TRIE", blob(8)?)),
            lc::DYLD_INFO | lc::DYLD_INFO_ONLY => {
                self.binds = Some(blob(16)?).filter(|binds| binds.size > 0);
                let exports = blob(40)?;
                if self.exports.is_none() && exports.size > 0 {
                    self.exports = Some(("LC_DYLD_INFO exports", exports));
                }
            }
            lc::ENCRYPTION_INFO | lc::ENCRYPTION_INFO_64 if self.encryption.len() < KEPT => {
                self.encryption.push(Encryption {
                    range: blob(8)?,
                    system: word(16)?,
                })
            }
            lc::MAIN => self.main = Some(shape.u64_at(body, 8)?),
            lc::UNIXTHREAD => self.thread = program_counter(shape, machine, body),
            lc::ROUTINES => self.routine = Some(word(8)?.into()),
            lc::ROUTINES_64 => self.routine = Some(shape.u64_at(body, 8)?),
            lc::SOURCE_VERSION => self.source_version = Some(shape.u64_at(body, 8)?),
            lc::BUILD_VERSION => self.platforms.push(Platform {
                number: word(8)?,
                minimum: word(12)?,
                sdk: word(16)?,
            }),
            lc::VERSION_MIN_MACOSX
            | lc::VERSION_MIN_IPHONEOS
            | lc::VERSION_MIN_TVOS
            | lc::VERSION_MIN_WATCHOS => self.platforms.push(Platform {
                number: match command {
                    lc::VERSION_MIN_MACOSX => 1,
                    lc::VERSION_MIN_IPHONEOS => 2,
                    lc::VERSION_MIN_TVOS => 3,
                    _ => 4,
                },
                minimum: word(8)?,
                sdk: word(12)?,
            }),
            lc::FILESET_ENTRY => self.entries += 1,
            _ => {}
        }
        Some(())
    }

    fn segment(&mut self, shape: Shape, is_64: bool, body: &[u8]) -> Option<()> {
        // The width of a row is the command's, whatever the header says.
        let shape = Shape { is_64, ..shape };
        let word = |at: usize| shape.u32_at(body, at);
        let address = |at: usize| shape.word_at(body, at);
        let size = shape.word();
        let tail = 24 + 4 * size;
        let segment_index = self.segments.len();
        self.segments.push(Segment {
            name: fixed(body.get(8..24)?),
            address: address(24)?,
            memory_size: address(24 + size)?,
            offset: address(24 + 2 * size)?,
            file_size: address(24 + 3 * size)?,
            access: word(tail + 4)?,
        });
        let count = word(tail + 8)?;
        let row_size = if is_64 { 80 } else { 68 };
        let rows = body.get(tail + 16..)?;
        for row in rows.chunks_exact(row_size).take(count as usize) {
            let word = |at: usize| shape.u32_at(row, at);
            let behind = 32 + 2 * size;
            self.sections.push(Section {
                name: fixed(row.get(..16)?),
                segment: fixed(row.get(16..32)?),
                segment_index,
                address: shape.word_at(row, 32)?,
                size: shape.word_at(row, 32 + size)?,
                offset: word(behind)?.into(),
                relocations: word(behind + 12)?,
                flags: word(behind + 16)?,
                reserved1: word(behind + 20)?,
                reserved2: word(behind + 24)?,
            });
        }
        (rows.len() / row_size >= count as usize).then_some(())
    }
}

/// A name in a field of sixteen bytes, padded with zeros.
fn fixed(field: &[u8]) -> Vec<u8> {
    field
        .iter()
        .copied()
        .take_while(|byte| *byte != 0)
        .collect()
}

/// Where a thread of the processor starts, by the state of its registers.
fn program_counter(shape: Shape, machine: u32, body: &[u8]) -> Option<u64> {
    use super::machine::{ARM, ARM64, POWERPC, POWERPC64, X86, X86_64};
    // Flavour and size of the state, then the registers.
    let flavour = shape.u32_at(body, 8)?;
    let state = body.get(16..)?;
    match (machine, flavour) {
        (X86, 1) => shape.u32_at(state, 10 * 4).map(u64::from),
        (X86_64, 4) => shape.u64_at(state, 16 * 8),
        (ARM, 1) => shape.u32_at(state, 15 * 4).map(u64::from),
        (ARM64, 6) => shape.u64_at(state, 32 * 8),
        (POWERPC, 1) => shape.u32_at(state, 0).map(u64::from),
        (POWERPC64, 5) => shape.u64_at(state, 0),
        _ => None,
    }
}

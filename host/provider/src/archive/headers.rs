//! The headers of the members, and the names of their documents.

use std::collections::HashMap;
use std::fmt::Write;

use super::Archive;
use crate::ReadError;
use crate::file::SourceFile;
use crate::header::HeaderError;

/// A member.
#[derive(Debug)]
pub(super) struct Member {
    /// The name of its document.
    pub(super) document: String,
    /// Its raw name: in a thin archive the path of its file.
    pub(super) name: Vec<u8>,
    pub(super) header_offset: u64,
    /// Where its bytes stand, if the archive isn't thin.
    pub(super) data_offset: u64,
    pub(super) size: u64,
}

/// More members are not documents. (Chromium's largest archive has some ten thousand.)
const MEMBERS: usize = 65_536;
/// Bytes of a member's header: name 16, date 12, user 6, group 6, mode 8, size 10, end 2.
const HEADER: u64 = 60;
/// Bytes of the magic.
const MAGIC: u64 = 8;
/// The table of long names is read up to this many bytes.
const NAMES: u64 = 64 << 20;
/// A longer name is left out of the name of the document.
const NAME: usize = 255;

/// Reads all headers.
pub(super) fn read(file: &SourceFile) -> Result<Archive, HeaderError> {
    let magic = file.read(0, file.len().min(MAGIC))?;
    let mut archive = Archive {
        members: Vec::new(),
        is_thin: magic == b"!<thin>\n",
        damage: Vec::new(),
    };
    if magic.len() as u64 != MAGIC {
        return Err(HeaderError::Truncated(format!("{} bytes", magic.len())));
    }
    let mut long_names: Vec<u8> = Vec::new();
    let mut at = MAGIC;
    while at < file.len() {
        if archive.members.len() == MEMBERS {
            archive.damage.push(format!(
                "it has more than {MEMBERS} members; the others are no documents"
            ));
            break;
        }
        let Some(header) = header(file, at)? else {
            archive.damage.push(format!(
                "there is no member's header at {at:#x}: members behind it are not found"
            ));
            break;
        };
        let mut data = at + HEADER;
        let mut size = header.size;
        let special = is_special(&header.name);
        let in_archive = !archive.is_thin || special;
        if in_archive && !file.holds(data, size) {
            archive.damage.push(format!(
                "the member at {at:#x} claims {size} bytes, more than what is left"
            ));
            size = file.len().saturating_sub(data);
        }
        let next = if in_archive { data + size } else { data };
        if header.name == b"//" {
            long_names = file.read(data, size.min(NAMES))?;
        }
        if !special {
            let mut name = header.name;
            if let Some(length) = name.strip_prefix(b"#1/").and_then(number) {
                // The name stands before the content.
                let length = length.min(size);
                name = file.read_unchecked(data, length.min(NAME as u64 + 1))?;
                while name.last() == Some(&0) {
                    name.pop();
                }
                data += length;
                size -= length;
            } else if let Some(offset) = name.strip_prefix(b"/").and_then(number) {
                name = long_name(&long_names, offset);
            } else if name.last() == Some(&b'/') {
                name.pop();
            }
            if !name.starts_with(b"__.SYMDEF") {
                archive.members.push(Member {
                    document: String::new(),
                    name,
                    header_offset: at,
                    data_offset: data,
                    size,
                });
            }
        }
        at = next.next_multiple_of(2);
    }
    file.check()?;
    call(&mut archive.members);
    Ok(archive)
}

struct Header {
    /// Without the blanks behind it.
    name: Vec<u8>,
    size: u64,
}

fn header(file: &SourceFile, at: u64) -> Result<Option<Header>, ReadError> {
    if !file.holds(at, HEADER) {
        return Ok(None);
    }
    let bytes = file.read_unchecked(at, HEADER)?;
    let (Some(name), Some(size), Some(b"`\n")) =
        (bytes.get(..16), bytes.get(48..58), bytes.get(58..60))
    else {
        return Ok(None);
    };
    Ok(number(size.trim_ascii_end()).map(|size| Header {
        name: name.trim_ascii_end().to_vec(),
        size,
    }))
}

/// Tables for a linker: symbols (`/`, `/SYM64/`), long names (`//`), and what Microsoft's tools add (`/<ECSYMBOLS>/`).
fn is_special(name: &[u8]) -> bool {
    matches!(name, b"/" | b"//" | b"/SYM64/")
        || name.starts_with(b"/<")
        || name.starts_with(b"__.SYMDEF")
}

/// Decimal digits; what a `:` and more digits say of a member in an archive in a thin archive is left out.
fn number(digits: &[u8]) -> Option<u64> {
    let digits = digits.split(|byte| *byte == b':').next().unwrap_or(digits);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// A name of the table of long names: up to `/` and a line's end (GNU) or a zero (COFF).
fn long_name(names: &[u8], offset: u64) -> Vec<u8> {
    let rest = usize::try_from(offset)
        .ok()
        .and_then(|offset| names.get(offset..))
        .unwrap_or(&[]);
    // A path is at most 4,096 bytes; a longer name is cut, as thousands of members may share it.
    let rest = rest.get(..4097).unwrap_or(rest);
    let end = memchr::memchr2(b'\n', 0, rest).unwrap_or(rest.len());
    let name = rest.get(..end).unwrap_or(&[]);
    name.strip_suffix(b"/").unwrap_or(name).to_vec()
}

/// Gives every document its name, unique in the archive: one with `#` ends in an offset, and no member's own name holds a `#`.
fn call(members: &mut [Member]) {
    let mut count: HashMap<&[u8], u32> = HashMap::new();
    for member in members.iter() {
        *count.entry(&member.name).or_default() += 1;
    }
    let names: Vec<String> = members
        .iter()
        .map(|member| {
            let (mut name, odd) = plain(&member.name);
            if odd || count.get(member.name.as_slice()) != Some(&1) {
                let _ = write!(name, "#{:#x}", member.header_offset);
            }
            name
        })
        .collect();
    for (member, name) in members.iter_mut().zip(names) {
        member.document = name;
    }
}

/// A name as part of a spelling, and whether it isn't the name itself.
fn plain(name: &[u8]) -> (String, bool) {
    if name.len() > NAME {
        return (String::new(), true);
    }
    let mut odd = name.is_empty();
    let mut shown = String::with_capacity(name.len());
    for &byte in name {
        if byte.is_ascii_graphic() && !matches!(byte, b'#' | b'!' | b'\\') {
            shown.push(char::from(byte));
        } else {
            odd = true;
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    (shown, odd)
}

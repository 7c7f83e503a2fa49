//! A small PDB written by hand: information, debug stream, public symbols, one unit.

use super::pe::{put16, put32, words};

const PAGE: usize = 0x200;

/// A public symbol: name, section, offset, flags.
pub type Public<'a> = (&'a str, u16, u32, u32);
/// A function of a unit: name, section, offset, bytes, whether it is local.
pub type Function<'a> = (&'a str, u16, u32, u32, bool);

/// The file.
pub fn pdb(
    guid: [u8; 16],
    age: u32,
    publics: &[Public<'_>],
    functions: &[Function<'_>],
) -> Vec<u8> {
    let mut info = words(&[20_000_404, 0, 1]);
    info.extend(guid);
    let mut records = Vec::new();
    for (name, section, offset, flags) in publics {
        let mut body = vec![0x0e, 0x11];
        put32(&mut body, *flags);
        put32(&mut body, *offset);
        put16(&mut body, *section);
        record(&mut records, body, name);
    }
    let mut unit = words(&[4]);
    for (name, section, offset, size, local) in functions {
        let mut body = vec![if *local { 0x0f } else { 0x10 }, 0x11];
        body.extend(words(&[0, 0, 0, *size, 0, 0, 0, *offset]));
        put16(&mut body, *section);
        body.push(0);
        record(&mut unit, body, name);
    }
    let mut row = vec![0u8; 64];
    row[34..36].copy_from_slice(&5u16.to_le_bytes());
    row[36..40].copy_from_slice(&(unit.len() as u32).to_le_bytes());
    row.extend(b"a.obj\0a.obj\0");
    let mut debug = words(&[u32::MAX, 19_990_903, age]);
    for value in [0xffff, 0, 0xffff, 0, 4, 0] {
        put16(&mut debug, value);
    }
    debug.extend(words(&[row.len() as u32, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    debug.extend(&row);
    container(&[Vec::new(), info, Vec::new(), debug, records, unit])
}

fn record(out: &mut Vec<u8>, mut body: Vec<u8>, name: &str) {
    body.extend(name.as_bytes());
    body.push(0);
    body.resize(body.len().next_multiple_of(2), 0);
    put16(out, body.len() as u16);
    out.extend(body);
}

fn container(streams: &[Vec<u8>]) -> Vec<u8> {
    let pages = |len: usize| len.div_ceil(PAGE);
    let mut directory = words(&[streams.len() as u32]);
    directory.extend(words(
        &streams
            .iter()
            .map(|stream| stream.len() as u32)
            .collect::<Vec<_>>(),
    ));
    let mut next = 3;
    for stream in streams {
        for _ in 0..pages(stream.len()) {
            put32(&mut directory, next);
            next += 1;
        }
    }
    let mut out = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0".to_vec();
    let list_at = next;
    let directory_at = next + 1;
    out.extend(words(&[
        PAGE as u32,
        1,
        directory_at + pages(directory.len()) as u32,
        directory.len() as u32,
        0,
        list_at,
    ]));
    out.resize(3 * PAGE, 0);
    for stream in streams {
        out.extend(stream);
        out.resize(out.len().next_multiple_of(PAGE), 0);
    }
    out.extend(words(
        &(0..pages(directory.len()) as u32)
            .map(|page| directory_at + page)
            .collect::<Vec<_>>(),
    ));
    out.resize(out.len().next_multiple_of(PAGE), 0);
    out.extend(&directory);
    out.resize(out.len().next_multiple_of(PAGE), 0);
    out
}

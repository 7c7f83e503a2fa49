//! The streams that tell of identity and functions.

use super::msf::Msf;
use super::records::{Function, Sink};
use crate::ReadError;
use crate::coff::raw::{text, u16_at, u32_at};

const INFO: u16 = 1;
const DEBUG: u16 = 3;
/// A number of a stream that isn't there.
const NOTHING: u16 = u16::MAX;

/// Which build a PDB belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) guid: [u8; 16],
    pub(super) age: u32,
}

/// The functions of a PDB.
#[derive(Debug, Default)]
pub(super) struct Debug {
    pub(super) functions: Vec<Function>,
    pub(super) names: Vec<u8>,
    pub(super) damage: Vec<String>,
}

/// GUID and age. The age that counts is that of the debug stream, which every link writes.
pub(super) fn identity(msf: &mut Msf<'_>) -> Result<Result<Identity, String>, ReadError> {
    let Some(info) = msf.stream(INFO)? else {
        return Ok(Err("it has no information stream".to_owned()));
    };
    let guid = info.get(12..28).and_then(|bytes| bytes.try_into().ok());
    let (Some(guid), Some(info_age)) = (guid, u32_at(&info, 8)) else {
        return Ok(Err("its information stream is too short".to_owned()));
    };
    let age = msf
        .stream(DEBUG)?
        .and_then(|debug| u32_at(&debug, 8))
        .unwrap_or(info_age);
    Ok(Ok(Identity { guid, age }))
}

/// Reads public symbols, and functions of every unit.
pub(super) fn read(msf: &mut Msf<'_>) -> Result<Debug, ReadError> {
    let mut sink = Sink::default();
    let mut damage = Vec::new();
    match msf.stream(DEBUG)? {
        None => damage.push("it has no debug stream".to_owned()),
        Some(header) if header.is_empty() => {}
        Some(header) => read_debug(msf, &header, &mut sink, &mut damage)?,
    }
    if sink.damaged > 0 {
        damage.push(format!("{} names run out of their record", sink.damaged));
    }
    Ok(Debug {
        functions: sink.functions,
        names: sink.names,
        damage,
    })
}

fn read_debug(
    msf: &mut Msf<'_>,
    header: &[u8],
    sink: &mut Sink,
    damage: &mut Vec<String>,
) -> Result<(), ReadError> {
    let word = |at| u32_at(header, at).unwrap_or(0) as usize;
    let (units, rest) = (word(24), [word(28), word(32), word(36), word(40), word(52)]);
    if header.len() < 64 {
        damage.push("its debug stream is too short".to_owned());
        return Ok(());
    }
    // Behind the lists stand numbers of further streams; two tell that the image was rearranged after linking.
    let further = rest.iter().fold(64usize.saturating_add(units), |at, size| {
        at.saturating_add(*size)
    });
    let moved = [3usize, 4].into_iter().any(|number| {
        number * 2 < word(48)
            && u16_at(header, further.saturating_add(number * 2))
                .is_some_and(|stream| stream != NOTHING && stream != 0)
    });
    if moved {
        damage.push(
            "the image was rearranged after linking (OMAP), so its addresses are not followed"
                .to_owned(),
        );
        return Ok(());
    }
    let publics = u16_at(header, 20).unwrap_or(NOTHING);
    if publics != NOTHING {
        match msf.stream(publics)? {
            Some(bytes) if sink.take(&bytes) => {}
            _ => damage.push("its public symbols are damaged".to_owned()),
        }
    }
    let mut unread = 0u64;
    let mut list = header.get(64..64usize.saturating_add(units)).unwrap_or(&[]);
    while let Some((stream, size, len)) = unit(list) {
        if stream != NOTHING && size > 4 {
            let good = match msf.stream(stream)? {
                // The first four bytes tell the form.
                Some(bytes) => bytes.get(4..size).is_some_and(|records| sink.take(records)),
                None => false,
            };
            unread += u64::from(!good);
        }
        list = list.get(len..).unwrap_or(&[]);
    }
    if !list.is_empty() || header.len() < 64usize.saturating_add(units) {
        damage.push("its list of units is damaged".to_owned());
    }
    if unread > 0 {
        damage.push(format!("the symbols of {unread} units are damaged"));
    }
    Ok(())
}

/// A unit: its stream, bytes of symbols in that, and bytes of the row. 64 bytes and two texts, padded to four.
fn unit(list: &[u8]) -> Option<(u16, usize, usize)> {
    let stream = u16_at(list, 34)?;
    let size = u32_at(list, 36)? as usize;
    let mut at = 64usize;
    for _ in 0..2 {
        at = at
            .checked_add(text(list.get(at..)?)?.len())?
            .checked_add(1)?;
    }
    Some((stream, size, at.checked_next_multiple_of(4)?))
}

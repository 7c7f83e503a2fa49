//! `__eh_frame`: the functions that compact unwind information can't describe.

use gimli::{BaseAddresses, CieOrFde, EhFrame, RunTimeEndian, UnwindSection};

use super::header::Image;

/// Starts, and why they aren't all.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    pub(crate) list: Vec<u64>,
    pub(crate) damage: Vec<String>,
}

/// Walks the records of a section that is loaded at an address.
pub(crate) fn parse(image: &Image, address: u64, bytes: &[u8]) -> Frames {
    let endian = if image.shape.is_big {
        RunTimeEndian::Big
    } else {
        RunTimeEndian::Little
    };
    let mut section = EhFrame::new(bytes, endian);
    section.set_address_size(if image.shape.is_64 { 8 } else { 4 });
    let mut bases = BaseAddresses::default().set_eh_frame(address);
    if let Some(text) = image.section(b"__TEXT", b"__text") {
        bases = bases.set_text(text.address);
    }
    let mut frames = Frames::default();
    let mut unread = 0u64;
    let mut entries = section.entries(&bases);
    loop {
        match entries.next() {
            Ok(None) => break,
            Ok(Some(CieOrFde::Cie(_))) => {}
            Ok(Some(CieOrFde::Fde(partial))) => match partial.parse(EhFrame::cie_from_offset) {
                Ok(fde) if fde.len() > 0 => frames.list.push(fde.initial_address()),
                Ok(_) => {}
                Err(_) => unread += 1,
            },
            Err(error) => {
                frames
                    .damage
                    .push(format!("it can't be read to its end: {error}"));
                break;
            }
        }
    }
    if unread > 0 {
        frames
            .damage
            .push(format!("{unread} records can't be read"));
    }
    frames
}

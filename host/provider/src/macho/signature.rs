//! The code signature: whether there is one, and what it asks of the system. It is not verified.

use super::header::Image;
use crate::ReadError;
use crate::file::SourceFile;

/// What the signature says of itself.
#[derive(Debug, Default)]
pub(crate) struct Signature {
    pub(crate) identifier: Option<Vec<u8>>,
    pub(crate) team: Option<Vec<u8>>,
    /// The flags of the code directory.
    pub(crate) flags: Option<u32>,
    /// There are entitlements, in either form.
    pub(crate) has_entitlements: bool,
    /// There is a signature by a certificate that isn't empty.
    pub(crate) has_certificate: bool,
    pub(crate) damage: Vec<String>,
}

/// Names of the flags that are told.
const FLAGS: [(u32, &str); 12] = [
    (0x1, "host"),
    (0x2, "adhoc"),
    (0x10, "installer"),
    (0x100, "hard"),
    (0x200, "kill"),
    (0x400, "check-expiration"),
    (0x800, "restrict"),
    (0x1000, "enforcement"),
    (0x2000, "library-validation"),
    (0x1_0000, "runtime"),
    (0x2_0000, "linker-signed"),
    (0x4, "forced-library-validation"),
];

/// The flags in words.
pub(crate) fn flag_names(flags: u32) -> Vec<&'static str> {
    FLAGS
        .into_iter()
        .filter(|(bit, _)| flags & bit != 0)
        .map(|(_, name)| name)
        .collect()
}

/// A signature has a page of hashes for every page of code, so it may be large; what is read stands in front of these.
const LIMIT: u64 = 16 << 20;
/// Blobs of a signature: directories, requirements, entitlements, certificates.
const BLOBS: u32 = 64;

const SUPER_BLOB: u32 = 0xfade_0cc0;
const DIRECTORY: u32 = 0xfade_0c02;
const ENTITLEMENTS: u32 = 0xfade_7171;
const ENTITLEMENTS_DER: u32 = 0xfade_7172;
const CERTIFICATE: u32 = 0xfade_0b01;

/// Reads the signature, if the image has one.
pub(crate) fn read(file: &SourceFile, image: &Image) -> Result<Option<Signature>, ReadError> {
    let Some(blob) = image.commands.signature else {
        return Ok(None);
    };
    let mut signature = Signature::default();
    let bytes = image.window(file).table(
        "the code signature",
        blob.offset,
        blob.size.min(LIMIT),
        &mut signature.damage,
    )?;
    if signature.take(&bytes).is_none() {
        signature
            .damage
            .push("the code signature is damaged".to_owned());
    }
    Ok(Some(signature))
}

impl Signature {
    /// All numbers are big-endian, whatever the image's are.
    fn take(&mut self, bytes: &[u8]) -> Option<()> {
        if word(bytes, 0)? != SUPER_BLOB {
            return None;
        }
        for number in 0..word(bytes, 8)?.min(BLOBS) {
            let at = word(bytes, 16 + number as usize * 8)? as usize;
            let blob = bytes.get(at..)?;
            let size = word(blob, 4)?;
            match word(blob, 0)? {
                // The first directory is the main one; others hash the same with other functions.
                DIRECTORY if self.flags.is_none() => {
                    self.flags = Some(word(blob, 12)?);
                    self.identifier = text(blob, word(blob, 20)?);
                    if word(blob, 8)? >= 0x2_0200 {
                        self.team = text(blob, word(blob, 48)?);
                    }
                }
                ENTITLEMENTS | ENTITLEMENTS_DER => self.has_entitlements = true,
                CERTIFICATE => self.has_certificate |= size > 8,
                _ => {}
            }
        }
        Some(())
    }
}

fn text(blob: &[u8], at: u32) -> Option<Vec<u8>> {
    (at != 0)
        .then(|| super::raw::string_at(blob, at as usize))?
        .map(<[u8]>::to_vec)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(field.try_into().ok()?))
}

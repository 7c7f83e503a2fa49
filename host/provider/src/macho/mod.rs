//! Mach-O: thin and universal files, their load commands, and the inventory made from them.
//!
//! A universal file holds an image for each of several processors; each is a document of its own, named
//! `<file>:<processor>` in the words of `lipo` (`lib.dylib:x86_64`, `lib.dylib:arm64e`). Names keep the underscore that
//! C compilers put before them. The stub through which an imported function `_f` is called is named `_f@plt`, as in
//! ELF: never `_f`, which the image may define too.
//!
//! An address is a key in object files too, as their sections lie behind each other.

mod binds;
mod build;
mod commands;
mod exports;
mod fat;
mod fixups;
mod frames;
mod header;
mod init;
mod layout;
mod machine;
mod memory;
mod names;
mod objc;
mod raw;
mod regions;
mod rows;
mod selectors;
mod signature;
mod starts;
mod stubs;
mod symbols;
mod trie;
mod unread;
mod unwind;
mod window;

use std::collections::HashMap;

use crate::file::SourceFile;
use crate::{ByteOrder, Format, TargetKind, escape};
pub(crate) use build::inventory;
pub(crate) use header::HeaderError;
pub(crate) use layout::{layout, layout_of};

use header::Image;
use machine::Machine;
use window::Span;

/// A Mach-O file as its headers describe it.
#[derive(Debug)]
pub(crate) struct MachO {
    /// In the order of the file; a thin file has one. Never empty.
    pub(crate) slices: Vec<Slice>,
    is_fat: bool,
}

/// One image of a file.
#[derive(Debug)]
pub(crate) struct Slice {
    /// The processor; with a number where two slices are for the same one.
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The image, or why it can't be read.
    pub(crate) image: Result<Image, String>,
}

impl MachO {
    /// Reads the headers. Of a universal file at least one slice has to be readable.
    pub(crate) fn parse(file: &SourceFile, head: &[u8]) -> Result<MachO, HeaderError> {
        let Some(is_64) = fat::width(head) else {
            let span = Span {
                offset: 0,
                size: file.len(),
            };
            let image = Image::parse(file, span)?;
            return Ok(MachO {
                slices: vec![Slice {
                    name: image.machine.name(),
                    span,
                    image: Ok(image),
                }],
                is_fat: false,
            });
        };
        let rows = fat::rows(file, is_64)?;
        let mut slices = Vec::new();
        let mut failure = None;
        let mut archives = 0;
        let mut seen: HashMap<Machine, u32> = HashMap::new();
        for (number, row) in rows.iter().enumerate() {
            let times = seen.entry(row.machine).or_default();
            *times += 1;
            let name = match *times {
                1 => row.machine.name(),
                times => format!("{}#{times}", row.machine.name()),
            };
            let parsed = match fat::misplaced(file, &rows, number) {
                Some(why) => Err(HeaderError::Malformed(why)),
                None => slice(file, row.span),
            };
            let image = match parsed {
                Ok(image) => Ok(image),
                Err(HeaderError::Read(error)) => return Err(HeaderError::Read(error)),
                Err(error) => {
                    archives +=
                        usize::from(matches!(error, HeaderError::Unsupported(Format::Archive)));
                    let why = match &error {
                        HeaderError::Unsupported(format) => {
                            format!(
                                "the slice is {}, which is not read yet",
                                format.with_article()
                            )
                        }
                        HeaderError::Truncated(why) | HeaderError::Malformed(why) => why.clone(),
                        HeaderError::Read(error) => error.to_string(),
                    };
                    failure.get_or_insert(error);
                    Err(why)
                }
            };
            slices.push(Slice {
                name,
                span: row.span,
                image,
            });
        }
        if slices.iter().all(|slice| slice.image.is_err()) {
            return Err(if archives == slices.len() {
                HeaderError::Unsupported(Format::FatArchive)
            } else {
                failure.unwrap_or_else(|| HeaderError::Malformed("it has no slices".to_owned()))
            });
        }
        Ok(MachO {
            slices,
            is_fat: true,
        })
    }

    /// The images that can be read; never none.
    fn images(&self) -> impl Iterator<Item = &Image> {
        self.slices
            .iter()
            .filter_map(|slice| slice.image.as_ref().ok())
    }

    /// What the file is made for, as far as its slices agree.
    pub(crate) fn kind(&self) -> TargetKind {
        let mut kinds = self.images().map(Image::kind);
        let first = kinds.next().unwrap_or(TargetKind::Other);
        if kinds.all(|kind| kind == first) {
            first
        } else {
            TargetKind::Other
        }
    }

    /// The processors, all of them.
    pub(crate) fn architecture(&self) -> String {
        let names: Vec<&str> = self
            .slices
            .iter()
            .map(|slice| slice.name.as_str())
            .collect();
        names.join(", ")
    }

    /// Width of an address; of several images the widest.
    pub(crate) fn bits(&self) -> u8 {
        self.images().map(Image::bits).max().unwrap_or(32)
    }

    /// Byte order, of the first image.
    pub(crate) fn byte_order(&self) -> ByteOrder {
        self.images()
            .next()
            .map_or(ByteOrder::Little, Image::byte_order)
    }

    /// The name of a slice's document.
    pub(crate) fn document(&self, file_name: &str, slice: &Slice) -> String {
        if self.is_fat {
            format!("{file_name}:{}", slice.name)
        } else {
            file_name.to_owned()
        }
    }

    /// Which section or segment holds a byte of the file, and where that byte is loaded, if it is. In a universal file
    /// the name begins with the processor: `arm64:__TEXT,__cstring`.
    pub(crate) fn owner(&self, offset: u64) -> (Option<String>, Option<u64>) {
        let held = self.slices.iter().find_map(|slice| {
            let inside = offset
                .checked_sub(slice.span.offset)
                .filter(|inside| *inside < slice.span.size)?;
            Some((slice, slice.image.as_ref().ok()?.owner(inside)))
        });
        match held {
            Some((slice, (Some(name), address))) if self.is_fat => {
                (Some(format!("{}:{name}", slice.name)), address)
            }
            Some((slice, (None, _))) if self.is_fat => (Some(slice.name.clone()), None),
            Some((_, owner)) => owner,
            None => (None, None),
        }
    }
}

/// Reads a slice, or says what it is instead.
fn slice(file: &SourceFile, span: Span) -> Result<Image, HeaderError> {
    let there = span.size.min(file.len().saturating_sub(span.offset));
    let head = file.read(span.offset, there.min(4096))?;
    if raw::Shape::of_magic(&head).is_some() {
        return Image::parse(file, span);
    }
    if fat::width(&head).is_some() {
        return Err(HeaderError::Malformed(
            "the slice is a universal file itself".to_owned(),
        ));
    }
    match Format::recognise(&head) {
        format @ (Format::Archive | Format::LlvmBitcode) => Err(HeaderError::Unsupported(format)),
        _ if there < span.size && there < 4 => Err(HeaderError::Truncated(format!(
            "a slice of {} bytes is cut off at {there}",
            span.size
        ))),
        _ => Err(HeaderError::Malformed(
            "the slice is no Mach-O image".to_owned(),
        )),
    }
}

impl Image {
    /// Like [`MachO::owner`], by the image's own offsets.
    fn owner(&self, offset: u64) -> (Option<String>, Option<u64>) {
        let within =
            |from: u64, size: u64| offset.checked_sub(from).filter(|inside| *inside < size);
        let section = self.commands.sections.iter().find_map(|section| {
            let blob = self.bytes_of(section)?;
            let inside = within(blob.offset, blob.size)?;
            let address = (!self.is_object())
                .then(|| section.address.checked_add(inside))
                .flatten();
            Some((escape::display(&section.full_name()).into_owned(), address))
        });
        if let Some((name, address)) = section {
            return (Some(name), address);
        }
        let segment = self.commands.segments.iter().find_map(|segment| {
            let inside = within(segment.offset, segment.file_size)?;
            Some((segment, segment.address.checked_add(inside)))
        });
        segment.map_or((None, None), |(segment, address)| {
            (
                Some(format!("segment {}", escape::display(&segment.name))),
                address,
            )
        })
    }
}

/// Why a file of this format wasn't read: for a document that stands for a slice that can't be.
pub(crate) fn unreadable(why: &str) -> crate::Coverage {
    let unknown = || crate::Completeness::Unknown(vec![why.to_owned()]);
    crate::Coverage {
        naming: unknown(),
        places: unknown(),
        sources: Vec::new(),
        outside: 0,
        unoffered_names: 0,
    }
}

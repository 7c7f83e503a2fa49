//! The header of an image, and what it leads to.

use super::commands::{Blob, Commands, Section};
use super::machine::Machine;
use super::raw::Shape;
use super::window::{Span, Window};
use crate::file::SourceFile;
use crate::{ByteOrder, ReadError, TargetKind};

/// An image as its header describes it.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) span: Span,
    pub(crate) shape: Shape,
    pub(crate) machine: Machine,
    pub(crate) file_type: u32,
    pub(crate) flags: u32,
    pub(crate) commands: Commands,
}

/// Why a header couldn't be read.
#[derive(Debug)]
pub(crate) enum HeaderError {
    /// The file ends before it does.
    Truncated(String),
    /// It contradicts itself.
    Malformed(String),
    /// It is of something that isn't read.
    Unsupported(crate::Format),
    /// Reading failed.
    Read(ReadError),
}

impl From<ReadError> for HeaderError {
    fn from(error: ReadError) -> HeaderError {
        HeaderError::Read(error)
    }
}

/// Larger sets of load commands are refused: the largest known take some hundred kilobytes.
const COMMANDS_LIMIT: u64 = 64 << 20;

impl Image {
    /// Reads the header and the load commands of the image in that part of the file.
    pub(crate) fn parse(file: &SourceFile, span: Span) -> Result<Image, HeaderError> {
        let window = Window { file, span };
        let there = span.size.min(file.len().saturating_sub(span.offset));
        let head = window.read(0, there.min(32))?;
        let shape = Shape::of_magic(&head).ok_or_else(|| {
            HeaderError::Malformed("it doesn't begin with a Mach-O magic number".to_owned())
        })?;
        let size = shape.header_size();
        if there < size {
            return Err(HeaderError::Truncated(format!(
                "{there} bytes, and its header takes {size}"
            )));
        }
        let word = |at: usize| {
            shape
                .u32_at(&head, at)
                .ok_or_else(|| HeaderError::Malformed("its header can't be read".to_owned()))
        };
        let (count, commands_size) = (word(16)?, u64::from(word(20)?));
        if there - size < commands_size {
            return Err(HeaderError::Truncated(format!(
                "its load commands take {commands_size} bytes, and {} are there",
                there - size
            )));
        }
        if commands_size > COMMANDS_LIMIT {
            return Err(HeaderError::Malformed(format!(
                "its load commands take {commands_size} bytes; {COMMANDS_LIMIT} are read"
            )));
        }
        let machine = Machine {
            kind: word(4)?,
            variant: word(8)?,
        };
        let commands = Commands::parse(
            shape,
            machine.kind,
            &window.read(size, commands_size)?,
            count,
        );
        Ok(Image {
            span,
            shape,
            machine,
            file_type: word(12)?,
            flags: word(24)?,
            commands,
        })
    }

    /// Its bytes.
    pub(crate) fn window<'a>(&self, file: &'a SourceFile) -> Window<'a> {
        Window {
            file,
            span: self.span,
        }
    }

    /// Whether it is what a compiler makes and a linker takes.
    pub(crate) fn is_object(&self) -> bool {
        self.file_type == 1
    }

    /// Whether it holds only what a debugger needs (MH_DSYM).
    pub(crate) fn is_debug(&self) -> bool {
        self.file_type == 10
    }

    /// What the image is made for.
    pub(crate) fn kind(&self) -> TargetKind {
        match self.file_type {
            1 => TargetKind::Relocatable,
            2 | 5 => TargetKind::Executable,
            3 | 6 | 8 | 9 => TargetKind::SharedLibrary,
            4 => TargetKind::Core,
            10 => TargetKind::DebugCompanion,
            _ => TargetKind::Other,
        }
    }

    /// The byte order in the words of an identity.
    pub(crate) fn byte_order(&self) -> ByteOrder {
        if self.shape.is_big {
            ByteOrder::Big
        } else {
            ByteOrder::Little
        }
    }

    /// Width of an address.
    pub(crate) fn bits(&self) -> u8 {
        if self.shape.is_64 { 64 } else { 32 }
    }

    /// Where the header is loaded: what exports and function starts count from.
    pub(crate) fn base(&self) -> Option<u64> {
        let segments = &self.commands.segments;
        segments
            .iter()
            .find(|segment| segment.name == b"__TEXT")
            .or_else(|| {
                segments
                    .iter()
                    .find(|segment| segment.offset == 0 && segment.file_size > 0)
            })
            .map(|segment| segment.address)
    }

    /// The address that a byte of the image is loaded at.
    pub(crate) fn address_of(&self, offset: u64) -> Option<u64> {
        self.commands.segments.iter().find_map(|segment| {
            let inside = offset
                .checked_sub(segment.offset)
                .filter(|inside| *inside < segment.file_size)?;
            segment.address.checked_add(inside)
        })
    }

    /// The first section of that name.
    pub(crate) fn section(&self, segment: &[u8], name: &[u8]) -> Option<&Section> {
        self.commands
            .sections
            .iter()
            .find(|section| section.is(segment, name))
    }

    /// Where a section's bytes stand, if it has any in this file. A companion for debuggers keeps only headers of most.
    pub(crate) fn bytes_of(&self, section: &Section) -> Option<Blob> {
        (!section.is_zero_fill() && section.offset != 0 && section.size != 0).then_some(Blob {
            offset: section.offset,
            size: section.size,
        })
    }

    /// Whether any of these bytes is encrypted.
    pub(crate) fn is_encrypted(&self, blob: Blob) -> bool {
        self.commands
            .encryption
            .iter()
            .filter(|encryption| encryption.system != 0)
            .any(|encryption| {
                let range = encryption.range;
                blob.offset < range.offset.saturating_add(range.size)
                    && range.offset < blob.offset.saturating_add(blob.size)
            })
    }

    /// The bytes of a section; or why they can't be had.
    pub(crate) fn read_section(
        &self,
        file: &SourceFile,
        section: &Section,
    ) -> Result<Result<Vec<u8>, String>, ReadError> {
        let Some(blob) = self.bytes_of(section) else {
            return Ok(Err("the section has no bytes in this file".to_owned()));
        };
        if self.is_encrypted(blob) {
            return Ok(Err("the section is encrypted".to_owned()));
        }
        let window = self.window(file);
        if !window.holds(blob.offset, blob.size) {
            return Ok(Err(format!(
                "the section's {} bytes at {:#x} lie outside the image",
                blob.size, blob.offset
            )));
        }
        window.read(blob.offset, blob.size).map(Ok)
    }
}

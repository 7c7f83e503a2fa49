//! What a target is by its format: the one place that tells the readers of the formats apart.

use std::sync::Arc;

use crate::coff::{self, Coff};
use crate::elf::{self, Elf};
use crate::file::SourceFile;
use crate::header::HeaderError;
use crate::macho::{self, MachO};
use crate::pe::{self, Pe};
use crate::{ByteOrder, Format, Identity, Inventory, Layout, Monitor, ReadError, TargetKind};

/// The headers of a target.
#[derive(Debug)]
pub(crate) enum Image {
    /// ELF.
    Elf(Elf),
    /// Mach-O, thin or universal.
    MachO(MachO),
    /// A Windows image.
    Pe(Box<Pe>),
    /// A COFF object.
    Coff(Box<Coff>),
}

impl Image {
    /// Reads the headers; `None` if the format is not read yet.
    pub(crate) fn parse(file: &SourceFile, format: Format) -> Result<Option<Image>, HeaderError> {
        Ok(Some(match format {
            Format::Elf => Image::Elf(Elf::parse(file)?),
            Format::MachO | Format::MachOFat => Image::MachO(MachO::parse(file)?),
            Format::Pe => Image::Pe(Box::new(Pe::parse(file)?)),
            Format::Coff => Image::Coff(Box::new(Coff::parse(file)?)),
            _ => return Ok(None),
        }))
    }

    pub(crate) fn kind(&self, file: &SourceFile) -> Result<TargetKind, ReadError> {
        match self {
            Image::Elf(elf) => elf.kind(file),
            Image::MachO(macho) => Ok(macho.kind()),
            Image::Pe(pe) => Ok(pe.kind()),
            Image::Coff(_) => Ok(TargetKind::Relocatable),
        }
    }

    pub(crate) fn architecture(&self) -> String {
        match self {
            Image::Elf(elf) => elf.architecture(),
            Image::MachO(macho) => macho.architecture(),
            Image::Pe(pe) => coff::architecture(pe.machine),
            Image::Coff(coff) => coff::architecture(coff.machine),
        }
    }

    /// Width of an address.
    pub(crate) fn bits(&self) -> u8 {
        let is_64 = match self {
            Image::Elf(elf) => elf.shape.is_64,
            Image::MachO(macho) => macho.bits() == 64,
            Image::Pe(pe) => pe.is_64,
            Image::Coff(coff) => coff::is_64(coff.machine),
        };
        if is_64 { 64 } else { 32 }
    }

    pub(crate) fn byte_order(&self) -> ByteOrder {
        match self {
            Image::Elf(elf) => elf.byte_order(),
            Image::MachO(macho) => macho.byte_order(),
            Image::Pe(_) | Image::Coff(_) => ByteOrder::Little,
        }
    }

    /// The section, or segment, that holds a byte of the file, and the address that byte is loaded at.
    pub(crate) fn owner(&self, offset: u64) -> (Option<String>, Option<u64>) {
        match self {
            Image::Elf(elf) => elf.owner(offset),
            Image::MachO(macho) => macho.owner(offset),
            Image::Pe(pe) => pe.owner(offset),
            Image::Coff(coff) => coff.owner(offset),
        }
    }

    pub(crate) fn inventory(
        &self,
        file: &Arc<SourceFile>,
        identity: &Identity,
        monitor: &dyn Monitor,
    ) -> Result<Inventory, ReadError> {
        let document = &identity.file_name;
        match self {
            Image::Elf(elf) => elf::inventory(file, elf, document, monitor),
            Image::MachO(macho) => macho::inventory(file, macho, document, monitor),
            Image::Pe(pe) => pe::inventory(file, pe, identity, monitor),
            Image::Coff(coff) => coff::inventory(file, coff, document, monitor),
        }
    }

    pub(crate) fn layout(
        &self,
        file: &SourceFile,
        identity: &Identity,
    ) -> Result<Layout, ReadError> {
        match self {
            Image::Elf(elf) => elf::layout(file, elf, identity),
            Image::MachO(macho) => macho::layout(file, macho, identity),
            Image::Pe(pe) => pe::layout(file, pe, identity),
            Image::Coff(coff) => coff::layout(file, coff, identity),
        }
    }

    /// The layout of one document; `None` if there is none of that name.
    pub(crate) fn layout_of(
        &self,
        file: &SourceFile,
        identity: &Identity,
        document: &str,
    ) -> Result<Option<Layout>, ReadError> {
        match self {
            Image::MachO(macho) => macho::layout_of(file, macho, identity, document),
            _ if document == identity.file_name => self.layout(file, identity).map(Some),
            _ => Ok(None),
        }
    }
}

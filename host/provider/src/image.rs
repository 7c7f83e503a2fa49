//! One program image, or a file of several: the one place that tells the readers of the formats apart.

use std::sync::Arc;

use crate::archive::{self, Archive, FatArchive};
use crate::coff::{self, Coff};
use crate::elf::{self, Elf};
use crate::file::SourceFile;
use crate::header::HeaderError;
use crate::inventory::Document;
use crate::layout::Layout;
use crate::macho::{self, MachO};
use crate::options::Surroundings;
use crate::pe::{self, Pe};
use crate::wasm::{self, Component, Module};
use crate::{ByteOrder, Format, Identity, Inventory, Monitor, ReadError, TargetKind};

/// A file of a format that is read, as its headers describe it.
#[derive(Debug)]
pub(crate) enum Image {
    Elf(Elf),
    /// Thin or universal.
    MachO(MachO),
    /// A Windows image.
    Pe(Box<Pe>),
    /// A COFF object.
    Coff(Box<Coff>),
    Wasm(Module),
    WasmComponent(Component),
    Archive(Archive),
    /// An archive for each of several processors.
    FatArchive(FatArchive),
}

/// What an identity tells besides the file itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Traits {
    pub(crate) kind: TargetKind,
    pub(crate) architecture: String,
    pub(crate) bits: u8,
    pub(crate) endianness: ByteOrder,
}

/// So many bytes tell the format.
const HEAD: u64 = 4096;

/// Recognises a file or a part of one.
pub(crate) fn recognise(file: &SourceFile) -> Result<Format, ReadError> {
    let format = Format::recognise(&file.read(0, file.len().min(HEAD))?);
    Ok(if format == Format::Dos && pe::is_pe(file)? {
        Format::Pe
    } else {
        format
    })
}

impl Image {
    /// Reads the headers; `None` if nothing reads that format.
    pub(crate) fn parse(file: &SourceFile, format: Format) -> Result<Option<Image>, HeaderError> {
        Ok(Some(match format {
            Format::Elf => Image::Elf(Elf::parse(file)?),
            Format::MachO => Image::MachO(MachO::parse(file)?),
            Format::MachOFat => match MachO::parse(file) {
                Ok(macho) => Image::MachO(macho),
                Err(HeaderError::Unsupported(Format::FatArchive)) => {
                    Image::FatArchive(FatArchive::parse(file)?)
                }
                Err(error) => return Err(error),
            },
            Format::Pe => Image::Pe(Box::new(Pe::parse(file)?)),
            Format::Coff => Image::Coff(Box::new(Coff::parse(file)?)),
            Format::Wasm => Image::Wasm(Module::parse(file)?),
            Format::WasmComponent => Image::WasmComponent(Component::parse(file)?),
            Format::Archive => Image::Archive(Archive::parse(file)?),
            _ => return Ok(None),
        }))
    }

    /// Whether it is one document.
    pub(crate) fn is_single(&self) -> bool {
        match self {
            Image::Elf(_) | Image::Pe(_) | Image::Coff(_) | Image::Wasm(_) => true,
            Image::MachO(macho) => !macho.is_fat(),
            Image::WasmComponent(_) | Image::Archive(_) | Image::FatArchive(_) => false,
        }
    }

    pub(crate) fn traits(
        &self,
        file: &SourceFile,
        near: &Surroundings,
    ) -> Result<Traits, ReadError> {
        Ok(match self {
            Image::Elf(elf) => Traits {
                kind: elf.kind(file)?,
                architecture: elf.architecture(),
                bits: if elf.shape.is_64 { 64 } else { 32 },
                endianness: elf.byte_order(),
            },
            Image::MachO(macho) => Traits {
                kind: macho.kind(),
                architecture: macho.architecture(),
                bits: macho.bits(),
                endianness: macho.byte_order(),
            },
            Image::Pe(pe) => Traits {
                kind: pe.kind(),
                architecture: coff::architecture(pe.machine),
                bits: if pe.is_64 { 64 } else { 32 },
                endianness: ByteOrder::Little,
            },
            Image::Coff(coff) => coff::traits(coff.machine),
            Image::Wasm(module) => module.traits(),
            Image::WasmComponent(component) => component.traits(),
            Image::Archive(archive) => archive.traits(file, near)?,
            Image::FatArchive(archives) => archives.traits(file, near)?,
        })
    }

    /// The inventory. `document` is the file's name.
    pub(crate) fn inventory(
        &self,
        file: &Arc<SourceFile>,
        document: &str,
        near: &Surroundings,
        monitor: &dyn Monitor,
    ) -> Result<Inventory, ReadError> {
        match self {
            Image::Archive(archive) => {
                archive::inventory(archive, file, document, "", near, monitor)
            }
            Image::FatArchive(archives) => archives.inventory(file, near, monitor),
            Image::WasmComponent(component) => {
                wasm::of_component(component, file, document, monitor)
            }
            Image::MachO(macho) => macho::inventory(file, macho, document, monitor),
            Image::Elf(_) | Image::Pe(_) | Image::Coff(_) | Image::Wasm(_) => Ok(Inventory::new(
                self.document(file, document, Some(near), monitor)?
                    .into_iter()
                    .collect(),
            )),
        }
    }

    /// The only document of an image; `None` if it is a file of several. Without `near` no companion is looked for.
    pub(crate) fn document(
        &self,
        file: &Arc<SourceFile>,
        name: &str,
        near: Option<&Surroundings>,
        monitor: &dyn Monitor,
    ) -> Result<Option<Document>, ReadError> {
        Ok(match self {
            Image::Elf(elf) => Some(elf::document(file, elf, name, near, monitor)?),
            Image::MachO(macho) => macho::document(file, macho, name, monitor)?,
            Image::Pe(pe) => Some(pe::document(file, pe, name, near, monitor)?),
            Image::Coff(coff) => Some(coff::document(file, coff, name, monitor)?),
            Image::Wasm(module) => Some(wasm::document(module, file, name, monitor)?),
            Image::WasmComponent(_) | Image::Archive(_) | Image::FatArchive(_) => None,
        })
    }

    /// The layout of the file. `near` is where its companions are looked for.
    pub(crate) fn layout(
        &self,
        file: &SourceFile,
        identity: &Identity,
        near: Option<&Surroundings>,
    ) -> Result<Layout, ReadError> {
        match self {
            Image::Elf(elf) => elf::layout(file, elf, identity, near),
            Image::MachO(macho) => macho::layout(file, macho, identity),
            Image::Pe(pe) => pe::layout(file, pe, identity, near),
            Image::Coff(coff) => coff::layout(file, coff, identity),
            Image::Wasm(module) => wasm::layout(module, file, identity),
            Image::WasmComponent(component) => Ok(component.layout(identity)),
            Image::Archive(archive) => match near {
                Some(near) => archive.layout(file, identity, near),
                None => Err(ReadError::Damaged("an archive in an archive".to_owned())),
            },
            Image::FatArchive(archives) => Ok(archives.layout(identity)),
        }
    }

    /// The layout of one of several documents; `None` if there is none of that name.
    pub(crate) fn layout_of(
        &self,
        file: &SourceFile,
        identity: &Identity,
        near: &Surroundings,
        document: &str,
    ) -> Result<Option<Layout>, ReadError> {
        match self {
            Image::Archive(archive) => archive.layout_of(file, identity, near, document),
            Image::FatArchive(archives) => archives.layout_of(file, identity, near, document),
            Image::WasmComponent(component) => component.layout_of(file, identity, document),
            Image::MachO(macho) => macho::layout_of(file, macho, identity, document),
            Image::Elf(_) | Image::Pe(_) | Image::Coff(_) | Image::Wasm(_)
                if document == identity.file_name =>
            {
                self.layout(file, identity, Some(near)).map(Some)
            }
            Image::Elf(_) | Image::Pe(_) | Image::Coff(_) | Image::Wasm(_) => Ok(None),
        }
    }

    /// Which section, segment or member holds a byte of the file, and where that byte is loaded, if it is.
    pub(crate) fn owner(&self, offset: u64) -> (Option<String>, Option<u64>) {
        match self {
            Image::Elf(elf) => elf.owner(offset),
            Image::MachO(macho) => macho.owner(offset),
            Image::Pe(pe) => pe.owner(offset),
            Image::Coff(coff) => coff.owner(offset),
            Image::Wasm(module) => (module.owner(offset), None),
            Image::WasmComponent(component) => (component.owner(offset), None),
            Image::Archive(archive) => (archive.owner(offset), None),
            Image::FatArchive(archives) => (archives.owner(offset), None),
        }
    }
}

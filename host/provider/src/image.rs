//! One program image, or a file of several: which reader serves which format.

use std::sync::Arc;

use crate::archive::Archive;
use crate::elf::{Elf, HeaderError};
use crate::file::SourceFile;
use crate::inventory::Document;
use crate::layout::Layout;
use crate::options::Surroundings;
use crate::wasm::{Component, Module};
use crate::{
    ByteOrder, Format, Identity, Inventory, Monitor, ReadError, TargetKind, archive, elf, wasm,
};

/// A file of a format that is read, as its headers describe it.
#[derive(Debug)]
pub(crate) enum Image {
    Elf(Elf),
    Wasm(Module),
    WasmComponent(Component),
    Archive(Archive),
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
    Ok(Format::recognise(&file.read(0, file.len().min(HEAD))?))
}

impl Image {
    /// Reads the headers; `None` if nothing reads that format.
    pub(crate) fn parse(file: &SourceFile, format: Format) -> Result<Option<Image>, HeaderError> {
        Ok(Some(match format {
            Format::Elf => Image::Elf(Elf::parse(file)?),
            Format::Wasm => Image::Wasm(Module::parse(file)?),
            Format::WasmComponent => Image::WasmComponent(Component::parse(file)?),
            Format::Archive => Image::Archive(Archive::parse(file)?),
            _ => return Ok(None),
        }))
    }

    /// Whether it is one document.
    pub(crate) fn is_single(&self) -> bool {
        !matches!(self, Image::Archive(_) | Image::WasmComponent(_))
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
            Image::Wasm(module) => module.traits(),
            Image::WasmComponent(component) => component.traits(),
            Image::Archive(archive) => archive.traits(file, near)?,
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
            Image::Archive(archive) => archive::inventory(archive, file, document, near, monitor),
            Image::WasmComponent(component) => {
                wasm::of_component(component, file, document, monitor)
            }
            _ => Ok(Inventory::new(
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
            Image::Wasm(module) => Some(wasm::document(module, file, name, monitor)?),
            Image::WasmComponent(_) | Image::Archive(_) => None,
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
            Image::Wasm(module) => wasm::layout(module, file, identity),
            Image::WasmComponent(component) => Ok(component.layout(identity)),
            Image::Archive(archive) => match near {
                Some(near) => archive.layout(file, identity, near),
                None => Err(ReadError::Damaged("an archive in an archive".to_owned())),
            },
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
            Image::WasmComponent(component) => component.layout_of(file, identity, document),
            _ if document == identity.file_name => {
                self.layout(file, identity, Some(near)).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Which section, segment or member holds a byte of the file, and where that byte is loaded, if it is.
    pub(crate) fn owner(&self, offset: u64) -> (Option<String>, Option<u64>) {
        match self {
            Image::Elf(elf) => elf.owner(offset),
            Image::Wasm(module) => (module.owner(offset), None),
            Image::WasmComponent(component) => (component.owner(offset), None),
            Image::Archive(archive) => (archive.owner(offset), None),
        }
    }
}

//! A component: the core modules in it, each a document.

use std::sync::Arc;

use super::module::{Module, version};
use super::sections::{self, Section};
use crate::file::SourceFile;
use crate::header::HeaderError;
use crate::image::Traits;
use crate::layout::{Hex, Layout, LayoutHeader, LayoutMember};
use crate::{ByteOrder, Format, Identity, Inventory, Monitor, ReadError, TargetKind};

/// A component.
#[derive(Debug)]
pub(crate) struct Component {
    /// Where its core modules stand, in order, those of components in it too.
    modules: Vec<Section>,
    damage: Vec<String>,
}

/// Ids of sections of a component.
const CORE_MODULE: u8 = 1;
const COMPONENT: u8 = 4;
/// Components in components are followed so deep.
const DEPTH: u32 = 16;
/// So many modules are documents.
const MODULES: usize = 4096;

impl Component {
    /// Finds the core modules.
    pub(crate) fn parse(file: &SourceFile) -> Result<Component, HeaderError> {
        version(file, 13)?;
        let mut this = Component {
            modules: Vec::new(),
            damage: Vec::new(),
        };
        this.find(file, DEPTH)?;
        Ok(this)
    }

    fn find(&mut self, file: &SourceFile, depth: u32) -> Result<(), ReadError> {
        let (sections, damage) = sections::read(file)?;
        self.damage.extend(damage);
        for section in sections {
            if section.id == CORE_MODULE {
                if self.modules.len() == MODULES {
                    self.damage
                        .push(format!("it has more than {MODULES} core modules"));
                    return Ok(());
                }
                self.modules.push(Section {
                    offset: section.offset + file.base(),
                    ..section
                });
            } else if section.id == COMPONENT
                && let Some(inner) = file.part(section.offset, section.size)
            {
                match depth.checked_sub(1) {
                    Some(depth) => self.find(&inner, depth)?,
                    None => self
                        .damage
                        .push("components are nested too deeply".to_owned()),
                }
            }
        }
        Ok(())
    }

    pub(crate) fn traits(&self) -> Traits {
        Traits {
            kind: TargetKind::Other,
            architecture: "wasm32".to_owned(),
            bits: 32,
            endianness: ByteOrder::Little,
        }
    }

    /// The module that holds a byte of the file.
    pub(crate) fn owner(&self, offset: u64) -> Option<String> {
        self.modules
            .iter()
            .position(|module| {
                offset
                    .checked_sub(module.offset)
                    .is_some_and(|inside| inside < module.size)
            })
            .map(name)
    }

    pub(crate) fn layout(&self, identity: &Identity) -> Layout {
        let mut layout = Layout::new(
            identity,
            LayoutHeader {
                file_type: "component".to_owned(),
                ..LayoutHeader::default()
            },
        );
        layout.members.total = self.modules.len() as u64;
        layout.members.rows = self
            .modules
            .iter()
            .enumerate()
            .map(|(number, module)| LayoutMember {
                document: name(number),
                format: Some(Format::Wasm),
                file_offset: Some(Hex(module.offset)),
                size: Hex(module.size),
            })
            .collect();
        layout.limitations.clone_from(&self.damage);
        layout.limitations.push(
            "of a component only its core modules are read, not its types and interfaces"
                .to_owned(),
        );
        layout
    }

    pub(crate) fn layout_of(
        &self,
        file: &SourceFile,
        identity: &Identity,
        document: &str,
    ) -> Result<Option<Layout>, ReadError> {
        let number = (0..self.modules.len()).find(|number| name(*number) == document);
        let Some(part) = number
            .and_then(|number| self.modules.get(number))
            .and_then(|module| file.part(module.offset, module.size))
        else {
            return Ok(None);
        };
        let module = match Module::parse(&part) {
            Ok(module) => module,
            Err(error) => return Err(error.into_read_error()),
        };
        let identity = Identity {
            format: Format::Wasm,
            kind: module.traits().kind,
            size: part.len(),
            ..identity.clone()
        };
        super::layout(&module, &part, &identity).map(Some)
    }
}

/// How the document of a module is called: a component's modules have no names.
fn name(number: usize) -> String {
    format!("module-{number}")
}

/// One document for each core module.
pub(crate) fn inventory(
    component: &Component,
    file: &Arc<SourceFile>,
    document: &str,
    monitor: &dyn Monitor,
) -> Result<Inventory, ReadError> {
    let mut documents = Vec::new();
    for (number, module) in component.modules.iter().enumerate() {
        let Some(part) = file.part(module.offset, module.size).map(Arc::new) else {
            continue;
        };
        let name = name(number);
        documents.push(match Module::parse(&part) {
            Ok(module) => super::document(&module, &part, &name, monitor)?,
            Err(HeaderError::Read(error)) => return Err(error),
            Err(error) => crate::inventory::unread(&part, &name, error.reason())?,
        });
    }
    if documents.is_empty() {
        documents.push(crate::inventory::unread(
            file,
            document,
            "the component holds no core module".to_owned(),
        )?);
    }
    Ok(Inventory::new(documents).with_limitations(component.damage.clone()))
}

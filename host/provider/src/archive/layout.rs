//! The layout of an archive and of its members.

use super::{Archive, What};
use crate::file::SourceFile;
use crate::image::Image;
use crate::layout::{Hex, Import, Layout, LayoutHeader, LayoutMember};
use crate::options::Surroundings;
use crate::{Identity, ReadError, escape};

/// Members that are listed.
const ROWS: usize = 2000;

impl Archive {
    /// The members.
    pub(crate) fn layout(
        &self,
        file: &SourceFile,
        identity: &Identity,
        near: &Surroundings,
    ) -> Result<Layout, ReadError> {
        let mut layout = Layout::new(
            identity,
            LayoutHeader {
                file_type: if self.is_thin {
                    "thin archive"
                } else {
                    "archive"
                }
                .to_owned(),
                ..LayoutHeader::default()
            },
        );
        layout.members.total = self.members.len() as u64;
        for (number, member) in self.members.iter().enumerate().take(ROWS) {
            let opened = self.opened(number, file, near)?;
            layout.members.rows.push(LayoutMember {
                document: member.document.clone(),
                format: opened.and_then(|opened| opened.format),
                file_offset: (!self.is_thin).then_some(Hex(member.data_offset)),
                size: Hex(member.size),
            });
        }
        layout.limitations.clone_from(&self.damage);
        if self.members.len() > ROWS {
            layout.limitations.push(format!(
                "{ROWS} of {} members are listed",
                self.members.len()
            ));
        }
        Ok(layout)
    }

    /// The layout of a member; `None` if there is none of that name.
    pub(crate) fn layout_of(
        &self,
        file: &SourceFile,
        identity: &Identity,
        near: &Surroundings,
        document: &str,
    ) -> Result<Option<Layout>, ReadError> {
        let number = self
            .members
            .iter()
            .position(|member| member.document == document);
        let Some(number) = number else {
            return Ok(None);
        };
        let Some(opened) = self.opened(number, file, near)? else {
            return Ok(None);
        };
        let mut identity = Identity {
            size: opened.file.len(),
            format: opened.format.unwrap_or(identity.format),
            ..identity.clone()
        };
        if let Some(traits) = opened.traits {
            identity.kind = traits.kind;
            identity.architecture = traits.architecture;
            identity.bits = traits.bits;
            identity.endianness = traits.endianness;
        }
        let member = || LayoutHeader {
            file_type: "member".to_owned(),
            ..LayoutHeader::default()
        };
        let mut layout = match &opened.what {
            What::Image(image) => Image::layout(image, &opened.file, &identity, None)?,
            What::Import(import) => {
                let mut layout = Layout::new(&identity, member());
                layout.imports.total = 1;
                layout.imports.rows.push(Import {
                    name: escape::display(&import.name).into_owned(),
                    version: None,
                    library: Some(escape::display(&import.library).into_owned()),
                    kind: import.kind().to_owned(),
                    weak: false,
                });
                layout
            }
            What::Unread(why) => {
                let mut layout = Layout::new(&identity, member());
                layout.limitations.push(why.clone());
                layout
            }
        };
        layout.companions.extend(opened.companion);
        Ok(Some(layout))
    }
}

//! What a module takes from others.

use wasmparser::{BinaryReader, ImportSectionReader, TypeRef};

use super::module::Module;
use crate::ReadError;
use crate::file::SourceFile;

/// An import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) module: String,
    pub(super) name: String,
    pub(super) kind: &'static str,
}

/// Calls for every import, in order; the answer is why they aren't all.
pub(super) fn each(
    file: &SourceFile,
    module: &Module,
    mut call: impl FnMut(Import),
) -> Result<Option<String>, ReadError> {
    for section in module.sections.iter().filter(|section| section.id == 2) {
        let bytes = file.read(section.offset, section.size)?;
        let broken =
            |error: wasmparser::BinaryReaderError| Ok(Some(format!("it can't be read: {error}")));
        let reader = match ImportSectionReader::new(BinaryReader::new(&bytes, section.offset)) {
            Ok(reader) => reader,
            Err(error) => return broken(error),
        };
        for import in reader.into_imports() {
            match import {
                Ok(import) => call(Import {
                    module: import.module.to_owned(),
                    name: import.name.to_owned(),
                    kind: match import.ty {
                        TypeRef::Func(_) | TypeRef::FuncExact(_) => "function",
                        TypeRef::Table(_) => "table",
                        TypeRef::Memory(_) => "memory",
                        TypeRef::Global(_) => "global",
                        TypeRef::Tag(_) => "tag",
                    },
                }),
                Err(error) => return broken(error),
            }
        }
    }
    Ok(None)
}

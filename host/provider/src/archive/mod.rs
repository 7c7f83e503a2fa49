use crate::elf::HeaderError;
use crate::file::SourceFile;
use crate::image::Traits;
use crate::layout::Layout;
use crate::options::Surroundings;
use crate::*;
use std::sync::Arc;
#[derive(Debug)]
pub(crate) struct Archive;
impl Archive {
    pub(crate) fn parse(_file: &SourceFile) -> Result<Archive, HeaderError> {
        Ok(Archive)
    }
    pub(crate) fn traits(&self, _: &SourceFile) -> Result<Traits, ReadError> {
        Err(ReadError::Changed)
    }
    pub(crate) fn layout(&self, _: &Identity) -> Layout {
        todo!()
    }
    pub(crate) fn layout_of(
        &self,
        _: &SourceFile,
        _: &Identity,
        _: &Surroundings,
        _: &str,
    ) -> Result<Option<Layout>, ReadError> {
        Ok(None)
    }
    pub(crate) fn owner(&self, _: u64) -> Option<String> {
        None
    }
}
pub(crate) fn inventory(
    _: &Archive,
    _: &Arc<SourceFile>,
    _: &str,
    _: &Surroundings,
    _: &dyn Monitor,
) -> Result<Inventory, ReadError> {
    Err(ReadError::Changed)
}

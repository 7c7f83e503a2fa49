//! The index over one inventory snapshot, in an instance that lives and dies with it.

use std::{io, sync::Arc};

use super::{
    Answer, CompletionRequest, Completions, Defect, Extent, Fault, IndexProgress, Program,
    SessionView, SnapshotPages, limits,
    worker::{AfterTrap, Recipe, Worker},
};

/// Why there is no index.
#[derive(Clone, Debug, thiserror::Error)]
pub enum IndexError {
    /// The system has no thread left.
    #[error("no thread for the index: {0}")]
    Thread(String),
    /// The component failed.
    #[error(transparent)]
    Defect(#[from] Defect),
    /// The component refused what the provider supplied.
    #[error("the inventory was refused: {}", .0.detail)]
    Refused(Fault),
    /// The one who waited for it gave up.
    #[error("cancelled")]
    Cancelled,
}

impl From<io::Error> for IndexError {
    fn from(error: io::Error) -> Self {
        IndexError::Thread(error.to_string())
    }
}

/// A finished index. Dropping it ends its instance and gives the memory back.
#[derive(Clone)]
pub struct ProcedureIndex {
    worker: Worker,
}

impl ProcedureIndex {
    /// Builds the index of a snapshot, slice by slice. `watch` hears how far it is, and stops it by
    /// answering `false`.
    ///
    /// # Errors
    /// See [`IndexError`]. Whatever happens, nothing is left behind.
    pub async fn build(
        program: Arc<Program>,
        session: Arc<dyn SessionView>,
        snapshot: Arc<dyn SnapshotPages>,
        extents: Vec<Extent>,
        mut watch: impl FnMut(&IndexProgress) -> bool + Send,
    ) -> Result<ProcedureIndex, IndexError> {
        let recipe = Recipe {
            program,
            session,
            snapshot: Some(snapshot),
            memory: limits::index_memory(&extents),
            transfer: limits::HOSTCALL_FUEL,
            after_trap: AfterTrap::Refuse,
        };
        let worker = Worker::spawn("rea-index", recipe)?;
        worker
            .call(limits::SLICE, move |guide, store| {
                guide.rea_guide_procedures().call_begin(store, &extents)
            })
            .await?
            .map_err(IndexError::Refused)?;
        loop {
            let progress = worker
                .call(limits::SLICE, |guide, store| {
                    guide.rea_guide_procedures().call_advance(store)
                })
                .await?
                .map_err(IndexError::Refused)?;
            if progress.done {
                return Ok(ProcedureIndex { worker });
            }
            if !watch(&progress) {
                return Err(IndexError::Cancelled);
            }
        }
    }

    /// Completes an argument that takes procedures.
    ///
    /// # Errors
    /// If the component failed. The index is lost then, and its owner has to build another.
    pub async fn complete(
        &self,
        request: CompletionRequest,
    ) -> Result<Answer<Completions>, Defect> {
        self.worker.complete(request).await
    }
}

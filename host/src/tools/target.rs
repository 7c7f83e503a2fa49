//! What tools that read the target have in common: making it ready, choosing a document, working off the
//! protocol's threads.

use std::sync::Arc;

use rea_provider::{Document, Monitor};
use serde_json::{Value, json};

use super::{Call, Field, Kind, ToolError};
use crate::session::{CancelOnDrop, Monitored, Ready, SessionError, Target, Watch};

/// The argument that chooses a document.
pub(super) const DOCUMENT: Field = Field {
    name: "document",
    description: "Name of a document, exactly as list_documents gives it. Not needed if there is one.",
    required: false,
    kind: Kind::Text { min: 1, max: 4096 },
};

/// The arguments of a page.
pub(super) const OFFSET: Field = Field {
    name: "offset",
    description: "How many results to pass over.",
    required: false,
    kind: Kind::Integer {
        min: 0,
        max: u32::MAX as u64,
        default: 0,
    },
};

/// See [`OFFSET`].
pub(super) const LIMIT: Field = Field {
    name: "limit",
    description: "How many results to return at most.",
    required: false,
    kind: Kind::Integer {
        min: 1,
        max: 1000,
        default: 100,
    },
};

/// A target that is read, and one document of it.
pub(super) struct Chosen {
    pub(super) target: Arc<Target>,
    pub(super) document: Arc<Document>,
}

impl Call<'_> {
    pub(super) async fn ready(&self) -> Result<(Arc<Target>, Arc<Ready>), ToolError> {
        Ok(self.session.ready(self.watch).await?)
    }

    /// Makes the target ready and picks the document that the arguments name, or the only one. A document that
    /// isn't there is an error, never another one's contents.
    pub(super) async fn document(&self) -> Result<Chosen, ToolError> {
        let (target, ready) = self.ready().await?;
        let documents = ready.inventory().documents();
        let document = match (self.arguments.text("document"), documents) {
            (Some(name), _) => ready.inventory().document(name),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        match document {
            Some(document) => Ok(Chosen {
                target,
                document: Arc::clone(document),
            }),
            None => Err(unknown_document(&ready)),
        }
    }

    /// Runs work that reads the file. A cancelled request stops it.
    pub(super) async fn blocking<R: Send + 'static>(
        &self,
        stage: &'static str,
        work: impl FnOnce(&dyn Monitor) -> R + Send + 'static,
    ) -> Result<R, ToolError> {
        let watch: Watch = self.watch.clone();
        let monitor = Monitored::new(stage, &watch);
        let guard: CancelOnDrop = watch.cancel_on_drop();
        let done = tokio::task::spawn_blocking(move || work(&monitor))
            .await
            .map_err(SessionError::from)?;
        guard.disarm();
        Ok(done)
    }
}

/// What a document that isn't there, or none where there are several, is answered with.
pub(super) fn unknown_document(ready: &Ready) -> ToolError {
    ToolError::new(
        "unknown_document",
        "document must name one of the target's documents; list_documents gives them.",
    )
    .with(json!({
        "documents": ready.document_names(20),
        "total": ready.inventory().documents().len(),
    }))
}

/// What results of this document don't cover, in its own words.
pub(super) fn limitations(document: &Document) -> Vec<String> {
    let coverage = document.coverage();
    let naming = coverage
        .naming
        .reasons()
        .iter()
        .map(|reason| format!("names: {reason}"));
    let places = coverage
        .places
        .reasons()
        .iter()
        .map(|reason| format!("procedures: {reason}"));
    naming.chain(places).collect()
}

/// A serialisable value as JSON. What the provider gives always is.
pub(super) fn json_of(value: &impl serde::Serialize) -> Result<Value, ToolError> {
    serde_json::to_value(value).map_err(|error| {
        ToolError::from(SessionError::Internal(format!(
            "a result is no JSON: {error}"
        )))
    })
}

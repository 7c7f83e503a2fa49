//! Which target is open: status, open, close. None of these reads the target's contents.

use std::path::Path;

use serde_json::{Value, json};

use super::{Call, Effect, Field, Kind, Tool, ToolError, describe_document};
use crate::session::{Target, providers};

/// Longest path that is taken, in bytes (the system's own limit).
const PATH_MOST: usize = 4096;

pub(super) const BINARY_SESSION: Tool = Tool {
    name: "binary_session",
    title: "Session status",
    description: "Says what is open and what is known about it: the target, whether it has been read, its documents \
        and how complete their inventory is, the providers and why one is unavailable, how much evidence is retained. \
        Starts nothing.",
    fields: &[],
    effect: Effect::ReadOnly,
    run: |call| Box::pin(binary_session(call)),
};

pub(super) const OPEN_BINARY: Tool = Tool {
    name: "open_binary",
    title: "Open a binary",
    description: "Makes a file the active target, in place of the one that was active; if that fails the old one stays. \
        The same unchanged file isn't opened again. Evidence stays. The file isn't analysed yet: the first tool that reads \
        it does that. Takes files and macOS .app bundles.",
    fields: &[
        Field {
            name: "path",
            description: "Path of the file; absolute, or relative to this server's working folder.",
            required: true,
            kind: Kind::Text {
                min: 1,
                max: PATH_MOST,
            },
        },
        Field {
            name: "provider_id",
            description: "The provider to use: auto, or one that binary_session lists as available.",
            required: false,
            kind: Kind::Text { min: 1, max: 64 },
        },
    ],
    effect: Effect::AddsToSession,
    run: |call| Box::pin(open_binary(call)),
};

pub(super) const CLOSE_BINARY: Tool = Tool {
    name: "close_binary",
    title: "Close the binary",
    description: "Closes the active target and forgets the session's evidence and open questions: their ids are gone. \
        Without a target it only forgets.",
    fields: &[],
    effect: Effect::DiscardsSession,
    run: |call| Box::pin(close_binary(call)),
};

async fn binary_session(call: &Call<'_>) -> Result<Value, ToolError> {
    let target = call.session.active();
    let (records, bytes) = call
        .session
        .with_ledger(|ledger| (ledger.evidence().len(), ledger.bytes()));
    let tools: Vec<Value> = super::CATALOGUE
        .iter()
        .map(|tool| {
            let needs = !matches!(tool.name, "binary_session" | "open_binary" | "close_binary");
            let status = if needs && target.is_none() {
                "target_required"
            } else {
                "available"
            };
            json!({"name": tool.name, "status": status})
        })
        .collect();
    Ok(json!({
        "open": target.is_some(),
        "target": target.as_deref().map(describe),
        "analysis": target.as_deref().map(analysis),
        "providers": providers::candidates(),
        "selectable_provider_ids": providers::selectable(),
        "evidence": {"records": records, "bytes": bytes, "capacity_bytes": crate::session::ledger::CAPACITY},
        "tools": tools,
    }))
}

async fn open_binary(call: &Call<'_>) -> Result<Value, ToolError> {
    // Both are checked: `path` is required, and never empty.
    let path = call.arguments.text("path").unwrap_or_default();
    let opened = call
        .session
        .open(Path::new(path), call.arguments.text("provider_id"))
        .await?;
    Ok(json!({"result": {
        "target": describe(&opened.target),
        "already_open": opened.already_open,
        "replaced": opened.replaced.map(|path| path.display().to_string()),
        "next": match opened.target.ready() {
            Some(_) => "it is read already, and completion works",
            None => "list_documents, or any tool that reads the target, analyses it; completion is empty until then",
        },
    }}))
}

async fn close_binary(call: &Call<'_>) -> Result<Value, ToolError> {
    let closed = call.session.close().await;
    Ok(json!({"result": {
        "closed": closed.closed.map(|path| path.display().to_string()),
        "evidence_cleared": closed.evidence_cleared,
    }}))
}

fn describe(target: &Target) -> Value {
    let identity = target.binary().identity();
    json!({
        "path": identity.path.display().to_string(),
        "file_name": identity.file_name,
        "format": identity.format.to_string(),
        "kind": identity.kind,
        "architecture": identity.architecture,
        "bits": identity.bits,
        "endianness": identity.endianness,
        "size": identity.size,
        "sha256": target.known_digest(),
        "provider_id": providers::NATIVE,
        "run_id": target.run_id(),
    })
}

fn analysis(target: &Target) -> Value {
    let unchanged = target.binary().is_unchanged();
    match target.ready() {
        None => json!({"state": "cold", "file_unchanged": unchanged}),
        Some(ready) => {
            let documents: Vec<Value> = ready
                .inventory()
                .documents()
                .iter()
                .map(|d| describe_document(d))
                .collect();
            json!({
                "state": "ready",
                "file_unchanged": unchanged,
                "documents": documents,
                "completion_failure": ready.index_failure(),
            })
        }
    }
}

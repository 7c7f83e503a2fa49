//! `rea doctor`: does this program work here, and what would it make of a file?

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    exit::Failure,
    progress::Progress,
    workbench::{open, print, session},
};
use crate::{
    component::{EMBEDDED_SHA256, Program},
    session::{Session, SessionError, providers},
    tools,
};

pub(super) async fn run(path: Option<PathBuf>, json: bool) -> Result<(), Failure> {
    let program = check_program().await?;
    let target = match &path {
        None => None,
        Some(path) => Some(check_target(path).await),
    };
    let failed = match &target {
        Some(Err(failure)) => Some(failure.message.clone()),
        _ => None,
    };
    let target = target.map(|target| target.unwrap_or_else(|failure| failure.report));
    let report = json!({"program": program, "target": target});
    if json {
        print(&report.to_string())?;
    } else {
        print(&for_people(&report))?;
    }
    match failed {
        None => Ok(()),
        Some(message) => Err(Failure::Target(message)),
    }
}

/// The component is compiled, asked for its prompts, and has no import beside its own.
async fn check_program() -> Result<Value, Failure> {
    let start = Instant::now();
    let session = session()?;
    let prompts = session.guide().catalogue().await?;
    let component = start.elapsed().as_millis();
    let imports = Program::embedded().imports()?;
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "component_sha256": EMBEDDED_SHA256,
        "component_imports": imports,
        "component_ready_ms": u64::try_from(component).unwrap_or(u64::MAX),
        "prompts": prompts.len(),
        "tools": tools::CATALOGUE.len(),
        "providers": providers::candidates(),
    }))
}

struct Unusable {
    message: String,
    report: Value,
}

async fn check_target(path: &Path) -> Result<Value, Unusable> {
    let looked = async {
        let session: Session =
            session().map_err(|_| SessionError::Internal("no session".into()))?;
        open(&session, path).await?;
        let start = Instant::now();
        let progress = Progress::new();
        let (target, ready) = session.ready(progress.watch()).await?;
        let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let sha256 = target
            .digest(Duration::from_secs(60), progress.watch())
            .await?;
        let identity = target.binary().identity();
        let documents: Vec<Value> = ready
            .inventory()
            .documents()
            .iter()
            .map(|document| tools::describe_document(document))
            .collect();
        Ok::<_, SessionError>(json!({
            "usable": true,
            "path": identity.path.display().to_string(),
            "format": identity.format.to_string(),
            "kind": identity.kind,
            "architecture": identity.architecture,
            "size": identity.size,
            "sha256": sha256,
            "read_ms": millis,
            "documents": documents,
            "completion_failure": ready.index_failure(),
        }))
    };
    looked.await.map_err(|error| {
        let mut message = error.to_string();
        if let SessionError::Open(rea_provider::OpenError::Directory { .. }) = &error {
            message.push_str(&tools::directory_hint());
        }
        let report =
            json!({"usable": false, "path": path.display().to_string(), "reason": message});
        Unusable { message, report }
    })
}

/// The report as lines. Values come from it and nowhere else, so both say the same.
fn for_people(report: &Value) -> String {
    let mut lines = Vec::new();
    flatten("", report, &mut lines);
    lines.join("\n")
}

fn flatten(name: &str, value: &Value, lines: &mut Vec<String>) {
    let below = |key: &str| {
        if name.is_empty() {
            key.to_owned()
        } else {
            format!("{name}.{key}")
        }
    };
    match value {
        Value::Null => {}
        Value::Object(fields) => fields
            .iter()
            .for_each(|(key, value)| flatten(&below(key), value, lines)),
        Value::Array(items) if items.iter().all(|item| !item.is_object()) => {
            let items: Vec<_> = items.iter().map(plain).collect();
            lines.push(format!("{name:<44} {}", items.join(", ")));
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(at, item)| flatten(&below(&at.to_string()), item, lines));
        }
        other => lines.push(format!("{name:<44} {}", plain(other))),
    }
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

//! What kind of file it is.

use serde_json::{Map, Value};

use super::{Call, Effect, Field, Kind, Tool, ToolError, target::json_of};

pub(super) const INSPECT_BINARY_LAYOUT: Tool = Tool {
    name: "inspect_binary_layout",
    title: "Inspect the layout",
    description: "Header, segments, sections, libraries it needs, imports, relocations, build id, and mitigations (PIE, NX, RELRO, \
        canary, CET …) each with what shows it. The summary leaves the long lists out and counts them; ask for one by its \
        name, in pages.",
    fields: &[
        Field {
            name: "part",
            description: "summary, or one of the lists in full.",
            required: false,
            kind: Kind::Choice {
                of: &["summary", "segments", "sections", "imports", "relocations"],
            },
        },
        super::target::OFFSET,
        super::target::LIMIT,
    ],
    effect: Effect::AddsToSession,
    run: |call| Box::pin(inspect_binary_layout(call)),
};

/// The lists that can be long.
const LISTS: [&str; 4] = ["segments", "sections", "imports", "relocations"];

async fn inspect_binary_layout(call: &Call<'_>) -> Result<Value, ToolError> {
    let (target, _) = call.ready().await?;
    let binary = target.binary().clone();
    let layout = call.blocking("reading", move |_| binary.layout()).await??;
    let limitations = layout.limitations.clone();
    let Value::Object(mut whole) = json_of(&layout)? else {
        return Err(ToolError::new("internal", "the layout is no object"));
    };
    whole.shift_remove("limitations");
    let result = match call.arguments.text("part") {
        Some(part) if part != "summary" => list(&mut whole, part, call)?,
        _ => {
            summarise(&mut whole);
            Value::Object(whole)
        }
    };
    call.found(&target, result, "observed", limitations).await
}

/// Replaces the rows of long lists by their number.
fn summarise(layout: &mut Map<String, Value>) {
    for name in LISTS {
        if let Some(total) = layout.get(name).and_then(|list| list.get("total")).cloned() {
            let mut counted = Map::new();
            counted.insert("total".into(), total);
            layout.insert(name.into(), counted.into());
        }
    }
}

fn list(layout: &mut Map<String, Value>, part: &str, call: &Call<'_>) -> Result<Value, ToolError> {
    let mut list = layout.shift_remove(part).unwrap_or_default();
    let total = list
        .get("total")
        .and_then(Value::as_u64)
        .unwrap_or_default();
    let rows = match list.get_mut("rows").map(Value::take) {
        Some(Value::Array(rows)) => rows,
        _ => Vec::new(),
    };
    let offset = call.arguments.integer("offset");
    let skip = usize::try_from(offset).unwrap_or(usize::MAX);
    let take = usize::try_from(call.arguments.integer("limit")).unwrap_or(usize::MAX);
    let read = rows.len();
    let shown: Vec<Value> = rows.into_iter().skip(skip).take(take).collect();
    let mut page = super::outcome::page(total, offset, shown, part);
    if let Some(page) = page.as_object_mut()
        && u64::try_from(read).is_ok_and(|read| read < total)
    {
        page.insert("read".into(), read.into());
    }
    Ok(page)
}

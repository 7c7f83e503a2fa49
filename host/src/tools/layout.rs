//! What kind of file it is.

use serde_json::{Value, json};

use super::{
    Call, Effect, Field, Kind, Tool, ToolError,
    target::{json_of, unknown_document},
};

pub(super) const INSPECT_BINARY_LAYOUT: Tool = Tool {
    name: "inspect_binary_layout",
    title: "Inspect the layout",
    description: "Header, segments, sections, libraries it needs, imports, relocations, build id, and mitigations (PIE, NX, RELRO, \
        canary, CET …) each with what shows it; of an archive or a universal file what its parts are, each of which has a \
        layout by its document. The summary leaves the long lists out and counts them; ask for one by its name, in pages.",
    fields: &[
        Field {
            name: "part",
            description: "summary, or one of the lists in full. A list that the format doesn't have is empty.",
            required: false,
            kind: Kind::Choice {
                of: &[
                    "summary",
                    "segments",
                    "sections",
                    "imports",
                    "relocations",
                    "libraries",
                    "load_commands",
                    "forwarders",
                    "slices",
                    "members",
                ],
            },
        },
        Field {
            name: "document",
            description: "Name of a document, exactly as list_documents gives it. Without it the file itself.",
            ..super::target::DOCUMENT
        },
        super::target::OFFSET,
        super::target::LIMIT,
    ],
    effect: Effect::AddsToSession,
    run: |call| Box::pin(inspect_binary_layout(call)),
};

/// The lists that can be long, and where they stand in a layout.
const LISTS: [(&str, &str); 9] = [
    ("segments", "/segments"),
    ("sections", "/sections"),
    ("imports", "/imports"),
    ("relocations", "/relocations"),
    ("libraries", "/libraries"),
    ("load_commands", "/load_commands"),
    ("forwarders", "/pe/exports/forwarders"),
    ("slices", "/slices"),
    ("members", "/members"),
];

async fn inspect_binary_layout(call: &Call<'_>) -> Result<Value, ToolError> {
    let (target, ready) = call.ready().await?;
    let binary = target.binary().clone();
    let document = call.arguments.text("document").map(str::to_owned);
    let asked = document.clone();
    let layout = call
        .blocking("reading", move |_| match asked {
            Some(document) => binary.layout_of(&document),
            None => binary.layout().map(Some),
        })
        .await??
        .ok_or_else(|| unknown_document(&ready))?;
    let limitations = layout.limitations.clone();
    let Value::Object(mut whole) = json_of(&layout)? else {
        return Err(ToolError::new("internal", "the layout is no object"));
    };
    whole.shift_remove("limitations");
    let mut whole = Value::Object(whole);
    let mut result = match call.arguments.text("part") {
        Some(part) if part != "summary" => list(&mut whole, part, call),
        _ => {
            summarise(&mut whole);
            whole
        }
    };
    if let (Some(document), Some(result)) = (document, result.as_object_mut()) {
        result.insert("document".into(), document.into());
    }
    call.found(&target, result, "observed", limitations).await
}

/// Replaces the rows of long lists by their number. (Of slices there are few.)
fn summarise(layout: &mut Value) {
    for (_, place) in LISTS.iter().filter(|(name, _)| *name != "slices") {
        if let Some(list) = layout.pointer_mut(place) {
            let total = total(list);
            *list = json!({"total": total});
        }
    }
}

/// How many rows there are: a list says so itself if it may have been cut.
fn total(list: &Value) -> u64 {
    match list {
        Value::Array(rows) => u64::try_from(rows.len()).unwrap_or(u64::MAX),
        list => list
            .get("total")
            .and_then(Value::as_u64)
            .unwrap_or_default(),
    }
}

fn list(layout: &mut Value, part: &str, call: &Call<'_>) -> Value {
    let place = LISTS.iter().find(|(name, _)| *name == part);
    let mut list = place
        .and_then(|(_, place)| layout.pointer_mut(place))
        .map(Value::take)
        .unwrap_or_default();
    let total = total(&list);
    let rows = match list.get_mut("rows").map(Value::take).unwrap_or(list) {
        Value::Array(rows) => rows,
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
    page
}

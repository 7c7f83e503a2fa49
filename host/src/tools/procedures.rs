//! Documents and procedures: what there is, by name, by address.

use rea_provider::{
    Contained, Document, Inventory, MatchMode, NameQuery, Procedure, ReadError, SearchError,
    demangle::demangle,
};
use serde_json::{Value, json};

use super::{
    Call, Effect, Field, Kind, Tool, ToolError,
    outcome::page,
    target::{DOCUMENT, LIMIT, OFFSET, json_of, limitations},
};

pub(super) const LIST_DOCUMENTS: Tool = Tool {
    name: "list_documents",
    title: "List documents",
    description: "Names the documents of the target, in pages, with counts of procedures by kind, how complete the inventory \
        is, and the files beside it that were read too. A program is one document, a universal file one a processor, an \
        archive one a member. Reads the target if nothing has yet; completion works from then on.",
    fields: &[OFFSET, LIMIT],
    effect: Effect::AddsToSession,
    run: |call| Box::pin(list_documents(call)),
};

pub(super) const LIST_PROCEDURES: Tool = Tool {
    name: "list_procedures",
    title: "List procedures",
    description: "Procedures in address order, in pages: address, section, size, kind, all names with the primary one first, and that \
        one demangled. A stripped file has procedures without names (kind inferred).",
    fields: &[DOCUMENT, OFFSET, LIMIT],
    effect: Effect::AddsToSession,
    run: |call| Box::pin(list_procedures(call)),
};

pub(super) const SEARCH_PROCEDURES: Tool = Tool {
    name: "search_procedures",
    title: "Search procedure names",
    description: "Raw (mangled) procedure names that contain a text or match a regular expression, with their addresses, in \
        pages with the exact total.",
    fields: &[
        Field {
            name: "pattern",
            description: "Text to find in names, or a regular expression (syntax of the Rust regex crate).",
            required: true,
            kind: Kind::Text { min: 1, max: 256 },
        },
        MODE,
        CASE,
        DOCUMENT,
        OFFSET,
        LIMIT,
    ],
    effect: Effect::AddsToSession,
    run: |call| Box::pin(search_procedures(call)),
};

pub(super) const PROCEDURE_ADDRESS: Tool = Tool {
    name: "procedure_address",
    title: "Find a procedure",
    description: "The procedure that a name or an address means, with all its names. A name that several procedures have is an \
        error that lists their addresses.",
    fields: &[
        Field {
            name: "procedure",
            description: "A name exactly as in the file (raw, also name@VERSION), an address (0x…, decimal, 0x…@section; on ARM \
                also with the Thumb bit), or the ordinal of a DLL's export (#7).",
            required: true,
            kind: Kind::Text {
                min: 1,
                max: 70_000,
            },
        },
        DOCUMENT,
    ],
    effect: Effect::AddsToSession,
    run: |call| Box::pin(procedure_address(call)),
};

pub(super) const RESOLVE_CONTAINING_PROCEDURE: Tool = Tool {
    name: "resolve_containing_procedure",
    title: "Find the procedure around an address",
    description: "The procedure in which an address lies, and how far from its start; or that it lies outside the image \
        (outside_segments), or in no procedure that is known (not_in_procedure).",
    fields: &[
        Field {
            name: "address",
            description: "An address in the file's own address space: 0x…, decimal, or 0x…@section.",
            required: true,
            kind: Kind::Text { min: 1, max: 300 },
        },
        DOCUMENT,
    ],
    effect: Effect::AddsToSession,
    run: |call| Box::pin(resolve_containing_procedure(call)),
};

pub(super) const MODE: Field = Field {
    name: "mode",
    description: "How the pattern is meant.",
    required: false,
    kind: Kind::Choice {
        of: &["literal", "regex"],
    },
};

pub(super) const CASE: Field = Field {
    name: "case_sensitive",
    description: "Whether upper and lower case differ.",
    required: false,
    kind: Kind::Flag { default: false },
};

pub(super) fn match_mode(call: &Call<'_>) -> MatchMode {
    match call.arguments.text("mode") {
        Some("regex") => MatchMode::Regex,
        _ => MatchMode::Literal,
    }
}

/// A 32-bit page argument; the declared range already holds it there.
pub(super) fn small(call: &Call<'_>, name: &str) -> u32 {
    u32::try_from(call.arguments.integer(name)).unwrap_or(u32::MAX)
}

async fn list_documents(call: &Call<'_>) -> Result<Value, ToolError> {
    let (target, ready) = call.ready().await?;
    let inventory = ready.inventory();
    let offset = call.arguments.integer("offset");
    let skip = usize::try_from(offset).unwrap_or(usize::MAX);
    let take = usize::try_from(call.arguments.integer("limit")).unwrap_or(usize::MAX);
    let shown = || inventory.documents().iter().skip(skip).take(take);
    let items = shown()
        .map(|document| describe_document(document))
        .collect();
    let mut missing = inventory.limitations().to_vec();
    let single = inventory.documents().len() == 1;
    for document in shown() {
        let found = limitations(document).into_iter();
        missing.extend(found.map(|limitation| match single {
            true => limitation,
            false => format!("{}: {limitation}", document.name()),
        }));
    }
    let total = u64::try_from(inventory.documents().len()).unwrap_or(u64::MAX);
    let result = page(total, offset, items, "documents");
    call.found(&target, result, "observed", missing).await
}

async fn list_procedures(call: &Call<'_>) -> Result<Value, ToolError> {
    let chosen = call.document().await?;
    let (offset, limit) = (small(call, "offset"), small(call, "limit"));
    let document = chosen.document.clone();
    let (total, items) = call
        .blocking("listing", move |_| {
            let rows = document.procedures(offset, limit)?;
            let items = rows.rows.iter().map(brief).collect();
            Ok::<_, ReadError>((rows.total, items))
        })
        .await??;
    let result = page(total.into(), offset.into(), items, "procedures");
    call.found_in(&chosen, result, "observed").await
}

async fn search_procedures(call: &Call<'_>) -> Result<Value, ToolError> {
    let chosen = call.document().await?;
    let query = NameQuery {
        pattern: call
            .arguments
            .text("pattern")
            .unwrap_or_default()
            .to_owned(),
        mode: match_mode(call),
        case_sensitive: call.arguments.flag("case_sensitive"),
        kinds: Vec::new(),
    };
    let (offset, limit) = (call.arguments.integer("offset"), small(call, "limit"));
    let document = chosen.document.clone();
    let found = call
        .blocking("searching", move |monitor| {
            document.search(&query, offset, limit, monitor)
        })
        .await?
        .map_err(|error| search_error(call, error))?;
    let items = found
        .hits
        .iter()
        .map(|hit| {
            let mut row = json!({
                "address": hit.spelling,
                "section": hit.section,
                "kind": hit.kind,
                "name": hit.name.text,
                "escaped": hit.name.escaped,
            });
            add_demangled(&mut row, &hit.name.text);
            row
        })
        .collect();
    let result = page(found.total, offset, items, "matches");
    call.found_in(&chosen, result, "observed").await
}

pub(super) fn search_error(call: &Call<'_>, error: SearchError) -> ToolError {
    match error {
        SearchError::Query(query) => {
            let got = call.arguments.text(query.field).unwrap_or_default();
            let wrong = rea_front::Diagnostic {
                path: format!("arguments.{}", query.field),
                expected: "a pattern that can be used".into(),
                got: rea_front::shorten_text(got),
            };
            let message = format!("{}: {}: {}", call.tool.name, wrong.path, query.reason);
            ToolError::new("invalid_arguments", message)
                .with(rea_front::invalid_params_data(&[wrong]))
        }
        SearchError::Read(read) => read.into(),
    }
}

async fn procedure_address(call: &Call<'_>) -> Result<Value, ToolError> {
    let chosen = call.document().await?;
    let wanted = call
        .arguments
        .text("procedure")
        .unwrap_or_default()
        .to_owned();
    let document = chosen.document.clone();
    let procedure = call
        .blocking("searching", move |_| -> Result<Value, ToolError> {
            let place = document.resolve(&wanted)?;
            full(&document.procedure(place)?)
        })
        .await??;
    call.found_in(&chosen, procedure, "observed").await
}

async fn resolve_containing_procedure(call: &Call<'_>) -> Result<Value, ToolError> {
    let chosen = call.document().await?;
    let address = call
        .arguments
        .text("address")
        .unwrap_or_default()
        .to_owned();
    let document = chosen.document.clone();
    let asked = address.clone();
    let mut result = call
        .blocking("searching", move |_| -> Result<Value, ToolError> {
            match document.containing(&asked)? {
                Contained::Procedure { place, offset } => Ok(json!({
                    "found": true,
                    "offset": format!("{offset:#x}"),
                    "procedure": full(&document.procedure(place)?)?,
                })),
                Contained::Several(places) => {
                    let mut procedures = Vec::new();
                    for place in places {
                        procedures.push(brief(&document.procedure(place)?));
                    }
                    Ok(json!({"found": false, "reason": "ambiguous", "candidates": procedures}))
                }
                Contained::NotInProcedure {
                    section,
                    executable,
                } => Ok(json!({
                    "found": false,
                    "reason": "not_in_procedure",
                    "section": section,
                    "executable": executable,
                })),
                Contained::OutsideSegments => {
                    Ok(json!({"found": false, "reason": "outside_segments"}))
                }
            }
        })
        .await??;
    if let Some(result) = result.as_object_mut() {
        result.insert("query_address".into(), address.into());
    }
    call.found_in(&chosen, result, "derived").await
}

/// A document, its counts and its coverage.
fn describe_document(document: &Document) -> Value {
    let extent = document.extent();
    let kinds: serde_json::Map<String, Value> = document
        .kinds()
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| (kind_name(kind), count.into()))
        .collect();
    let coverage = document.coverage();
    let mut row = json!({
        "name": document.name(),
        "procedures": extent.places,
        "names": extent.names,
        "kinds": kinds,
        "coverage": json_of(coverage).unwrap_or(Value::Null),
    });
    if let Some(row) = row.as_object_mut()
        && !document.companions().is_empty()
    {
        let companions = json_of(&document.companions()).unwrap_or(Value::Null);
        row.insert("companions".into(), companions);
    }
    row
}

/// So many documents stand in a status; list_documents has them all.
const IN_STATUS: usize = 20;

/// The first documents, described, and how many there are if that is not all.
pub(crate) fn describe_documents(inventory: &Inventory) -> (Vec<Value>, Option<usize>) {
    let all = inventory.documents();
    let shown = all
        .iter()
        .take(IN_STATUS)
        .map(|document| describe_document(document))
        .collect();
    (shown, (all.len() > IN_STATUS).then_some(all.len()))
}

fn kind_name(kind: rea_provider::ProcedureKind) -> String {
    match json_of(&kind) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}

/// A procedure as a row of a list.
fn brief(procedure: &Procedure) -> Value {
    let names: Vec<&str> = procedure
        .names
        .iter()
        .map(|name| name.text.as_str())
        .collect();
    let mut row = json!({
        "address": procedure.spelling,
        "section": procedure.section,
        "kind": procedure.kind,
        "size": procedure.size,
        "names": names,
    });
    if let Some(row) = row.as_object_mut() {
        if let Some(mode) = procedure.mode {
            row.insert("mode".into(), json!(mode));
        }
        if procedure.names_total as usize > procedure.names.len() {
            row.insert("names_total".into(), procedure.names_total.into());
        }
        if let Some(label) = &procedure.label {
            row.insert("label".into(), label.as_str().into());
        }
    }
    if let Some(primary) = names.first() {
        add_demangled(&mut row, primary);
    }
    row
}

/// The name as it was written, where that is another text.
fn add_demangled(row: &mut Value, name: &str) {
    if let Some(row) = row.as_object_mut()
        && let Some(text) = demangle(name)
        && text != name
    {
        row.insert("demangled".into(), text.into());
    }
}

/// A procedure with all that is known about its names.
fn full(procedure: &Procedure) -> Result<Value, ToolError> {
    let mut names = Vec::new();
    for name in &procedure.names {
        let mut row = json_of(name)?;
        add_demangled(&mut row, &name.text);
        names.push(row);
    }
    let mut whole = json!({
        "address": procedure.spelling,
        "section": procedure.section,
        "kind": procedure.kind,
        "mode": procedure.mode,
        "size": procedure.size,
        "size_source": size_source(procedure),
        "file_offset": procedure.file_offset,
        "names": names,
        "names_total": procedure.names_total,
    });
    if let Some(whole) = whole.as_object_mut() {
        if let Some(label) = &procedure.label {
            whole.insert("label".into(), label.as_str().into());
        }
        if !procedure.ordinals.is_empty() {
            whole.insert("ordinals".into(), json!(procedure.ordinals));
        }
    }
    Ok(whole)
}

/// What tells the size: a symbol, unwind information (or Go's table), or only where the next procedure starts.
fn size_source(procedure: &Procedure) -> Option<&'static str> {
    procedure.size.map(|_| {
        if procedure.size_reaches_next {
            "reaches-next"
        } else if procedure.size_is_unwind {
            "unwind-information"
        } else {
            "symbol"
        }
    })
}

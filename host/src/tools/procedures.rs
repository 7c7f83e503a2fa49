//! Documents and procedures: what there is, by name, by address.

use rea_provider::{Contained, Document, MatchMode, NameQuery, Procedure, SearchError};
use serde_json::{Value, json};

use super::{
    Call, Effect, Field, Kind, Tool, ToolError,
    outcome::page,
    target::{DOCUMENT, LIMIT, OFFSET, json_of, limitations},
};

pub(super) const LIST_DOCUMENTS: Tool = Tool {
    name: "list_documents",
    title: "List documents",
    description: "Names the documents of the target (an ELF file is one), with counts of procedures by kind and how complete \
        the inventory is. Reads the target if nothing has yet; completion works from then on.",
    fields: &[],
    effect: Effect::AddsToSession,
    run: |call| Box::pin(list_documents(call)),
};

pub(super) const LIST_PROCEDURES: Tool = Tool {
    name: "list_procedures",
    title: "List procedures",
    description: "Procedures in address order, in pages: address, section, size, kind, all names with the primary one first. \
        A stripped file has procedures without names (kind inferred).",
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
            description: "A name exactly as in the file (raw, also name@VERSION), or an address: 0x…, decimal, 0x…@section; on \
                ARM also with the Thumb bit.",
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
    let documents: Vec<Value> = ready
        .inventory()
        .documents()
        .iter()
        .map(|d| describe_document(d))
        .collect();
    let missing = ready
        .inventory()
        .documents()
        .iter()
        .flat_map(|document| limitations(document))
        .collect();
    call.found(
        &target,
        json!({"documents": documents}),
        "observed",
        missing,
    )
    .await
}

async fn list_procedures(call: &Call<'_>) -> Result<Value, ToolError> {
    let chosen = call.document().await?;
    let (offset, limit) = (small(call, "offset"), small(call, "limit"));
    let document = chosen.document.clone();
    let rows = call
        .blocking("listing", move |_| document.procedures(offset, limit))
        .await??;
    let items = rows.rows.iter().map(brief).collect();
    let result = page(rows.total.into(), offset.into(), items, "procedures");
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
            json!({
                "address": hit.spelling,
                "section": hit.section,
                "kind": hit.kind,
                "name": hit.name.text,
                "escaped": hit.name.escaped,
            })
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
        .blocking("searching", move |_| -> Result<Procedure, ToolError> {
            let place = document.resolve(&wanted)?;
            Ok(document.procedure(place)?)
        })
        .await??;
    let result = full(&procedure)?;
    call.found_in(&chosen, result, "observed").await
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
pub(crate) fn describe_document(document: &Document) -> Value {
    let extent = document.extent();
    let kinds: serde_json::Map<String, Value> = document
        .kinds()
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| (kind_name(kind), count.into()))
        .collect();
    let coverage = document.coverage();
    json!({
        "name": document.name(),
        "procedures": extent.places,
        "names": extent.names,
        "kinds": kinds,
        "coverage": json_of(coverage).unwrap_or(Value::Null),
    })
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
    }
    row
}

/// A procedure with all that is known about its names.
fn full(procedure: &Procedure) -> Result<Value, ToolError> {
    Ok(json!({
        "address": procedure.spelling,
        "section": procedure.section,
        "kind": procedure.kind,
        "mode": procedure.mode,
        "size": procedure.size,
        "size_source": procedure.size.map(|_| if procedure.size_is_unwind { "unwind-information" } else { "symbol" }),
        "file_offset": procedure.file_offset,
        "names": json_of(&procedure.names)?,
        "names_total": procedure.names_total,
    }))
}

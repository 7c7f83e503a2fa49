//! The component's face: the generated bindings, and thin conversions between them and the library.
#![allow(
    unsafe_code,
    reason = "wit-bindgen's generated exports are raw ABI functions; nothing here is written by hand as unsafe"
)]

use std::cell::RefCell;

use crate::{completion, procedures, prompts, session};

mod generated {
    #![allow(
        missing_docs,
        unreachable_pub,
        reason = "generated; the documentation is in wit/"
    )]
    wit_bindgen::generate!({ path: "../wit", world: "guide", generate_all });
}

use generated::exports::rea::guide as exports;
use generated::rea::guide as imports;

struct Component;

generated::export!(Component with_types_in generated);

/// The host's side of `session` and `inventory`.
struct Host;

impl session::Session for Host {
    fn documents(&self) -> Result<Vec<String>, session::Unavailable> {
        imports::session::documents().map_err(unavailable)
    }

    fn providers(&self) -> Vec<String> {
        imports::session::providers()
    }

    fn identifiers(
        &self,
        family: session::Family,
        prefix: &str,
        limit: u32,
    ) -> Result<session::IdentifierPage, session::Unavailable> {
        imports::session::identifiers(family_out(family), prefix, limit)
            .map(|page| session::IdentifierPage { values: page.values, total: page.total })
            .map_err(unavailable)
    }

    fn tools(&self) -> Vec<String> {
        imports::session::tools()
    }

    fn retained_operations(&self) -> Vec<String> {
        imports::session::retained_operations()
    }
}

impl session::Inventory for Host {
    fn places(&self, document: u32, first: u32) -> Result<session::PlacePage, session::Unavailable> {
        imports::inventory::places(document, first)
            .map(|page| session::PlacePage { text: page.text, ends: page.ends })
            .map_err(unavailable)
    }

    fn names(&self, document: u32, first: u32) -> Result<session::NamePage, session::Unavailable> {
        imports::inventory::names(document, first)
            .map(|page| session::NamePage { text: page.text, ends: page.ends, places: page.places })
            .map_err(unavailable)
    }
}

/// What the instance knows of its snapshot.
enum Snapshot {
    Unannounced,
    Building(procedures::Builder),
    Ready(procedures::Index),
    /// A page was malformed: procedures complete to nothing for good.
    Failed,
}

thread_local! {
    static SNAPSHOT: RefCell<Snapshot> = const { RefCell::new(Snapshot::Unannounced) };
}

impl exports::prompts::Guest for Component {
    fn catalogue() -> Vec<exports::prompts::Prompt> {
        prompts::catalogue().iter().map(prompt_out).collect()
    }

    fn render(
        name: String,
        arguments: Vec<(String, String)>,
    ) -> Result<exports::prompts::Rendered, imports::types::Fault> {
        prompts::render(&Host, &name, &arguments)
            .map(|rendered| exports::prompts::Rendered {
                description: rendered.description,
                text: rendered.text,
            })
            .map_err(fault)
    }
}

impl exports::completion::Guest for Component {
    fn source(
        prompt: String,
        argument: String,
    ) -> Result<Option<imports::types::Family>, imports::types::Fault> {
        prompts::source(&prompt, &argument)
            .map(|family| family.map(family_out))
            .map_err(fault)
    }

    fn complete(
        request: exports::completion::Request,
    ) -> Result<exports::completion::Completions, imports::types::Fault> {
        let request = completion::Request {
            prompt: request.prompt,
            argument: request.argument,
            value: request.value,
            context: request.context,
        };
        let answer = SNAPSHOT.with_borrow(|snapshot| {
            let index = match snapshot {
                Snapshot::Ready(index) => Some(index),
                Snapshot::Unannounced | Snapshot::Building(_) | Snapshot::Failed => None,
            };
            completion::complete(&Host, index, &request)
        });
        answer
            .map(|answer| exports::completion::Completions {
                values: answer.values,
                total: answer.total,
                has_more: answer.has_more,
            })
            .map_err(fault)
    }
}

impl exports::procedures::Guest for Component {
    fn begin(
        documents: Vec<exports::procedures::Extent>,
    ) -> Result<(), imports::types::Fault> {
        let extents = documents
            .into_iter()
            .map(|extent| procedures::Extent {
                document: extent.document,
                places: extent.places,
                place_bytes: extent.place_bytes,
                names: extent.names,
                name_bytes: extent.name_bytes,
                naming_complete: extent.naming_complete,
            })
            .collect();
        SNAPSHOT.with_borrow_mut(|snapshot| {
            if !matches!(snapshot, Snapshot::Unannounced) {
                return Err(out_of_turn("begin was called before; a new snapshot needs a new instance"));
            }
            match procedures::Builder::begin(extents) {
                Ok(builder) => {
                    *snapshot = Snapshot::Building(builder);
                    Ok(())
                }
                Err(error) => {
                    *snapshot = Snapshot::Failed;
                    Err(fault(error))
                }
            }
        })
    }

    fn advance() -> Result<exports::procedures::Progress, imports::types::Fault> {
        SNAPSHOT.with_borrow_mut(|snapshot| {
            let Snapshot::Building(builder) = snapshot else {
                return Err(out_of_turn("advance goes between begin and done"));
            };
            let progress = match builder.advance(&Host) {
                Ok(progress) => progress,
                Err(error) => {
                    *snapshot = Snapshot::Failed;
                    return Err(fault(error));
                }
            };
            if progress.done {
                let built = std::mem::replace(snapshot, Snapshot::Failed);
                if let Snapshot::Building(builder) = built {
                    *snapshot = Snapshot::Ready(builder.finish().map_err(fault)?);
                }
            }
            Ok(exports::procedures::Progress {
                done_units: progress.done_units,
                all_units: progress.all_units,
                done: progress.done,
            })
        })
    }
}

fn out_of_turn(detail: &str) -> imports::types::Fault {
    fault(session::Fault {
        code: session::FaultCode::OutOfTurn,
        field: String::new(),
        detail: detail.to_owned(),
    })
}

fn prompt_out(prompt: &prompts::Prompt) -> exports::prompts::Prompt {
    exports::prompts::Prompt {
        name: prompt.name.to_owned(),
        title: prompt.title.to_owned(),
        description: prompt.description.to_owned(),
        arguments: prompt
            .arguments
            .iter()
            .map(|argument| exports::prompts::Argument {
                name: argument.name.to_owned(),
                description: argument.description.to_owned(),
                required: argument.required,
                completes: argument.completes.map(family_out),
            })
            .collect(),
    }
}

fn family_out(family: session::Family) -> imports::types::Family {
    use imports::types::Family as Out;
    match family {
        session::Family::Document => Out::Document,
        session::Family::Procedure => Out::Procedure,
        session::Family::Provider => Out::Provider,
        session::Family::Evidence => Out::Evidence,
        session::Family::ProcessCapture => Out::ProcessCapture,
        session::Family::ArtifactManifest => Out::ArtifactManifest,
        session::Family::ArtifactOccurrence => Out::ArtifactOccurrence,
        session::Family::ResidualUnknown => Out::ResidualUnknown,
    }
}

fn unavailable(reason: imports::types::Unavailable) -> session::Unavailable {
    use imports::types::Unavailable as In;
    match reason {
        In::NoTarget => session::Unavailable::NoTarget,
        In::Cold => session::Unavailable::Cold,
        In::InTransition => session::Unavailable::InTransition,
        In::Unsupported => session::Unavailable::Unsupported,
        In::Failed => session::Unavailable::Failed,
    }
}

fn fault(fault: session::Fault) -> imports::types::Fault {
    use imports::types::FaultCode as Out;
    imports::types::Fault {
        code: match fault.code {
            session::FaultCode::UnknownPrompt => Out::UnknownPrompt,
            session::FaultCode::MissingArgument => Out::MissingArgument,
            session::FaultCode::BlankArgument => Out::BlankArgument,
            session::FaultCode::MalformedInput => Out::MalformedInput,
            session::FaultCode::OutOfTurn => Out::OutOfTurn,
            session::FaultCode::Other => Out::Other,
        },
        field: fault.field,
        detail: fault.detail,
    }
}

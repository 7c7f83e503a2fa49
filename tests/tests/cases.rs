//! native = wasmtime (= jco, in `tests/clients/jco`): the same questions have the same answers in every host.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

use std::{collections::BTreeMap, path::Path, sync::Arc};

use rea_guide::{completion, procedures, prompts, session};
use rea_host::component::{
    self as host, Answer, CompletionRequest, Guide, ProcedureIndex, Program, SessionView,
    SnapshotPages,
};
use rea_tests::cases::{Case, FakePages, FakeSession, Step, family_name, load, shared};
use serde_json::{Value, json};

fn cases() -> Vec<Case> {
    // Cases of other interfaces belong to their own tests.
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases"))
        .unwrap()
        .into_iter()
        .filter(|case| {
            case.steps.iter().all(|step| match step {
                Step::Call { call, .. } => {
                    call.starts_with("prompts.") || call.starts_with("completion.")
                }
                Step::Change { .. } => true,
            })
        })
        .collect()
}

type Outcome = Result<Value, (String, String)>;

fn compare(case: &Case, host: &str, wanted: &Step, got: Outcome) {
    let Step::Call {
        call,
        with,
        gives,
        fails,
    } = wanted
    else {
        unreachable!()
    };
    let told = match (&got, fails) {
        (Ok(value), None) => value == gives,
        (Err((code, field)), Some(fails)) => {
            let have = BTreeMap::from([("code", code), ("field", field)]);
            fails.iter().all(|(key, value)| {
                key == "detail" || value.as_str() == have.get(key.as_str()).map(|s| s.as_str())
            })
        }
        _ => false,
    };
    assert!(
        told,
        "{host}, {}: {call}{with:?}\n gave {got:?}\n not  {gives} / {fails:?}",
        case.name
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_component_in_wasmtime_answers_the_cases() {
    let cases = cases();
    assert!(cases.len() > 10, "the cases were not found");
    for case in &cases {
        let session = shared(case);
        let view: Arc<dyn SessionView> = session.clone();
        let guide = Guide::start(Program::embedded(), view.clone()).unwrap();
        let index = match FakePages::of(case) {
            None => None,
            Some(pages) => {
                let extents = pages.extents();
                let pages: Arc<dyn SnapshotPages> = Arc::new(pages);
                let built = ProcedureIndex::build(
                    Program::embedded(),
                    view.clone(),
                    pages,
                    extents,
                    |_| true,
                );
                Some(built.await.unwrap())
            }
        };
        for step in &case.steps {
            match step {
                Step::Change { session: with } => session.change(with),
                Step::Call { call, with, .. } => {
                    let got = ask_component(&guide, index.as_ref(), call, with).await;
                    compare(case, "wasmtime", step, got);
                }
            }
        }
    }
}

#[test]
fn the_native_library_answers_the_cases() {
    for case in &cases() {
        let session = FakeSession::of(case);
        let native = Native(&session);
        let index = FakePages::of(case).map(|pages| build_natively(&pages));
        for step in &case.steps {
            match step {
                Step::Change { session: with } => session.change(with),
                Step::Call { call, with, .. } => {
                    compare(
                        case,
                        "native",
                        step,
                        ask_library(&native, index.as_ref(), call, with),
                    );
                }
            }
        }
    }
}

async fn ask_component(
    guide: &Guide,
    index: Option<&ProcedureIndex>,
    call: &str,
    with: &[Value],
) -> Outcome {
    match call {
        "prompts.catalogue" => Ok(guide
            .catalogue()
            .await
            .unwrap()
            .iter()
            .map(|p| {
                let arguments: Vec<_> = p
                    .arguments
                    .iter()
                    .map(|a| argument(&a.name, &a.description, a.required, a.completes.map(family_name)))
                    .collect();
                json!({"name": p.name, "title": p.title, "description": p.description, "arguments": arguments})
            })
            .collect()),
        "prompts.render" => {
            let (name, arguments) = render_words(with);
            answer(guide.render(name, arguments).await.unwrap())
                .map(|r| json!({"description": r.description, "text": r.text}))
        }
        "completion.source" => answer(
            guide.source(text(&with[0]), text(&with[1])).await.unwrap(),
        )
        .map(|family| family.map(family_name).into()),
        "completion.complete" => {
            let request = CompletionRequest {
                prompt: text(&with[0]["prompt"]),
                argument: text(&with[0]["argument"]),
                value: text(&with[0]["value"]),
                context: pairs(&with[0]["context"]),
            };
            let answered = match index {
                Some(index) => index.complete(request).await,
                None => guide.complete(request).await,
            };
            answer(answered.unwrap()).map(|c| completions(&c.values, c.total, c.has_more))
        }
        other => panic!("{other}"),
    }
}

fn answer<T>(answer: Answer<T>) -> Result<T, (String, String)> {
    match answer {
        Answer::Given(value) => Ok(value),
        Answer::Refused(fault) => Err((code(fault.code as u8), fault.field)),
    }
}

fn code(number: u8) -> String {
    [
        "unknown-prompt",
        "missing-argument",
        "blank-argument",
        "malformed-input",
        "out-of-turn",
        "other",
    ][usize::from(number)]
    .to_owned()
}

fn argument(name: &str, description: &str, required: bool, completes: Option<&str>) -> Value {
    json!({"name": name, "description": description, "required": required, "completes": completes})
}

fn completions(values: &[String], total: Option<u64>, has_more: bool) -> Value {
    json!({"values": values, "total": total, "has-more": has_more})
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn pairs(value: &Value) -> Vec<(String, String)> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (text(&pair[0]), text(&pair[1])))
        .collect()
}

fn render_words(with: &[Value]) -> (String, Vec<(String, String)>) {
    (text(&with[0]), pairs(&with[1]))
}

/// The fake session as the library knows sessions.
struct Native<'a>(&'a FakeSession);

fn native_family(family: session::Family) -> host::Family {
    match family {
        session::Family::Document => host::Family::Document,
        session::Family::Procedure => host::Family::Procedure,
        session::Family::Provider => host::Family::Provider,
        session::Family::Evidence => host::Family::Evidence,
        session::Family::ProcessCapture => host::Family::ProcessCapture,
        session::Family::ArtifactManifest => host::Family::ArtifactManifest,
        session::Family::ArtifactOccurrence => host::Family::ArtifactOccurrence,
        session::Family::ResidualUnknown => host::Family::ResidualUnknown,
    }
}

fn host_family(family: session::Family) -> &'static str {
    family_name(native_family(family))
}

// Which reason it is makes no difference to an answer.
fn unavailable<T>(_: host::Unavailable) -> Result<T, session::Unavailable> {
    Err(session::Unavailable::Failed)
}

impl session::Session for Native<'_> {
    fn documents(&self) -> Result<Vec<String>, session::Unavailable> {
        self.0.documents().or_else(unavailable)
    }

    fn providers(&self) -> Vec<String> {
        self.0.providers()
    }

    fn identifiers(
        &self,
        family: session::Family,
        prefix: &str,
        limit: u32,
    ) -> Result<session::IdentifierPage, session::Unavailable> {
        let page = self
            .0
            .identifiers(native_family(family), prefix, limit)
            .or_else(unavailable)?;
        Ok(session::IdentifierPage {
            values: page.values,
            total: page.total,
        })
    }

    fn tools(&self) -> Vec<String> {
        self.0.tools()
    }

    fn retained_operations(&self) -> Vec<String> {
        self.0.retained_operations()
    }
}

struct NativePages<'a>(&'a FakePages);

impl session::Inventory for NativePages<'_> {
    fn places(
        &self,
        document: u32,
        first: u32,
    ) -> Result<session::PlacePage, session::Unavailable> {
        let page = self.0.places(document, first).or_else(unavailable)?;
        Ok(session::PlacePage {
            text: page.text,
            ends: page.ends,
        })
    }

    fn names(&self, document: u32, first: u32) -> Result<session::NamePage, session::Unavailable> {
        let page = self.0.names(document, first).or_else(unavailable)?;
        Ok(session::NamePage {
            text: page.text,
            ends: page.ends,
            places: page.places,
        })
    }
}

fn build_natively(pages: &FakePages) -> procedures::Index {
    let extents = pages
        .extents()
        .into_iter()
        .map(|e| procedures::Extent {
            document: e.document,
            places: e.places,
            place_bytes: e.place_bytes,
            names: e.names,
            name_bytes: e.name_bytes,
            naming_complete: e.naming_complete,
        })
        .collect();
    let mut builder = procedures::Builder::begin(extents).unwrap();
    while !builder.advance(&NativePages(pages)).unwrap().done {}
    builder.finish().unwrap()
}

fn ask_library(
    native: &Native<'_>,
    index: Option<&procedures::Index>,
    call: &str,
    with: &[Value],
) -> Outcome {
    let fault = |fault: session::Fault| (code(fault.code as u8), fault.field);
    match call {
        "prompts.catalogue" => Ok(prompts::catalogue()
            .iter()
            .map(|p| {
                let arguments: Vec<_> = p
                    .arguments
                    .iter()
                    .map(|a| argument(a.name, a.description, a.required, a.completes.map(host_family)))
                    .collect();
                json!({"name": p.name, "title": p.title, "description": p.description, "arguments": arguments})
            })
            .collect()),
        "prompts.render" => {
            let (name, arguments) = render_words(with);
            prompts::render(native, &name, &arguments)
                .map(|r| json!({"description": r.description, "text": r.text}))
                .map_err(fault)
        }
        "completion.source" => prompts::source(&text(&with[0]), &text(&with[1]))
            .map(|family| family.map(host_family).into())
            .map_err(fault),
        "completion.complete" => {
            let request = completion::Request {
                prompt: text(&with[0]["prompt"]),
                argument: text(&with[0]["argument"]),
                value: text(&with[0]["value"]),
                context: pairs(&with[0]["context"]),
            };
            completion::complete(native, index, &request)
                .map(|c| completions(&c.values, c.total, c.has_more))
                .map_err(fault)
        }
        other => panic!("{other}"),
    }
}

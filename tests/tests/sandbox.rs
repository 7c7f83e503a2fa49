//! The promises of the sandbox, each test named after the one that it keeps.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop at the first surprise"
)]

use std::{borrow::Cow, sync::Arc, time::Instant};

use rea_host::{
    component::{
        Answer, CompletionRequest, Extent, Family, Guide, IdentifierPage, IndexError,
        ProcedureIndex, Program, SessionView, Unavailable,
    },
    session::Session,
    tools,
};
use rea_tests::{cases::FakePages, defective};

struct Empty;

impl SessionView for Empty {
    fn documents(&self) -> Result<Vec<String>, Unavailable> {
        Err(Unavailable::NoTarget)
    }

    fn providers(&self) -> Vec<String> {
        Vec::new()
    }

    fn identifiers(&self, _: Family, _: &str, _: u32) -> Result<IdentifierPage, Unavailable> {
        Err(Unavailable::Unsupported)
    }

    fn tools(&self) -> Vec<String> {
        Vec::new()
    }

    fn retained_operations(&self) -> Vec<String> {
        Vec::new()
    }
}

fn request(prompt: &str, argument: &str, value: &str) -> CompletionRequest {
    CompletionRequest {
        prompt: prompt.into(),
        argument: argument.into(),
        value: value.into(),
        context: Vec::new(),
    }
}

/// Builds an index over pages, with what is announced of them. `wanted`: whether somebody still waits for it.
async fn build(
    program: Arc<Program>,
    pages: FakePages,
    extents: Vec<Extent>,
    wanted: bool,
) -> Result<ProcedureIndex, IndexError> {
    ProcedureIndex::build(program, Arc::new(Empty), Arc::new(pages), extents, |_| {
        wanted
    })
    .await
}

#[test]
fn the_component_can_reach_nothing_but_the_session_and_the_inventory() {
    let imports = Program::embedded().imports().unwrap();
    assert_eq!(
        imports,
        [
            "rea:guide/types@0.1.0",
            "rea:guide/session@0.1.0",
            "rea:guide/inventory@0.1.0"
        ]
    );
}

#[test]
fn the_component_holds_no_path_of_the_machine_it_was_built_on() {
    let bytes = rea_host::component::EMBEDDED;
    let home = std::env::var("HOME").unwrap();
    for secret in [
        env!("CARGO_MANIFEST_DIR").trim_end_matches("/tests"),
        &home,
        ".cargo/registry",
    ] {
        if secret.len() > 1 {
            let found = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} is in the component");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_traps_fails_every_call_and_never_the_host() {
    let program = Arc::new(Program::new(Cow::Owned(defective::trapping().unwrap())));
    let guide = Guide::start(Arc::clone(&program), Arc::new(Empty)).unwrap();
    // Twice: the second call meets a fresh instance, and not a dead one's refusal.
    for _ in 0..2 {
        let defect = guide.catalogue().await.unwrap_err().to_string();
        assert!(defect.contains("unreachable"), "{defect}");
        assert!(guide.render("p".into(), Vec::new()).await.is_err());
        assert!(guide.source("p".into(), "a".into()).await.is_err());
        assert!(guide.complete(request("p", "a", "")).await.is_err());
    }
    let pages = FakePages::one("d", vec!["0x1".into()], Vec::new());
    let extents = pages.extents();
    let built = build(program, pages, extents, true).await;
    assert!(matches!(built, Err(IndexError::Defect(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_traps_leaves_the_tools_at_work() {
    let program = Arc::new(Program::new(Cow::Owned(defective::trapping().unwrap())));
    let session = Arc::new(Session::new(program, tools::names()).unwrap());
    let own = std::env::current_exe().unwrap();
    session.open(&own, None).await.unwrap();
    let (_, ready) = session
        .ready(&rea_host::session::Watch::silent())
        .await
        .unwrap();
    assert!(ready.index().is_none() && ready.index_failure().is_some());
    assert!(!ready.document_names(1).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_never_returns_is_stopped() {
    let program = Arc::new(Program::new(Cow::Owned(defective::endless().unwrap())));
    let guide = Guide::start(program, Arc::new(Empty)).unwrap();
    let start = Instant::now();
    let defect = guide.catalogue().await.unwrap_err().to_string();
    assert!(defect.contains("interrupt"), "{defect}");
    assert!(
        start.elapsed().as_secs() < 60,
        "the deadline is two seconds"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_that_takes_too_much_memory_is_stopped() {
    let program = Arc::new(Program::new(Cow::Owned(defective::greedy().unwrap())));
    let guide = Guide::start(program, Arc::new(Empty)).unwrap();
    let defect = guide.catalogue().await.unwrap_err().to_string();
    assert!(defect.contains("grow"), "{defect}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_refused_pages_that_contradict_what_was_announced() {
    let pages = FakePages::one("d", vec!["0x1".into()], vec![("f".into(), 0)]);
    let mut extents = pages.extents();
    for extent in &mut extents {
        extent.names = 7;
    }
    let built = build(Program::embedded(), pages, extents, true).await;
    assert!(matches!(built, Err(IndexError::Refused(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_is_announced_too_large_is_refused_and_not_built() {
    let pages = FakePages::one("d", vec!["0x1".into()], Vec::new());
    let mut extents = pages.extents();
    for extent in &mut extents {
        extent.names = u32::MAX;
        extent.name_bytes = u64::MAX;
    }
    let built = build(Program::embedded(), pages, extents, true).await;
    assert!(
        matches!(built, Err(IndexError::Refused(_))),
        "{:?}",
        built.err()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_nobody_waits_for_stops() {
    let names = (0..50_000).map(|n| (format!("function_{n}"), n)).collect();
    let places = (0..50_000).map(|n| format!("{n:#x}")).collect();
    let pages = FakePages::one("d", places, names);
    let extents = pages.extents();
    let built = build(Program::embedded(), pages, extents, false).await;
    assert!(matches!(built, Err(IndexError::Cancelled)));
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_10_a_10_b_20_b_give_two_addresses_and_a() {
    let pages = FakePages::one(
        "d",
        vec!["0x10".into(), "0x20".into()],
        vec![("a".into(), 0), ("b".into(), 0), ("b".into(), 1)],
    );
    let extents = pages.extents();
    let index = build(Program::embedded(), pages, extents, true)
        .await
        .unwrap();
    let answer = index
        .complete(request("investigate_feature", "procedure", ""))
        .await
        .unwrap();
    let Answer::Given(answer) = answer else {
        panic!("refused")
    };
    assert_eq!(answer.values, ["0x10", "0x20", "a"]);
    assert_eq!((answer.total, answer.has_more), (Some(3), false));
}

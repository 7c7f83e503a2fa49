//! The switch's handle: a trap anywhere, and it lands on the same decision.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

use std::{
    borrow::Cow,
    sync::{Arc, Mutex},
};

use rea_host::component::{EMBEDDED, Program, switch::*};
use rea_tests::defective::{self, trapping_at};

type Heard = Arc<Mutex<Vec<(String, Standing)>>>;

fn settings() -> Settings {
    Settings {
        servers: vec!["rea".into(), "ghidra".into()],
        default_enabled: false,
    }
}

fn hosting() -> Hosting {
    Hosting {
        naming: Naming::Gateway,
        state_path: "/s.json".into(),
        command: "/rea".into(),
    }
}

async fn opened(program: Arc<Program>) -> (Switch, Heard) {
    let heard = Heard::default();
    let ears = Arc::clone(&heard);
    let listener = move |agent: &str, standing: &Standing| {
        ears.lock()
            .unwrap()
            .push((agent.to_owned(), standing.clone()))
    };
    let policy = Policy::start(program).unwrap();
    (
        policy
            .open(settings(), hosting(), Arc::new(listener))
            .await
            .unwrap(),
        heard,
    )
}

fn agent(id: &str, parent: Option<&str>) -> Agent {
    Agent {
        id: id.into(),
        parent: parent.map(str::to_owned),
        origin: parent.map(|_| "subagent".to_owned()),
        names: None,
        held: None,
    }
}

fn tools(count: usize) -> Toolset {
    let of = |server: &str| {
        (0..count)
            .map(|n| format!("{server}__tool_{n}"))
            .collect::<Vec<_>>()
    };
    let mut names = of("rea");
    names.extend(of("ghidra"));
    names.push("other__x".into());
    let server = |name: &str| Server {
        name: name.into(),
        state: None,
    };
    Toolset {
        servers: vec![server("rea"), server("other")],
        names,
        owned: Vec::new(),
        agents: Vec::new(),
    }
}

async fn flip(switch: &Switch, document: Option<Vec<u8>>, session: &str) -> Option<Vec<u8>> {
    let change = Change {
        session: session.into(),
        to: Movement::Flip,
    };
    Some(
        switch
            .prepare_write(document, change)
            .await
            .unwrap()
            .document,
    )
}

/// Everything that somebody can know of it.
async fn all(switch: &Switch) -> String {
    let mut text = String::new();
    for agent in ["a", "a1", "a2", "b", "own", "gone"] {
        let decision = switch.decision(agent.into()).await.unwrap();
        let standing = switch.standing(agent);
        text += &format!("{agent}\n{decision:?}\n{standing:?}\n");
        text += &format!("{:?}\n", switch.status(agent.into()).await.unwrap());
    }
    text += &format!(
        "{:?}\n{:?}\n",
        switch.summary().await.unwrap(),
        switch.conversations().await.unwrap()
    );
    let change = Change {
        session: "a1".into(),
        to: Movement::Off,
    };
    text += &format!(
        "{:?}\n",
        switch.command("a1".into(), " OFF ".into()).await.unwrap()
    );
    text += &format!(
        "{:?}\n",
        switch.command_answer(change.clone(), None).await.unwrap()
    );
    text += &format!("{:?}\n", switch.http(get(), fence()).await.unwrap());
    text += &format!(
        "{:?}\n",
        switch
            .http_answer(
                HttpChange {
                    change,
                    origin: None
                },
                None
            )
            .await
            .unwrap()
    );
    text += &format!("{}\n", switch.estimate_tokens(4600).await.unwrap());
    text
}

fn get() -> HttpRequest {
    let headers = vec![("host".into(), "localhost".into())];
    HttpRequest {
        method: "GET".into(),
        query: Some("session=a1".into()),
        headers,
        body: Vec::new(),
    }
}

fn fence() -> Fence {
    Fence {
        hosts: Vec::new(),
        origins: Vec::new(),
    }
}

/// A life: conversations, sub-agents of a parent that is gone, tools of an agent's own, sizes. Each event happens three times, so
/// that a third of it is a call that a replay doesn't come to.
async fn told(switch: &Switch) -> Vec<u8> {
    let ancestor = |id: &str, parent: &str| {
        vec![Ancestor {
            id: id.into(),
            parent: Some(parent.into()),
            origin: Some("subagent".into()),
        }]
    };
    for (count, bytes) in [(2, 1), (4, 10), (3, 1000)] {
        switch.adopt(None).await.unwrap();
        switch.tools_changed(tools(count)).await.unwrap();
        switch
            .sizes_told(vec![("rea__tool_0".into(), bytes)])
            .await
            .unwrap();
        switch
            .lineage_told(ancestor("old", &format!("b{count}")))
            .await
            .unwrap();
    }
    switch
        .agents_seen(vec![
            agent("a", None),
            agent("gone", Some("a")),
            agent("b", None),
        ])
        .await
        .unwrap();
    switch
        .agents_seen(vec![agent("a1", Some("gone"))])
        .await
        .unwrap();
    for agent in ["nobody", "gone", "nobody"] {
        switch.agent_gone(agent.into()).await.unwrap();
    }
    switch.lineage_told(ancestor("old", "b")).await.unwrap();
    let mut own = agent("own", None);
    own.names = Some(vec!["rea__mine".into(), "other__x".into()]);
    switch
        .agents_seen(vec![agent("a2", Some("old")), own])
        .await
        .unwrap();
    let own = switch.standing("own").unwrap();
    for _ in 0..3 {
        let held = Held {
            mask: own.mask.to_vec(),
            sections: own.sections.to_vec(),
        };
        switch.holds("own".into(), held).await.unwrap();
    }
    let mut document = None;
    for _ in 0..3 {
        document = flip(switch, document, "a").await;
        switch.adopt(document.clone()).await.unwrap();
    }
    document.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_stands_as_its_conversation_does() {
    let (switch, heard) = opened(Program::embedded()).await;
    told(&switch).await;
    let standing = |agent: &str| switch.standing(agent).unwrap();
    assert_eq!(
        (standing("a1").enabled, standing("a1").conversation.as_str()),
        (true, "a")
    );
    assert_eq!(
        (standing("a1").mask.len(), standing("a1").sections.len()),
        (0, 0)
    );
    assert_eq!(
        (standing("a2").enabled, standing("a2").conversation.as_str()),
        (false, "b")
    );
    assert_eq!(standing("b").mask.len(), 6);
    assert_eq!(&*standing("own").mask, ["rea__mine"]);
    assert_eq!(&*standing("own").sections, ["mcp:rea", "mcp:ghidra"]);
    assert!(switch.standing("gone").is_none() && switch.standing("nobody").is_none());
    let last = |agent: &str| {
        let heard = heard.lock().unwrap();
        heard
            .iter()
            .rev()
            .find(|(id, _)| id == agent)
            .unwrap()
            .1
            .clone()
    };
    for agent in ["a", "a1", "a2", "b", "own"] {
        assert_eq!(last(agent), *standing(agent), "{agent}");
    }
    let heard_before = heard.lock().unwrap().len();
    let again = switch.agents_seen(vec![]).await;
    again.unwrap();
    assert_eq!(
        heard.lock().unwrap().len(),
        heard_before,
        "nothing new is nothing to hear"
    );
}

/// Questions, and events of which a replay makes none: the second call traps. Events that a replay tells once: the third.
const AT: [(&str, u32); 18] = [
    ("[method]switch.adopt", 3),
    ("[method]switch.tools-changed", 3),
    ("[method]switch.sizes-told", 3),
    ("[method]switch.lineage-told", 3),
    ("[method]switch.agents-seen", 3),
    ("[method]switch.agent-gone", 2),
    ("[method]switch.holds", 2),
    ("[method]switch.prepare-write", 2),
    ("[method]switch.status", 2),
    ("[method]switch.decision", 2),
    ("[method]switch.summary", 2),
    ("[method]switch.conversations", 2),
    ("[method]switch.command", 2),
    ("[method]switch.command-answer", 2),
    ("[method]switch.http", 2),
    ("[method]switch.http-answer", 2),
    ("estimate-tokens", 2),
    ("read-config", 2),
];

fn with_trap(export: &str, nth: u32) -> Arc<Program> {
    let export = format!("rea:guide/toggle@0.1.0#{export}");
    Arc::new(Program::new(Cow::Owned(
        trapping_at(EMBEDDED, &export, nth).unwrap(),
    )))
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_trap_in_any_export_it_lands_on_the_same_decision() {
    let (healthy, heard_healthy) = opened(Program::embedded()).await;
    told(&healthy).await;
    let expected = all(&healthy).await;
    for (export, nth) in AT {
        let program = with_trap(export, nth);
        let policy = Policy::start(Arc::clone(&program)).unwrap();
        for _ in 0..3 {
            policy
                .read_config("{}".into(), Naming::Dsh, None)
                .await
                .unwrap();
        }
        let (switch, heard) = opened(program).await;
        told(&switch).await;
        // Once through a trap of a question, once after it.
        assert_eq!(all(&switch).await, expected, "{export}");
        assert_eq!(all(&switch).await, expected, "{export}");
        let heard = heard.lock().unwrap().clone();
        assert_eq!(heard, *heard_healthy.lock().unwrap(), "{export}");
    }
}

/// A function that always traps fails each call of it; everything decided before stands, all else goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_function_that_always_traps_takes_nothing_else_with_it() {
    let (healthy, _) = opened(Program::embedded()).await;
    let document = told(&healthy).await;
    let change = Change {
        session: "b".into(),
        to: Movement::On,
    };
    for export in [
        "prepare-write",
        "holds",
        "command",
        "command-answer",
        "http",
        "http-answer",
        "agent-gone",
    ] {
        let (switch, _) = opened(with_trap(&format!("[method]switch.{export}"), 0)).await;
        switch.adopt(Some(document.clone())).await.unwrap();
        switch.tools_changed(tools(3)).await.unwrap();
        switch
            .agents_seen(vec![agent("a", None), agent("b", None)])
            .await
            .unwrap();
        let before = (switch.standing("a"), switch.standing("b"));
        let failed = match export {
            "prepare-write" => switch.prepare_write(None, change.clone()).await.err(),
            "command" => switch.command("a".into(), "on".into()).await.err(),
            "command-answer" => switch.command_answer(change.clone(), None).await.err(),
            "http-answer" => {
                let change = HttpChange {
                    change: change.clone(),
                    origin: None,
                };
                switch.http_answer(change, None).await.err()
            }
            "http" => switch.http(get(), fence()).await.err(),
            "holds" => {
                let held = Held {
                    mask: before.0.as_ref().unwrap().mask.to_vec(),
                    sections: Vec::new(),
                };
                switch.holds("nobody".into(), held).await.err()
            }
            _ => switch.agent_gone("nobody".into()).await.err(),
        };
        assert!(
            matches!(failed, Some(SwitchError::Defect(_))),
            "{export}: {failed:?}"
        );
        assert_eq!(
            (switch.standing("a"), switch.standing("b")),
            before,
            "{export}"
        );
        let decision = switch.decision("b".into()).await.unwrap().unwrap();
        assert_eq!(decision.deny, before.1.unwrap().mask.to_vec(), "{export}");
    }
    // The events that make a decision: what can't be told is as if it had not been.
    for export in [
        "adopt",
        "tools-changed",
        "sizes-told",
        "agents-seen",
        "lineage-told",
        "lift-all",
    ] {
        let (switch, heard) = opened(with_trap(&format!("[method]switch.{export}"), 0)).await;
        let failed = match export {
            "adopt" => switch.adopt(None).await.err(),
            "tools-changed" => switch.tools_changed(tools(1)).await.err(),
            "sizes-told" => switch.sizes_told(Vec::new()).await.err(),
            "agents-seen" => switch.agents_seen(vec![agent("a", None)]).await.err(),
            "lineage-told" => switch.lineage_told(Vec::new()).await.err(),
            _ => switch.lift_all().await.err(),
        };
        assert!(
            matches!(failed, Some(SwitchError::Defect(_))),
            "{export}: {failed:?}"
        );
        assert!(heard.lock().unwrap().is_empty());
        assert_eq!(switch.summary().await.unwrap().agents, 0, "{export}");
    }
    for (export, nth) in [("open", 0), ("sizes", 0)] {
        let policy = Policy::start(with_trap(export, nth)).unwrap();
        let opened = policy
            .open(settings(), hosting(), Arc::new(|_, _| {}))
            .await;
        assert!(
            matches!(opened.err(), Some(SwitchError::Defect(_))),
            "{export}"
        );
    }
    let policy = Policy::start(with_trap("read-config", 0)).unwrap();
    let read = policy.read_config(String::new(), Naming::Dsh, None).await;
    assert!(matches!(read.err(), Some(SwitchError::Defect(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_component_of_nothing_but_traps_is_an_error_and_no_more() {
    let program = Arc::new(Program::new(Cow::Owned(defective::trapping().unwrap())));
    let policy = Policy::start(program).unwrap();
    assert!(
        policy
            .read_config("{}".into(), Naming::Dsh, None)
            .await
            .is_err()
    );
    assert!(
        policy
            .open(settings(), hosting(), Arc::new(|_, _| {}))
            .await
            .is_err()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_document_after_a_good_one_is_remembered_with_it() {
    let (switch, _) = opened(with_trap("[method]switch.summary", 2)).await;
    let good = br#"{"version":1,"revision":2,"conversations":{"a":{"enabled":true,"revision":1},"b":{"enabled":true,"revision":2}}}"#;
    let part = br#"{"version":1,"revision":3,"conversations":{"a":{"enabled":true,"revision":1},"b":7,"c":{"enabled":true,"revision":3}}}"#;
    switch.adopt(Some(good.to_vec())).await.unwrap();
    let adopted = switch.adopt(Some(part.to_vec())).await.unwrap();
    assert_eq!(adopted.damage.unwrap().field, "conversations.b");
    let adopted = switch.adopt(Some(b"{".to_vec())).await.unwrap();
    assert_eq!(
        (
            adopted.conversations.len(),
            adopted.damage.unwrap().field.as_str()
        ),
        (0, "")
    );
    let before = switch.conversations().await.unwrap();
    switch.summary().await.unwrap();
    // This one traps, and comes from a fresh instance.
    switch.summary().await.unwrap();
    assert_eq!(switch.conversations().await.unwrap(), before);
    assert_eq!(before.len(), 3);
    assert!(before.iter().all(|one| one.enabled));
}

#[tokio::test(flavor = "multi_thread")]
async fn very_many_agents_come_back_after_a_trap() {
    let (switch, heard) = opened(with_trap("[method]switch.summary", 2)).await;
    switch.adopt(None).await.unwrap();
    switch.tools_changed(tools(207)).await.unwrap();
    // Sub-agents come before the one that created them.
    let agents = (0..3000)
        .map(|n| agent(&format!("{n:04}"), (n % 3 == 0).then_some("z")))
        .collect();
    switch.agents_seen(agents).await.unwrap();
    switch.agents_seen(vec![agent("z", None)]).await.unwrap();
    let document = flip(&switch, None, "z").await;
    switch.adopt(document).await.unwrap();
    let before = heard.lock().unwrap().len();
    switch.summary().await.unwrap();
    assert_eq!(switch.summary().await.unwrap().agents, 3001);
    assert_eq!(
        heard.lock().unwrap().len(),
        before,
        "all stand as they stood"
    );
    assert!(switch.standing("0003").unwrap().enabled && !switch.standing("0004").unwrap().enabled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_setting_that_is_wrong_is_named() {
    let policy = Policy::start(Program::embedded()).unwrap();
    let read = policy
        .read_config(r#"{"servers":["a","a"]}"#.into(), Naming::Gateway, None)
        .await;
    let Err(SwitchError::Refused(problem)) = read else {
        panic!("accepted")
    };
    assert_eq!(
        (problem.kind, problem.field.as_str()),
        (ProblemKind::Duplicate, "servers[1]")
    );
    let none = Settings {
        servers: Vec::new(),
        default_enabled: false,
    };
    let opened = policy.open(none, hosting(), Arc::new(|_, _| {})).await;
    assert!(matches!(opened.err(), Some(SwitchError::Refused(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_lifted_stays_lifted_after_a_trap() {
    let (switch, _) = opened(with_trap("[method]switch.summary", 2)).await;
    switch.adopt(None).await.unwrap();
    switch.tools_changed(tools(2)).await.unwrap();
    switch.agents_seen(vec![agent("a", None)]).await.unwrap();
    assert_eq!(switch.standing("a").unwrap().mask.len(), 4);
    switch.lift_all().await.unwrap();
    assert_eq!(switch.standing("a").unwrap().mask.len(), 0);
    switch.summary().await.unwrap();
    switch.summary().await.unwrap();
    switch.tools_changed(tools(3)).await.unwrap();
    assert_eq!(switch.standing("a").unwrap().mask.len(), 0);
}

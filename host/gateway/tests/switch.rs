//! On is what the server sends, byte for byte; off is nothing of it; a flip is told to whom it concerns.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod bed;

use bed::{Bed, META, Talk, seat, stubs, until};
use rea_gateway::Seat;
use serde_json::{Value, json};

const TOOLS: &str = "notifications/tools/list_changed";
const ALL: [&str; 3] = [
    TOOLS,
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
];

#[tokio::test]
async fn on_is_byte_for_byte_what_the_server_sends() {
    for arguments in [
        &["--tools", "207"][..],
        &["--tools", "207", "--page", "50"],
        &["--odd"],
    ] {
        let mut direct = Talk::direct(arguments);
        direct.open().await;
        let mut client = Bed::one(stubs(&[("one", arguments)]), true)
            .opened("c")
            .await;
        for (method, params) in [
            ("tools/list", "{}"),
            ("prompts/list", "{}"),
            ("resources/list", "{}"),
            ("resources/templates/list", "{}"),
            (
                "tools/call",
                r#"{"name":"echo","arguments":{"z":1.0,"a":[1e2,"\u0061",123456789012345678901234567890], "z2" : null}}"#,
            ),
            ("tools/call", r#"{"name":"tool_003"}"#),
            (
                "prompts/get",
                r#"{"arguments":{"who":"\u0061"},"name":"greet"}"#,
            ),
            (
                "completion/complete",
                r#"{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":""}}"#,
            ),
            ("resources/read", r#"{"uri":"stub://one"}"#),
            ("resources/read", r#"{"uri":"stub://one/5"}"#),
            ("resources/read", r#"{"uri":"none://one"}"#),
        ] {
            let wanted = direct.raw(method, params).await;
            assert_eq!(
                client.raw(method, params).await,
                wanted,
                "{method} {params}"
            );
        }
        let mut cursor = "{}".to_owned();
        loop {
            let wanted = direct.raw("tools/list", &cursor).await;
            assert_eq!(client.raw("tools/list", &cursor).await, wanted);
            let page: Value = serde_json::from_str(&wanted).unwrap();
            match page.get("nextCursor") {
                Some(next) => cursor = json!({"cursor": next}).to_string(),
                None => break,
            }
        }
    }
}

#[tokio::test]
async fn off_is_nothing_of_it_and_the_server_hears_nothing() {
    let bed = Bed::one(stubs(&[("one", &["--tools", "207"])]), false);
    let mut client = bed.client("c");
    let opened = client.open().await;
    assert_eq!(opened.get("instructions"), None);
    for method in [
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ] {
        assert_eq!(client.names(method).await, [""; 0], "{method}");
    }
    let refused = |answer: Value, name: &str| {
        let text = answer["error"].to_string();
        text.replace(name, "NAME")
    };
    for (method, real, other) in [
        ("tools/call", r#"{"name":"echo"}"#, r#"{"name":"nope"}"#),
        ("prompts/get", r#"{"name":"greet"}"#, r#"{"name":"nope"}"#),
        (
            "resources/read",
            r#"{"uri":"stub://one"}"#,
            r#"{"uri":"stub://nope"}"#,
        ),
        (
            "completion/complete",
            r#"{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":""}}"#,
            r#"{"ref":{"type":"ref/prompt","name":"nope"},"argument":{"name":"who","value":""}}"#,
        ),
        (
            "completion/complete",
            r#"{"ref":{"type":"ref/resource","uri":"stub://one/{x}"},"argument":{"name":"x","value":""}}"#,
            r#"{"ref":{"type":"ref/resource","uri":"stub://nope/{x}"},"argument":{"name":"x","value":""}}"#,
        ),
    ] {
        let hidden = client.ask(method, real).await;
        assert_eq!(hidden["error"]["code"], -32602, "{hidden}");
        assert_eq!(
            refused(
                hidden,
                if real.contains("echo") {
                    "echo"
                } else if real.contains("greet") {
                    "greet"
                } else {
                    "one"
                }
            ),
            refused(client.ask(method, other).await, "nope")
        );
    }
    // Once on, the first call is the first of all.
    bed.policy.set("c", Some(true));
    assert_eq!(client.told().await, ALL);
    assert!(client.text("calls").await.ends_with(" 1"));
    // Unknown is told in the same words, whether the switch stands on or off.
    let unknown = client.call("nope").await;
    bed.policy.set("c", Some(false));
    assert_eq!(client.told().await, ALL);
    assert_eq!(
        refused(client.call("echo").await, "echo"),
        refused(unknown, "nope")
    );
}

#[tokio::test]
async fn on_after_off_is_what_was_there_before() {
    let bed = Bed::one(stubs(&[("one", &["--tools", "30"])]), true);
    let mut client = bed.client("c");
    assert_eq!(client.open().await["instructions"], "Use stub with care.");
    let before = client.raw("tools/list", "{}").await;
    bed.policy.set("c", Some(false));
    assert_eq!(client.told().await, ALL);
    assert_eq!(client.raw("tools/list", "{}").await, r#"{"tools":[]}"#);
    bed.policy.set("c", Some(true));
    assert_eq!(client.told().await, ALL);
    assert_eq!(client.raw("tools/list", "{}").await, before);
    // Setting what is set already tells nobody anything.
    bed.policy.set("c", Some(true));
    assert_eq!(client.told().await, [""; 0]);
}

#[tokio::test]
async fn conversations_are_apart_and_sub_agents_follow() {
    let bed = Bed::many(stubs(&[("one", &[])]), false, &[]);
    let mut on = bed.opened("on").await;
    let mut off = bed.opened("off").await;
    let mut child = bed.seated(Seat {
        conversation: "child".to_owned(),
        parent: Some("on".to_owned()),
    });
    child.open().await;
    bed.policy.set("on", Some(true));
    assert_eq!(on.told().await, ALL);
    assert_eq!(child.told().await, ALL);
    assert_eq!(off.told().await, [""; 0]);
    assert_eq!(on.names("tools/list").await.len(), 18);
    assert_eq!(child.names("tools/list").await.len(), 18);
    assert_eq!(off.names("tools/list").await.len(), 0);
    assert_eq!(off.call("echo").await["error"]["code"], -32602);

    // New tools of a server that is off stay hidden, and are not announced.
    assert_eq!(on.text("more").await, "there are more");
    assert_eq!(on.told().await, [TOOLS]);
    assert_eq!(off.told().await, [""; 0]);
    assert_eq!(off.names("tools/list").await.len(), 0);
}

#[tokio::test]
async fn the_modern_era_is_told_in_its_own_manner() {
    let bed = Bed::one(stubs(&[("one", &[])]), true);
    let mut client = bed.client("c");
    let modern = |more: &str| format!("{{{META}{more}}}");
    let hello = client.ask("server/discover", &modern("")).await;
    assert_eq!(
        hello["result"]["instructions"], "Use stub with care.",
        "{hello}"
    );
    assert_eq!(hello["result"]["cacheScope"], "private");
    let tools = client.ask("tools/list", &modern("")).await;
    for (name, value) in [
        ("resultType", json!("complete")),
        ("ttlMs", json!(0)),
        ("cacheScope", json!("private")),
    ] {
        assert_eq!(tools["result"][name], value, "{name}");
    }
    let called = client
        .ask("tools/call", &modern(r#","name":"calls""#))
        .await;
    assert_eq!(called["result"]["resultType"], "complete");

    // Nothing is told before it is asked for.
    bed.policy.set("c", Some(false));
    assert_eq!(client.told().await, [""; 0]);
    let wanted =
        r#","notifications":{"toolsListChanged":true,"resourceSubscriptions":["stub://one"]}"#;
    let listen = client.send("subscriptions/listen", &modern(wanted)).await;
    let first: Value = serde_json::from_str(&client.line().await).unwrap();
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(
        first["params"]["notifications"],
        json!({"toolsListChanged": true, "resourceSubscriptions": ["stub://one"]})
    );
    bed.policy.set("c", Some(true));
    let change: Value = serde_json::from_str(&client.line().await).unwrap();
    assert_eq!(change["method"], TOOLS);
    assert_eq!(
        change["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        json!(listen)
    );
    assert_eq!(client.told().await, [""; 0]);

    // Cancelled, it is told nothing more.
    client
        .say(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{listen}}}}}"#))
        .await;
    client.ask("ping", "{}").await;
    bed.policy.set("c", Some(false));
    assert_eq!(client.told().await, [""; 0]);
    let hello = client.ask("server/discover", &modern("")).await;
    assert_eq!(hello["result"].get("instructions"), None);
}

#[tokio::test]
async fn the_prompt_flips_the_switch_and_brings_the_instructions() {
    let serves = rea_gateway::Serves::One(seat("c"));
    let bed = Bed::new(stubs(&[("one", &[])]), false, serves, &[], true);
    let mut client = bed.opened("c").await;
    assert_eq!(client.names("prompts/list").await, ["rea"]);
    let words =
        r#"{"ref":{"type":"ref/prompt","name":"rea"},"argument":{"name":"position","value":"O"}}"#;
    let words = client.ask("completion/complete", words).await;
    assert_eq!(
        words["result"]["completion"]["values"],
        json!(["on", "off"])
    );
    let say = |word: &str| json!({"name": "rea", "arguments": {"position": word}}).to_string();
    let on = client.ask("prompts/get", &say("on")).await;
    let text = on["result"]["messages"][0]["content"]["text"]
        .as_str()
        .unwrap();
    assert!(text.ends_with("Use stub with care."), "{text}");
    assert_eq!(client.names("prompts/list").await, ["greet", "rea"]);
    let off = client.ask("prompts/get", &say("off")).await;
    assert!(!off.to_string().contains("with care"), "{off}");
    let odd = client.ask("prompts/get", &say("sideways")).await;
    assert!(
        odd["error"]["message"].as_str().unwrap().contains("Usage"),
        "{odd}"
    );
    // A modern client has other ways.
    let list = client.ask("prompts/list", &format!("{{{META}}}")).await;
    assert_eq!(list["result"]["prompts"], json!([]));
}

#[tokio::test]
async fn who_manages_sees_everything() {
    let bed = Bed::one(stubs(&[("one", &["--tools", "207"])]), false);
    let _client = bed.opened("c").await;
    until("the tools are told", || bed.policy.told.borrow().len() == 1).await;
    let told = bed.policy.told.borrow().clone();
    assert!(told[0].connected);
    assert_eq!(told[0].tools.len(), 218);
    assert!(told[0].tools.iter().all(|(_, bytes)| *bytes > 100));
}

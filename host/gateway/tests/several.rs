//! Several servers: names, addresses and instructions of each, and nothing of one at another.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod bed;

use std::collections::BTreeSet;

use bed::{Bed, Talk, stubs};
use serde_json::{Value, json};

fn two() -> rea_gateway::Config {
    stubs(&[
        (
            "left",
            &[
                "--name",
                "left",
                "--uri",
                "left://one",
                "--odd",
                "--page",
                "3",
            ],
        ),
        ("ri ght", &["--name", "right", "--uri", "right://one"]),
    ])
}

#[tokio::test]
async fn only_names_are_others() {
    let bed = Bed::one(two(), true);
    let mut client = bed.client("c");
    let opened = client.open().await;
    assert_eq!(
        opened["instructions"],
        "# left\n\nUse left with care.\n\n# ri ght\n\nUse right with care."
    );
    let names = client.names("tools/list").await;
    assert!(names.iter().all(|name| {
        (1..=64).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    }));
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    // 18, and four odd ones of which one is a repetition; then 18.
    assert_eq!(names.len(), 22 + 18);
    assert_eq!(names[0], "left__echo");

    let list = client.raw("tools/list", "{}").await;
    let mut direct = Talk::direct(&["--name", "right"]);
    direct.open().await;
    let own = direct.raw("tools/list", "{}").await;
    let own: Value = serde_json::from_str(&own).unwrap();
    let tool = own["tools"][2].to_string();
    let told = names[24].clone();
    assert!(told.starts_with("ri_ght__slow_"), "{told}");
    // Spelled as it was: see the entry as text.
    assert!(list.contains(&format!(
        r#""z":1.50,"a":1e3, "big":123456789012345678901234567890}}, "name":"{told}","inputSchema""#
    )));
    let whole: Value = serde_json::from_str(&list).unwrap();
    let mut back = whole["tools"][24].clone();
    back["name"] = json!("slow");
    assert_eq!(back.to_string(), tool);

    // Every name leads to its own tool.
    for name in &names {
        let (server, own) = name.split_once("__").unwrap();
        let server = if server == "left" { "left" } else { "right" };
        if own.starts_with("tool_")
            || own.starts_with("long")
            || own.starts_with("_n")
            || own.starts_with("a_b")
        {
            let text = client.text(name).await;
            assert!(text.ends_with(&format!(" of {server}")), "{name}: {text}");
        }
    }
    assert_eq!(client.call("echo").await["error"]["code"], -32602);
    assert_eq!(client.call("left__nope").await["error"]["code"], -32602);

    assert_eq!(
        client.names("resources/list").await,
        ["left://one", "right://one"]
    );
    for side in ["left", "right"] {
        for uri in [format!("{side}://one"), format!("{side}://one/unlisted")] {
            let read = client
                .ask("resources/read", &json!({"uri": uri}).to_string())
                .await;
            assert_eq!(read["result"]["contents"][0]["text"], side, "{read}");
        }
    }
    let missing = client.ask("resources/read", r#"{"uri":"none://x"}"#).await;
    assert_eq!(missing["error"]["code"], -32002);

    let prompts = client.names("prompts/list").await;
    assert_eq!(prompts[0], "left__greet");
    for (name, server) in [(&prompts[0], "left"), (&prompts[1], "right")] {
        let got = client
            .raw(
                "prompts/get",
                &json!({"name": name, "arguments": {"who": "x"}}).to_string(),
            )
            .await;
        assert!(got.contains(r#""name":"greet""#), "{got}");
        let params = json!({"ref": {"type": "ref/prompt", "name": name}, "argument": {"name": "who", "value": ""}});
        let completed = client.ask("completion/complete", &params.to_string()).await;
        assert_eq!(completed["result"]["completion"]["values"], json!([server]));
        assert_eq!(completed["result"]["asked"]["ref"]["name"], "greet");
    }
}

#[tokio::test]
async fn one_is_off_and_the_other_on() {
    let config = two();
    let policy = std::sync::Arc::new(rea_gateway::InMemory::new(["left".to_owned()], false));
    let options = rea_gateway::Options {
        serves: rea_gateway::Serves::One(bed::seat("c")),
        shared: BTreeSet::new(),
        prompt: false,
    };
    let gateway = rea_gateway::Gateway::new(config, policy.clone(), options);
    let bed = Bed { gateway, policy };
    let mut client = bed.client("c");
    assert_eq!(
        client.open().await["instructions"],
        "# ri ght\n\nUse right with care."
    );
    let names = client.names("tools/list").await;
    assert_eq!(names.len(), 18);
    assert_eq!(client.names("resources/list").await, ["right://one"]);
    let hidden = client.call("left__calls").await;
    let unknown = client.call("left__nope").await;
    assert_eq!(
        hidden
            .to_string()
            .replace("calls", "nope")
            .replace("\"id\":4", "\"id\":5"),
        unknown.to_string()
    );
    let read = client
        .ask("resources/read", r#"{"uri":"left://one"}"#)
        .await;
    assert_eq!(read["error"]["code"], -32002, "{read}");
    bed.policy.set("c", Some(true));
    client.told().await;
    assert_eq!(client.names("tools/list").await.len(), 22 + 18);
    assert!(client.text("left__calls").await.ends_with(" 1"));
}

#[tokio::test]
async fn equal_addresses_are_told() {
    let bed = Bed::one(stubs(&[("a", &[]), ("b", &[])]), true);
    let mut client = bed.opened("c").await;
    client.names("resources/list").await;
    let collisions = bed.gateway.collisions();
    assert_eq!(collisions.len(), 2, "{collisions:?}");
    assert!(collisions[0].contains("`a` and `b`") && collisions[0].contains("stub://one"));
}

#[tokio::test]
async fn conversations_do_not_share_what_a_server_remembers() {
    let config = stubs(&[("own", &["--name", "own"]), ("all", &["--name", "all"])]);
    let bed = Bed::many(config, true, &["all"]);
    let mut one = bed.opened("one").await;
    let mut other = bed.opened("other").await;
    let pid = |text: String| {
        text.split_once(' ')
            .map(|(pid, count)| (pid.to_owned(), count.to_owned()))
            .unwrap()
    };
    let (first, count) = pid(one.text("own__calls").await);
    assert_eq!(count, "1");
    let (second, count) = pid(other.text("own__calls").await);
    assert_eq!(count, "1");
    assert_ne!(first, second);
    assert_eq!(
        pid(one.text("own__calls").await),
        (first.clone(), "2".to_owned())
    );
    let (shared, _) = pid(one.text("all__calls").await);
    let (also, count) = pid(other.text("all__calls").await);
    assert_eq!((shared, "2"), (also, count.as_str()));

    // A second client of a conversation has its connection; with the last one it ends.
    let mut again = bed.opened("one").await;
    assert_eq!(pid(again.text("own__calls").await).0, first);
    one.leave().await;
    assert_eq!(
        pid(again.text("own__calls").await),
        (first.clone(), "4".to_owned())
    );
    again.leave().await;
    let path = format!("/proc/{first}");
    bed::until("its server ends", || !std::path::Path::new(&path).exists()).await;
    let mut anew = bed.opened("one").await;
    assert_eq!(pid(anew.text("own__calls").await).1, "1");
}

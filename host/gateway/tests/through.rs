//! What goes through in both directions, and what becomes of bad servers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod bed;

use std::time::{Duration, Instant};

use bed::{Bed, META, Talk, stubs};
use serde_json::{Value, json};

#[tokio::test]
async fn progress_has_the_clients_token_and_comes_before_the_answer() {
    let mut client = Bed::one(stubs(&[("one", &[])]), true).opened("c").await;
    for token in ["\"mine\"", "7"] {
        let params =
            format!(r#"{{"name":"progress","_meta":{{"other":1.0,"progressToken":{token}}}}}"#);
        let id = client.send("tools/call", &params).await;
        for step in 1..=3 {
            assert_eq!(
                client.line().await,
                format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{step}.50,"total":3}}}}"#
                )
            );
        }
        client.answer(id).await;
    }
    let echo = client
        .raw("tools/call", r#"{"name":"echo","_meta":{"other":1.0}}"#)
        .await;
    assert!(echo.contains(r#""_meta":{"other":1.0}"#), "{echo}");
}

#[tokio::test]
async fn answers_reach_who_asked_and_cancelled_ones_nobody() {
    let bed = Bed::many(stubs(&[("one", &[])]), true, &["one"]);
    let mut clients = Vec::new();
    for at in 0..4 {
        clients.push(bed.opened(&format!("c{at}")).await);
    }
    // All use the same ids on one connection; each is told its own.
    for round in 0..50 {
        let mut ids = Vec::new();
        for (at, client) in clients.iter_mut().enumerate() {
            let params = json!({"name": "echo", "arguments": {"of": at, "round": round}});
            ids.push(client.send("tools/call", &params.to_string()).await);
        }
        for ((at, client), id) in clients.iter_mut().enumerate().zip(ids) {
            let answer: Value = serde_json::from_str(&client.answer(id).await).unwrap();
            let arguments = &answer["result"]["structuredContent"]["arguments"];
            assert_eq!(*arguments, json!({"of": at, "round": round}));
        }
    }
    let client = &mut clients[0];
    let id = client.send("tools/call", r#"{"name":"slow"}"#).await;
    client
        .say(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#))
        .await;
    // The id is free, and the late answer isn't for the next that has it.
    client
        .say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{{"mine":1}}}}}}"#))
        .await;
    assert!(client.answer(id).await.contains("mine"));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(client.told().await, [""; 0]);
}

#[tokio::test]
async fn a_server_asks_the_client_that_called() {
    let bed = Bed::many(stubs(&[("one", &[])]), true, &["one"]);
    let mut other = bed.opened("other").await;
    let mut client = bed.opened("c").await;
    let id = client.send("tools/call", r#"{"name":"ask"}"#).await;
    let question: Value = serde_json::from_str(&client.line().await).unwrap();
    assert_eq!(question["method"], "sampling/createMessage");
    client
        .say(&format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{{"said":1.50}}}}"#,
            question["id"]
        ))
        .await;
    assert!(
        client
            .answer(id)
            .await
            .contains(r#""structuredContent":{"said":1.50}"#)
    );

    // If two conversations wait it can't be known whom it means: nobody is asked.
    other.send("tools/call", r#"{"name":"never"}"#).await;
    other.ask("ping", "{}").await;
    let refused = client.call("ask").await;
    assert_eq!(
        refused["result"]["structuredContent"], "an error",
        "{refused}"
    );
    assert_eq!(other.told().await, [""; 0]);
    assert_eq!(client.told().await, [""; 0]);
}

#[tokio::test]
async fn logs_and_updates_of_a_conversation_are_its_own() {
    let bed = Bed::many(stubs(&[("one", &[])]), true, &[]);
    let mut client = bed.opened("c").await;
    let mut other = bed.opened("other").await;
    client.text("calls").await;
    other.text("calls").await;
    client.text("log").await;
    assert_eq!(client.told().await, ["notifications/message"]);
    client.text("touch").await;
    assert_eq!(client.told().await, [""; 0]);
    client
        .ask("resources/subscribe", r#"{"uri":"stub://one"}"#)
        .await;
    client.text("touch").await;
    assert_eq!(client.told().await, ["notifications/resources/updated"]);
    client
        .ask("resources/unsubscribe", r#"{"uri":"stub://one"}"#)
        .await;
    client.text("touch").await;
    assert_eq!(client.told().await, [""; 0]);
    assert_eq!(other.told().await, [""; 0]);
}

#[tokio::test]
async fn a_burst_of_changes_is_told_once() {
    let bed = Bed::one(stubs(&[("one", &[])]), true);
    let mut client = bed.opened("c").await;
    assert_eq!(client.names("tools/list").await.len(), 18);
    client.text("more").await;
    let told = client.told().await;
    assert!((1..=2).contains(&told.len()), "{told:?}");
    assert_eq!(client.names("tools/list").await.len(), 19);
}

#[tokio::test]
async fn a_server_that_dies_is_down_and_comes_back() {
    let bed = Bed::one(stubs(&[("one", &[])]), true);
    let mut client = bed.opened("c").await;
    let before = client.raw("tools/list", "{}").await;
    let died = client.call("die").await;
    assert_eq!(died["error"]["code"], -32603, "{died}");
    assert_eq!(
        died["error"]["data"],
        json!({"server": "one", "state": "down"})
    );
    let text = died["error"]["message"].as_str().unwrap();
    assert!(
        text.contains("exit status: 7") && text.contains("the stub stub has begun"),
        "{text}"
    );
    // Its absence is not "off".
    assert_eq!(client.raw("tools/list", "{}").await, before);
    let start = Instant::now();
    loop {
        let answer = client.call("calls").await;
        if answer.get("result").is_some() {
            break;
        }
        assert_eq!(answer["error"]["data"]["state"], "down", "{answer}");
        assert!(start.elapsed() < Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(
        start.elapsed() > Duration::from_millis(100),
        "there is a wait between"
    );
    assert_eq!(client.told().await, [""; 0], "the lists are what they were");
}

#[tokio::test]
async fn a_command_that_does_not_start_is_said_and_costs_nothing_else() {
    for (config, said) in [
        (
            rea_gateway::Config::of_child("gone", "/no/such/program".to_owned(), &[]),
            "`/no/such/program` does not start",
        ),
        (stubs(&[("gone", &["--dies"])]), "exit status: 3"),
    ] {
        let bed = Bed::one(config, true);
        let mut client = bed.client("c");
        let opened = client.open().await;
        assert!(
            opened["capabilities"]["tools"]["listChanged"] == true,
            "{opened}"
        );
        assert_eq!(client.names("tools/list").await, [""; 0]);
        let custom = client.ask("vendor/method", "{}").await;
        let text = custom["error"]["message"].as_str().unwrap();
        assert!(
            text.contains(said) && text.contains("tried again in"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn garbage_loops_and_huge_lists_do_no_harm() {
    let mut client = Bed::one(stubs(&[("one", &["--garbage"])]), true)
        .opened("c")
        .await;
    assert_eq!(client.names("tools/list").await.len(), 18);

    let looping = ["--loop", "--page", "4"];
    let mut client = Bed::one(stubs(&[("one", &looping)]), true)
        .opened("c")
        .await;
    let mut cursor = "{}".to_owned();
    let mut pages = 0;
    loop {
        let page = client.ask("tools/list", &cursor).await;
        pages += 1;
        match page["result"].get("nextCursor") {
            Some(next) => cursor = json!({"cursor": next}).to_string(),
            None => break,
        }
        assert!(pages < 100, "the pages lead back");
    }

    let mut client = Bed::one(stubs(&[("one", &["--huge", "10"])]), true)
        .opened("c")
        .await;
    let list = client.raw("tools/list", "{}").await;
    assert!(list.len() > 10 << 20);
    let mut direct = Talk::direct(&["--huge", "10"]);
    direct.open().await;
    assert!(direct.raw("tools/list", "{}").await == list);
}

#[tokio::test]
async fn a_server_of_the_modern_era_serves_clients_of_both() {
    let bed = Bed::one(stubs(&[("one", &["--modern"])]), true);
    let mut client = bed.client("c");
    assert_eq!(client.open().await["instructions"], "Use stub with care.");
    assert_eq!(client.names("tools/list").await.len(), 18);
    let echo = client
        .ask("tools/call", r#"{"name":"echo","arguments":{"a":1}}"#)
        .await;
    let meta = &echo["result"]["structuredContent"]["_meta"];
    assert_eq!(
        meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28",
        "{echo}"
    );
    assert_eq!(
        meta["io.modelcontextprotocol/clientCapabilities"],
        json!({"sampling": {}})
    );
    let params = format!(r#"{{{META},"name":"echo"}}"#);
    let echo = client.raw("tools/call", &params).await;
    assert!(echo.contains(&params), "{echo}");
    let list = client.ask("tools/list", &format!("{{{META}}}")).await;
    assert_eq!(list["result"]["cacheScope"], "private");
}

#[tokio::test]
async fn a_modern_client_of_a_legacy_server_leaves_its_era_at_the_door() {
    let mut client = Bed::one(stubs(&[("one", &[])]), true).client("c");
    let echo = client
        .raw(
            "tools/call",
            &format!(r#"{{"name":"echo",{META},"arguments":{{"a":1.0}}}}"#),
        )
        .await;
    assert!(
        echo.contains(r#"{"name":"echo","_meta":{},"arguments":{"a":1.0}}"#),
        "{echo}"
    );
    // No such resource has another code in the era.
    let missing = client
        .ask("resources/read", &format!(r#"{{{META},"uri":"none://x"}}"#))
        .await;
    assert_eq!(missing["error"]["code"], -32602, "{missing}");
}

#[tokio::test]
async fn a_client_that_leaves_takes_its_requests_with_it() {
    let bed = Bed::one(stubs(&[("one", &[])]), true);
    let mut client = bed.opened("c").await;
    client.send("tools/call", r#"{"name":"slow"}"#).await;
    client.leave().await;
    bed.gateway.close().await;
}

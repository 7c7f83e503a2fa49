//! A connection from its first byte to its last, over real pipes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod support;

use std::time::{Duration, Instant};

use serde_json::Value;
use support::{META, Server};

fn call(id: &str, tool: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"}}}}"#)
}

fn modern(id: &str, method: &str, more: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{META}{more}}}}}"#)
}

fn toggle(id: &str) -> String {
    modern(id, "tools/call", r#","name":"toggle""#)
}

fn cancel(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
    )
}

fn notifications(server: &Server) -> Vec<&Value> {
    server
        .seen
        .iter()
        .filter(|message| message.get("id").is_none())
        .collect()
}

#[test]
fn the_late_answer_to_a_cancelled_request_does_not_reach_the_next_of_that_id() {
    let mut server = Server::opened();
    server.say(&call("7", "slow"));
    server.say(&cancel("7"));
    server.say(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"mine":1}}}"#);
    let answer = server.answer(7);
    assert!(answer.to_string().contains("mine"), "{answer}");
    assert!(server.finish().success());
    assert_eq!(server.seen.len(), 1, "{:#?}", server.seen);
}

#[test]
fn what_was_asked_before_the_end_of_input_is_answered() {
    let mut server = Server::opened();
    for id in 0..20 {
        server.say(&call(&id.to_string(), "slow"));
    }
    server.send(call("99", "slow").as_bytes());
    assert!(server.finish().success());
    assert_eq!(server.seen.len(), 21);
}

#[test]
fn an_open_subscription_does_not_keep_the_process() {
    let mut server = Server::start();
    for id in 0..50 {
        server.say(&modern(
            &id.to_string(),
            "subscriptions/listen",
            r#","notifications":{"toolsListChanged":true}"#,
        ));
    }
    for _ in 0..50 {
        server.next();
    }
    let start = Instant::now();
    assert!(server.finish().success());
    assert!(
        start.elapsed() < Duration::from_secs(3),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_subscription_bears_the_clients_id_and_ends_when_cancelled() {
    let mut server = Server::start();
    server.say(&modern(
        "\"mine\"",
        "subscriptions/listen",
        r#","notifications":{"toolsListChanged":true,"resourcesListChanged":true}"#,
    ));
    let acknowledged = server.next();
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    // Only what is served is accepted.
    assert_eq!(
        acknowledged["params"]["notifications"],
        serde_json::json!({"toolsListChanged": true})
    );
    server.say(&toggle("1"));
    server.answer(1);
    if notifications(&server).len() < 2 {
        server.next();
    }
    let told = notifications(&server);
    for message in &told {
        assert_eq!(
            message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
            "mine"
        );
    }
    assert_eq!(told.len(), 2);
    server.say(&cancel("\"mine\""));
    server.say(&modern("2", "prompts/list", ""));
    server.answer(2);
    server.say(&toggle("3"));
    server.answer(3);
    assert!(server.finish().success());
    // No notification more, and no answer to the request that was cancelled.
    assert_eq!(notifications(&server).len(), 2, "{:#?}", server.seen);
    assert!(
        server
            .seen
            .iter()
            .all(|message| message.get("id") != Some(&"mine".into()))
    );
}

#[test]
fn a_modern_client_is_told_only_what_it_subscribed_to() {
    let mut server = Server::start();
    server.say(&toggle("1"));
    server.answer(1);
    server.say(&modern(
        "2",
        "subscriptions/listen",
        r#","notifications":{"promptsListChanged":true}"#,
    ));
    server.next();
    server.say(&toggle("3"));
    server.answer(3);
    assert!(server.finish().success());
    let told = notifications(&server);
    assert_eq!(told.len(), 1, "{told:#?}");
    assert_eq!(
        told[0]["method"],
        "notifications/subscriptions/acknowledged"
    );
}

#[test]
fn a_client_that_closes_our_output_ends_us_though_our_input_is_open() {
    let mut server = Server::opened();
    server.hang_up();
    // Two answers: the first lets the reader notice that it is not wanted, the second meets a closed pipe.
    server.say(&call("1", "echo"));
    std::thread::sleep(Duration::from_millis(200));
    server.say(&call("2", "echo"));
    assert!(server.ended());
}

#[test]
fn ten_thousand_requests_at_once_are_each_answered_once() {
    let mut server = Server::opened();
    let mut all = String::new();
    for id in 0..10_000 {
        all += &format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
    }
    // Written while the answers are read by the support's thread.
    server.send(all.as_bytes());
    assert!(server.finish().success());
    let mut ids: Vec<i64> = server
        .seen
        .iter()
        .map(|message| message["id"].as_i64().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..10_000).collect::<Vec<i64>>());
}

#[test]
fn a_mended_request_is_answered_on_the_same_connection() {
    let mut server = Server::opened();
    server.say(r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet","arguments":{"name":1}}}"#);
    let refused = server.answer(1);
    assert_eq!(
        refused["error"]["data"]["errors"][0]["path"],
        "params.arguments.name"
    );
    server.say(r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet","arguments":{"name":"1"}}}"#);
    assert!(server.answer(1).get("result").is_some());
}

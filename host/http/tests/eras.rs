//! What each era gets: notifications, statuses, headers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod support;

use std::time::Duration;

use serde_json::{Value, json};
use support::{
    Bed, META,
    client::{Client, Request, post},
};

fn whole(path: &str, method: &str, params: &str) -> Request {
    let more = if params.is_empty() {
        String::new()
    } else {
        format!(",{params}")
    };
    post(
        path,
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{{META}{more}}}}}"#),
    )
    .modern()
}

const TOGGLE: &str = r#""name":"toggle""#;

#[test]
fn only_the_clients_of_one_conversation_are_told_each_in_its_manner() {
    let bed = Bed::start();
    let to = bed.address;
    let (mine, other) = (Client::open(to, "/c/a/mcp"), Client::open(to, "/c/b/mcp"));
    let (mut free, mut elsewhere) = (mine.listen(), other.listen());
    let listen = r#""notifications":{"toolsListChanged":true}"#;
    let mut subscribed = whole("/c/a/mcp", "subscriptions/listen", listen).send(to);
    assert_eq!(subscribed.header("content-type"), Some("text/event-stream"));
    let first = subscribed.message().unwrap();
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    let mut deaf = whole(
        "/c/a/mcp",
        "subscriptions/listen",
        r#""notifications":{"promptsListChanged":true}"#,
    )
    .send(to);
    deaf.message().unwrap();

    let done = whole("/c/a/mcp", "tools/call", TOGGLE).send(to).json();
    assert_eq!(done["result"]["resultType"], "complete");
    let told = free.message().unwrap();
    assert_eq!(
        told,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    );
    let told = subscribed.message().unwrap();
    assert_eq!(told["method"], "notifications/tools/list_changed");
    assert_eq!(
        told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        7
    );

    // The others heard nothing: what they hear next is their own.
    other.ask("tools/call", r#"{"name":"toggle"}"#);
    assert_eq!(
        elsewhere.message().unwrap()["method"],
        "notifications/tools/list_changed"
    );
    drop((free, subscribed, deaf));
    let again = whole("/c/a/mcp", "tools/call", TOGGLE).send(to).json();
    assert!(again["result"].is_object(), "{again}");
}

#[test]
fn a_whole_request_needs_no_session_and_gets_none() {
    let bed = Bed::start();
    let answer = whole("/mcp", "server/discover", "")
        .with("mcp-session-id", "whatever")
        .send(bed.address);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("mcp-session-id"), None);
    let answer = answer.json();
    assert!(answer["result"]["supportedVersions"].is_array(), "{answer}");
    let made = bed.made.lock().unwrap().clone();
    assert_eq!(made, [("/mcp".to_owned(), None)]);
}

#[test]
fn headers_and_body_must_agree() {
    let bed = Bed::start();
    let list = |change: fn(Request) -> Request| {
        let answer = change(whole("/mcp", "tools/list", "")).send(bed.address);
        let status = answer.status;
        (status, answer.json()["error"]["code"].as_i64().unwrap_or(0))
    };
    assert_eq!(list(|request| request), (200, 0));
    assert_eq!(list(|request| request.without("mcp-method")), (400, -32020));
    assert_eq!(
        list(|request| request.with("mcp-method", "tools/list")),
        (400, -32020)
    );
    assert_eq!(
        list(|request| request.without("mcp-protocol-version")),
        (400, -32020)
    );
    assert_eq!(
        list(|request| request
            .without("mcp-protocol-version")
            .with("mcp-protocol-version", "2025-11-25")),
        (400, -32020)
    );
    let echo = r#""name":"echo""#;
    let call = whole("/mcp", "tools/call", echo);
    assert_eq!(call.clone().without("mcp-name").status(bed.address), 400);
    assert_eq!(call.status(bed.address), 200);
}

#[test]
fn what_a_request_lacks_is_said_with_400() {
    let bed = Bed::start();
    let bare = post("/mcp", r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#)
        .with("mcp-protocol-version", "2026-07-28")
        .with("mcp-method", "tools/list");
    let answer = bare.send(bed.address);
    assert_eq!(answer.status, 400);
    let error = answer.json();
    assert_eq!(
        (&error["id"], &error["error"]["code"]),
        (&json!(7), &json!(-32602))
    );
    let paths: Vec<&str> = error["error"]["data"]["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| error["path"].as_str().unwrap())
        .collect();
    assert!(
        paths.iter().any(|path| path.contains("clientCapabilities")),
        "{paths:?}"
    );
    // A version that nobody has heard of.
    let other = post(
        "/mcp",
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{{{META}}}}}"#)
            .replace("2026-07-28", "2099-01-01"),
    );
    let answer = other.modern().send(bed.address);
    assert_eq!(answer.status, 400);
    let error = answer.json();
    assert_eq!(error["error"]["code"], -32022);
    assert!(
        error["error"]["data"]["supported"]
            .as_array()
            .unwrap()
            .contains(&json!("2026-07-28"))
    );
    // In a session too.
    let client = Client::open(bed.address, "/mcp");
    let ping = post("/mcp", r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#)
        .with("mcp-protocol-version", "1999-01-01");
    let answer = client.dress(ping).send(bed.address);
    assert_eq!(answer.status, 400);
    assert_eq!(answer.json()["error"]["code"], -32022);
}

#[test]
fn what_was_removed_is_not_found() {
    let bed = Bed::start();
    for method in [
        "ping",
        "initialize",
        "logging/setLevel",
        "resources/subscribe",
        "no/such",
    ] {
        let answer = whole("/mcp", method, "").send(bed.address);
        assert_eq!(answer.status, 404, "{method}");
        let error = answer.json();
        assert_eq!(
            (&error["id"], &error["error"]["code"]),
            (&json!(7), &json!(-32601)),
            "{method}"
        );
    }
}

#[test]
fn a_panic_costs_one_request_and_tells_nothing() {
    let bed = Bed::start();
    let client = Client::open(bed.address, "/mcp");
    for answer in [
        client.ask("tools/call", r#"{"name":"panic"}"#),
        whole("/mcp", "tools/call", r#""name":"panic""#)
            .send(bed.address)
            .json(),
        post("/c/panic/mcp", support::INITIALIZE)
            .send(bed.address)
            .json(),
        whole("/c/panic/mcp", "tools/list", "")
            .send(bed.address)
            .json(),
    ] {
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
        assert!(!answer.to_string().contains("must not be told"), "{answer}");
    }
    assert!(client.ask("ping", "{}")["result"].is_object());
}

#[test]
fn a_bare_refusal_of_a_handler_is_explained_in_both_eras() {
    let bed = Bed::start();
    let client = Client::open(bed.address, "/mcp");
    let path = |answer: &Value| answer["error"]["data"]["errors"][0]["path"].clone();
    let legacy = client.ask("prompts/get", r#"{"name":"nope"}"#);
    let modern = whole("/mcp", "prompts/get", r#""name":"nope""#)
        .send(bed.address)
        .json();
    assert_eq!(
        (path(&legacy), path(&modern)),
        (json!("params.name"), json!("params.name"))
    );
}

#[test]
fn slow_work_becomes_a_stream_that_says_it_lives() {
    let bed = Bed::with(|config| {
        config.limits.patience = Duration::from_millis(50);
        config.limits.keep_alive = Duration::from_millis(60);
    });
    let client = Client::open(bed.address, "/mcp");
    let legacy =
        client.post(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow"}}"#);
    let modern = whole("/mcp", "tools/call", r#""name":"slow""#).send(bed.address);
    for answer in [legacy, modern] {
        assert_eq!(answer.header("content-type"), Some("text/event-stream"));
        let text = answer.text();
        assert!(text.starts_with(":\n\n"), "{text}");
        assert!(text.contains(r#""text":"done""#), "{text}");
    }
}

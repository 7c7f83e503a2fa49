//! Sessions of clients that open with `initialize`: whose they are, how many, how long.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod support;

use std::{collections::HashSet, thread::sleep, time::Duration};

use serde_json::json;
use support::{
    Bed, INITIALIZE,
    client::{Client, post},
};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

#[test]
fn ids_cannot_be_guessed_and_the_factory_knows_them() {
    let bed = Bed::start();
    let all: HashSet<String> = (0..50)
        .map(|_| Client::open(bed.address, "/c/a/mcp").session)
        .collect();
    assert_eq!(all.len(), 50);
    let made = bed.made.lock().unwrap().clone();
    for id in &all {
        assert!(
            id.len() >= 32 && id.bytes().all(|byte| byte.is_ascii_graphic()),
            "{id}"
        );
        assert!(made.contains(&("/c/a/mcp".to_owned(), Some(id.clone()))));
    }
}

#[test]
fn a_session_is_there_on_its_own_path_only() {
    let bed = Bed::start();
    let client = Client::open(bed.address, "/c/a/mcp");
    for path in ["/mcp", "/c/b/mcp", "/c/%61/mcp"] {
        let elsewhere = Client {
            path: path.into(),
            ..client.clone()
        };
        assert_eq!(elsewhere.post(PING).status, 404, "{path}");
        assert_eq!(elsewhere.listen().status, 404, "{path}");
        assert_eq!(elsewhere.end(), 404, "{path}");
    }
    assert_eq!(client.post(PING).status, 200);
    // Of a page it is another principal's, also of one that is welcome.
    let bed = Bed::with(|config| config.allow_origins = vec!["http://chat.example".into()]);
    let client = Client::open(bed.address, "/mcp");
    let page = Client {
        extra: vec![("origin".into(), "http://chat.example".into())],
        ..client.clone()
    };
    assert_eq!(page.post(PING).status, 404);
    assert_eq!(client.post(PING).status, 200);
}

/// CVE-2026-111770, CVE-2026-25536: a bare JSON-RPC id is no address.
#[test]
fn two_clients_with_the_same_ids_get_their_own_answers() {
    let bed = Bed::start();
    let clients: Vec<Client> = (0..8).map(|_| Client::open(bed.address, "/mcp")).collect();
    std::thread::scope(|scope| {
        for (number, client) in clients.iter().enumerate() {
            scope.spawn(move || {
                for turn in 0..30 {
                    let word = format!("{number}-{turn}");
                    let slow = turn % 10 == 0;
                    let params = json!({"name": if slow { "slow" } else { "echo" }, "arguments": {"word": word}});
                    let answer = client.ask("tools/call", &params.to_string());
                    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
                    assert!(slow || text.contains(&word), "{text} is not for {word}");
                }
            });
        }
    });
}

#[test]
fn a_cancelled_request_answers_nothing_and_its_id_is_free() {
    let bed = Bed::start();
    let client = Client::open(bed.address, "/mcp");
    let slow = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow"}}"#;
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
    std::thread::scope(|scope| {
        let first = scope.spawn(|| client.post(slow).message());
        sleep(Duration::from_millis(60));
        assert_eq!(client.post(cancel).status, 202);
        // What the cancelled one still gives must not be taken for this one's answer.
        let again = client.ask("prompts/list", "{}");
        assert!(again["result"]["prompts"].is_array(), "{again}");
        assert_eq!(first.join().unwrap(), None);
    });
    assert_eq!(client.post(cancel).status, 202);
}

#[test]
fn a_session_ends_with_delete_idleness_and_departure() {
    let bed = Bed::with(|config| {
        config.limits.idle = Duration::from_millis(900);
        config.limits.left = Duration::from_millis(200);
    });
    let client = Client::open(bed.address, "/mcp");
    assert_eq!(client.end(), 204);
    assert_eq!(client.post(PING).status, 404);
    assert_eq!(client.end(), 404);

    let idle = Client::open(bed.address, "/mcp");
    let listening = Client::open(bed.address, "/mcp");
    let stream = listening.listen();
    let left = Client::open(bed.address, "/mcp");
    drop(left.listen());
    sleep(Duration::from_millis(700));
    assert_eq!(left.post(PING).status, 404, "its client left");
    assert_eq!(idle.post(PING).status, 200, "it is not idle for so long");
    sleep(Duration::from_millis(1600));
    assert_eq!(idle.post(PING).status, 404, "it was idle");
    assert_eq!(listening.post(PING).status, 200, "it has a stream");
    drop(stream);
}

#[test]
fn there_is_room_for_so_many_and_the_silent_one_goes() {
    let bed = Bed::with(|config| config.limits.sessions = 3);
    let kept: Vec<Client> = (0..3).map(|_| Client::open(bed.address, "/mcp")).collect();
    let full = post("/mcp", INITIALIZE).send(bed.address);
    assert_eq!(full.status, 503);
    assert!(full.header("retry-after").is_some());
    assert_eq!(full.json()["error"]["code"], -32603);
    assert_eq!(kept[1].end(), 204);
    Client::open(bed.address, "/mcp");

    let bed = Bed::with(|config| {
        config.limits.sessions = 2;
        config.limits.idle = Duration::from_secs(3);
    });
    let first = Client::open(bed.address, "/mcp");
    let held = Client::open(bed.address, "/mcp");
    let _stream = held.listen();
    // Below the time of one that is fresh nobody is put out, and that is bounded by the idle time.
    assert_eq!(post("/mcp", INITIALIZE).status(bed.address), 503);
    sleep(Duration::from_millis(3800));
    Client::open(bed.address, "/mcp");
    assert_eq!(first.post(PING).status, 404);
    assert_eq!(held.post(PING).status, 200);
}

#[test]
fn a_session_answers_so_many_requests_at_once() {
    let bed = Bed::with(|config| config.limits.requests = 2);
    let client = Client::open(bed.address, "/mcp");
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..6)
            .map(|id| {
                let slow = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "slow"}});
                let client = &client;
                scope.spawn(move || client.post(slow.to_string()).status)
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(
        statuses.contains(&429) && statuses.contains(&200),
        "{statuses:?}"
    );
}

#[test]
fn what_does_not_open_leaves_nothing() {
    let bed = Bed::with(|config| config.limits.sessions = 2);
    let bad = INITIALIZE.replace("\"clientInfo\"", "\"who\"");
    for _ in 0..5 {
        let answer = post("/mcp", bad.as_str()).send(bed.address);
        assert_eq!(
            (answer.status, answer.header("mcp-session-id")),
            (200, None)
        );
        assert_eq!(
            answer.json()["error"]["data"]["errors"][0]["path"],
            "params.clientInfo"
        );
        assert_eq!(post("/c/nobody/mcp", INITIALIZE).status(bed.address), 404);
        sleep(Duration::from_millis(20));
    }
    Client::open(bed.address, "/mcp");
    Client::open(bed.address, "/mcp");
}

#[test]
fn the_server_stops_although_streams_are_open() {
    let mut bed = Bed::start();
    let client = Client::open(bed.address, "/mcp");
    let mut stream = client.listen();
    let start = std::time::Instant::now();
    bed.stop();
    assert_eq!(stream.message(), None);
    assert!(start.elapsed() < Duration::from_secs(2));
}

//! A server over Streamable HTTP: the stub behind the smallest HTTP server, which answers with JSON or with events.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod bed;

use std::{
    process::Stdio,
    sync::{Arc, Mutex},
};

use bed::{Bed, Talk, example, until};
use rea_gateway::Config;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    process::{ChildStdin, Command},
    sync::{Mutex as Turn, mpsc},
};

/// What came: method and header fields of each request.
type Seen = Arc<Mutex<Vec<(String, Vec<String>)>>>;

struct Stub {
    input: ChildStdin,
    output: mpsc::UnboundedReceiver<String>,
    _child: tokio::process::Child,
}

/// Serves the stub; its address, and what came.
async fn served(arguments: &[&str], events: bool) -> (String, Seen) {
    let mut child = Command::new(example("stub"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (send, output) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok(Some(line)) = lines.next_line().await {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let stub = Arc::new(Turn::new(Stub {
        input: child.stdin.take().unwrap(),
        output,
        _child: child,
    }));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let seen = Seen::default();
    let all = seen.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(connection(stream, stub.clone(), all.clone(), events));
        }
    });
    (url, seen)
}

async fn connection(stream: TcpStream, stub: Arc<Turn<Stub>>, seen: Seen, events: bool) {
    let mut stream = BufReader::new(stream);
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
                return;
            }
            if line == "\r\n" {
                break;
            }
            head.push(line.trim_end().to_lowercase());
        }
        let length = head
            .iter()
            .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        stream.read_exact(&mut body).await.unwrap();
        let body = String::from_utf8(body).unwrap();
        let method = head[0].split(' ').next().unwrap().to_owned();
        seen.lock().unwrap().push((method.clone(), head.clone()));
        let message: Value = serde_json::from_str(&body).unwrap_or_default();
        let first = message["method"] == "initialize" || message["method"] == "server/discover";
        let session = head.iter().any(|line| line == "mcp-session-id: s1");
        let modern = head
            .iter()
            .any(|line| line == "mcp-protocol-version: 2026-07-28");
        let (status, kind, answer) = match method.as_str() {
            "get" => ("405 No", "text/plain", String::new()),
            "delete" => ("200 OK", "text/plain", String::new()),
            _ if !first && !session && !modern => {
                ("400 Bad", "text/plain", "no session".to_owned())
            }
            _ => {
                let mut stub = stub.lock().await;
                stub.input
                    .write_all(format!("{body}\n").as_bytes())
                    .await
                    .unwrap();
                let mut answer = String::new();
                if message.get("id").is_some() && message["method"] != "subscriptions/listen" {
                    while let Some(line) = stub.output.recv().await {
                        let said: Value = serde_json::from_str(&line).unwrap();
                        let whole = said["id"] == message["id"];
                        if events {
                            // Of two lines: a line end is a blank of JSON there.
                            answer.push_str(&format!(
                                "event: message\ndata: {{\ndata: {}\n\n",
                                &line[1..]
                            ));
                        } else if whole {
                            answer = format!("{{\r\n{}", &line[1..]);
                        }
                        if whole {
                            break;
                        }
                    }
                }
                match (answer.is_empty(), events) {
                    (true, _) => ("202 Accepted", "text/plain", answer),
                    (_, true) => ("200 OK", "text/event-stream", answer),
                    (_, false) => ("200 OK", "application/json", answer),
                }
            }
        };
        let given = if first && !modern {
            "mcp-session-id: s1\r\n"
        } else {
            ""
        };
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{given}content-length: {}\r\n\r\n",
            answer.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(answer.as_bytes()).await.unwrap();
        stream.flush().await.unwrap();
    }
}

fn config(url: &str) -> Config {
    let text = json!({"mcpServers": {"far": {"type": "http", "url": url, "headers": {"Authorization": "Bearer ${T}"}}}});
    Config::read(&text.to_string(), "test", &|_| Some("S3cret".to_owned())).unwrap()
}

#[tokio::test]
async fn lists_and_calls_are_what_the_server_sends() {
    for events in [false, true] {
        let (url, seen) = served(&["--tools", "20", "--page", "7"], events).await;
        let bed = Bed::one(config(&url), true);
        let mut client = bed.client("c");
        let opened = client.open().await;
        assert_eq!(opened["instructions"], "Use stub with care.", "{opened}");
        let mut direct = Talk::direct(&["--tools", "20", "--page", "7"]);
        direct.open().await;
        for (method, params) in [
            ("tools/list", "{}"),
            ("tools/list", r#"{"cursor":"7"}"#),
            ("tools/call", r#"{"name":"echo","arguments":{"a":1.0}}"#),
            ("resources/read", r#"{"uri":"none://x"}"#),
        ] {
            assert_eq!(
                client.raw(method, params).await,
                direct.raw(method, params).await,
                "{method}"
            );
        }
        let id = client
            .send(
                "tools/call",
                r#"{"name":"progress","_meta":{"progressToken":"mine"}}"#,
            )
            .await;
        client.answer(id).await;
        let told = client.told().await;
        assert_eq!(told.len(), if events { 3 } else { 0 }, "{told:?}");
        client.leave().await;
        bed.gateway.close().await;
        let ended = || {
            seen.lock()
                .unwrap()
                .iter()
                .any(|(method, _)| method == "delete")
        };
        until("the session is ended", ended).await;
        let seen = seen.lock().unwrap();
        assert!(
            seen.iter()
                .all(|(_, head)| head.contains(&"authorization: bearer s3cret".to_owned()))
        );
        assert!(
            seen[1..]
                .iter()
                .all(|(_, head)| head.contains(&"mcp-session-id: s1".to_owned()))
        );
    }
}

#[tokio::test]
async fn a_modern_server_gets_the_header_fields_of_its_era() {
    let (url, seen) = served(&["--modern"], false).await;
    let bed = Bed::one(config(&url), true);
    let mut client = bed.opened("c").await;
    assert_eq!(client.names("tools/list").await.len(), 18);
    client.ask("tools/call", r#"{"name":"tool_001"}"#).await;
    let seen = seen.lock().unwrap();
    let (_, head) = seen.last().unwrap();
    for field in [
        "mcp-method: tools/call",
        "mcp-name: tool_001",
        "mcp-protocol-version: 2026-07-28",
    ] {
        assert!(head.contains(&field.to_owned()), "{field}: {head:?}");
    }
    assert!(!head.iter().any(|line| line.starts_with("mcp-session-id")));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_down() {
    let bed = Bed::one(config("http://127.0.0.1:9/mcp"), true);
    let mut client = bed.opened("c").await;
    assert_eq!(client.names("tools/list").await, [""; 0]);
    let answer = client.ask("vendor/method", "{}").await;
    let text = answer["error"]["message"].as_str().unwrap();
    assert!(
        text.contains("`far` is down: it can't be reached") && !text.contains("S3cret"),
        "{text}"
    );
}

//! The HTTP twin of the front's table of hostile lines: every row's bytes as the body of a POST.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    unreachable_pub,
    dead_code,
    reason = "a test stops at the first surprise; the table has more than is used here"
)]

mod support;
#[path = "../../front/tests/hostile/table.rs"]
mod table;

use std::{
    net::SocketAddr,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    time::Duration,
};

use serde_json::Value;
use support::{
    Bed,
    client::{Client, Request, post},
};
use table::{Case, table};

/// What HTTP answers otherwise: a POST is a request of its own, and needs a session or to be whole.
const OTHERWISE: [(&str, &str, &str); 12] = [
    ("PRE ping before initialize", NO_SESSION, SESSION),
    ("PRE prompts/list before initialize", NO_SESSION, SESSION),
    ("PRE notification first", NO_SESSION_NO_ID, SESSION),
    ("PRE unknown notification first", NO_SESSION_NO_ID, SESSION),
    ("PRE initialized first", NO_SESSION_NO_ID, SESSION),
    ("PRE response first", NO_SESSION_NO_ID, SESSION),
    ("PRE ping without newline then EOF", NO_SESSION, SESSION),
    // Removed from that era.
    ("PRE modern ping", "-32601", ""),
    (
        "PRE ping, then a notification",
        "-32600 +data, -32600 +data no id",
        SESSION,
    ),
    (
        "PRE discover, then a notification",
        "result, -32600 +data no id",
        SESSION,
    ),
    (
        "PRE refused modern request, then a notification",
        "-32022 +data, -32600 +data no id",
        SESSION,
    ),
    // Nothing ties the subscription to the session: these are two clients, and each is told.
    (
        "subscriptions/listen modern then toggle",
        "[acknowledged], result, [list_changed], [list_changed]",
        "",
    ),
];
const NO_SESSION: &str = "-32600 +data";
const NO_SESSION_NO_ID: &str = "-32600 +data no id";
const SESSION: &str = "headers.mcp-session-id";

/// How long nothing more must come.
const QUIET: Duration = Duration::from_millis(120);
const PATIENCE: Duration = Duration::from_secs(10);

#[test]
fn every_row_is_answered_as_over_stdio() {
    let bed = Bed::start();
    let to = bed.address;
    let rows: Vec<(usize, Case)> = table().into_iter().enumerate().collect();
    let (mut lanes, mut failed) = (
        vec![Vec::new(), Vec::new(), Vec::new(), Vec::new()],
        Vec::new(),
    );
    for (number, row) in rows {
        lanes[number % 4].push((number, row));
    }
    std::thread::scope(|scope| {
        let run = |lane: Vec<(usize, Case)>| {
            let all = lane.into_iter();
            all.filter_map(|(number, row)| run(to, number, &row).err())
                .collect::<Vec<_>>()
        };
        let lanes: Vec<_> = lanes
            .into_iter()
            .map(|lane| scope.spawn(move || run(lane)))
            .collect();
        for lane in lanes {
            failed.extend(lane.join().unwrap());
        }
    });
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

fn run(to: SocketAddr, number: usize, case: &Case) -> Result<(), String> {
    let path = format!("/c/row-{number}/mcp");
    let client = (!case.name.starts_with("PRE ")).then(|| Client::open(to, &path));
    let (expect, diagnosed) = OTHERWISE
        .iter()
        .find(|(name, ..)| *name == case.name)
        .map_or((case.expect, case.path), |(_, expect, path)| {
            (*expect, *path)
        });
    let expect = expect.strip_suffix(" **server exits**").unwrap_or(expect);
    let mut wanted: Vec<&str> = expect.split(", ").collect();
    let silent = wanted == ["silence"];
    wanted.retain(|item| *item != "silence");
    let (tell, told) = channel();
    if let Some(client) = client.as_ref().filter(|_| expect.contains('[')) {
        let mut stream = client.listen();
        assert_eq!(stream.status, 200);
        let tell = tell.clone();
        std::thread::spawn(move || {
            while let Some(message) = stream.message() {
                let _ = tell.send((200, Some(message)));
            }
        });
    }
    let mut seen = Vec::new();
    let mut sent = 0;
    for (part, bytes) in case.send.iter().enumerate() {
        if part > 0 {
            seen.extend(told.recv_timeout(PATIENCE).ok());
        }
        for line in lines(bytes) {
            let request = match &client {
                Some(client) => client.dress(post(&path, line)),
                None => post(&path, line),
            };
            send(request.modern(), to, tell.clone());
            sent += 1;
            // In this order.
            std::thread::sleep(Duration::from_millis(30));
        }
    }
    drop(tell);
    let least = if silent { sent } else { wanted.len() };
    collect(&told, least, &mut seen);
    let mut got = Vec::new();
    for (status, message) in &seen {
        match message {
            Some(message) if silent => {
                // It can't be taken, and who sent it is told so.
                let code = message["error"]["code"].as_i64();
                if (*status, code) != (400, Some(-32600)) || message.get("id").is_some() {
                    got.push(format!("{status} {message}"));
                }
            }
            Some(message) => got.push(item(*status, message, case, diagnosed)?),
            None if *status == 202 || *status == 200 => {}
            None => got.push(format!("{status} without a message")),
        }
    }
    got.sort_unstable();
    wanted.sort_unstable();
    if let Some(client) = &client {
        let alive = client.ask("ping", "{}");
        if alive.get("result").is_none() {
            return Err(format!("{}: the session is spoilt: {alive}", case.name));
        }
    }
    if got == wanted {
        return Ok(());
    }
    let seen: Vec<String> = seen
        .iter()
        .map(|(status, message)| {
            format!(
                "{status} {}",
                message.as_ref().map_or_else(String::new, shown)
            )
        })
        .collect();
    Err(format!(
        "{}:\n  wanted {wanted:?}\n  got    {got:?}\n  {}",
        case.name,
        seen.join("\n  ")
    ))
}

type Seen = (u16, Option<Value>);

fn send(request: Request, to: SocketAddr, tell: Sender<Seen>) {
    std::thread::spawn(move || {
        let mut response = request.send(to);
        let mut any = false;
        while let Some(message) = response.message() {
            any = true;
            if tell.send((response.status, Some(message))).is_err()
                || response.header("content-type") == Some("application/json")
            {
                return;
            }
        }
        if !any {
            let _ = tell.send((response.status, None));
        }
    });
}

fn collect(told: &Receiver<Seen>, least: usize, seen: &mut Vec<Seen>) {
    loop {
        let patience = if seen.len() < least { PATIENCE } else { QUIET };
        match told.recv_timeout(patience) {
            Ok(one) => seen.push(one),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// The lines of a part: each is a request of its own. A blank one is one too.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect()
}

/// A message in the words of the table, if it came with the status that it must come with.
fn item(status: u16, message: &Value, case: &Case, path: &str) -> Result<String, String> {
    let wrong = |what: &str| {
        Err(format!(
            "{}: {what}: {status} {}",
            case.name,
            shown(message)
        ))
    };
    if let Some(method) = message.get("method").and_then(Value::as_str) {
        return Ok(format!("[{}]", method.rsplit('/').next().unwrap()));
    }
    let id = message.get("id");
    if id.is_some_and(|id| *id != case.id) {
        return wrong("another id");
    }
    let Some(error) = message.get("error") else {
        return if status == 200 {
            Ok("result".into())
        } else {
            wrong("a status")
        };
    };
    if shown(error).contains("must not be told") {
        return wrong("a detail leaked");
    }
    let code = error["code"].as_i64().unwrap();
    let first = error["data"]["errors"][0]["path"]
        .as_str()
        .unwrap_or_default();
    if [-32700, -32600, -32602].contains(&code) && first != path {
        return wrong("another path");
    }
    let member = first.starts_with("params.") && !first.starts_with("params._meta");
    let modern = case
        .send
        .iter()
        .any(|part| part.windows(10).any(|some| some == b"2026-07-28"));
    let right = match code {
        -32603 => status == 200,
        -32602 => status == if member { 200 } else { 400 },
        -32601 => status == if modern { 404 } else { 200 },
        -32600 => status == 400 || status == 413,
        _ => status == 400,
    };
    if !right {
        return wrong("another status");
    }
    let data = if error.get("data").is_some() {
        " +data"
    } else {
        ""
    };
    let no_id = if id.is_none() { " no id" } else { "" };
    Ok(format!("{code}{data}{no_id}"))
}

fn shown(value: &Value) -> String {
    value.to_string().chars().take(400).collect()
}

//! Runs the rows of the table, each against a fresh process.

use serde_json::Value;

use crate::{
    support::{INITIALIZE, Server},
    table::Case,
};

/// What was not as written, of all rows. `start` gives a fresh process.
pub fn all(mut rows: Vec<Case>, start: fn() -> Server) -> Vec<String> {
    // Two at a time: each is a process of its own, and most of the time is their start.
    let half = rows.split_off(rows.len() / 2);
    let some = |rows: Vec<Case>| -> Vec<String> {
        rows.iter()
            .filter_map(|row| run(row, start).err())
            .collect()
    };
    std::thread::scope(|scope| {
        let one = scope.spawn(|| some(rows));
        let other = scope.spawn(|| some(half));
        [one.join().unwrap(), other.join().unwrap()].concat()
    })
}

fn run(case: &Case, start: fn() -> Server) -> Result<(), String> {
    let fresh = case.name.starts_with("PRE ");
    let mut server = if fresh { start() } else { start().open() };
    for (part, bytes) in case.send.iter().enumerate() {
        if part > 0 {
            server.next();
        }
        server.send(bytes);
    }
    let expected = case.expect.strip_suffix(" **server exits**");
    if expected.is_none() {
        // The connection still answers, and the answer to this one comes after the lines are dealt with.
        let probe = if fresh {
            INITIALIZE
        } else {
            r#"{"jsonrpc":"2.0","id":"open","method":"ping"}"#
        };
        server.say(probe);
        let answer = server.answer("open");
        if answer.get("result").is_none() {
            return Err(format!("{}: the connection is spoilt: {answer}", case.name));
        }
    }
    let mut wanted: Vec<&str> = expected.unwrap_or(case.expect).split(", ").collect();
    wanted.retain(|item| *item != "silence");
    // A notification owes nothing to a client that closes its side, so it is waited for before that.
    let awaited = wanted.len() + usize::from(expected.is_none());
    while server.seen.len() < awaited && case.expect.contains('[') {
        server.next();
    }
    let status = server.finish();
    let mut got: Vec<String> = server
        .seen
        .iter()
        .filter(|message| message.get("id") != Some(&"open".into()))
        .map(|message| item(message, case))
        .collect();
    // What runs at the same time is answered in any order.
    got.sort_unstable();
    wanted.sort_unstable();
    if got == wanted && status.success() {
        Ok(())
    } else {
        let seen: Vec<String> = server.seen.iter().map(shown).collect();
        Err(format!(
            "{}:\n  wanted {wanted:?}\n  got    {got:?} ({status})\n  {}",
            case.name,
            seen.join("\n  ")
        ))
    }
}

/// A message in the words of the table; whatever is not as every message must be is said instead.
fn item(message: &Value, case: &Case) -> String {
    if let Some(method) = message.get("method").and_then(Value::as_str) {
        return format!("[{}]", method.rsplit('/').next().unwrap());
    }
    let id = message.get("id");
    if id.is_some_and(|id| *id != case.id) {
        return format!("id {} instead of {}", shown(id.unwrap()), case.id);
    }
    let Some(error) = message.get("error") else {
        return if id.is_some() {
            "result"
        } else {
            "result no id"
        }
        .to_owned();
    };
    let code = error["code"].as_i64().unwrap();
    let text = shown(error);
    if text.contains("must not be told") {
        return format!("a detail leaked: {text}");
    }
    if [-32700, -32600, -32602].contains(&code)
        && let Err(wrong) = diagnostics(error, case.path)
    {
        return format!("{code} {wrong}: {text}");
    }
    let data = if error.get("data").is_some() {
        " +data"
    } else {
        ""
    };
    let no_id = if id.is_none() { " no id" } else { "" };
    format!("{code}{data}{no_id}")
}

/// `data.errors` names what was wrong, in bounded words, first of all the path of the row.
fn diagnostics(error: &Value, path: &str) -> Result<(), &'static str> {
    let errors = error["data"]["errors"]
        .as_array()
        .ok_or("without data.errors")?;
    let first = errors.first().ok_or("with empty data.errors")?;
    for error in errors {
        for member in ["path", "expected", "got"] {
            let text = error[member]
                .as_str()
                .ok_or("without path, expected or got")?;
            if text.is_empty() || text.chars().count() > 300 {
                return Err("with a member of a wrong length");
            }
        }
    }
    if first["path"] == path {
        Ok(())
    } else {
        Err("with another path")
    }
}

fn shown(value: &Value) -> String {
    value.to_string().chars().take(400).collect()
}

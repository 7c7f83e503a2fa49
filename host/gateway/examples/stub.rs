//! A server that does what real ones do, and what bad ones do: for tests. By hand, so that it can be wrong.
//!
//! Arguments: `--tools N` (7), `--page N` entries a page (all), `--name NAME`, `--odd` adds odd and repeated names, `--loop`
//! pages lead back, `--huge MIB` a description of that size, `--garbage` prints what is no message, `--modern` knows only
//! 2026-07-28, `--dies` ends at `initialize`, `--uri URI` has that resource, `--mute` says no instructions.

#![allow(clippy::print_stdout, reason = "it speaks over standard output")]

use std::{
    io::{BufRead as _, Write as _},
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde_json::{Value, json, value::RawValue};

#[derive(Default)]
struct Stub {
    tools: usize,
    page: usize,
    name: String,
    odd: bool,
    looping: bool,
    huge: usize,
    garbage: bool,
    modern: bool,
    dies: bool,
    mute: bool,
    uri: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    calls: u64,
    more: usize,
    /// Requests of ours that a call waits for: our id, and the id of the call.
    asked: Vec<(u64, String)>,
}

/// Tools that do something, beside those that are only there.
const ABLE: [&str; 11] = [
    "echo",
    "calls",
    "slow",
    "progress",
    "more",
    "die",
    "ask",
    "log",
    "never",
    "touch",
    "cancelled",
];

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // A client that is gone is noticed when input ends.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn answer(id: &str, result: &str) {
    say(&format!(
        r#"{{"result":{result},"jsonrpc":"2.0","id":{id}}}"#
    ));
}

fn text(id: &str, text: &str) {
    answer(
        id,
        &json!({"content": [{"type": "text", "text": text}]}).to_string(),
    );
}

impl Stub {
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = ABLE.iter().map(|&name| name.to_owned()).collect();
        let more = self.lock().more;
        names.extend((0..self.tools + more).map(|at| format!("tool_{at:03}")));
        if self.odd {
            let odd = ["a b", "Ünï", "echo", "x.y/z"].map(str::to_owned);
            names.extend(odd);
            names.push("long_".repeat(20));
        }
        names
    }

    /// The order of keys, the spelling of numbers and the unknown members are what must get through.
    fn tool(&self, name: &str) -> String {
        let huge = if name == "tool_000" {
            "x".repeat(self.huge << 20)
        } else {
            String::new()
        };
        format!(
            r#"{{"x-vendor":{{"z":1.50,"a":1e3, "big":123456789012345678901234567890}}, "name":{},"inputSchema":{{"type":"object","properties":{{"query":{{"type":"string"}},"limit":{{"type":"number","default":1.0}},"format":{{"enum":["\u0061",null]}}}},"required":["query"]}},"description":"A tool of {}.{huge}","_meta":{{"k":[ 1,2 ]}}}}"#,
            Value::from(name),
            self.name,
        )
    }

    fn list(&self, id: &str, params: &Value, member: &str, entries: Vec<String>) {
        let start = match params.get("cursor").and_then(Value::as_str) {
            None => 0,
            Some(cursor) => match cursor.parse() {
                Ok(start) => start,
                Err(_) => {
                    return say(&format!(
                        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"message":"no such cursor"}}}}"#
                    ));
                }
            },
        };
        let page = if self.page == 0 {
            entries.len()
        } else {
            self.page
        };
        let shown: Vec<String> = entries.iter().skip(start).take(page).cloned().collect();
        let next = start + page;
        let cursor = if next < entries.len() {
            format!(r#","nextCursor":"{next}""#)
        } else if self.looping {
            r#","nextCursor":"0""#.to_owned()
        } else {
            String::new()
        };
        answer(
            id,
            &format!(
                r#"{{ "{member}":[{}],"vendor":0.10{cursor}}}"#,
                shown.join(", ")
            ),
        );
    }

    fn request(self: &Arc<Self>, id: &str, method: &str, raw: &str) {
        let params: Value = serde_json::from_str(raw).unwrap_or_default();
        let of = |pointer: &str| {
            params
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        if self.modern {
            let meta = params.pointer("/_meta/io.modelcontextprotocol~1protocolVersion");
            if method == "initialize" || meta != Some(&json!("2026-07-28")) {
                return say(&format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32022,"message":"no","data":{{"supported":["2026-07-28"]}}}}}}"#
                ));
            }
        }
        let instructions = if self.mute {
            String::new()
        } else {
            format!(r#","instructions":"Use {} with care.""#, self.name)
        };
        let capabilities = r#"{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},"completions":{},"logging":{}}"#;
        match method {
            "initialize" if self.dies => std::process::exit(3),
            "initialize" => answer(
                id,
                &format!(
                    r#"{{"protocolVersion":"{}","capabilities":{capabilities},"serverInfo":{{"name":"stub","version":"1"}}{instructions}}}"#,
                    of("/protocolVersion")
                ),
            ),
            "server/discover" if self.modern => answer(
                id,
                &format!(
                    r#"{{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{capabilities},"ttlMs":9,"cacheScope":"public"{instructions}}}"#
                ),
            ),
            "tools/list" => {
                let tools = self.names().iter().map(|name| self.tool(name)).collect();
                self.list(id, &params, "tools", tools);
            }
            "prompts/list" => self.list(
                id,
                &params,
                "prompts",
                vec![format!(r#"{{"vendor":1.0,"name":"greet","arguments":[{{"name":"who"}}],"description":"of {}"}}"#, self.name)],
            ),
            "prompts/get" => answer(id, &format!(r#"{{"messages":[],"vendor":1.0,"asked":{raw}}}"#)),
            "completion/complete" => answer(
                id,
                &format!(r#"{{"completion":{{"values":["{}"],"total":1,"hasMore":false}},"asked":{raw}}}"#, self.name),
            ),
            "resources/list" => self.list(
                id,
                &params,
                "resources",
                vec![format!(r#"{{"uri":"{}","name":"r"}}"#, self.uri)],
            ),
            "resources/templates/list" => self.list(
                id,
                &params,
                "resourceTemplates",
                vec![format!(r#"{{"uriTemplate":"{}/{{x}}","name":"t"}}"#, self.uri)],
            ),
            "resources/read" if of("/uri").starts_with(&self.uri) => answer(
                id,
                &format!(r#"{{"contents":[{{"uri":{},"text":"{}"}}]}}"#, Value::from(of("/uri")), self.name),
            ),
            "resources/read" => say(&format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32002,"message":"Resource not found"}}}}"#
            )),
            "resources/subscribe" | "resources/unsubscribe" | "logging/setLevel" | "ping" => {
                answer(id, "{}");
            }
            "subscriptions/listen" => {}
            "tools/call" => self.call(id, of("/name"), &params, raw),
            _ => say(&format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"no such method"}}}}"#
            )),
        }
    }

    fn call(self: &Arc<Self>, id: &str, name: &str, params: &Value, raw: &str) {
        let calls = {
            let mut state = self.lock();
            state.calls += 1;
            state.calls
        };
        match name {
            // What came is told as it came.
            "echo" => answer(
                id,
                &format!(r#"{{"content":[],"structuredContent":{raw},"vendor":[1.0, 1E2]}}"#),
            ),
            "calls" => text(id, &format!("{} {calls}", std::process::id())),
            "slow" => {
                let id = id.to_owned();
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(200));
                    text(&id, "slept");
                });
            }
            "progress" => {
                let token = params
                    .pointer("/_meta/progressToken")
                    .cloned()
                    .unwrap_or_default();
                for step in 1..=3 {
                    say(&format!(
                        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{step}.50,"total":3}}}}"#
                    ));
                }
                text(id, "done");
            }
            "more" => {
                self.lock().more += 1;
                // A burst, of which one would be enough.
                for _ in 0..20 {
                    say(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
                }
                text(id, "there are more");
            }
            "die" => std::process::exit(7),
            "ask" => {
                self.lock().asked.push((calls, id.to_owned()));
                say(&format!(
                    r#"{{"jsonrpc":"2.0","id":{calls},"method":"sampling/createMessage","params":{{"messages":[],"maxTokens":1.0}}}}"#
                ));
            }
            "log" => {
                say(
                    r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"b":1.0,"a":2}}}"#,
                );
                text(id, "logged");
            }
            "touch" => {
                say(&format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{{"uri":"{}"}}}}"#,
                    self.uri
                ));
                text(id, "touched");
            }
            "never" => {}
            _ => text(id, &format!("{name} of {}", self.name)),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(serde::Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

fn main() -> ExitCode {
    let mut stub = Stub {
        tools: 7,
        name: "stub".to_owned(),
        uri: "stub://one".to_owned(),
        ..Stub::default()
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--tools" => stub.tools = value().parse().unwrap_or(7),
            "--page" => stub.page = value().parse().unwrap_or(0),
            "--name" => stub.name = value(),
            "--uri" => stub.uri = value(),
            "--huge" => stub.huge = value().parse().unwrap_or(0),
            "--odd" => stub.odd = true,
            "--loop" => stub.looping = true,
            "--garbage" => stub.garbage = true,
            "--modern" => stub.modern = true,
            "--dies" => stub.dies = true,
            "--mute" => stub.mute = true,
            other => eprintln!("{other} is ignored"),
        }
    }
    eprintln!("the stub {} has begun", stub.name);
    if stub.garbage {
        say("this is no message");
        say("{\"half\":");
        say("[]");
        say("{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}");
        say("");
    }
    let stub = Arc::new(stub);
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let Ok(message) = serde_json::from_str::<Message<'_>>(&line) else {
            continue;
        };
        let params = message.params.map_or("{}", RawValue::get);
        match (message.id, message.method) {
            (Some(id), Some(method)) => stub.request(id.get(), &method, params),
            (Some(id), None) => {
                let number = id.get().parse().unwrap_or(0);
                let mut state = stub.lock();
                let at = state.asked.iter().position(|(asked, _)| *asked == number);
                if let Some((_, call)) = at.map(|at| state.asked.remove(at)) {
                    let result = message.result.map_or("\"an error\"", RawValue::get);
                    answer(
                        &call,
                        &format!(r#"{{"content":[],"structuredContent":{result}}}"#),
                    );
                }
            }
            _ => {}
        }
    }
    ExitCode::SUCCESS
}

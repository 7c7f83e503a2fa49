//! A gateway in this process before stub servers, clients of it, and the same stub spoken to directly.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise, and not every test uses every helper"
)]

use std::{path::PathBuf, process::Stdio, sync::Arc, time::Duration};

use rea_gateway::{Config, Gateway, InMemory, Options, Seat, Serves, serve};
use serde_json::{Value, json, value::RawValue};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, Command},
    task::JoinHandle,
};

/// Far more than anything here takes.
const PATIENCE: Duration = Duration::from_secs(20);
/// Long enough for what comes by itself to have come.
pub const SETTLE: Duration = Duration::from_millis(150);

pub const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}"#;

/// An example of this crate; `cargo test` builds them.
pub fn example(name: &str) -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples");
    path.push(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is missing", path.display());
    path
}

/// A configuration of stubs: name and arguments of each.
pub fn stubs(servers: &[(&str, &[&str])]) -> Config {
    let mut all = serde_json::Map::new();
    for (name, arguments) in servers {
        all.insert(
            (*name).to_owned(),
            json!({"command": example("stub"), "args": arguments}),
        );
    }
    Config::read(&json!({"mcpServers": all}).to_string(), "test", &|_| None).unwrap()
}

pub struct Bed {
    pub gateway: Arc<Gateway>,
    pub policy: Arc<InMemory>,
}

impl Bed {
    /// A gateway for one conversation, `c`, all of whose servers are governed.
    pub fn one(config: Config, on: bool) -> Self {
        let serves = Serves::One(seat("c"));
        Self::new(config, on, serves, &[], false)
    }

    /// A gateway for many conversations.
    pub fn many(config: Config, on: bool, shared: &[&str]) -> Self {
        let bed = Self::new(config, on, Serves::Many, shared, false);
        bed.gateway.start();
        bed
    }

    pub fn new(config: Config, on: bool, serves: Serves, shared: &[&str], prompt: bool) -> Self {
        let governed = config.servers.iter().map(|server| server.name.clone());
        let policy = Arc::new(InMemory::new(governed, on));
        let options = Options {
            serves,
            shared: shared.iter().map(|&name| name.to_owned()).collect(),
            prompt,
        };
        let gateway = Gateway::new(config, policy.clone(), options);
        Self { gateway, policy }
    }

    /// A client in which nothing has been said.
    pub fn client(&self, conversation: &str) -> Talk {
        self.seated(seat(conversation))
    }

    pub fn seated(&self, seat: Seat) -> Talk {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(theirs);
        let gateway = self.gateway.clone();
        let served = tokio::spawn(async move { serve(&gateway, seat, read, write).await.unwrap() });
        let (read, write) = tokio::io::split(ours);
        Talk::new(Box::new(read), Box::new(write), None, Some(served))
    }

    /// A client after `initialize`, that can be asked to sample.
    pub async fn opened(&self, conversation: &str) -> Talk {
        let mut client = self.client(conversation);
        client.open().await;
        client
    }
}

pub fn seat(conversation: &str) -> Seat {
    Seat {
        conversation: conversation.to_owned(),
        parent: None,
    }
}

/// A conversation over lines.
pub struct Talk {
    read: Lines<BufReader<Box<dyn AsyncRead + Send + Unpin>>>,
    write: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    child: Option<Child>,
    served: Option<JoinHandle<()>>,
    last: u64,
    /// What came and was no answer.
    pub aside: Vec<Value>,
}

#[derive(serde::Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

impl Talk {
    fn new(
        read: Box<dyn AsyncRead + Send + Unpin>,
        write: Box<dyn AsyncWrite + Send + Unpin>,
        child: Option<Child>,
        served: Option<JoinHandle<()>>,
    ) -> Self {
        Self {
            read: BufReader::new(read).lines(),
            write: Some(write),
            child,
            served,
            last: 0,
            aside: Vec::new(),
        }
    }

    /// The stub itself.
    pub fn direct(arguments: &[&str]) -> Self {
        let mut child = Command::new(example("stub"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let (read, write) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        Self::new(Box::new(read), Box::new(write), Some(child), None)
    }

    pub async fn open(&mut self) -> Value {
        let params = r#"{"protocolVersion":"2025-11-25","capabilities":{"sampling":{}},"clientInfo":{"name":"t","version":"1"}}"#;
        let answer = self.ask("initialize", params).await;
        self.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await;
        answer["result"].clone()
    }

    pub async fn say(&mut self, line: &str) {
        let write = self.write.as_mut().unwrap();
        write
            .write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
        write.flush().await.unwrap();
    }

    /// One more line.
    pub async fn line(&mut self) -> String {
        let line = tokio::time::timeout(PATIENCE, self.read.next_line()).await;
        line.unwrap_or_else(|_| panic!("silence; aside: {:#?}", self.aside))
            .unwrap()
            .expect("the connection is open")
    }

    /// Sends a request; its id.
    pub async fn send(&mut self, method: &str, params: &str) -> u64 {
        self.last += 1;
        let id = self.last;
        self.say(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#
        ))
        .await;
        id
    }

    /// The answer with this id, as text; what comes before is put aside.
    pub async fn answer(&mut self, id: u64) -> String {
        loop {
            let line = self.line().await;
            let message: Value = serde_json::from_str(&line).unwrap();
            if message.get("id") == Some(&id.into()) && message.get("method").is_none() {
                return line;
            }
            self.aside.push(message);
        }
    }

    pub async fn ask(&mut self, method: &str, params: &str) -> Value {
        let id = self.send(method, params).await;
        serde_json::from_str(&self.answer(id).await).unwrap()
    }

    /// The result or error of an answer, byte for byte.
    pub async fn raw(&mut self, method: &str, params: &str) -> String {
        let id = self.send(method, params).await;
        let line = self.answer(id).await;
        let answer: Answer<'_> = serde_json::from_str(&line).unwrap();
        answer.result.or(answer.error).unwrap().get().to_owned()
    }

    pub async fn call(&mut self, tool: &str) -> Value {
        self.ask("tools/call", &json!({"name": tool}).to_string())
            .await
    }

    /// The text that a tool gives.
    pub async fn text(&mut self, tool: &str) -> String {
        let answer = self.call(tool).await;
        let text = answer
            .pointer("/result/content/0/text")
            .and_then(Value::as_str);
        text.unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// The names in a list.
    pub async fn names(&mut self, method: &str) -> Vec<String> {
        let answer = self.ask(method, "{}").await;
        let result = answer["result"]
            .as_object()
            .unwrap_or_else(|| panic!("{answer}"));
        let list = result.values().find_map(Value::as_array).unwrap();
        let name = |entry: &Value| {
            let name = entry
                .get("uri")
                .or(entry.get("uriTemplate"))
                .or(entry.get("name"));
            name.unwrap().as_str().unwrap().to_owned()
        };
        list.iter().map(name).collect()
    }

    /// Waits until nothing comes any more; the methods of what was put aside since the last time.
    pub async fn told(&mut self) -> Vec<String> {
        while let Ok(line) = tokio::time::timeout(SETTLE, self.read.next_line()).await {
            let line = line.unwrap().expect("the connection is open");
            self.aside.push(serde_json::from_str(&line).unwrap());
        }
        let told = std::mem::take(&mut self.aside);
        let method = |message: Value| {
            message["method"]
                .as_str()
                .unwrap_or("(an answer)")
                .to_owned()
        };
        told.into_iter().map(method).collect()
    }

    /// Closes its side, and waits until it is served no more.
    pub async fn leave(mut self) {
        self.write = None;
        drop(self.read);
        if let Some(served) = self.served.take() {
            tokio::time::timeout(PATIENCE, served)
                .await
                .unwrap()
                .unwrap();
        }
    }
}

/// Waits until something holds.
pub async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} never came true");
}

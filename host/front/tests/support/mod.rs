//! A fresh fixture server over real pipes, and what it wrote.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise, and not every test uses every helper"
)]

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::Duration,
};

use serde_json::Value;

/// Far more than anything here takes; a server that is silent for so long will not speak.
const PATIENCE: Duration = Duration::from_secs(20);

/// What opens a legacy connection.
pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
/// `_meta` of a request of 2026-07-28.
pub const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}"#;

pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<Receiver<String>>,
    /// Everything received so far.
    pub seen: Vec<Value>,
}

impl Server {
    /// A fresh process in which nothing has been said.
    pub fn start() -> Self {
        Self::run(&mut Command::new(example("fixture")))
    }

    /// A fresh process of another program.
    pub fn run(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the fixture starts");
        let (send, output) = channel();
        let reader = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in reader.lines() {
                // When the test no longer listens, dropping the pipe tells the server.
                if line.is_err() || send.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self {
            child,
            input,
            output: Some(output),
            seen: Vec::new(),
        }
    }

    /// A fresh process after a legacy handshake.
    pub fn opened() -> Self {
        Self::start().open()
    }

    /// The same process after a legacy handshake.
    pub fn open(self) -> Self {
        let mut server = self;
        server.say(INITIALIZE);
        server.say(INITIALIZED);
        server.answer("open");
        server.seen.clear();
        server
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        input.write_all(bytes).expect("the server reads");
        input.flush().unwrap();
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    /// Waits for one more message.
    pub fn next(&mut self) -> Value {
        self.receive().expect("the server wrote something")
    }

    /// Waits for the answer with this id and gives it; keeps what came before it.
    pub fn answer(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        loop {
            let message = self.next();
            if message.get("id") == Some(&id) {
                return message;
            }
        }
    }

    /// Closes the server's input, and reads what it still writes until it ends.
    pub fn finish(&mut self) -> ExitStatus {
        self.input = None;
        while self.receive().is_some() {}
        self.child.wait().unwrap()
    }

    /// Closes the server's output while its input stays open; what was written is not read any more.
    pub fn hang_up(&mut self) {
        self.output = None;
    }

    /// Waits for the end of the process.
    pub fn ended(&mut self) -> bool {
        for _ in 0..400 {
            if self.child.try_wait().unwrap().is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(25));
        }
        false
    }

    fn receive(&mut self) -> Option<Value> {
        match self.output.as_ref()?.recv_timeout(PATIENCE) {
            Ok(line) => {
                let message: Value = serde_json::from_str(&line).expect("the server writes JSON");
                assert_eq!(message["jsonrpc"], "2.0", "{message}");
                self.seen.push(message.clone());
                Some(message)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("silence; so far: {:#?}", self.seen),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Only after a failed test is there something to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Cargo builds examples with the tests, beside them.
pub fn example(name: &str) -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples");
    path.push(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "{} is missing; `cargo test` without `--test` builds it",
        path.display()
    );
    path
}

//! The program as a child process that speaks MCP over its pipes. Small on purpose: the real SDKs are in
//! `tests/clients`; this is for what they can't be made to send.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
};

use serde_json::{Value, json};

/// A running server.
pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

/// What goes wrong with a pipe.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

impl Server {
    /// Starts `program` with these arguments.
    ///
    /// # Errors
    /// If it doesn't start.
    pub fn start(program: &Path, arguments: &[&str]) -> Result<Server> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().ok_or("no stdout")?);
        Ok(Server {
            child,
            input,
            output,
            last: 0,
        })
    }

    /// The same, after the handshake of the older revisions.
    ///
    /// # Errors
    /// If it doesn't start or answer.
    pub fn connect(program: &Path, arguments: &[&str]) -> Result<Server> {
        let mut server = Server::start(program, arguments)?;
        server.initialize()?;
        Ok(server)
    }

    /// The handshake; gives the server's answer.
    ///
    /// # Errors
    /// If the pipe breaks.
    pub fn initialize(&mut self) -> Result<Value> {
        let client = json!({"name": "test", "version": "0"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let answer = self.ask("initialize", params)?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string())?;
        Ok(answer)
    }

    /// Sends one line.
    ///
    /// # Errors
    /// If the pipe broke.
    pub fn send(&mut self, line: &str) -> Result<()> {
        let input = self.input.as_mut().ok_or("the pipe is closed")?;
        input.write_all(line.as_bytes())?;
        input.write_all(b"\n")?;
        Ok(input.flush()?)
    }

    /// Reads one message.
    ///
    /// # Errors
    /// If the server ended, or wrote what isn't JSON.
    pub fn receive(&mut self) -> Result<Value> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            return Err("the server closed its output".into());
        }
        Ok(serde_json::from_str(&line)?)
    }

    /// Asks, and gives the whole reply. Notifications in between are passed over.
    ///
    /// # Errors
    /// If the pipe breaks.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        self.last += 1;
        let id = self.last;
        self.send(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        )?;
        loop {
            let reply = self.receive()?;
            if reply.get("id").and_then(Value::as_u64) == Some(id) {
                return Ok(reply);
            }
        }
    }

    /// Calls a tool and gives its structured content, and whether it is an error.
    ///
    /// # Errors
    /// If the pipe breaks, or the reply is an error of the protocol.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<(Value, bool)> {
        let reply = self.ask("tools/call", json!({"name": tool, "arguments": arguments}))?;
        let result = reply
            .get("result")
            .ok_or_else(|| format!("{tool}: {reply}"))?;
        let failed = result
            .get("isError")
            .and_then(Value::as_bool)
            .unwrap_or(false);
        Ok((
            result.get("structuredContent").cloned().unwrap_or_default(),
            failed,
        ))
    }

    /// Completes an argument, and gives the `completion` object.
    ///
    /// # Errors
    /// If the pipe breaks, or the reply is an error.
    pub fn complete(&mut self, prompt: &str, argument: &str, value: &str) -> Result<Value> {
        let params = json!({
            "ref": {"type": "ref/prompt", "name": prompt},
            "argument": {"name": argument, "value": value},
        });
        let reply = self.ask("completion/complete", params)?;
        let completion = reply
            .get("result")
            .and_then(|result| result.get("completion"));
        Ok(completion
            .cloned()
            .ok_or_else(|| format!("{prompt}.{argument}: {reply}"))?)
    }

    /// Closes its input and waits for it to end.
    ///
    /// # Errors
    /// If it can't be waited for.
    pub fn finish(mut self) -> Result<ExitStatus> {
        self.input = None;
        Ok(self.child.wait()?)
    }

    /// The id of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A test that failed half-way leaves no process behind. One that ended well has no child any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

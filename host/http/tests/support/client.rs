//! Requests as bytes, responses as they come.

use std::{
    io::{BufRead, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::Value;

/// Far more than anything here takes.
const PATIENCE: Duration = Duration::from_secs(10);

/// The head of a response, and what follows.
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    rest: BufReader<TcpStream>,
}

/// A request: header fields in order.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<Vec<u8>>,
}

pub fn get(path: &str) -> Request {
    Request {
        method: "GET".into(),
        path: path.into(),
        ..Request::default()
    }
}

/// A POST of JSON, as an MCP client sends it.
pub fn post(path: &str, body: impl Into<Vec<u8>>) -> Request {
    let request = Request {
        method: "POST".into(),
        path: path.into(),
        body: Some(body.into()),
        ..Request::default()
    };
    request
        .with("content-type", "application/json")
        .with("accept", "application/json, text/event-stream")
}

impl Request {
    pub fn method(mut self, method: &str) -> Self {
        self.method = method.into();
        self
    }

    /// Adds a header field.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Takes a header field out.
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    /// What a client of 2026-07-28 says of its body.
    pub fn modern(self) -> Self {
        let body: Value =
            serde_json::from_slice(self.body.as_deref().unwrap_or_default()).unwrap_or_default();
        let mut request = self;
        if let Some(version) = body
            .pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion")
            .and_then(Value::as_str)
        {
            request = request.with("mcp-protocol-version", version);
            let method = body["method"].as_str().unwrap_or_default();
            request = request.with("mcp-method", method);
            if matches!(method, "tools/call" | "prompts/get")
                && let Some(name) = body["params"]["name"].as_str()
            {
                request = request.with("mcp-name", name);
            }
        }
        request
    }

    /// Sends it on a connection of its own.
    pub fn send(&self, to: SocketAddr) -> Response {
        let mut stream = TcpStream::connect(to).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!(
            "{} {} HTTP/1.1\r\nconnection: close\r\n",
            self.method, self.path
        );
        if !self.headers.iter().any(|(name, _)| name == "host") {
            head += &format!("host: {to}\r\n");
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = &self.body {
            head += &format!("content-length: {}\r\n", body.len());
        }
        head += "\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        if let Some(body) = &self.body {
            stream.write_all(body).unwrap();
        }
        Response::read(stream)
    }

    /// The status alone.
    pub fn status(&self, to: SocketAddr) -> u16 {
        self.send(to).status
    }
}

impl Response {
    pub fn read(stream: TcpStream) -> Response {
        let mut rest = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            rest.read_line(&mut line).unwrap();
            let line = line.trim_end().to_owned();
            if line.is_empty() {
                break;
            }
            lines.push(line);
        }
        let status = lines
            .first()
            .and_then(|line| line.split(' ').nth(1)?.parse().ok())
            .unwrap_or(0);
        let headers = lines.iter().skip(1).filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        Response {
            status,
            headers: headers.collect(),
            rest,
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name)?;
        Some(&found.1)
    }

    /// The whole body, as text.
    pub fn text(mut self) -> String {
        let mut all = Vec::new();
        while let Some(part) = self.chunk() {
            all.extend(part);
        }
        String::from_utf8(all).unwrap()
    }

    pub fn json(self) -> Value {
        let text = self.text();
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("no JSON: {text:?}"))
    }

    /// The next message, of a JSON body or an event stream; `None` at the end.
    pub fn message(&mut self) -> Option<Value> {
        if self.header("content-type") == Some("application/json") {
            let mut all = Vec::new();
            while let Some(part) = self.chunk() {
                all.extend(part);
            }
            return serde_json::from_slice(&all).ok();
        }
        loop {
            let part = String::from_utf8(self.chunk()?).unwrap();
            if let Some(data) = part.lines().find_map(|line| line.strip_prefix("data: ")) {
                return Some(serde_json::from_str(data).unwrap());
            }
        }
    }

    /// The next chunk, or all of a body with a length; `None` at the end. An event is one chunk here.
    fn chunk(&mut self) -> Option<Vec<u8>> {
        if self.header("transfer-encoding") == Some("chunked") {
            let mut size = String::new();
            self.rest.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            let mut part = vec![0; size + 2];
            self.rest.read_exact(&mut part).ok()?;
            part.truncate(size);
            return (size > 0).then_some(part);
        }
        let mut all = Vec::new();
        self.rest.read_to_end(&mut all).ok()?;
        (!all.is_empty()).then_some(all)
    }
}

/// A client with a legacy session.
#[derive(Clone)]
pub struct Client {
    pub to: SocketAddr,
    pub path: String,
    pub session: String,
    pub extra: Vec<(String, String)>,
}

impl Client {
    pub fn open(to: SocketAddr, path: &str) -> Client {
        Client::open_as(to, path, &[])
    }

    pub fn open_as(to: SocketAddr, path: &str, extra: &[(&str, &str)]) -> Client {
        let mut request = post(path, super::INITIALIZE);
        for (name, value) in extra {
            request = request.with(name, value);
        }
        let response = request.send(to);
        assert_eq!(response.status, 200);
        let session = response.header("mcp-session-id").unwrap().to_owned();
        Client {
            to,
            path: path.into(),
            session,
            extra: extra
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        }
    }

    pub fn dress(&self, mut request: Request) -> Request {
        request.headers.extend(self.extra.clone());
        request.with("mcp-session-id", &self.session)
    }

    pub fn post(&self, body: impl Into<Vec<u8>>) -> Response {
        self.dress(post(&self.path, body)).send(self.to)
    }

    /// A request's answer.
    pub fn ask(&self, method: &str, params: &str) -> Value {
        let body = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}}}"#);
        self.post(body).message().expect("an answer")
    }

    /// The stream of what the server says by itself.
    pub fn listen(&self) -> Response {
        let request = self.dress(get(&self.path).with("accept", "text/event-stream"));
        request.send(self.to)
    }

    pub fn end(&self) -> u16 {
        self.dress(get(&self.path).method("DELETE")).status(self.to)
    }
}

//! The requests themselves, and what is made of their responses.

use std::{sync::Arc, time::Duration};

use base64::Engine as _;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};

use super::{
    super::{link::Outgoing, opening::Era, process::MAX_LINE},
    Remote, lock,
    sse::Events,
};
use crate::raw::Object;

const SESSION: &str = "mcp-session-id";
const STREAM: &str = "text/event-stream";
/// How long a notification, or the end of a session, may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Between two attempts to listen.
const PAUSE: Duration = Duration::from_secs(1);

impl Remote {
    /// Posts a request; what comes back goes to the link.
    pub(super) async fn request(self: Arc<Self>, id: u64, message: Outgoing) {
        let outcome = match self.post(message).await {
            Ok(response) => self.take(Some(id), response).await,
            Err(reason) => {
                // It can't be reached at all: so neither for others.
                if let Some(link) = self.link() {
                    link.fail(&reason);
                }
                return;
            }
        };
        lock(&self.open).remove(&id);
        if let Some(link) = self.link() {
            match outcome {
                Ok(()) => link.lose_one(id, "it closed the response without an answer"),
                Err(reason) => link.lose_one(id, &reason),
            }
        }
    }

    /// Posts what isn't answered.
    pub(super) async fn tell(self: &Arc<Self>, message: Outgoing) {
        match tokio::time::timeout(PATIENCE, self.post(message)).await {
            Ok(Ok(response)) if response.status().is_success() => {}
            Ok(Ok(response)) => {
                tracing::debug!(status = %response.status(), "a server refused a notification");
            }
            Ok(Err(reason)) => tracing::debug!(reason, "a notification was not sent"),
            Err(_) => tracing::debug!("a server does not take a notification"),
        }
    }

    /// Listens for what a legacy server says of its own accord.
    pub(super) async fn listen(self: Arc<Self>) {
        let mut last = None;
        while let Some(link) = self.link().filter(|link| !link.is_down()) {
            drop(link);
            let request = self.build(Method::GET, Bytes::new(), |headers| {
                headers.insert(ACCEPT, HeaderValue::from_static(STREAM));
                if let Some(last) = &last {
                    headers.insert("last-event-id", HeaderValue::clone(last));
                }
            });
            let Ok(request) = request else { return };
            match self.client.request(request).await {
                // It has nothing to say.
                Ok(response) if !response.status().is_success() => return,
                Ok(response) => {
                    if let Err(reason) = self.stream(response, &mut last).await {
                        tracing::debug!(reason, "a stream ended");
                    }
                }
                Err(error) => tracing::debug!(%error, "a stream was not opened"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Ends the session, if there is one.
    pub(super) async fn leave(&self) {
        if lock(&self.session).is_none() {
            return;
        }
        if let Ok(request) = self.build(Method::DELETE, Bytes::new(), |_| {}) {
            // A server may not know how; it ends sessions that are idle.
            let _ = tokio::time::timeout(PATIENCE, self.client.request(request)).await;
        }
    }

    async fn post(&self, message: Outgoing) -> Result<Response<Incoming>, String> {
        let modern = self.link().is_some_and(|link| link.era() == Era::Modern)
            || message.method.as_deref() == Some("server/discover");
        if modern {
            // The era has none; a server may have given one before it refused `initialize`.
            lock(&self.session).take();
        }
        let named = named(&message).filter(|_| modern);
        let method = message.method.clone().filter(|_| modern);
        let request = self.build(Method::POST, Bytes::from(message.text), |headers| {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            let both = "application/json, text/event-stream";
            headers.insert(ACCEPT, HeaderValue::from_static(both));
            if let Some(method) = method.and_then(|method| HeaderValue::try_from(method).ok()) {
                headers.insert("mcp-method", method);
            }
            if let Some(name) = named.and_then(|name| HeaderValue::try_from(name).ok()) {
                headers.insert("mcp-name", name);
            }
            if modern {
                let version = HeaderValue::from_static(super::super::opening::MODERN);
                headers.insert("mcp-protocol-version", version);
            }
        })?;
        let response = self.client.request(request).await;
        response.map_err(|error| format!("it can't be reached: {}", causes(&error)))
    }

    fn build(
        &self,
        method: Method,
        body: Bytes,
        more: impl FnOnce(&mut hyper::HeaderMap),
    ) -> Result<Request<Full<Bytes>>, String> {
        let mut request = Request::builder()
            .method(method)
            .uri(self.uri.clone())
            .body(Full::new(body))
            .map_err(|error| error.to_string())?;
        let headers = request.headers_mut();
        headers.extend(self.headers.clone());
        if let Some(session) = &*lock(&self.session) {
            headers.insert(SESSION, session.clone());
        }
        let link = self.link();
        let hello = link.as_ref().and_then(|link| link.hello.get());
        if let Some(version) = hello.and_then(|hello| HeaderValue::try_from(&hello.version).ok()) {
            headers.insert("mcp-protocol-version", version);
        }
        more(headers);
        Ok(request)
    }

    /// Takes a response in. `id` is that of the request, if it was one.
    async fn take(&self, id: Option<u64>, response: Response<Incoming>) -> Result<(), String> {
        let status = response.status();
        if let Some(session) = response.headers().get(SESSION)
            && status.is_success()
        {
            lock(&self.session).get_or_insert_with(|| session.clone());
        }
        let kind = response.headers().get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if status.is_success() && kind.starts_with(STREAM) {
            return self.stream(response, &mut None).await;
        }
        let mut response = response;
        let mut body = Vec::new();
        while let Some(frame) = response.body_mut().frame().await {
            let frame = frame.map_err(|error| format!("its response broke off: {error}"))?;
            if let Ok(data) = frame.into_data() {
                if body.len() + data.len() > MAX_LINE {
                    return Err(format!("its response has more than {MAX_LINE} bytes"));
                }
                body.extend_from_slice(&data);
            }
        }
        let text = String::from_utf8(body).map_err(|_| "its response isn't UTF-8".to_owned())?;
        let Some(link) = self.link() else {
            return Ok(());
        };
        if status == StatusCode::NOT_FOUND && lock(&self.session).is_some() && !is_message(&text) {
            link.fail("its session has ended");
            return Ok(());
        }
        match (id, Object::read(&text)) {
            (Some(_), Some(message)) if message.get("id").is_some() => link.receive(text),
            (Some(id), Some(message)) if message.get("error").is_some() => {
                // An error that says nothing of its request belongs to the one it was sent for.
                link.receive(crate::raw::with(&text, "id", &id.to_string()));
            }
            _ if status.is_success() => return Err("its response is no message".to_owned()),
            _ => return Err(format!("it answered with the status {status}")),
        }
        Ok(())
    }

    async fn stream(
        &self,
        mut response: Response<Incoming>,
        last: &mut Option<HeaderValue>,
    ) -> Result<(), String> {
        let mut events = Events::new(MAX_LINE);
        while let Some(frame) = response.body_mut().frame().await {
            let frame = frame.map_err(|error| format!("its response broke off: {error}"))?;
            let Ok(data) = frame.into_data() else {
                continue;
            };
            let whole = events
                .feed(&data)
                .map_err(|_| format!("it sent an event of more than {MAX_LINE} bytes"))?;
            for event in whole {
                if let Some(id) = event.id.and_then(|id| HeaderValue::try_from(id).ok()) {
                    *last = Some(id);
                }
                let Some(link) = self.link() else {
                    return Ok(());
                };
                link.receive(event.data);
            }
        }
        Ok(())
    }
}

/// Why, down to the last cause: "client error (Connect)" alone helps nobody.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    text
}

fn is_message(text: &str) -> bool {
    Object::read(text).is_some_and(|message| message.get("jsonrpc").is_some())
}

/// What the header `Mcp-Name` says of a request.
fn named(message: &Outgoing) -> Option<String> {
    let member = match message.method.as_deref()? {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return None,
    };
    let params = Object::read(&message.text)?.get("params")?;
    let name = Object::read(params)?.text(member)?;
    let plain = name.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    if plain && name.trim() == name && !name.starts_with("=?base64?") {
        return Some(name.into_owned());
    }
    let code = base64::engine::general_purpose::STANDARD.encode(name.as_bytes());
    Some(format!("=?base64?{code}?="))
}

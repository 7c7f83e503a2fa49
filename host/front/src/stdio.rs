//! The transport over a pair of byte streams: one JSON-RPC message a line.

mod flight;
mod lines;
mod outbox;

use std::{borrow::Cow, convert::Infallible, time::Duration};

use rmcp::{
    RoleServer, Service,
    model::{
        CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientRequest,
        GetMeta as _, JsonRpcMessage, ProtocolVersion, RequestId, ServerJsonRpcMessage,
        ServerResult,
    },
    transport::Transport,
};
use serde::Deserialize as _;
use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::Instant,
};

use crate::{
    Asked, Rules, Verdict,
    check::{self, check, message_id},
    explain,
};
use flight::Flight;
pub use lines::{Line, Lines};
pub use outbox::Outbox;

/// How long answers under way are waited for after the end of input.
const GRACE: Duration = Duration::from_secs(30);
/// How long the last bytes may take to go out when the transport is closed.
const CLOSE: Duration = Duration::from_secs(5);
/// How long rmcp is given to end what is cancelled because the client is gone.
const SETTLE: Duration = Duration::from_millis(10);

/// A strict stdio transport for a server. See the crate's text; made for one connection.
///
/// * A bad line is answered here, and the next one is read: nothing that a client sends ends the connection.
/// * rmcp sees only good messages, with ids of the front's own; on the way back they become the client's again.
/// * Before the connection is opened, by `initialize` or by a whole request of 2026-07-28, everything that is
///   no request is dropped; rmcp would end the process.
/// * After the end of input, answers under way are waited for (30 seconds at most) and written.
/// * What goes out goes out whole, in order, flushed. A client that reads nothing is read from no more once
///   32 MiB wait for it. A client that is gone ends the connection without an error.
pub struct Front<R> {
    lines: Lines<R>,
    out: Outbox,
    flight: Flight,
    rules: Rules,
    versions: Cow<'static, [ProtocolVersion]>,
    /// rmcp has left its loop before the first message, in which it takes requests only.
    opened: bool,
    /// Input has ended; answers are waited for until then.
    until: Option<Instant>,
    grace: Duration,
    /// Requests are being cancelled because the client is gone.
    gave_up: bool,
}

impl<R: AsyncRead + Send + Unpin + 'static> Front<R> {
    /// A front for this handler; its capabilities and versions are asked here, once. Must be called in a tokio
    /// runtime with time enabled.
    pub fn new<H, W>(handler: &H, read: R, write: W) -> Self
    where
        H: Service<RoleServer>,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let rules = Rules::new(handler.get_info().capabilities);
        Self {
            lines: Lines::new(read, rules.max_bytes()),
            out: Outbox::new(write),
            flight: Flight::default(),
            rules,
            versions: handler.supported_protocol_versions(),
            opened: false,
            until: None,
            grace: GRACE,
            gave_up: false,
        }
    }

    /// Another time to wait for answers after the end of input. rmcp itself adds at most 5 seconds.
    pub fn with_grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Judges a line; what rmcp shall see of it.
    fn take(&mut self, line: &[u8]) -> Option<ClientJsonRpcMessage> {
        let flight = &self.flight;
        match check(line, &self.rules, &|id| flight.has(id)) {
            Verdict::Accept(message) => self.hand_on(message),
            Verdict::Reply(reply) => {
                self.reply(&reply);
                None
            }
            Verdict::Ignore => None,
        }
    }

    fn hand_on(&mut self, mut message: Value) -> Option<ClientJsonRpcMessage> {
        let method = message.get("method").and_then(Value::as_str);
        match (message_id(&message), method) {
            (Some(id), Some(method)) => {
                let method = method.to_owned();
                self.request(id, &method, message)
            }
            _ if !self.opened => None,
            (_, Some("notifications/cancelled")) => {
                let params = message.get_mut("params")?;
                let id = params.get("requestId").and_then(check::id)?;
                let number = self.flight.cancel(&id)?;
                set(params, "requestId", number.into());
                typed(&message)
            }
            _ => typed(&message),
        }
    }

    fn request(
        &mut self,
        id: RequestId,
        method: &str,
        mut message: Value,
    ) -> Option<ClientJsonRpcMessage> {
        let asked = Asked::of(&message);
        let shaped = check::is_shaped(method, message.get("params"), &self.rules);
        let number = self
            .flight
            .start(id.clone(), asked, method != "subscriptions/listen");
        set(&mut message, "id", number.into());
        match typed(&message) {
            Some(JsonRpcMessage::Request(request))
                if !(shaped && matches!(request.request, ClientRequest::CustomRequest(_))) =>
            {
                self.opened |= self.opens(&request.request);
                Some(JsonRpcMessage::Request(request))
            }
            _ => {
                self.flight.end(number);
                let params = message.get("params").unwrap_or(&Value::Null);
                self.reply(&check::not_typed(&id, method, params));
                None
            }
        }
    }

    /// Whether rmcp opens the connection on this request.
    fn opens(&self, request: &ClientRequest) -> bool {
        match request {
            ClientRequest::InitializeRequest(_) => true,
            ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
            other => {
                let meta = other.get_meta();
                meta.missing_required_keys(&ProtocolVersion::V_2026_07_28)
                    .is_empty()
                    && meta
                        .protocol_version()
                        .is_some_and(|version| self.versions.contains(&version))
            }
        }
    }

    /// After the end of input: waits until all that is owed is written, no longer than the grace.
    async fn land(&mut self) {
        let drained = async {
            self.flight.landed().await;
            self.out.flushed().await;
        };
        let until = self.until.unwrap_or_else(Instant::now);
        tokio::select! {
            () = self.out.gone() => {}
            done = tokio::time::timeout_at(until, drained) => if done.is_err() {
                tracing::warn!("input ended and answers were still under way; they are given up");
            }
        }
    }

    fn reply(&self, reply: &Value) {
        // Not waited for: the writer keeps the order, and reading goes on.
        drop(self.out.send(reply.to_string().into_bytes()));
    }

    /// Makes an outgoing message the client's: its own ids, and diagnostics on every -32602. `None` if nobody
    /// waits for it any more.
    fn homeward(&self, mut message: ServerJsonRpcMessage) -> Option<ServerJsonRpcMessage> {
        match &mut message {
            JsonRpcMessage::Response(response) => {
                let pending = self.flight.end(number(&response.id)?)?;
                response.id = pending.id.clone();
                if let ServerResult::SubscriptionsListenResult(ended) = &mut response.result {
                    ended.meta.set_subscription_id(pending.id);
                }
            }
            JsonRpcMessage::Error(error) => {
                let pending = match &error.id {
                    Some(id) => Some(self.flight.end(number(id)?)?),
                    None => None,
                };
                explain(
                    &mut error.error,
                    pending.as_ref().map(|pending| &pending.asked),
                );
                error.id = pending.map(|pending| pending.id);
            }
            JsonRpcMessage::Notification(notification) => {
                let notification = &mut notification.notification;
                if let Some(inner) = notification.get_meta().subscription_id() {
                    let id = self.flight.id(number(&inner)?)?;
                    notification.get_meta_mut().set_subscription_id(id);
                }
            }
            // A request of ours to a legacy client has an id of ours.
            JsonRpcMessage::Request(_) => {}
        }
        Some(message)
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Front<R> {
    type Error = Infallible;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        // Queued here, not when the future runs: rmcp runs such futures in any order.
        let written =
            self.homeward(message)
                .and_then(|message| match serde_json::to_vec(&message) {
                    Ok(line) => Some(self.out.send(line)),
                    Err(error) => {
                        tracing::error!(%error, "a message could not be put into JSON");
                        None
                    }
                });
        async move {
            if let Some(written) = written {
                written.await;
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        while self.until.is_none() {
            let line = tokio::select! {
                biased;
                () = self.out.gone() => Line::End,
                line = async {
                    self.out.room().await;
                    self.lines.next().await
                } => line,
            };
            match line {
                Line::Whole(line) => {
                    if let Some(message) = self.take(&line) {
                        return Some(message);
                    }
                }
                Line::TooLong => self.reply(&check::too_long(&self.rules)),
                Line::End => self.until = Some(Instant::now() + self.grace),
            }
        }
        self.land().await;
        // What is still under way, subscriptions above all, would be waited for by rmcp. It deals with what was
        // sent only while it waits here, and a handler that waits for that cannot see that it is cancelled.
        let left = !self.flight.is_empty();
        if left != self.gave_up {
            tokio::time::sleep(SETTLE).await;
        }
        self.gave_up = left;
        self.flight.give_up().map(cancelled)
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        if tokio::time::timeout(CLOSE, self.out.close()).await.is_err() {
            tracing::warn!("the client did not read its last answers");
        }
        Ok(())
    }
}

fn cancelled(number: i64) -> ClientJsonRpcMessage {
    let id = Some(RequestId::Number(number));
    let params = CancelledNotificationParam::new(id, Some("the client is gone".to_owned()));
    JsonRpcMessage::notification(CancelledNotification::new(params).into())
}

fn typed(message: &Value) -> Option<ClientJsonRpcMessage> {
    match ClientJsonRpcMessage::deserialize(message) {
        Ok(message) => Some(message),
        Err(error) => {
            tracing::debug!(%error, "a message passed the checks but not rmcp's types");
            None
        }
    }
}

fn number(id: &RequestId) -> Option<i64> {
    match id {
        RequestId::Number(number) => Some(*number),
        RequestId::String(_) => None,
    }
}

fn set(value: &mut Value, name: &str, to: Value) {
    if let Value::Object(members) = value {
        members.insert(name.to_owned(), to);
    }
}

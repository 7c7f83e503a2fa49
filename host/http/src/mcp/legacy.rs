//! Clients that open with `initialize`: sessions.

use std::sync::Arc;

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode},
};
use futures_util::{Stream, StreamExt as _};
use rea_front::{Asked, Rules, Verdict, check, typed};
use rmcp::{
    ErrorData, RoleServer, Service,
    model::{
        ClientJsonRpcMessage, ClientNotification, GetExtensions as _, JsonRpcMessage,
        ProtocolVersion, RequestId,
    },
    transport::streamable_http_server::session::{
        ServerSseMessage, SessionId, SessionManager as _,
    },
};
use serde_json::{Value, json};

use super::{
    Endpoint, Message, accepted, era,
    flight::{NoRoom, Number},
    headers,
    info::RequestInfo,
    no_message, reply, session_of,
    sessions::{Session, Sessions},
    stream::{self as sse, Messages, Pace, Sent},
};
use crate::{fence::one, refusal::Refusal};

impl<F, Made, S> Endpoint<F>
where
    F: Fn(RequestInfo) -> Made + Send + Sync + 'static,
    Made: Future<Output = Result<S, Refusal>> + Send + 'static,
    S: Service<RoleServer>,
{
    /// `initialize`: opens a session.
    pub(super) async fn open(&self, info: RequestInfo, message: Message) -> Response<Body> {
        let id = message.id.clone();
        match self.opened(info, message).await {
            Ok(response) => response,
            Err(Unopened::Refused(refusal)) => refusal.rpc(id.as_ref()),
            Err(Unopened::Replied(reply)) => reply::refused(reply),
        }
    }

    async fn opened(
        &self,
        info: RequestInfo,
        message: Message,
    ) -> Result<Response<Body>, Unopened> {
        version(&info, &message.value)?;
        let permit = self.sessions.room().await?;
        let carried = self.sessions.carry().await.map_err(internal)?;
        let info = info.with_session(&carried.0);
        let unopened = Unfinished {
            sessions: Arc::clone(&self.sessions),
            id: Some(carried.0.clone()),
        };
        let service = (self.factory)(info.clone()).await?;
        let rules =
            Rules::new(service.get_info().capabilities).with_max_bytes(self.limits.body_bytes);
        let request = judged(&message, &rules, &|_| false)?;
        let session = self.sessions.serve(carried, &info, permit, rules, service);
        let request = numbered(&session, &message, request, info)?;
        let carrier = &self.sessions.carrier;
        let answer = carrier
            .initialize_session(&session.id, request)
            .await
            .map_err(internal)?;
        let mut response = reply::message(StatusCode::OK, &answer);
        if matches!(answer, JsonRpcMessage::Response(_)) {
            let id = HeaderValue::from_str(&session.id).map_err(internal)?;
            response.headers_mut().insert(headers::SESSION, id);
            unopened.finish();
        }
        Ok(response)
    }
}

enum Unopened {
    Refused(Refusal),
    Replied(Value),
}

impl From<Refusal> for Unopened {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

fn internal(error: impl std::fmt::Display) -> Refusal {
    tracing::error!(%error, "a session failed");
    Refusal::internal()
}

/// A session that is freed if it does not come to be: also when the client is gone meanwhile.
struct Unfinished {
    sessions: Arc<Sessions>,
    id: Option<SessionId>,
}

impl Unfinished {
    fn finish(mut self) {
        self.id = None;
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            let sessions = Arc::clone(&self.sessions);
            tokio::spawn(async move { sessions.forget(&id).await });
        }
    }
}

/// A message in a session.
pub(super) async fn post(
    sessions: &Arc<Sessions>,
    info: &RequestInfo,
    message: Message,
) -> Response<Body> {
    let id = message.id.clone();
    match posted(sessions, info, message).await {
        Ok(response) => response,
        Err(Unopened::Refused(refusal)) => refusal.rpc(id.as_ref()),
        Err(Unopened::Replied(reply)) => reply::refused(reply),
    }
}

async fn posted(
    sessions: &Arc<Sessions>,
    info: &RequestInfo,
    message: Message,
) -> Result<Response<Body>, Unopened> {
    let session = find(sessions, info)?;
    version(info, &message.value)?;
    let request = judged(&message, &session.rules, &|id| session.flight.has(id))?;
    let info = info.clone().with_session(&session.id);
    let carrier = &sessions.carrier;
    if let Some(id) = &message.id {
        let request = numbered(&session, &message, request, info)?;
        let stream = carrier.create_stream(&session.id, request).await;
        let stream = stream.map_err(|error| {
            session.flight.cancel(id);
            internal(error)
        })?;
        let held = session.opened(false);
        let pace = Pace::new(&sessions.limits, sessions.end.clone());
        let answer = sse::answer(messages(stream), held, pace.clone(), |_| StatusCode::OK).await;
        // It was cancelled, which is answered by nothing.
        return Ok(answer.unwrap_or_else(|| sse::nothing(pace)));
    }
    if let Some(message) = noticed(&session, request, info) {
        carrier
            .accept_message(&session.id, message)
            .await
            .map_err(internal)?;
    }
    Ok(accepted())
}

/// GET: the stream of what the server says by itself, or what is left of one that broke.
pub(super) async fn listen(sessions: &Arc<Sessions>, info: &RequestInfo) -> Response<Body> {
    listened(sessions, info)
        .await
        .unwrap_or_else(|refusal| refusal.rpc(None))
}

async fn listened(sessions: &Arc<Sessions>, info: &RequestInfo) -> Result<Response<Body>, Refusal> {
    if !headers::accepts(info.headers(), "text/event-stream") {
        return Err(Refusal::not_acceptable("accept"));
    }
    let session = find(sessions, info)?;
    let pace = Pace::new(&sessions.limits, sessions.end.clone());
    let carrier = &sessions.carrier;
    let last = one(info.headers(), headers::LAST_EVENT)
        .map_err(|()| Refusal::bad("last-event-id", "expected one event id"))?;
    let all = match last {
        Some(last) => match carrier.resume(&session.id, last.to_owned()).await {
            Ok(stream) => messages(stream),
            // Another status would make a browser ask again for ever.
            Err(error) => {
                tracing::debug!(%error, "a stream could not be resumed");
                return Ok(sse::nothing(pace));
            }
        },
        None => messages(
            carrier
                .create_standalone_stream(&session.id)
                .await
                .map_err(internal)?,
        ),
    };
    Ok(sse::events(all, session.opened(true), pace))
}

/// DELETE: ends the session.
pub(super) async fn end(sessions: &Arc<Sessions>, info: &RequestInfo) -> Response<Body> {
    match find(sessions, info) {
        Ok(session) => {
            sessions.forget(&session.id).await;
            // The Python SDK takes 202 for a failure.
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NO_CONTENT;
            response
        }
        Err(refusal) => refusal.rpc(None),
    }
}

fn find(sessions: &Sessions, info: &RequestInfo) -> Result<Arc<Session>, Refusal> {
    match session_of(info.headers())? {
        Some(id) => sessions.find(id, info).ok_or_else(|| {
            Refusal::not_found(
                "there is no such session; it may have ended: open another with initialize",
            )
        }),
        None => Err(Refusal::bad(
            "mcp-session-id",
            "expected the id of a session, which initialize gives, or a whole request of 2026-07-28",
        )),
    }
}

/// Whether the header names a version that there is, and for `initialize` the one in the body.
fn version(info: &RequestInfo, message: &Value) -> Result<(), Unopened> {
    let Some(said) = one(info.headers(), headers::VERSION)
        .map_err(|()| Refusal::bad("mcp-protocol-version", "expected one version"))?
    else {
        return Ok(());
    };
    let opening = message.get("method").and_then(Value::as_str) == Some("initialize");
    let asked = message
        .pointer("/params/protocolVersion")
        .and_then(Value::as_str);
    if opening && asked != Some(said) {
        return Err(Unopened::Refused(Refusal::bad(
            "mcp-protocol-version",
            "expected the version that the body asks for, or no header",
        )));
    }
    if opening || era::legacy_versions().any(|known| known == said) {
        return Ok(());
    }
    let supported: Vec<&str> = ProtocolVersion::KNOWN_VERSIONS
        .iter()
        .map(ProtocolVersion::as_str)
        .collect();
    let data = json!({"requested": said, "supported": supported});
    let mut error = ErrorData::unsupported_protocol_version(ProtocolVersion::LATEST, &[]);
    error.data = Some(data);
    let mut reply = json!({"jsonrpc": "2.0", "error": error});
    if let (Some(id), Value::Object(members)) = (rea_front::message_id(message), &mut reply) {
        members.insert("id".to_owned(), id.into_json_value());
    }
    Err(Unopened::Replied(reply))
}

/// Checks a message against what the session's server can do.
fn judged(
    message: &Message,
    rules: &Rules,
    in_flight: &dyn Fn(&RequestId) -> bool,
) -> Result<ClientJsonRpcMessage, Unopened> {
    let value = match check(&message.bytes, rules, in_flight) {
        Verdict::Accept(value) => value,
        Verdict::Reply(reply) => return Err(Unopened::Replied(reply)),
        Verdict::Ignore => return Err(no_message().into()),
    };
    typed(&value, rules).map_err(|reply| match reply {
        Some(reply) => Unopened::Replied(reply),
        None => no_message().into(),
    })
}

/// Gives a request its number.
fn numbered(
    session: &Session,
    message: &Message,
    mut request: ClientJsonRpcMessage,
    info: RequestInfo,
) -> Result<ClientJsonRpcMessage, Unopened> {
    let JsonRpcMessage::Request(inner) = &mut request else {
        return Err(no_message().into());
    };
    let number = match session
        .flight
        .start(inner.id.clone(), Asked::of(&message.value))
    {
        Ok(number) => number,
        // It came between the check and here.
        Err(NoRoom::Twice) => {
            judged(message, &session.rules, &|_| true)?;
            return Err(Refusal::internal().into());
        }
        Err(NoRoom::Full) => {
            let text = "too many requests of this session are being answered";
            return Err(Refusal::too_many(text).into());
        }
    };
    let extensions = inner.request.extensions_mut();
    extensions.insert(number);
    extensions.insert(info);
    Ok(request)
}

/// Makes a notification or a response fit to be handed on; `None` if it is about nothing that is under way.
fn noticed(
    session: &Session,
    mut message: ClientJsonRpcMessage,
    info: RequestInfo,
) -> Option<ClientJsonRpcMessage> {
    if let JsonRpcMessage::Notification(notification) = &mut message {
        let notification = &mut notification.notification;
        notification.extensions_mut().insert(info);
        if let ClientNotification::CancelledNotification(cancelled) = notification {
            let id = cancelled.params.request_id.as_ref()?;
            let number: Number = session.flight.cancel(id)?;
            cancelled.extensions.insert(number);
        }
    }
    Some(message)
}

fn messages(stream: impl Stream<Item = ServerSseMessage> + Send + 'static) -> Messages {
    Box::pin(stream.filter_map(|event| async {
        let ServerSseMessage {
            event_id, message, ..
        } = event;
        message.map(|message| Sent {
            id: event_id,
            message,
        })
    }))
}

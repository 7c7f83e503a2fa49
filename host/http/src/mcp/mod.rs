//! MCP over Streamable HTTP, both eras on one address.
//!
//! rmcp negotiates, keeps sessions and runs subscriptions; the HTTP between is here and not rmcp's own, which
//! takes typed handlers only (so neither `guarded` nor raw results) and answers with bare statuses.

mod era;
mod flight;
mod headers;
mod homeward;
mod info;
mod legacy;
mod modern;
mod reply;
mod sessions;
mod stream;

use std::{convert::Infallible, sync::Arc};

use axum::{
    body::Body,
    extract::{RawPathParams, Request, rejection::RawPathParamsRejection},
    http::{HeaderMap, Method, Response, StatusCode},
    routing::{MethodRouter, any},
};
use bytes::Bytes;
use rea_front::{Rules, Verdict, check, message_id};
use rmcp::{
    RoleServer, Service,
    model::{RequestId, ServerCapabilities},
};
use serde_json::Value;

use crate::{body, config::Limits, gate::Caller, refusal::Refusal};
use era::Era;
pub use info::RequestInfo;
pub(crate) use sessions::Sessions;

const ALL: &str = "GET, POST, DELETE";

/// One address that serves MCP.
struct Endpoint<F> {
    factory: F,
    sessions: Arc<Sessions>,
    limits: Limits,
}

/// A message that was read and is no malformed one, as far as can be said before it is known who answers.
struct Message {
    bytes: Bytes,
    value: Value,
    /// `None` for a notification or a response.
    id: Option<RequestId>,
}

pub(crate) fn endpoint<F, Made, S>(
    factory: F,
    sessions: Arc<Sessions>,
    limits: Limits,
) -> MethodRouter<(), Infallible>
where
    F: Fn(RequestInfo) -> Made + Send + Sync + 'static,
    Made: Future<Output = Result<S, Refusal>> + Send + 'static,
    S: Service<RoleServer>,
{
    let endpoint = Arc::new(Endpoint {
        factory,
        sessions,
        limits,
    });
    any(
        move |params: Result<RawPathParams, RawPathParamsRejection>, request: Request| {
            let endpoint = Arc::clone(&endpoint);
            async move {
                let Some(caller) = request.extensions().get::<Caller>().cloned() else {
                    return Refusal::internal().rpc(None);
                };
                let Ok(params) = params else {
                    return Refusal::bad("path", "the path must be percent-encoded UTF-8")
                        .rpc(None);
                };
                let (parts, body) = request.into_parts();
                let info = RequestInfo::new(&parts, &params, &caller);
                endpoint.answer(&parts.method, info, body).await
            }
        },
    )
}

impl<F, Made, S> Endpoint<F>
where
    F: Fn(RequestInfo) -> Made + Send + Sync + 'static,
    Made: Future<Output = Result<S, Refusal>> + Send + 'static,
    S: Service<RoleServer>,
{
    async fn answer(&self, method: &Method, info: RequestInfo, body: Body) -> Response<Body> {
        match *method {
            Method::POST => self.post(info, body).await,
            Method::GET | Method::DELETE if era::is_modern_header(info.headers()) => {
                Refusal::wrong_method("POST").rpc(None)
            }
            Method::GET => legacy::listen(&self.sessions, &info).await,
            Method::DELETE => legacy::end(&self.sessions, &info).await,
            _ => Refusal::wrong_method(ALL).rpc(None),
        }
    }

    async fn post(&self, info: RequestInfo, body: Body) -> Response<Body> {
        let limit = self.limits.body_bytes;
        let bytes = match body::read(body, limit, self.limits.body_time).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Refusal::too_large(limit).rpc(None),
            Err(refusal) => return refusal.rpc(None),
        };
        // Whose capabilities count is not known yet; the envelope is the same for all.
        let envelope = Rules::new(ServerCapabilities::default()).with_max_bytes(limit);
        let value = match check(&bytes, &envelope, &|_| false) {
            Verdict::Accept(value) => value,
            Verdict::Reply(reply) => {
                return modern::removed(&bytes).unwrap_or_else(|| reply::refused(reply));
            }
            Verdict::Ignore => return no_message().rpc(None),
        };
        let id = value.get("method").and_then(|_| message_id(&value));
        if let Err(refusal) = headers::accepted(info.headers()) {
            return refusal.rpc(id.as_ref());
        }
        let message = Message { bytes, value, id };
        match era::of(&message.value, info.headers()) {
            Era::Modern => self.modern(info, message).await,
            Era::Opening => self.open(info, message).await,
            Era::Legacy => legacy::post(&self.sessions, &info, message).await,
        }
    }
}

/// What stdio ignores needs an answer here: it came in a request of its own.
fn no_message() -> Refusal {
    Refusal::bad(
        "body",
        "no message at all, or a notification or a response that isn't well-formed",
    )
}

fn accepted() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// The name of a session, where the client says one.
fn session_of(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    crate::fence::one(headers, headers::SESSION)
        .map_err(|()| Refusal::bad("mcp-session-id", "expected one session id"))
}

//! The switch over HTTP. What it answers is the policy's; here a request is bounded and handed on.

use std::sync::Arc;

use axum::{
    Extension, Router,
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header},
    routing::{any, get},
};
use serde_json::{Value, json};

use crate::{
    body,
    config::Limits,
    fence::Welcome,
    gate::Caller,
    refusal::{Refusal, bytes_response},
};

/// A request for `/rea-toggle/state`, as the policy wants it.
#[derive(Clone, Debug)]
pub struct StateRequest {
    /// The method, as sent.
    pub method: String,
    /// What stands behind the `?`, undecoded.
    pub query: Option<String>,
    /// The header fields that the policy looks at, in the order sent, names in lower case. `host` is always there.
    pub headers: Vec<(String, String)>,
    /// The body; at most one byte more than [`StateApi::body_limit`].
    pub body: Vec<u8>,
    /// Who is welcome. Whoever is not has not come this far, so the policy finds nobody to refuse.
    pub welcome: Welcome,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct StateResponse {
    /// The status code.
    pub status: u16,
    /// Header fields; no `content-length`.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

/// A conversation in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversation {
    /// Its id.
    pub id: String,
    /// Its position.
    pub enabled: bool,
    /// The revision of its last change; `None` if it was never switched.
    pub revision: Option<u64>,
    /// Number of its live agents.
    pub agents: u32,
    /// Number of tools of the governed servers, on or off.
    pub tools: u32,
    /// Bytes of schema of these tools, if known.
    pub schema_bytes: Option<u64>,
}

/// All conversations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversations {
    /// The position of a conversation that was never switched.
    pub default_enabled: bool,
    /// The governed servers, each with `connected`, `down` or `absent`.
    pub servers: Vec<(String, String)>,
    /// The list, in the order in which it is shown.
    pub conversations: Vec<Conversation>,
}

/// What answers for the switch.
pub trait StateApi: Send + Sync + 'static {
    /// Answers `/rea-toggle/state`, whatever the method.
    fn state(&self, request: StateRequest) -> impl Future<Output = StateResponse> + Send;

    /// All conversations that were switched or have live agents.
    fn conversations(&self) -> impl Future<Output = Conversations> + Send;

    /// Bytes of a body beyond which one more is enough to be handed over; the policy then says 413.
    fn body_limit(&self) -> usize {
        16 << 10
    }
}

/// What the policy looks at.
const FIELDS: [HeaderName; 6] = [
    header::HOST,
    header::ORIGIN,
    HeaderName::from_static("sec-fetch-site"),
    header::CONTENT_TYPE,
    header::CONTENT_ENCODING,
    header::ACCESS_CONTROL_REQUEST_METHOD,
];

pub(crate) fn routes<A: StateApi>(api: A, limits: Limits) -> Router {
    let api = Arc::new(api);
    let listed = Arc::clone(&api);
    Router::new()
        .route(
            "/rea-toggle/state",
            any(
                move |Extension(caller): Extension<Caller>, request: Request| {
                    let api = Arc::clone(&api);
                    async move { state(&*api, &caller, request, limits).await }
                },
            ),
        )
        .route(
            "/rea-toggle/conversations",
            get(move |headers: HeaderMap| {
                let api = Arc::clone(&listed);
                async move { list(&api.conversations().await, &headers) }
            }),
        )
}

async fn state<A: StateApi>(
    api: &A,
    caller: &Caller,
    request: Request,
    limits: Limits,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let limit = api.body_limit();
    // The policy's bound is the smaller one, and the answer its own: it is shown that there is one byte too many.
    let body = match body::read(body, limit, limits.body_time).await {
        Ok(Some(body)) => body.to_vec(),
        Ok(None) => vec![b' '; limit.saturating_add(1)],
        Err(refusal) => return refusal.plain(),
    };
    let mut headers = Vec::new();
    for name in FIELDS {
        for value in parts.headers.get_all(&name) {
            // What is no text is none that the policy knows; that it is there counts.
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            headers.push((name.as_str().to_owned(), value));
        }
    }
    if let (false, Some(authority)) = (
        parts.headers.contains_key(header::HOST),
        parts.uri.authority(),
    ) {
        headers.push(("host".to_owned(), authority.to_string()));
    }
    let answer = api.state(StateRequest {
        method: parts.method.as_str().to_owned(),
        query: parts.uri.query().map(str::to_owned),
        headers,
        body,
        welcome: caller.welcome(),
    });
    respond(answer.await)
}

fn respond(answer: StateResponse) -> Response<Body> {
    let mut response = Response::new(Body::from(answer.body));
    let Ok(status) = StatusCode::from_u16(answer.status) else {
        tracing::error!(status = answer.status, "the policy gave no status");
        return Refusal::internal().plain();
    };
    *response.status_mut() = status;
    for (name, value) in answer.headers {
        match (
            HeaderName::from_bytes(name.as_bytes()),
            HeaderValue::from_str(&value),
        ) {
            (Ok(name), Ok(value)) => {
                response.headers_mut().append(name, value);
            }
            _ => tracing::error!(name, "the policy gave no header"),
        }
    }
    response
}

/// The list, or 304 if the client has it already: a page asks every other second.
fn list(all: &Conversations, asked: &HeaderMap) -> Response<Body> {
    let body = written(all).to_string();
    let tag = format!("\"{:016x}\"", fingerprint(body.as_bytes()));
    let known = asked
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .any(|value| value.as_bytes() == tag.as_bytes());
    let mut response = if known {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        bytes_response(StatusCode::OK, body.into_bytes())
    };
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    // Asked for each time, with the tag.
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

fn written(all: &Conversations) -> Value {
    let states = all
        .servers
        .iter()
        .map(|(name, state)| (name.clone(), Value::from(state.as_str())));
    let conversations = all.conversations.iter().map(|one| {
        json!({
            "id": one.id,
            "enabled": one.enabled,
            "known": one.revision.is_some(),
            "revision": one.revision,
            "agents": one.agents,
            "tools": one.tools,
            "schemaBytes": one.schema_bytes,
        })
    });
    json!({
        "defaultEnabled": all.default_enabled,
        "serverStates": Value::Object(states.collect()),
        "conversations": conversations.collect::<Vec<_>>(),
    })
}

/// FNV-1a: tells two lists apart, and need do no more.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

//! What every request passes, whatever its route, and what every response bears.

use std::{net::SocketAddr, panic::AssertUnwindSafe, sync::Arc};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header},
    middleware::Next,
};
use futures_util::FutureExt as _;

use crate::{
    auth::{Principal, Tokens},
    body::is_json,
    fence::{Fence, Welcome},
    refusal::Refusal,
};

/// Bytes of an address at most. The longest id of a conversation takes 3 KiB with every character escaped.
const LONGEST_URI: usize = 8 << 10;

/// What pages of welcome origins may send, and which headers they may read.
const METHODS: &str = "GET, POST, DELETE";
const HEADERS: &str = "content-type, authorization, accept, if-none-match, last-event-id, mcp-protocol-version, \
                       mcp-session-id, mcp-method, mcp-name";
const EXPOSED: &str = "mcp-session-id, etag";

/// The two ends of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) local: SocketAddr,
    pub(crate) peer: SocketAddr,
}

/// Who asks, once let in; in the request's extensions.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) principal: Principal,
    pub(crate) ends: Ends,
    fence: Arc<Fence>,
}

impl Caller {
    pub(crate) fn welcome(&self) -> Welcome {
        self.fence.welcome(self.ends.local)
    }
}

/// What a route is, as far as the gate cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The same for everybody and without data: no token is asked for, so that a page can ask its user for one.
    Fixed,
    /// JSON.
    Plain,
    /// MCP: refusals are JSON-RPC errors.
    Rpc,
}

#[derive(Clone)]
pub(crate) struct Gate {
    pub(crate) fence: Arc<Fence>,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) kind: Kind,
}

/// The gate, as a layer.
pub(crate) async fn gate(
    State(gate): State<Gate>,
    mut request: Request,
    next: Next,
) -> Response<Body> {
    let origin = match gate.fenced(&request) {
        Ok((_, origin)) => origin,
        Err(refusal) => return dressed(gate.refuse(&refusal), None),
    };
    if let (Some(origin), true) = (&origin, is_preflight(&request)) {
        return dressed(preflight(request.headers()), Some(origin));
    }
    let response = match gate.admit(&request, origin.clone()) {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            // Factories and the switch are not ours: a panic in one costs this request and not the connection.
            match AssertUnwindSafe(next.run(request)).catch_unwind().await {
                Ok(response) => gate.spoken(response),
                Err(_) => {
                    tracing::error!("what answers a request panicked");
                    gate.refuse(&Refusal::internal())
                }
            }
        }
        Err(refusal) => gate.refuse(&refusal),
    };
    dressed(response, origin.as_deref())
}

impl Gate {
    fn fenced(&self, request: &Request) -> Result<(Ends, Option<String>), Refusal> {
        let ends = ends(request)?;
        let origin = self
            .fence
            .pass(request.uri(), request.headers(), ends.local)?;
        if request.uri().path().len() + request.uri().query().map_or(0, str::len) > LONGEST_URI {
            return Err(Refusal::uri_too_long());
        }
        Ok((ends, origin))
    }

    fn admit(&self, request: &Request, origin: Option<String>) -> Result<Caller, Refusal> {
        let ends = ends(request)?;
        let token = match self.kind {
            Kind::Fixed => None,
            Kind::Plain | Kind::Rpc => self.tokens.admit(request.headers())?,
        };
        if request.method() == Method::POST && !is_json(request.headers()) {
            return Err(Refusal::not_json());
        }
        Ok(Caller {
            principal: Principal::new(token, ends.peer.ip(), origin),
            ends,
            fence: Arc::clone(&self.fence),
        })
    }

    fn refuse(&self, refusal: &Refusal) -> Response<Body> {
        match self.kind {
            Kind::Rpc => refusal.rpc(None),
            Kind::Fixed | Kind::Plain => refusal.plain(),
        }
    }

    /// The router's own answers are bare: they get words.
    fn spoken(&self, response: Response<Body>) -> Response<Body> {
        if response.headers().contains_key(header::CONTENT_TYPE) {
            return response;
        }
        let refusal = match response.status() {
            StatusCode::NOT_FOUND => Refusal::not_found("there is nothing at this address"),
            // The router adds `allow` after this.
            StatusCode::METHOD_NOT_ALLOWED => Refusal::no_such_method(),
            _ => return response,
        };
        self.refuse(&refusal)
    }
}

fn ends(request: &Request) -> Result<Ends, Refusal> {
    let ends = request.extensions().get::<Ends>();
    ends.copied().ok_or_else(Refusal::internal)
}

fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a page of a welcome foreign origin that asks whether it may ask.
fn preflight(asked: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    let mut put = |name: HeaderName, value| headers.insert(name, HeaderValue::from_static(value));
    put(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    put(header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    put(header::ACCESS_CONTROL_MAX_AGE, "600");
    // A browser that shields local networks from pages of the public one asks for this word too.
    if asked.contains_key("access-control-request-private-network") {
        let name = HeaderName::from_static("access-control-allow-private-network");
        put(name, "true");
    }
    response
}

/// What every response bears.
fn dressed(mut response: Response<Body>, origin: Option<&str>) -> Response<Body> {
    let headers = response.headers_mut();
    let mut put = |name: HeaderName, value| {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    };
    put(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(header::CACHE_CONTROL, "no-store");
    put(header::REFERRER_POLICY, "no-referrer");
    put(
        HeaderName::from_static("cross-origin-resource-policy"),
        if origin.is_some() {
            "cross-origin"
        } else {
            "same-origin"
        },
    );
    let known = headers.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN);
    // What a request is answered depends on its origin, also where there is none.
    if !headers.contains_key(header::VARY) {
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
    }
    if let Some(Ok(origin)) = origin.map(HeaderValue::from_str).filter(|_| !known) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(EXPOSED),
        );
    }
    response
}

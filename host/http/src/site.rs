//! What is served where.

use std::sync::Arc;

use axum::{Router, middleware::from_fn_with_state, routing::MethodRouter};
use rmcp::{RoleServer, Service};
use tokio_util::sync::CancellationToken;

use crate::{
    auth::Tokens,
    config::Limits,
    fence::Fence,
    gate::{Gate, Kind, gate},
    mcp::{self, RequestInfo, Sessions},
    page,
    refusal::Refusal,
    state::{self, StateApi},
};

/// What a server serves. Get an empty one from [`crate::Server::site`] and add to it.
pub struct Site {
    fixed: Router,
    plain: Router,
    rpc: Router,
    pub(crate) sessions: Arc<Sessions>,
    limits: Limits,
    /// Ends streams and sessions when the server stops.
    pub(crate) end: CancellationToken,
}

impl Site {
    pub(crate) fn new(limits: Limits) -> Site {
        let end = CancellationToken::new();
        Site {
            fixed: Router::new(),
            plain: Router::new(),
            rpc: Router::new(),
            sessions: Arc::new(Sessions::new(limits, end.clone())),
            limits,
            end,
        }
    }

    /// Serves MCP at a path, which may have parameters: `/c/{conversation}/mcp`.
    ///
    /// The factory makes what answers: once for a client that opens with `initialize` ([`RequestInfo::session`] is
    /// then the id that its session gets), and once for each request of 2026-07-28, so it should be cheap: a clone
    /// of what lives elsewhere. It is dropped when the session ends, or when the request is answered. A panic in
    /// it costs the one request. It may refuse: [`Refusal::not_found`] for a parameter that names nothing.
    ///
    /// A session belongs to the exact path, and to the principal, that opened it.
    #[must_use]
    pub fn mcp<F, Made, S>(mut self, path: &str, factory: F) -> Site
    where
        F: Fn(RequestInfo) -> Made + Send + Sync + 'static,
        Made: Future<Output = Result<S, Refusal>> + Send + 'static,
        S: Service<RoleServer>,
    {
        let endpoint = mcp::endpoint(factory, Arc::clone(&self.sessions), self.limits);
        self.rpc = self.rpc.route(path, endpoint);
        self
    }

    /// Serves the switch: `GET` and `POST /rea-toggle/state`, `GET /rea-toggle/conversations`, the page at `/`
    /// and the pill at `/rea-toggle/pill.js`.
    #[must_use]
    pub fn switch<A: StateApi>(mut self, api: A) -> Site {
        self.plain = self.plain.merge(state::routes(api, self.limits));
        self.fixed = self.fixed.merge(page::routes());
        self
    }

    /// Serves anything else, behind the same fences. A POST must come as `application/json`; its body is for the
    /// route to bound.
    #[must_use]
    pub fn route(mut self, path: &str, method: MethodRouter) -> Site {
        self.plain = self.plain.route(path, method);
        self
    }

    pub(crate) fn router(self, fence: Fence, tokens: Tokens) -> Router {
        let (fence, tokens) = (Arc::new(fence), Arc::new(tokens));
        let behind = |router: Router, kind| {
            let state = Gate {
                fence: Arc::clone(&fence),
                tokens: Arc::clone(&tokens),
                kind,
            };
            router.layer(from_fn_with_state(state, gate))
        };
        // What is at no address gets there too: also that is not told to everybody.
        let plain = self
            .plain
            .fallback(|| async { Refusal::not_found("there is nothing at this address").plain() });
        behind(plain, Kind::Plain)
            .merge(behind(self.fixed, Kind::Fixed))
            .merge(behind(self.rpc, Kind::Rpc))
    }
}

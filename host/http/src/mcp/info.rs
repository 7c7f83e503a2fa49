//! What a factory may go by.

use std::net::SocketAddr;

use axum::{
    extract::RawPathParams,
    http::{HeaderMap, header, request::Parts},
};

use crate::{auth::Principal, gate::Caller, query};

/// A request, as the factory of a service sees it. Handlers find the one they answer in their context's
/// `extensions`.
#[derive(Clone, Debug)]
pub struct RequestInfo {
    path: String,
    query: Option<String>,
    params: Vec<(String, String)>,
    headers: HeaderMap,
    principal: Principal,
    peer: SocketAddr,
    session: Option<String>,
}

impl RequestInfo {
    pub(crate) fn new(parts: &Parts, params: &RawPathParams, caller: &Caller) -> Self {
        let mut headers = parts.headers.clone();
        // Nobody behind the gate needs it, so nobody can pass it on.
        headers.remove(header::AUTHORIZATION);
        let params = params
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self {
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().map(str::to_owned),
            params: params.collect(),
            headers,
            principal: caller.principal.clone(),
            peer: caller.ends.peer,
            session: None,
        }
    }

    pub(crate) fn with_session(mut self, id: &str) -> Self {
        self.session = Some(id.to_owned());
        self
    }

    /// The path, undecoded. A session belongs to exactly this.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// A parameter of the path, decoded: `conversation` of `/c/{conversation}/mcp`.
    pub fn param(&self, name: &str) -> Option<&str> {
        self.params
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// The first value of a field of the query, decoded: `parent` of `?parent=...`.
    pub fn query(&self, name: &str) -> Option<String> {
        query::value(self.query.as_deref()?, name)
    }

    /// The header fields, without `authorization`.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Who asks.
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Where the connection comes from.
    pub fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// The id of the session, for a client that opened with `initialize`; 122 random bits. `None` for a request of
    /// 2026-07-28, which has no session.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }
}

//! Responses: the exact shapes of T13, and errors.

use super::super::json::Object;
use super::super::problem::Problem;
use super::super::switch::{ServerState, Switch};
use super::Response;

/// The methods that there are.
const METHODS: &str = "GET, POST";

impl Switch {
    pub(super) fn status_response(&self, session: &str) -> Result<Response, Problem> {
        let status = self.status(session)?;
        let body = Object::new()
            .string("session", &status.session)
            .boolean("enabled", status.enabled)
            .boolean("known", status.known);
        Ok(json(
            200,
            self.common(body, None, status.agents, status.tools, status.schema_bytes),
        ))
    }

    pub(super) fn summary_response(&self) -> Response {
        let summary = self.summary();
        let body = Object::new().raw("session", "null");
        json(
            200,
            self.common(
                body,
                Some(summary.conversations),
                summary.agents,
                summary.tools,
                summary.schema_bytes,
            ),
        )
    }

    /// What both answers have.
    fn common(
        &self,
        body: Object,
        conversations: Option<u32>,
        agents: u32,
        tools: u32,
        schema_bytes: Option<u64>,
    ) -> String {
        let mut states = Object::new();
        for (server, state) in self.server_states() {
            states = states.string(&server, word(state));
        }
        let mut body = body
            .boolean("defaultEnabled", self.settings.default_enabled)
            .strings("servers", self.settings.servers.iter().map(String::as_str));
        if let Some(conversations) = conversations {
            body = body.number("conversations", Some(conversations.into()));
        }
        body.number("agents", Some(agents.into()))
            .number("tools", Some(tools.into()))
            .string("statePath", &self.hosting.state_path)
            .number("schemaBytes", schema_bytes)
            .raw("serverStates", &states.end())
            .end()
    }
}

impl Response {
    /// Lets the page of a welcome foreign origin read the response.
    pub(super) fn seen_by(mut self, origin: Option<&str>) -> Response {
        if let Some(origin) = origin {
            self.headers
                .push(("access-control-allow-origin".into(), origin.to_owned()));
            self.headers.push(("vary".into(), "origin".into()));
        }
        self
    }
}

/// The answer to a page of a welcome foreign origin that asks whether it may ask.
pub(super) fn preflight() -> Response {
    Response {
        status: 204,
        headers: vec![
            ("access-control-allow-methods".into(), METHODS.into()),
            (
                "access-control-allow-headers".into(),
                "content-type, authorization".into(),
            ),
            ("access-control-max-age".into(), "600".into()),
            ("cache-control".into(), "no-store".into()),
        ],
        body: String::new(),
    }
}

/// The answer to a method that there isn't.
pub(super) fn wrong_method() -> Response {
    let mut response = refuse(405, "method", "method", "GET reads and POST switches.");
    response.headers.push(("allow".into(), METHODS.into()));
    response
}

/// An error.
pub(super) fn refuse(status: u16, kind: &str, field: &str, message: &str) -> Response {
    let error = Object::new()
        .string("kind", kind)
        .string("field", field)
        .string("message", message)
        .end();
    json(status, Object::new().raw("error", &error).end())
}

fn json(status: u16, body: String) -> Response {
    Response {
        status,
        headers: vec![
            (
                "content-type".into(),
                "application/json; charset=utf-8".into(),
            ),
            ("cache-control".into(), "no-store".into()),
            ("x-content-type-options".into(), "nosniff".into()),
        ],
        body,
    }
}

fn word(state: ServerState) -> &'static str {
    match state {
        ServerState::Connected => "connected",
        ServerState::Down => "down",
        ServerState::Absent => "absent",
    }
}

//! The HTTP interface (T13): a request in, a response out, or a change to carry out first.

mod answer;
mod fence;
mod query;
#[cfg(test)]
mod tests;

use serde_json::Value;

use self::answer::refuse;
use super::command::{StoreFailure, StoreFailureKind};
use super::document::Movement;
use super::problem::{Problem, ProblemKind};
use super::switch::{Change, Switch};
use super::text;

/// Bytes of a body at most. The longest id takes 3 KiB with every character escaped.
pub const LONGEST_BODY: usize = 16 << 10;

/// An HTTP request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The method, as sent.
    pub method: String,
    /// What stands behind the `?`, undecoded.
    pub query: Option<String>,
    /// Header fields in the order sent.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// From where a request is welcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fence {
    /// Names or addresses beside the loopback ones.
    pub hosts: Vec<String>,
    /// Origins beside its own.
    pub origins: Vec<String>,
}

/// An HTTP response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Header fields, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body: a JSON object, or empty with status 204.
    pub body: String,
}

/// A request that wants a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpChange {
    /// The change.
    pub change: Change,
    /// The welcome foreign origin that asks.
    pub origin: Option<String>,
}

/// What a request comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpStep {
    /// A response at once.
    Response(Response),
    /// A change to carry out.
    Change(HttpChange),
}

impl Request {
    /// The one value of a header; fails if it is there twice.
    fn header(&self, name: &str) -> Result<Option<&str>, ()> {
        let mut values = self
            .headers
            .iter()
            .filter(|(header, _)| header.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim());
        let first = values.next();
        if values.next().is_some() {
            return Err(());
        }
        Ok(first)
    }
}

impl Switch {
    /// What an HTTP request means.
    #[must_use]
    pub fn http(&self, request: &Request, fence: &Fence) -> HttpStep {
        let origin = match fence::check(request, fence) {
            Ok(origin) => origin,
            Err(response) => return HttpStep::Response(response),
        };
        let step = match request.method.as_str() {
            "GET" => HttpStep::Response(self.read(request).unwrap_or_else(|problem| bad(&problem))),
            "POST" => self.write(request, origin.clone()),
            "OPTIONS" if origin.is_some() => HttpStep::Response(answer::preflight()),
            _ => HttpStep::Response(answer::wrong_method()),
        };
        match step {
            HttpStep::Response(response) => HttpStep::Response(response.seen_by(origin.as_deref())),
            change @ HttpStep::Change(_) => change,
        }
    }

    /// The response to a request whose change was stored and adopted, or was not.
    #[must_use]
    pub fn http_answer(&self, change: &HttpChange, failure: Option<&StoreFailure>) -> Response {
        let response = match failure {
            None => self
                .status_response(&change.change.session)
                .unwrap_or_else(|problem| bad(&problem)),
            Some(failure) => {
                let (status, kind) = match failure.kind {
                    StoreFailureKind::Busy => (503, "busy"),
                    StoreFailureKind::Failed => (500, "failed"),
                };
                let mut response = refuse(status, kind, "statePath", &failure.detail);
                if status == 503 {
                    response.headers.push(("retry-after".into(), "1".into()));
                }
                response
            }
        };
        response.seen_by(change.origin.as_deref())
    }

    /// A GET: the status of the one session that the query names, or the summary.
    fn read(&self, request: &Request) -> Result<Response, Problem> {
        let query = request.query.as_deref().unwrap_or_default();
        match query::value(query, "session")? {
            Some(session) => self.status_response(&session),
            None => Ok(self.summary_response()),
        }
    }

    /// A POST: the change that the body asks for.
    fn write(&self, request: &Request, origin: Option<String>) -> HttpStep {
        if !is_json(request) {
            return HttpStep::Response(refuse(
                415,
                "content-type",
                "content-type",
                "The body must come as application/json, once, unpacked and in UTF-8.",
            ));
        }
        if request.body.len() > LONGEST_BODY {
            return HttpStep::Response(refuse(
                413,
                ProblemKind::TooMuch.word(),
                "",
                &format!("The body is longer than {LONGEST_BODY} bytes."),
            ));
        }
        match wanted(&request.body) {
            Ok(change) => HttpStep::Change(HttpChange { change, origin }),
            Err(problem) => HttpStep::Response(bad(&problem)),
        }
    }
}

/// The change that a body asks for.
fn wanted(body: &[u8]) -> Result<Change, Problem> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        Problem::new(
            ProblemKind::Syntax,
            "",
            format!("The body isn't JSON: {error}."),
        )
    })?;
    let Value::Object(fields) = value else {
        return Err(Problem::new(
            ProblemKind::WrongType,
            "",
            "The body must be a JSON object.",
        ));
    };
    let session = match fields.get("session") {
        Some(Value::String(session)) => session.clone(),
        Some(_) => {
            return Err(Problem::new(
                ProblemKind::WrongType,
                "session",
                "session must be the id of a conversation as text.",
            ));
        }
        None => {
            return Err(Problem::new(
                ProblemKind::Missing,
                "session",
                "session is missing: say which conversation to switch.",
            ));
        }
    };
    text::check_id("session", &session)?;
    let to = match fields.get("enabled") {
        None => Movement::Flip,
        Some(Value::Bool(true)) => Movement::On,
        Some(Value::Bool(false)) => Movement::Off,
        Some(_) => {
            return Err(Problem::new(
                ProblemKind::WrongType,
                "enabled",
                "enabled must be true or false; leave it out to flip.",
            ));
        }
    };
    Ok(Change { session, to })
}

/// Whether the body is said to be JSON: what a form of another page can't say.
fn is_json(request: &Request) -> bool {
    let Ok(Some(value)) = request.header("content-type") else {
        return false;
    };
    let mut parts = value.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let charset = parts
        .filter_map(|part| part.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
        .map(|(_, value)| value.trim().trim_matches('"'));
    let packed = match request.header("content-encoding") {
        Ok(None) => false,
        Ok(Some(encoding)) => !encoding.eq_ignore_ascii_case("identity"),
        Err(()) => true,
    };
    essence.eq_ignore_ascii_case("application/json")
        && charset.is_none_or(|charset| charset.eq_ignore_ascii_case("utf-8"))
        && !packed
}

/// The answer to a request that is wrong.
fn bad(problem: &Problem) -> Response {
    refuse(400, problem.kind.word(), &problem.field, &problem.detail)
}

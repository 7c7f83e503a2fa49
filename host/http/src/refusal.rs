//! What is answered to a request that is not let through: JSON, in the words of who asks.

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
};
use rea_front::Diagnostic;
use rmcp::model::RequestId;
use serde_json::{Value, json};

/// Why a request is refused. On a route of MCP it becomes a JSON-RPC error, elsewhere
/// `{"error": {"kind", "field", "message"}}`.
#[derive(Clone, Debug)]
pub struct Refusal {
    status: StatusCode,
    kind: &'static str,
    field: &'static str,
    message: String,
    header: Option<(header::HeaderName, &'static str)>,
}

impl Refusal {
    fn new(
        status: StatusCode,
        kind: &'static str,
        field: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self {
            status,
            kind,
            field,
            message: message.into(),
            header: None,
        }
    }

    /// 404: there is no such thing, or not for this client.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "unknown", "path", message)
    }

    /// 400: the request names something that cannot be; `field` is the member of the request, as `path`.
    pub fn bad(field: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid", field, message)
    }

    /// 503: there is no room now.
    pub fn full(message: impl Into<String>) -> Self {
        let mut refusal = Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "", message);
        refusal.header = Some((header::RETRY_AFTER, "10"));
        refusal
    }

    /// 500: a fault of ours, told without detail.
    pub fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "",
            "internal error",
        )
    }

    pub(crate) fn forbidden(kind: &'static str, field: &'static str, message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, kind, field, message)
    }

    pub(crate) fn unauthorized(message: &str) -> Self {
        let mut refusal = Self::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "authorization",
            message,
        );
        refusal.header = Some((header::WWW_AUTHENTICATE, "Bearer"));
        refusal
    }

    pub(crate) fn not_json() -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "content-type",
            "content-type",
            "the body must come as application/json, once, unpacked and in UTF-8",
        )
    }

    pub(crate) fn too_large(limit: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-much",
            "body",
            format!("the body has more than {limit} bytes"),
        )
    }

    pub(crate) fn too_slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "too-slow",
            "body",
            "the body did not arrive in time",
        )
    }

    pub(crate) fn cut_short() -> Self {
        Self::bad("body", "the body could not be read to its end")
    }

    pub(crate) fn uri_too_long() -> Self {
        Self::new(
            StatusCode::URI_TOO_LONG,
            "too-much",
            "path",
            "the address is too long",
        )
    }

    pub(crate) fn not_acceptable(field: &'static str) -> Self {
        Self::new(
            StatusCode::NOT_ACCEPTABLE,
            "accept",
            field,
            "the client must accept application/json and text/event-stream",
        )
    }

    pub(crate) fn wrong_method(allow: &'static str) -> Self {
        let mut refusal = Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method",
            "method",
            format!("this address takes {allow}"),
        );
        refusal.header = Some((header::ALLOW, allow));
        refusal
    }

    /// 405 for the router to add `allow` to.
    pub(crate) fn no_such_method() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method",
            "method",
            "this address takes other methods, see the header allow",
        )
    }

    pub(crate) fn too_many(message: &str) -> Self {
        let mut refusal = Self::new(StatusCode::TOO_MANY_REQUESTS, "too-much", "", message);
        refusal.header = Some((header::RETRY_AFTER, "1"));
        refusal
    }

    /// The status code.
    pub fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// As `{"error": ...}`.
    pub(crate) fn plain(&self) -> Response<Body> {
        let body =
            json!({"error": {"kind": self.kind, "field": self.field, "message": self.message}});
        self.finish(&body)
    }

    /// As a JSON-RPC error, under the id of the request where one could be read.
    pub(crate) fn rpc(&self, id: Option<&RequestId>) -> Response<Body> {
        let ours = self.status.is_server_error();
        let code = if ours { -32603 } else { -32600 };
        let mut error = json!({"code": code, "message": self.message});
        if !ours {
            let diagnostic = Diagnostic {
                path: self.path(),
                expected: self.message.clone(),
                got: "something else".to_owned(),
            };
            set(
                &mut error,
                "data",
                rea_front::invalid_params_data(&[diagnostic]),
            );
        }
        let mut reply = json!({"jsonrpc": "2.0"});
        if let Some(id) = id {
            set(&mut reply, "id", id.clone().into_json_value());
        }
        set(&mut reply, "error", error);
        self.finish(&reply)
    }

    fn path(&self) -> String {
        match self.field {
            "" => "request".to_owned(),
            // As stdio says it: there a message is a line, here a body.
            "body" => "message".to_owned(),
            "path" | "method" | "query" => self.field.to_owned(),
            header => format!("headers.{header}"),
        }
    }

    fn finish(&self, body: &Value) -> Response<Body> {
        let mut response = json_response(self.status, body);
        if let Some((name, value)) = &self.header {
            response
                .headers_mut()
                .insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

pub(crate) fn json_response(status: StatusCode, body: &Value) -> Response<Body> {
    bytes_response(status, body.to_string().into_bytes())
}

pub(crate) fn bytes_response(status: StatusCode, body: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    response
}

fn set(value: &mut Value, name: &str, to: Value) {
    if let Value::Object(members) = value {
        members.insert(name.to_owned(), to);
    }
}

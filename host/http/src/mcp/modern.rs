//! Requests of 2026-07-28 and later: each is whole, and there are no sessions.

use std::sync::Arc;

use axum::{
    body::Body,
    http::{Response, StatusCode},
};
use futures_util::stream;
use rea_front::{Asked, Rules, Verdict, check, explain, guarded, typed};
use rmcp::{
    ErrorData, RoleServer, Service,
    model::{
        ClientCapabilities, ClientJsonRpcMessage, ErrorCode, GetExtensions as _, Implementation,
        InitializeRequestParams, InitializeResultMethod, JsonRpcMessage, ProtocolVersion,
        RequestId, ServerJsonRpcMessage,
    },
    service::serve_directly_with_ct,
    transport::OneshotTransport,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{
    Endpoint, Message, accepted, era, headers,
    info::RequestInfo,
    no_message, reply,
    stream::{self as sse, Messages, Pace, Sent},
};
use crate::{fence::one, refusal::Refusal};

impl<F, Made, S> Endpoint<F>
where
    F: Fn(RequestInfo) -> Made + Send + Sync + 'static,
    Made: Future<Output = Result<S, Refusal>> + Send + 'static,
    S: Service<RoleServer>,
{
    pub(super) async fn modern(&self, info: RequestInfo, message: Message) -> Response<Body> {
        let Message { bytes, value, id } = message;
        let id = id.as_ref();
        let asked = Asked::of(&value);
        if let Err(error) = consistent(&info, &value, id.is_some(), &asked) {
            return reply::error(StatusCode::BAD_REQUEST, error, id);
        }
        if id.is_none() {
            // A notification has nobody here that it could reach: to cancel is to close the response. No server
            // asks a client of this era anything, so there is nothing to respond to.
            let notification = value.get("method").is_some();
            return if notification {
                accepted()
            } else {
                no_message().rpc(None)
            };
        }
        if is_removed(&value) {
            return not_found(id);
        }
        let service = match (self.factory)(info.clone()).await {
            Ok(service) => service,
            Err(refusal) => return refusal.rpc(id),
        };
        let rules =
            Rules::new(service.get_info().capabilities).with_max_bytes(self.limits.body_bytes);
        let value = match check(&bytes, &rules, &|_| false) {
            Verdict::Accept(value) => value,
            Verdict::Reply(refused) => return reply::refused(refused),
            Verdict::Ignore => return no_message().rpc(id),
        };
        let message = match typed(&value, &rules) {
            Ok(message) => message,
            Err(Some(refused)) => return reply::refused(refused),
            Err(None) => return no_message().rpc(id),
        };
        let whole = era::is_whole(value.pointer("/params/_meta"));
        let end = self.sessions.end.child_token();
        let messages = serve(service, message, info, asked, end.clone());
        let pace = Pace::new(&self.limits, self.sessions.end.clone());
        // Dropped when the answer is whole, or when the client closes the response: then the work ends.
        let guard = end.drop_guard();
        let answer = sse::answer(messages, guard, pace, |message| status(message, whole)).await;
        answer.unwrap_or_else(|| Refusal::internal().rpc(id))
    }
}

/// The answer to an `initialize` of this era, whatever its parameters: it was removed. rmcp would take it for one of
/// the other.
pub(super) fn removed(bytes: &[u8]) -> Option<Response<Body>> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let modern = era::version(&value).is_some_and(era::is_modern);
    (modern && is_removed(&value)).then(|| not_found(rea_front::message_id(&value).as_ref()))
}

fn is_removed(message: &Value) -> bool {
    message.get("method").and_then(Value::as_str) == Some("initialize")
}

fn not_found(id: Option<&RequestId>) -> Response<Body> {
    let error = ErrorData::method_not_found::<InitializeResultMethod>();
    reply::error(StatusCode::NOT_FOUND, error, id)
}

/// Whether the header fields say what the body says.
fn consistent(
    info: &RequestInfo,
    message: &Value,
    request: bool,
    asked: &Asked,
) -> Result<(), ErrorData> {
    let mismatch = |reason: String| ErrorData::header_mismatch(reason, None);
    let said = one(info.headers(), headers::VERSION).map_err(|()| {
        mismatch("the header MCP-Protocol-Version is there twice, or is no text".to_owned())
    })?;
    match (era::version(message), said) {
        (None, _) if request => {
            let mut error =
                ErrorData::invalid_params("required members of params._meta are missing", None);
            explain(&mut error, Some(asked));
            return Err(error);
        }
        (Some(_), None) => {
            return Err(mismatch(
                "the header MCP-Protocol-Version is missing".to_owned(),
            ));
        }
        (Some(version), Some(said)) if version != said => {
            return Err(mismatch(format!(
                "the header MCP-Protocol-Version says {}, the body says {}",
                rea_front::shorten_text(said),
                rea_front::shorten_text(version)
            )));
        }
        _ => {}
    }
    headers::agree(info.headers(), message).map_err(mismatch)
}

/// Answers one request and nothing else.
fn serve<S: Service<RoleServer>>(
    service: S,
    mut message: ClientJsonRpcMessage,
    info: RequestInfo,
    asked: Asked,
    end: CancellationToken,
) -> Messages {
    let version = match &mut message {
        JsonRpcMessage::Request(request) => {
            use rmcp::model::GetMeta as _;
            let version = request.request.get_meta().protocol_version();
            request.request.extensions_mut().insert(info);
            version
        }
        _ => None,
    };
    let client =
        InitializeRequestParams::new(ClientCapabilities::default(), Implementation::default())
            .with_protocol_version(version.unwrap_or(ProtocolVersion::V_2026_07_28));
    let (transport, mut answers) = OneshotTransport::<RoleServer>::new(message);
    let running = serve_directly_with_ct(guarded(service), transport, Some(client), end);
    tokio::spawn(async move {
        if let Err(error) = running.waiting().await {
            tracing::error!(%error, "serving a request stopped");
        }
    });
    let explained = move |mut message: ServerJsonRpcMessage| {
        if let JsonRpcMessage::Error(error) = &mut message {
            explain(&mut error.error, Some(&asked));
        }
        Sent {
            id: None,
            message: Arc::new(message),
        }
    };
    Box::pin(stream::poll_fn(move |context| {
        answers
            .poll_recv(context)
            .map(|message| message.map(&explained))
    }))
}

/// The status of a whole answer.
fn status(message: &ServerJsonRpcMessage, whole: bool) -> StatusCode {
    let JsonRpcMessage::Error(error) = message else {
        return StatusCode::OK;
    };
    match error.error.code {
        ErrorCode::UNSUPPORTED_PROTOCOL_VERSION
        | ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY
        | ErrorCode::HEADER_MISMATCH => StatusCode::BAD_REQUEST,
        ErrorCode::INVALID_PARAMS if !whole => StatusCode::BAD_REQUEST,
        ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

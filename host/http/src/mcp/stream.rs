//! Answers: one JSON message where that is all, else a stream of events.

use std::{convert::Infallible, pin::Pin, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
};
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use rmcp::model::{JsonRpcMessage, ServerJsonRpcMessage};
use tokio_util::sync::CancellationToken;

use super::reply;
use crate::config::Limits;

/// A message on its way to the client.
pub(super) struct Sent {
    /// By which a client of the first era may go on after its connection broke.
    pub(super) id: Option<String>,
    pub(super) message: Arc<ServerJsonRpcMessage>,
}

pub(super) type Messages = Pin<Box<dyn Stream<Item = Sent> + Send>>;

/// What ends a stream, and how long it may be silent.
#[derive(Clone)]
pub(super) struct Pace {
    patience: Duration,
    keep_alive: Duration,
    end: CancellationToken,
}

impl Pace {
    pub(super) fn new(limits: &Limits, end: CancellationToken) -> Self {
        Self {
            patience: limits.patience,
            keep_alive: limits.keep_alive,
            end,
        }
    }
}

/// The answer to one request. `held` is kept until it is whole, or the client is gone. `status` is that of a whole
/// answer; an event stream is always 200. `None` if it ended without any message.
pub(super) async fn answer(
    mut messages: Messages,
    held: impl Send + 'static,
    pace: Pace,
    status: impl Fn(&ServerJsonRpcMessage) -> StatusCode,
) -> Option<Response<Body>> {
    let first = tokio::select! {
        first = tokio::time::timeout(pace.patience, messages.next()) => first,
        () = pace.end.cancelled() => return None,
    };
    match first {
        Ok(None) => None,
        Ok(Some(only)) if is_last(&only.message) => {
            Some(reply::message(status(&only.message), &only.message))
        }
        Ok(Some(first)) => {
            let all = stream::iter([first]).chain(messages);
            Some(events(Box::pin(all), held, pace))
        }
        // Slow work: the client sees that it is heard, and whoever is between that the connection lives.
        Err(_) => Some(events(messages, held, pace)),
    }
}

/// An event stream.
pub(super) fn events(messages: Messages, held: impl Send + 'static, pace: Pace) -> Response<Body> {
    let body = stream::unfold((messages, held, pace), |(mut messages, held, pace)| async {
        let bytes = tokio::select! {
            biased;
            () = pace.end.cancelled() => return None,
            next = messages.next() => event(&next?),
            () = tokio::time::sleep(pace.keep_alive) => Bytes::from_static(b":\n\n"),
        };
        Some((Ok::<_, Infallible>(bytes), (messages, held, pace)))
    });
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    let mut put = |name, value| headers.insert(name, HeaderValue::from_static(value));
    put(header::CONTENT_TYPE, "text/event-stream");
    put(header::CACHE_CONTROL, "no-cache, no-store");
    put(header::HeaderName::from_static("x-accel-buffering"), "no");
    response
}

/// An event stream without any.
pub(super) fn nothing(pace: Pace) -> Response<Body> {
    events(Box::pin(stream::empty()), (), pace)
}

fn is_last(message: &ServerJsonRpcMessage) -> bool {
    matches!(
        message,
        JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)
    )
}

/// JSON has no line breaks of its own, so one `data` line holds it.
fn event(sent: &Sent) -> Bytes {
    let mut text = String::new();
    if let Some(id) = &sent.id {
        text.push_str("id: ");
        text.push_str(id);
        text.push('\n');
    }
    match serde_json::to_string(sent.message.as_ref()) {
        Ok(json) => {
            text.push_str("data: ");
            text.push_str(&json);
        }
        Err(error) => {
            tracing::error!(%error, "a message could not be put into JSON");
            text.push(':');
        }
    }
    text.push_str("\n\n");
    Bytes::from(text)
}

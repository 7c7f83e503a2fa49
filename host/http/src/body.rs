//! Bodies, bounded in bytes and time.

use std::time::Duration;

use axum::{body::Body, http::HeaderMap, http::header};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;

use crate::{fence::one, refusal::Refusal};

/// Bytes beyond the limit that are read and dropped: who is still writing when the connection closes never sees why.
const DROPPED: usize = 32 << 20;

/// Reads at most this many bytes; `None` if there are more.
///
/// # Errors
///
/// 408 if it takes too long, 400 if it breaks off.
pub(crate) async fn read(
    body: Body,
    limit: usize,
    time: Duration,
) -> Result<Option<Bytes>, Refusal> {
    tokio::time::timeout(time, collect(body, limit))
        .await
        .unwrap_or_else(|_| Err(Refusal::too_slow()))
}

async fn collect(mut body: Body, limit: usize) -> Result<Option<Bytes>, Refusal> {
    let mut first = Bytes::new();
    let mut all = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Refusal::cut_short())?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if data.len() > limit.saturating_sub(first.len() + all.len()) {
            drop((first, all));
            drain(body).await;
            return Ok(None);
        }
        // Most bodies are one frame, which then need not be copied.
        if first.is_empty() && all.is_empty() {
            first = data;
        } else {
            all.extend_from_slice(&std::mem::take(&mut first));
            all.extend_from_slice(&data);
        }
    }
    Ok(Some(if all.is_empty() { first } else { all.freeze() }))
}

async fn drain(mut body: Body) {
    let mut left = DROPPED;
    while let Some(Ok(frame)) = body.frame().await {
        let length = frame.data_ref().map_or(0, Bytes::len);
        let Some(rest) = left.checked_sub(length) else {
            return;
        };
        left = rest;
    }
}

/// Whether the body is said to be JSON: what a form of another page can't say.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let Ok(Some(value)) = one(headers, header::CONTENT_TYPE.as_str()) else {
        return false;
    };
    let mut parts = value.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let charset = parts
        .filter_map(|part| part.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
        .map(|(_, value)| value.trim().trim_matches('"'));
    let unpacked = match one(headers, header::CONTENT_ENCODING.as_str()) {
        Ok(None) => true,
        Ok(Some(encoding)) => encoding.eq_ignore_ascii_case("identity"),
        Err(()) => false,
    };
    essence.eq_ignore_ascii_case("application/json")
        && charset.is_none_or(|charset| charset.eq_ignore_ascii_case("utf-8"))
        && unpacked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_what_says_so() {
        let says = |value: &str| {
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, value.parse().unwrap())]);
            is_json(&headers)
        };
        for value in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "application/json;charset=\"UTF-8\"",
        ] {
            assert!(says(value), "{value}");
        }
        for value in [
            "text/plain",
            "application/json; charset=latin1",
            "application/jsonp",
            "",
        ] {
            assert!(!says(value), "{value}");
        }
        assert!(!is_json(&HeaderMap::new()));
    }
}

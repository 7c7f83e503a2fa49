//! By which era a message is to be answered.

use axum::http::HeaderMap;
use rmcp::model::{ProtocolVersion, RequestMetaObject};
use serde_json::Value;

use super::headers::{self, SESSION};
use crate::fence::one;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// `initialize` of a client without a session.
    Opening,
    /// In a session.
    Legacy,
    /// A whole request of 2026-07-28 or later, or what ought to be one.
    Modern,
}

pub(super) fn of(message: &Value, headers: &HeaderMap) -> Era {
    let method = message.get("method").and_then(Value::as_str);
    if method == Some("initialize") && !version(message).is_some_and(is_modern) {
        return match one(headers, SESSION) {
            Ok(None) => Era::Opening,
            _ => Era::Legacy,
        };
    }
    let meta = message.pointer("/params/_meta");
    let modern = match version(message) {
        _ if method == Some("server/discover") => true,
        // Versions this server has never heard of are refused by those who know which ones there are.
        Some(version) => !legacy_versions().any(|known| known == version) || is_whole(meta),
        None => is_modern_header(headers),
    };
    if modern { Era::Modern } else { Era::Legacy }
}

/// The version that a request names in its `_meta`.
pub(super) fn version(message: &Value) -> Option<&str> {
    message
        .pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion")?
        .as_str()
}

/// Whether the header names a version without sessions. Versions are dates, so text order is time order.
pub(super) fn is_modern_header(headers: &HeaderMap) -> bool {
    matches!(one(headers, headers::VERSION), Ok(Some(version)) if is_modern(version))
}

pub(super) fn is_modern(version: &str) -> bool {
    version >= ProtocolVersion::V_2026_07_28.as_str()
}

pub(super) fn legacy_versions() -> impl Iterator<Item = &'static str> {
    ProtocolVersion::KNOWN_VERSIONS
        .iter()
        .map(ProtocolVersion::as_str)
        .filter(|version| !is_modern(version))
}

/// Whether it has all that a request without a session must say of itself.
pub(super) fn is_whole(meta: Option<&Value>) -> bool {
    RequestMetaObject::DRAFT_REQUIRED_KEYS
        .iter()
        .all(|key| meta.is_some_and(|meta| meta.get(*key).is_some()))
}

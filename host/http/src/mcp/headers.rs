//! The header fields of the protocol.

use axum::http::{HeaderMap, header};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use crate::{fence::one, refusal::Refusal};

pub(super) const SESSION: &str = "mcp-session-id";
pub(super) const VERSION: &str = "mcp-protocol-version";
pub(super) const LAST_EVENT: &str = "last-event-id";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// A client of a POST must take both kinds of answers.
///
/// # Errors
///
/// 406 if it does not. Without `accept` it takes anything, as HTTP says.
pub(super) fn accepted(headers: &HeaderMap) -> Result<(), Refusal> {
    if accepts(headers, "application/json") && accepts(headers, "text/event-stream") {
        Ok(())
    } else {
        Err(Refusal::not_acceptable("accept"))
    }
}

/// Whether a media type is accepted, by its name or a wildcard, and not with the weight 0.
pub(super) fn accepts(headers: &HeaderMap, wanted: &str) -> bool {
    let mut fields = headers.get_all(header::ACCEPT).iter().peekable();
    if fields.peek().is_none() {
        return true;
    }
    let kind = wanted.split('/').next().unwrap_or_default();
    fields
        .filter_map(|field| field.to_str().ok())
        .flat_map(|field| field.split(','))
        .any(|range| {
            let mut parts = range.split(';').map(str::trim);
            let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
            let wild = essence.strip_suffix("/*");
            let fits = essence == wanted || wild == Some("*") || wild == Some(kind);
            fits && !parts.any(is_zero_weight)
        })
}

fn is_zero_weight(part: &str) -> bool {
    let Some((name, value)) = part.split_once('=') else {
        return false;
    };
    name.trim().eq_ignore_ascii_case("q")
        && value
            .trim()
            .parse::<f32>()
            .is_ok_and(|weight| weight <= 0.0)
}

/// Whether `Mcp-Method` and `Mcp-Name` say what the body says: those between here and the client go by them.
///
/// # Errors
///
/// What is wrong, for -32020.
pub(super) fn agree(headers: &HeaderMap, message: &Value) -> Result<(), String> {
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        return Ok(());
    };
    match sole(headers, METHOD)? {
        None => return Err("the header Mcp-Method is missing".to_owned()),
        Some(said) if said != method => {
            return Err(format!(
                "the header Mcp-Method says {}, the body says {}",
                shown(said),
                shown(method)
            ));
        }
        Some(_) => {}
    }
    let Some(name) = named(method, message) else {
        return Ok(());
    };
    let Some(said) = sole(headers, NAME)? else {
        return Err(format!(
            "the header Mcp-Name is missing, which {method} needs"
        ));
    };
    match decoded(said) {
        None => Err("the header Mcp-Name is not valid Base64 of UTF-8".to_owned()),
        Some(said) if said != name => Err(format!(
            "the header Mcp-Name says {}, the body says {}",
            shown(&said),
            shown(name)
        )),
        Some(_) => Ok(()),
    }
}

/// What `Mcp-Name` has to say of a request, if anything.
fn named<'a>(method: &str, message: &'a Value) -> Option<&'a str> {
    let member = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => return None,
    };
    message.get("params")?.get(member)?.as_str()
}

fn sole<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, String> {
    one(headers, name).map_err(|()| format!("the header {name} is there twice, or is no text"))
}

/// A value outside ASCII comes as `=?base64?...?=`.
fn decoded(said: &str) -> Option<String> {
    let Some(inner) = said
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="))
    else {
        return Some(said.to_owned());
    };
    String::from_utf8(BASE64_STANDARD.decode(inner).ok()?).ok()
}

fn shown(text: &str) -> String {
    rea_front::shorten_text(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(fields: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn what_a_client_accepts() {
        let takes = |accept: &str| accepted(&with(&[("accept", accept)])).is_ok();
        for accept in [
            "application/json, text/event-stream",
            "text/event-stream;q=0.5,Application/JSON",
            "*/*",
            "application/*, text/*",
        ] {
            assert!(takes(accept), "{accept}");
        }
        for accept in [
            "application/json",
            "text/event-stream",
            "text/html",
            "application/json, text/event-stream;q=0.0",
            "",
        ] {
            assert!(!takes(accept), "{accept}");
        }
        assert!(accepted(&HeaderMap::new()).is_ok());
    }

    #[test]
    fn headers_agree_with_the_body() {
        let call = json!({"method": "tools/call", "params": {"name": "é"}});
        let ok = with(&[
            ("mcp-method", "tools/call"),
            ("mcp-name", "=?base64?w6k=?="),
        ]);
        assert_eq!(agree(&ok, &call), Ok(()));
        for wrong in [
            &[][..],
            &[("mcp-method", "tools/call")],
            &[
                ("mcp-method", "tools/list"),
                ("mcp-name", "=?base64?w6k=?="),
            ],
            &[("mcp-method", "tools/call"), ("mcp-name", "e")],
            &[("mcp-method", "tools/call"), ("mcp-name", "=?base64?*?=")],
            &[
                ("mcp-method", "tools/call"),
                ("mcp-method", "tools/call"),
                ("mcp-name", "=?base64?w6k=?="),
            ],
        ] {
            assert!(agree(&with(wrong), &call).is_err(), "{wrong:?}");
        }
        let list = json!({"method": "tools/list"});
        assert_eq!(agree(&with(&[("mcp-method", "tools/list")]), &list), Ok(()));
        assert_eq!(
            agree(&HeaderMap::new(), &json!({"id": 1, "result": {}})),
            Ok(())
        );
    }
}

//! Laws of the check, for any bytes and any JSON.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use proptest::prelude::*;
use rea_front::{MAX_MESSAGE_BYTES, Rules, Verdict, check, message_id};
use rmcp::model::{RequestId, ServerCapabilities};
use serde_json::{Map, Value, json};

fn rules() -> Rules {
    Rules::new(
        ServerCapabilities::builder()
            .enable_prompts()
            .enable_tools()
            .enable_completions()
            .build(),
    )
}

fn judge(bytes: &[u8]) -> Verdict {
    check(bytes, &rules(), &|_| false)
}

/// What every verdict must be, whatever was sent.
fn in_order(bytes: &[u8], verdict: &Verdict) {
    let sent: Option<Value> = serde_json::from_slice(bytes).ok();
    match verdict {
        Verdict::Reply(reply) => {
            assert_eq!(reply["jsonrpc"], "2.0");
            let error = &reply["error"];
            let code = error["code"].as_i64().unwrap();
            assert!([-32700, -32600, -32602].contains(&code), "{reply}");
            assert!(!error["message"].as_str().unwrap().is_empty());
            let errors = error["data"]["errors"].as_array().unwrap();
            assert!(!errors.is_empty() && errors.len() <= 16);
            for error in errors {
                for member in ["path", "expected", "got"] {
                    assert!(error[member].is_string(), "{reply}");
                }
            }
            let readable = sent.as_ref().and_then(message_id);
            assert_eq!(message_id(reply), readable, "{reply}");
            assert_ne!(reply.get("id"), Some(&Value::Null));
            let own = reply.get("id").map_or(0, |id| id.to_string().len());
            assert!(
                reply.to_string().len() - own < 20_000,
                "an answer is bounded"
            );
        }
        Verdict::Accept(message) => {
            let mut sent = sent.unwrap();
            if sent.get("method").is_some() && sent["params"].is_null() {
                sent.as_object_mut().unwrap().shift_remove("params");
            }
            assert_eq!(*message, sent);
        }
        Verdict::Ignore => assert!(
            sent.is_none_or(|sent| sent.get("method").is_none() || sent.get("id").is_none())
        ),
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9..1e9f64).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((name(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    let known = [
        "name",
        "arguments",
        "cursor",
        "_meta",
        "ref",
        "argument",
        "type",
        "value",
        "context",
        "requestId",
        "io.modelcontextprotocol/protocolVersion",
    ];
    prop_oneof![3 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => ".{0,8}"]
}

/// Messages that are nearly right, so that every branch is reached.
fn any_message() -> impl Strategy<Value = Value> {
    let methods = [
        "ping",
        "initialize",
        "server/discover",
        "prompts/list",
        "prompts/get",
        "tools/call",
        "completion/complete",
        "subscriptions/listen",
        "notifications/cancelled",
        "notifications/initialized",
        "no/such",
    ];
    let method = prop_oneof![9 => prop::sample::select(methods.to_vec()).prop_map(Value::from), 1 => any_json()];
    let id = prop_oneof![5 => any::<i64>().prop_map(Value::from), 3 => any_json()];
    let version = prop_oneof![9 => Just(json!("2.0")), 1 => any_json()];
    let mut members = Vec::new();
    let likely: [(&str, f64, BoxedStrategy<Value>); 6] = [
        ("jsonrpc", 0.95, version.boxed()),
        ("id", 0.8, id.boxed()),
        ("method", 0.9, method.boxed()),
        ("params", 0.9, any_json().boxed()),
        ("result", 0.1, any_json().boxed()),
        ("error", 0.1, any_json().boxed()),
    ];
    for (name, likely, value) in likely {
        members.push(prop::option::weighted(likely, value).prop_map(move |value| (name, value)));
    }
    members.prop_map(|members| {
        let present = members
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(present.collect::<Map<_, _>>())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        in_order(&bytes, &judge(&bytes));
    }

    #[test]
    fn any_value(value in any_json()) {
        let bytes = value.to_string().into_bytes();
        in_order(&bytes, &judge(&bytes));
    }

    #[test]
    fn any_message_like_value(value in any_message()) {
        let bytes = value.to_string().into_bytes();
        in_order(&bytes, &judge(&bytes));
    }

    #[test]
    fn a_message_spoilt_somewhere(value in any_message(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = value.to_string().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        in_order(&bytes, &judge(&bytes));
        in_order(&bytes[..at], &judge(&bytes[..at]));
    }
}

#[test]
fn depth_is_bounded_at_127_levels() {
    let nested = |levels: usize| {
        // The message and its params are two levels.
        let inner = "[".repeat(levels - 2) + &"]".repeat(levels - 2);
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"no/such","params":{{"x":{inner}}}}}"#)
    };
    assert!(matches!(judge(nested(127).as_bytes()), Verdict::Accept(_)));
    assert!(matches!(judge(nested(128).as_bytes()), Verdict::Reply(_)));
}

#[test]
fn size_is_bounded_exactly() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let fits = ping.to_owned() + &" ".repeat(MAX_MESSAGE_BYTES - ping.len());
    assert!(matches!(judge(fits.as_bytes()), Verdict::Accept(_)));
    let Verdict::Reply(reply) = judge((fits + " ").as_bytes()) else {
        panic!("one byte too many is taken");
    };
    assert_eq!(reply["error"]["code"], -32600);
    assert_eq!(reply["error"]["data"]["limit"], MAX_MESSAGE_BYTES);
}

#[test]
fn an_id_in_flight_is_refused_under_that_id() {
    let line = br#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#;
    let busy = |id: &RequestId| *id == RequestId::String("a".into());
    let Verdict::Reply(reply) = check(line, &rules(), &busy) else {
        panic!("an id in flight is taken twice");
    };
    assert_eq!(
        (&reply["id"], &reply["error"]["code"]),
        (&json!("a"), &json!(-32600))
    );
}

#[test]
fn a_hundred_thousand_wrong_values_are_answered_in_bounded_words_and_time() {
    let many: Map<String, Value> = (0..100_000).map(|n| (format!("a{n}"), json!(n))).collect();
    let line = json!({"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "x", "arguments": many}});
    let Verdict::Reply(reply) = judge(line.to_string().as_bytes()) else {
        panic!("numbers are taken for strings");
    };
    assert_eq!(
        reply["error"]["data"]["errors"].as_array().unwrap().len(),
        16
    );
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let line = br#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt"},"argument":{"name":5}}}"#;
    let Verdict::Reply(reply) = judge(line) else {
        panic!("taken");
    };
    let errors = reply["error"]["data"]["errors"].as_array().unwrap();
    let paths: Vec<&str> = errors
        .iter()
        .map(|error| error["path"].as_str().unwrap())
        .collect();
    assert_eq!(
        paths,
        [
            "params.ref.name",
            "params.argument.name",
            "params.argument.value"
        ]
    );
    assert_eq!(
        errors[1],
        json!({"path": "params.argument.name", "expected": "string", "got": "5"})
    );
}

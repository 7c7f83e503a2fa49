//! What holds for every method of the table, made from the table itself.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ServerCapabilities};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::{Case, Era, Field, Kind, META, Method, methods::REQUESTS};
use crate::{Rules, Verdict, check};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// A server that declares everything.
fn rules() -> Rules {
    let all = json!({"prompts": {}, "tools": {}, "completions": {}, "logging": {}, "resources": {"subscribe": true},
        "extensions": {"io.modelcontextprotocol/tasks": {}}});
    Rules::new(ServerCapabilities::deserialize(&all).unwrap())
}

/// A right value; with only what is required, or with everything.
fn example(kind: &'static Kind, full: bool) -> Value {
    match kind {
        Kind::Text => json!("text"),
        Kind::Flag => json!(true),
        Kind::Number => json!(1.5),
        Kind::Token => json!(1),
        Kind::Choice(choices) => json!(choices[0]),
        Kind::Object(fields) => Value::Object(members(fields, full)),
        Kind::Map(inner) => json!({ "any": example(inner, full) }),
        Kind::List(inner) => json!([example(inner, full)]),
        Kind::Variant(cases) => variant(&cases[0], full),
    }
}

fn variant(case: &'static Case, full: bool) -> Value {
    let mut members = members(case.fields, full);
    members.insert("type".to_owned(), case.tag.into());
    Value::Object(members)
}

fn members(fields: &'static [Field], full: bool) -> Map<String, Value> {
    let wanted = fields.iter().filter(|field| full || field.required);
    wanted
        .map(|field| (field.name.to_owned(), example(&field.kind, full)))
        .collect()
}

fn params(method: &'static Method, full: bool) -> Value {
    let mut params = members(method.fields, full);
    if full {
        params.extend(members(META, true));
        params["_meta"][VERSION] = "2025-11-25".into();
    }
    // Whether a request is of the modern era is told by `_meta`, and `server/discover` always needs it.
    if method.era == Era::Modern || method.name == "server/discover" {
        let mut meta = Map::new();
        meta.insert(VERSION.to_owned(), "2026-07-28".into());
        meta.insert(CAPABILITIES.to_owned(), json!({}));
        params.insert("_meta".to_owned(), Value::Object(meta));
    }
    Value::Object(params)
}

fn judge(method: &str, params: &Value) -> Verdict {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    check(message.to_string().as_bytes(), &rules(), &|_| false)
}

#[test]
fn what_the_table_allows_is_a_request_that_rmcp_knows() {
    for method in REQUESTS {
        for full in [false, true] {
            let Verdict::Accept(message) = judge(method.name, &params(method, full)) else {
                panic!("{} is refused: {}", method.name, params(method, full));
            };
            match ClientJsonRpcMessage::deserialize(&message) {
                Ok(JsonRpcMessage::Request(request)) => assert!(
                    !matches!(request.request, ClientRequest::CustomRequest(_)),
                    "rmcp does not know {message}"
                ),
                other => panic!("{message}: {other:?}"),
            }
        }
    }
}

/// Every place in a value, as a pointer and as a path.
fn places(value: &Value, pointer: &str, path: &str, found: &mut Vec<(String, String)>) {
    if !pointer.is_empty() {
        found.push((pointer.to_owned(), path.to_owned()));
    }
    if let Value::Object(members) = value {
        for (name, value) in members {
            let escaped = name.replace('~', "~0").replace('/', "~1");
            let path = crate::diagnostic::join(path, name);
            places(value, &format!("{pointer}/{escaped}"), &path, found);
        }
    }
}

/// What no kind of the table takes, apart from a list where one is wanted.
const WRONG: [&str; 2] = ["[[1]]", "null"];

#[test]
fn one_wrong_value_anywhere_is_named() {
    let mut tried = 0;
    for method in REQUESTS {
        let right = params(method, true);
        let mut found = Vec::new();
        places(&right, "", "params", &mut found);
        for (pointer, path) in found {
            for wrong in WRONG {
                let wrong: Value = serde_json::from_str(wrong).unwrap();
                let is_list = right.pointer(&pointer).is_some_and(Value::is_array);
                // Spoilt `_meta` changes the era; what a client says of itself may be null.
                let lenient = path.contains("_meta")
                    || path.contains("clientInfo")
                    || path.contains("capabilities");
                let modern = method.era == Era::Modern || method.name == "server/discover";
                if (lenient && (wrong.is_null() || modern)) || is_list {
                    continue;
                }
                let mut params = right.clone();
                *params.pointer_mut(&pointer).unwrap() = wrong;
                let Verdict::Reply(reply) = judge(method.name, &params) else {
                    panic!("{} takes {params}", method.name);
                };
                assert_eq!(reply["error"]["code"], -32602, "{reply}");
                assert_eq!(reply["error"]["data"]["errors"][0]["path"], path, "{reply}");
                tried += 1;
            }
        }
    }
    assert!(tried > 50, "{tried}");
}

#[test]
fn what_is_required_is_missed() {
    for method in REQUESTS {
        for field in method.fields.iter().filter(|field| field.required) {
            let mut params = params(method, false);
            params.as_object_mut().unwrap().shift_remove(field.name);
            let Verdict::Reply(reply) = judge(method.name, &params) else {
                panic!("{} does without {}", method.name, field.name);
            };
            let error = &reply["error"]["data"]["errors"][0];
            assert_eq!(error["path"], format!("params.{}", field.name), "{reply}");
            assert_eq!(error["got"], "nothing", "{reply}");
        }
    }
}

#[test]
fn a_method_that_is_not_served_is_not_checked() {
    let none = Rules::new(ServerCapabilities::default());
    let line = br#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":5}}"#;
    assert!(matches!(check(line, &none, &|_| false), Verdict::Accept(_)));
}

#[test]
fn a_resource_reference_is_taken_where_resources_are_served() {
    let params = json!({"ref": {"type": "ref/resource", "uri": "x:y"}, "argument": {"name": "a", "value": ""}});
    assert!(matches!(
        judge("completion/complete", &params),
        Verdict::Accept(_)
    ));
}

#[test]
fn a_client_may_say_null_of_itself() {
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {"roots": null, "sampling": null},
        "clientInfo": {"name": "c", "version": "1", "title": null}});
    assert!(matches!(judge("initialize", &params), Verdict::Accept(_)));
}

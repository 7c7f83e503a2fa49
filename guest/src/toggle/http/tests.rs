use super::super::{Agent, Hosting, Naming, Server, Settings, Toolset};
use super::*;

fn switch() -> Switch {
    let settings = Settings {
        servers: vec!["rea".into(), "ghidra".into()],
        default_enabled: false,
    };
    let hosting = Hosting {
        naming: Naming::Dsh,
        state_path: "/home/\"me\"/rea-toggle.json".into(),
        command: "/rea".into(),
    };
    let mut switch = Switch::open(settings, hosting).unwrap();
    switch
        .tools_changed(Toolset {
            names: vec!["mcp__rea__a".into(), "mcp__rea__b".into(), "bash".into()],
            servers: vec![Server {
                name: "ghidra".into(),
                state: None,
            }],
            ..Toolset::default()
        })
        .unwrap();
    switch
        .agents_seen(vec![Agent {
            id: "s".into(),
            ..Agent::default()
        }])
        .unwrap();
    switch
}

fn request(method: &str, query: &str, headers: &[(&str, &str)], body: &str) -> Request {
    let mut all = vec![("host".to_owned(), "127.0.0.1:3000".to_owned())];
    all.extend(
        headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    );
    Request {
        method: method.into(),
        query: (!query.is_empty()).then(|| query.to_owned()),
        headers: all,
        body: body.into(),
    }
}

fn response(switch: &Switch, request: &Request) -> (u16, String) {
    let response = whole(switch, request);
    (response.status, response.body)
}

fn whole(switch: &Switch, request: &Request) -> Response {
    match switch.http(request, &Fence::default()) {
        HttpStep::Response(response) => response,
        HttpStep::Change(change) => panic!("{change:?}"),
    }
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    response
        .headers
        .iter()
        .find(|(header, _)| header == name)
        .map(|(_, value)| value.as_str())
}

fn post(switch: &Switch, body: &str) -> Result<Change, (u16, String, String)> {
    let request = request("POST", "", &[("Content-Type", "application/json")], body);
    match switch.http(&request, &Fence::default()) {
        HttpStep::Change(change) => Ok(change.change),
        HttpStep::Response(response) => {
            let body: Value = serde_json::from_str(&response.body).unwrap();
            let word = |name: &str| body["error"][name].as_str().unwrap().to_owned();
            assert!(!word("message").is_empty());
            Err((response.status, word("kind"), word("field")))
        }
    }
}

const STATUS: &str = r#"{"session":"s","enabled":false,"known":false,"defaultEnabled":false,"servers":["rea","ghidra"],"agents":1,"tools":2,"statePath":"/home/\"me\"/rea-toggle.json","schemaBytes":null,"serverStates":{"rea":"connected","ghidra":"down"}}"#;
const SUMMARY: &str = r#"{"session":null,"defaultEnabled":false,"servers":["rea","ghidra"],"conversations":0,"agents":1,"tools":2,"statePath":"/home/\"me\"/rea-toggle.json","schemaBytes":42,"serverStates":{"rea":"connected","ghidra":"down"}}"#;

#[test]
fn t13_get_has_the_shapes_of_the_document() {
    let mut switch = switch();
    assert_eq!(
        response(&switch, &request("GET", "session=s", &[], "")),
        (200, STATUS.into())
    );
    switch.sizes_told(vec![("mcp__rea__a".into(), 40), ("mcp__rea__b".into(), 2)]);
    let summary = whole(&switch, &request("GET", "x=y", &[], ""));
    assert_eq!((summary.status, summary.body.as_str()), (200, SUMMARY));
    assert_eq!(
        header(&summary, "content-type"),
        Some("application/json; charset=utf-8")
    );
    assert_eq!(header(&summary, "cache-control"), Some("no-store"));
    // An id that nobody knows has the default, and no agents.
    let (status, body) = response(&switch, &request("GET", "session=__proto__", &[], ""));
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(status, 200);
    assert_eq!(body["session"], "__proto__");
    assert_eq!(body["agents"], 0);
    assert_eq!(body["tools"], 2);
}

#[test]
fn t13_post_sets_or_flips_and_then_gives_the_status() {
    let mut switch = switch();
    for (body, to) in [
        (r#"{"session":"s","enabled":true}"#, Movement::On),
        (r#"{"enabled":false,"session":"s","x":[]}"#, Movement::Off),
        (r#"{"session":"s"}"#, Movement::Flip),
    ] {
        let change = Change {
            session: "s".into(),
            to,
        };
        assert_eq!(post(&switch, body), Ok(change));
    }
    let change = HttpChange {
        change: post(&switch, r#"{"session":"s"}"#).unwrap(),
        origin: None,
    };
    let written = switch.prepare_write(None, &change.change).unwrap();
    switch.adopt(Some(written.document.as_bytes()));
    let answer = switch.http_answer(&change, None);
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.body,
        STATUS.replace(
            r#""enabled":false,"known":false"#,
            r#""enabled":true,"known":true"#
        )
    );
}

#[test]
fn t13_a_post_that_names_no_conversation_or_is_malformed_names_the_field() {
    let switch = switch();
    let long = format!(r#"{{"session":"{}"}}"#, "a".repeat(257));
    let huge = " ".repeat(LONGEST_BODY + 1);
    for (body, status, kind, field) in [
        ("", 400, "syntax", ""),
        ("{", 400, "syntax", ""),
        ("[]", 400, "wrong-type", ""),
        ("\"s\"", 400, "wrong-type", ""),
        ("{}", 400, "missing", "session"),
        (r#"{"enabled":true}"#, 400, "missing", "session"),
        (r#"{"session":null}"#, 400, "wrong-type", "session"),
        (r#"{"session":1}"#, 400, "wrong-type", "session"),
        (r#"{"session":""}"#, 400, "empty", "session"),
        (r#"{"session":"a b"}"#, 400, "unprintable", "session"),
        (long.as_str(), 400, "too-much", "session"),
        (
            r#"{"session":"s","enabled":"true"}"#,
            400,
            "wrong-type",
            "enabled",
        ),
        (
            r#"{"session":"s","enabled":null}"#,
            400,
            "wrong-type",
            "enabled",
        ),
        (
            r#"{"session":"s","enabled":1}"#,
            400,
            "wrong-type",
            "enabled",
        ),
        (huge.as_str(), 413, "too-much", ""),
    ] {
        assert_eq!(
            post(&switch, body),
            Err((status, kind.into(), field.into())),
            "{body}"
        );
    }
    let mut bytes = request("POST", "", &[("content-type", "application/json")], "");
    bytes.body = b"{\"session\":\"\xff\"}".to_vec();
    assert_eq!(response(&switch, &bytes).0, 400);
    // The query of a POST names nobody.
    let query = request(
        "POST",
        "session=s",
        &[("content-type", "application/json")],
        "{}",
    );
    assert_eq!(response(&switch, &query).0, 400);
    for query in [
        "session=",
        "session=%20",
        "session=a&session=b",
        "session=%ff",
    ] {
        assert_eq!(
            response(&switch, &request("GET", query, &[], "")).0,
            400,
            "{query}"
        );
    }
}

#[test]
fn p28_only_json_is_taken_from_a_post() {
    let switch = switch();
    let status = |headers: &[(&str, &str)]| match switch.http(
        &request("POST", "", headers, r#"{"session":"s"}"#),
        &Fence::default(),
    ) {
        HttpStep::Change(_) => 0,
        HttpStep::Response(response) => response.status,
    };
    for kind in [
        "application/json",
        "Application/JSON; charset=UTF-8",
        "application/json;charset=\"utf-8\"",
        "application/json; q=1",
    ] {
        assert_eq!(status(&[("content-type", kind)]), 0, "{kind}");
    }
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=application/json",
        "application/json-patch+json",
        "application/json; charset=utf-16",
        "text/plain; application/json",
        "",
    ] {
        assert_eq!(status(&[("content-type", kind)]), 415, "{kind}");
    }
    assert_eq!(status(&[]), 415);
    let json = ("content-type", "application/json");
    assert_eq!(status(&[json, json]), 415);
    assert_eq!(status(&[json, ("content-encoding", "gzip")]), 415);
    assert_eq!(status(&[json, ("content-encoding", "identity")]), 0);
}

#[test]
fn p28_other_methods_are_told_which_there_are() {
    let switch = switch();
    for method in [
        "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "get", "", "POST ",
    ] {
        let response = whole(&switch, &request(method, "", &[], ""));
        assert_eq!(response.status, 405, "{method}");
        assert_eq!(header(&response, "allow"), Some("GET, POST"));
    }
}

#[test]
fn p28_the_fence_stands_before_everything() {
    let switch = switch();
    for method in ["GET", "POST", "OPTIONS", "DELETE"] {
        let foreign = request(method, "", &[("origin", "https://evil.example")], "");
        assert_eq!(response(&switch, &foreign).0, 403);
    }
}

#[test]
fn a_declared_origin_may_ask_and_read() {
    let switch = switch();
    let fence = Fence {
        hosts: Vec::new(),
        origins: vec!["https://chat.example".into()],
    };
    let from = ("origin", "https://chat.example");
    let allowed = "access-control-allow-origin";
    let ask = |request: Request| match switch.http(&request, &fence) {
        HttpStep::Response(response) => response,
        HttpStep::Change(change) => switch.http_answer(&change, None),
    };
    let preflight = ask(request("OPTIONS", "", &[from], ""));
    assert_eq!((preflight.status, preflight.body.as_str()), (204, ""));
    assert_eq!(header(&preflight, allowed), Some("https://chat.example"));
    let json = ("content-type", "application/json");
    for request in [
        request("GET", "", &[from], ""),
        request("POST", "", &[from, json], r#"{"session":"s"}"#),
        request("POST", "", &[from, json], "{"),
    ] {
        let response = ask(request);
        assert_eq!(header(&response, allowed), Some("https://chat.example"));
        assert_eq!(header(&response, "vary"), Some("origin"));
    }
    assert_eq!(header(&ask(request("GET", "", &[], "")), allowed), None);
}

#[test]
fn what_could_not_be_stored_is_an_error() {
    let switch = switch();
    let change = HttpChange {
        change: Change {
            session: "s".into(),
            to: Movement::On,
        },
        origin: None,
    };
    for (kind, status, word) in [
        (StoreFailureKind::Busy, 503, "busy"),
        (StoreFailureKind::Failed, 500, "failed"),
    ] {
        let failure = StoreFailure {
            kind,
            detail: "The disk is full: \"/x\".".into(),
        };
        let response = switch.http_answer(&change, Some(&failure));
        assert_eq!(response.status, status);
        assert_eq!(
            response.body,
            format!(
                r#"{{"error":{{"kind":"{word}","field":"statePath","message":"The disk is full: \"/x\"."}}}}"#
            )
        );
        let retry = (status == 503).then_some("1");
        assert_eq!(header(&response, "retry-after"), retry);
    }
}

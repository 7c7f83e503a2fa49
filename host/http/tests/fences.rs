//! What stands before every route. The advisories on DNS rebinding that are cited here are those of other MCP
//! servers: rmcp GHSA-89vp-x53w-74fx, TypeScript GHSA-w48q-cv73-mx4w, Python GHSA-9h52-p55h-vw2f, Java
//! GHSA-8jxr-pr72-r468, Ruby GHSA-rjr6-rcgv-9m7m.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod support;

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use support::{
    Bed, INITIALIZE,
    client::{Client, Request, get, post},
};

fn routes() -> Vec<Request> {
    vec![
        get("/"),
        get("/rea-toggle/pill.js"),
        get("/rea-toggle/conversations"),
        get("/rea-toggle/state?session=a"),
        post("/rea-toggle/state", r#"{"session":"a","enabled":false}"#),
        post("/mcp", INITIALIZE),
        get("/mcp"),
        get("/mcp").method("DELETE"),
        get("/no/such"),
        get("/").method("OPTIONS"),
    ]
}

#[test]
fn a_name_that_somebody_else_answers_for_is_refused_everywhere() {
    let bed = Bed::start();
    let port = bed.address.port();
    for route in routes() {
        for host in [
            "evil.example".to_owned(),
            format!("evil.example:{port}"),
            format!("127.0.0.1.evil.example:{port}"),
            format!("localhost.evil.example:{port}"),
            "".to_owned(),
            "a b".to_owned(),
            "0.0.0.0".to_owned(),
        ] {
            let asked = route.clone().with("host", &host);
            assert_eq!(asked.status(bed.address), 403, "{host} {route:?}");
        }
    }
    for host in [
        "localhost",
        "LOCALHOST:1",
        "app.localhost",
        "[::1]",
        "127.0.0.2:99",
    ] {
        assert_eq!(
            get("/").with("host", host).status(bed.address),
            200,
            "{host}"
        );
    }
}

#[test]
fn a_page_of_somebody_else_is_refused_everywhere() {
    let bed = Bed::start();
    let port = bed.address.port();
    for route in routes() {
        for origin in [
            "http://evil.example".to_owned(),
            "null".to_owned(),
            "".to_owned(),
            "file://".to_owned(),
            format!("http://evil.example:{port}"),
            format!("http://127.0.0.1:{}", port ^ 1),
            format!("http://127.0.0.1.evil.example:{port}"),
            format!("http://localhost:{port}"),
        ] {
            let asked = route.clone().with("origin", &origin);
            assert_eq!(asked.status(bed.address), 403, "{origin} {route:?}");
        }
        let asked = route.clone().with("sec-fetch-site", "cross-site");
        assert_eq!(asked.status(bed.address), 403, "{route:?}");
        let twice = route
            .clone()
            .with("origin", &format!("http://127.0.0.1:{port}"))
            .with("origin", "http://evil.example");
        assert_eq!(twice.status(bed.address), 403, "{route:?}");
    }
    let own = get("/rea-toggle/conversations").with("origin", &format!("http://127.0.0.1:{port}"));
    let own = own.with("sec-fetch-site", "same-origin").send(bed.address);
    assert_eq!(own.status, 200);
    assert_eq!(own.header("access-control-allow-origin"), None);
}

#[test]
fn a_declared_origin_may_ask_and_read() {
    let bed = Bed::with(|config| config.allow_origins = vec!["http://chat.example".into()]);
    let from = |request: Request| {
        request
            .with("origin", "http://chat.example")
            .with("sec-fetch-site", "cross-site")
            .send(bed.address)
    };
    for route in routes() {
        let answer = from(route.clone());
        assert_ne!(answer.status, 403, "{route:?}");
        let told = answer.header("access-control-allow-origin");
        assert_eq!(told, Some("http://chat.example"), "{route:?}");
        assert_eq!(answer.header("vary"), Some("origin"));
    }
    let ask = get("/mcp")
        .method("OPTIONS")
        .with("access-control-request-method", "POST")
        .with("access-control-request-private-network", "true");
    let preflight = from(ask.clone());
    assert_eq!(preflight.status, 204);
    assert!(
        preflight
            .header("access-control-allow-headers")
            .unwrap()
            .contains("mcp-session-id")
    );
    assert_eq!(
        preflight.header("access-control-allow-private-network"),
        Some("true")
    );
    assert_eq!(
        ask.with("origin", "http://chat.example:81")
            .status(bed.address),
        403
    );
}

#[test]
fn refusals_of_mcp_are_json_rpc_errors_and_others_are_json() {
    let bed = Bed::start();
    let to = bed.address;
    for (request, status) in [
        (post("/mcp", INITIALIZE).with("host", "evil.example"), 403),
        (post("/mcp", INITIALIZE).without("content-type"), 415),
        (
            post("/mcp", INITIALIZE)
                .without("content-type")
                .with("content-type", "text/plain"),
            415,
        ),
        (
            post("/mcp", INITIALIZE).with("content-encoding", "gzip"),
            415,
        ),
        (
            post("/mcp", INITIALIZE)
                .without("accept")
                .with("accept", "application/json"),
            406,
        ),
        (
            post("/mcp", INITIALIZE).with("mcp-session-id", "nobody"),
            404,
        ),
        (
            post("/mcp", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            400,
        ),
        (get("/mcp").with("accept", "text/event-stream"), 400),
        (get("/mcp").with("accept", "text/html"), 406),
        (get("/mcp").with("mcp-protocol-version", "2026-07-28"), 405),
        (
            get("/mcp")
                .method("DELETE")
                .with("mcp-protocol-version", "2026-07-28"),
            405,
        ),
        (get("/mcp").method("PUT"), 405),
        (post("/c/nobody/mcp", INITIALIZE), 404),
        (post("/c/%ff/mcp", INITIALIZE), 400),
        (post("/mcp", vec![b' '; (4 << 20) + 1]), 413),
    ] {
        let answer = request.send(to);
        assert_eq!(answer.status, status, "{request:?}");
        if status == 405 {
            assert!(answer.header("allow").unwrap().contains("POST"));
        }
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let answer = answer.json();
        assert_eq!(answer["error"]["code"], -32600, "{answer}");
        assert!(
            answer["error"]["data"]["errors"][0]["path"].is_string(),
            "{answer}"
        );
        assert_ne!(answer.get("id"), Some(&serde_json::Value::Null));
    }
    for (request, status) in [
        (get("/no/such"), 404),
        (get("/").method("PUT"), 405),
        (post("/rea-toggle/conversations", "{}"), 405),
        (post("/rea-toggle/state", "{}").without("content-type"), 415),
        (post("/no/such", "{}"), 404),
        (
            get(&format!("/rea-toggle/state?session={}", "x".repeat(9000))),
            414,
        ),
    ] {
        let answer = request.send(to);
        assert_eq!(answer.status, status, "{request:?}");
        if status == 405 {
            assert!(
                answer.header("allow").unwrap().contains("GET"),
                "{request:?}"
            );
        }
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert!(answer.json()["error"]["message"].is_string());
    }
}

#[test]
fn a_token_is_asked_for_and_each_is_a_principal() {
    let (one, two) = ("one-token-of-many", "two-token-of-many");
    let bed = Bed::with(|config| config.tokens = vec![one.into(), two.into()]);
    let to = bed.address;
    for route in routes() {
        let open = ["/", "/rea-toggle/pill.js"].contains(&route.path.as_str())
            && route.method != "OPTIONS";
        let answer = route.send(to);
        if open {
            assert_eq!(
                answer.status, 200,
                "the page has no data, and asks for the token"
            );
            continue;
        }
        if route.path != "/" {
            assert_eq!(answer.status, 401, "{route:?}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        }
        let wrong = route.with("authorization", "Bearer another-token-of-many");
        assert!([401, 405].contains(&wrong.status(to)), "{wrong:?}");
    }
    // Session reuse by another principal: CVE-2026-52869.
    let bearer = |token: &str| format!("Bearer {token}");
    let mine = Client::open_as(to, "/mcp", &[("authorization", &bearer(one))]);
    let mut theirs = mine.clone();
    theirs.extra = vec![("authorization".into(), bearer(two))];
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(theirs.post(ping).status, 404);
    assert_eq!(theirs.listen().status, 404);
    assert_eq!(theirs.end(), 404);
    assert_eq!(mine.post(ping).status, 200);
    assert_eq!(mine.end(), 204);
}

#[test]
fn off_loopback_a_token_is_made_up() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let bind = |address: &str| {
        let config = rea_http::Config::new(address.parse().unwrap());
        runtime.block_on(rea_http::Server::bind(config)).unwrap()
    };
    assert!(bind("0.0.0.0:0").made_token().unwrap().len() >= 32);
    assert_eq!(bind("127.0.0.1:0").made_token(), None);
}

#[test]
fn slow_and_endless_requests_end() {
    let bed = Bed::with(|config| {
        config.limits.head_time = Duration::from_millis(300);
        config.limits.body_time = Duration::from_millis(300);
    });
    let start = Instant::now();
    for head in [
        "GET / HTTP/1.1\r\nhost: localhost\r\nx: ".to_owned(),
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{".to_owned(),
        // A head without end.
        format!("GET / HTTP/1.1\r\nhost: localhost\r\nx: {}", "x".repeat(1 << 20)),
        format!("GET / HTTP/1.1\r\nhost: localhost\r\n{}\r\n", "a: b\r\n".repeat(1000)),
    ] {
        let mut stream = TcpStream::connect(bed.address).unwrap();
        let _ = stream.write_all(head.as_bytes());
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let said = String::from_utf8_lossy(&all).into_owned();
        assert!(!said.contains(" 200 "), "{said}");
    }
    assert!(start.elapsed() < Duration::from_secs(5));
}

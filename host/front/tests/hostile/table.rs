//! The table: what is sent, and what must come back.
//!
//! The names are those under which five servers were measured in November 2026. Answers are those of a strict
//! front, with these changes: an id may be used again once answered; of members of the same name the last wins;
//! every -32602 carries `data.errors`; the line limit is 4 MiB; `ref/resource` is -32602.

use serde_json::{Value, json};

use crate::support::META;

pub struct Case {
    /// A name that begins with PRE is for a connection in which nothing has been said.
    pub name: &'static str,
    /// Bytes; before each further part one message is waited for.
    pub send: Vec<Vec<u8>>,
    /// Messages in any order: `result`, `[notification]`, or a code with `+data` and `no id`; or `silence`.
    pub expect: &'static str,
    /// The path of the first diagnostic, of rows that have one.
    pub path: &'static str,
    /// The id that answers bear.
    pub id: Value,
}

/// A row of one line with id 7.
fn row(
    name: &'static str,
    line: impl Into<Vec<u8>>,
    expect: &'static str,
    path: &'static str,
) -> Case {
    let mut line = line.into();
    line.push(b'\n');
    Case {
        name,
        send: vec![line],
        expect,
        path,
        id: json!(7),
    }
}

/// A request with id 7; `params` is JSON, or empty for none.
fn ask(
    name: &'static str,
    method: &str,
    params: &str,
    expect: &'static str,
    path: &'static str,
) -> Case {
    row(name, request(method, params), expect, path)
}

fn request(method: &str, params: &str) -> String {
    let params = if params.is_empty() {
        String::new()
    } else {
        format!(r#","params":{params}"#)
    };
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}"{params}}}"#)
}

/// The same with `_meta` of 2026-07-28.
fn modern(method: &str, params: &str) -> String {
    let more = if params.is_empty() {
        String::new()
    } else {
        format!(",{params}")
    };
    request(method, &format!("{{{META}{more}}}"))
}

fn with_id(mut case: Case, id: Value) -> Case {
    case.id = id;
    case
}

fn listen_then_toggle(name: &'static str) -> Case {
    let listen = modern(
        "subscriptions/listen",
        r#""notifications":{"toolsListChanged":true}"#,
    )
    .replace("\"id\":7", "\"id\":8");
    let mut case = row(name, listen, "[acknowledged], result, [list_changed]", "");
    case.send
        .push((modern("tools/call", r#""name":"toggle""#) + "\n").into_bytes());
    case
}

const INIT: &str = r#""capabilities":{},"clientInfo":{"name":"t","version":"1"}"#;
const VERSION: &str = r#"params._meta["io.modelcontextprotocol/protocolVersion"]"#;
const CAPABILITIES: &str = r#"params._meta["io.modelcontextprotocol/clientCapabilities"]"#;
const PARAMS: &str = "-32602 +data";
const UNREADABLE: &str = "-32700 +data no id";
const NO_REQUEST: &str = "-32600 +data";
const NO_REQUEST_NO_ID: &str = "-32600 +data no id";

pub fn table() -> Vec<Case> {
    let mut rows = requests();
    rows.extend(envelopes());
    rows.extend(bytes());
    rows.extend(sequences());
    rows.extend(before_opening());
    rows
}

fn requests() -> Vec<Case> {
    let list = "prompts/list";
    let get = "prompts/get";
    let complete = "completion/complete";
    let call = "tools/call";
    let greet = r#""ref":{"type":"ref/prompt","name":"greet"}"#;
    vec![
        ask("ok prompts/list (no params)", list, "", "result", ""),
        ask("prompts/list params:{}", list, "{}", "result", ""),
        ask("prompts/list params:null", list, "null", "result", ""),
        ask(
            "prompts/list params:[] (array)",
            list,
            "[]",
            PARAMS,
            "params",
        ),
        ask("prompts/list params:\"x\"", list, "\"x\"", PARAMS, "params"),
        ask("prompts/list params:42", list, "42", PARAMS, "params"),
        ask(
            "prompts/list cursor:123",
            list,
            r#"{"cursor":123}"#,
            PARAMS,
            "params.cursor",
        ),
        ask(
            "prompts/list cursor:null",
            list,
            r#"{"cursor":null}"#,
            PARAMS,
            "params.cursor",
        ),
        ask(
            "prompts/list cursor:\"\"",
            list,
            r#"{"cursor":""}"#,
            PARAMS,
            "params.cursor",
        ),
        ask(
            "prompts/list cursor unknown string",
            list,
            r#"{"cursor":"zzz"}"#,
            PARAMS,
            "params.cursor",
        ),
        ask(
            "prompts/list unknown extra field",
            list,
            r#"{"more":1}"#,
            "result",
            "",
        ),
        ask(
            "prompts/list _meta:5",
            list,
            r#"{"_meta":5}"#,
            PARAMS,
            "params._meta",
        ),
        ask(
            "ok prompts/get",
            get,
            r#"{"name":"greet","arguments":{"name":"Ada"}}"#,
            "result",
            "",
        ),
        ask("prompts/get no params", get, "", PARAMS, "params.name"),
        ask("prompts/get params:{}", get, "{}", PARAMS, "params.name"),
        ask(
            "prompts/get name:5",
            get,
            r#"{"name":5}"#,
            PARAMS,
            "params.name",
        ),
        ask(
            "prompts/get arguments:[]",
            get,
            r#"{"name":"greet","arguments":[]}"#,
            PARAMS,
            "params.arguments",
        ),
        ask(
            "prompts/get arguments:{name:5} (non-string)",
            get,
            r#"{"name":"greet","arguments":{"name":5}}"#,
            PARAMS,
            "params.arguments.name",
        ),
        ask(
            "prompts/get arguments:null",
            get,
            r#"{"name":"greet","arguments":null}"#,
            PARAMS,
            "params.arguments",
        ),
        ask(
            "prompts/get unknown name",
            get,
            r#"{"name":"nope"}"#,
            PARAMS,
            "params.name",
        ),
        ask(
            "prompts/get missing required arg",
            get,
            r#"{"name":"greet"}"#,
            PARAMS,
            "params.arguments.name",
        ),
        // The last wins, so this one asks for a prompt that there is not.
        ask(
            "prompts/get dup JSON key name",
            get,
            r#"{"name":"greet","name":"nope","arguments":{"name":"Ada"}}"#,
            PARAMS,
            "params.name",
        ),
        ask(
            "prompts/get dup JSON key name, the last is right",
            get,
            r#"{"name":5,"name":"greet","arguments":{"name":"Ada"}}"#,
            "result",
            "",
        ),
        ask(
            "prompts/get handler panics",
            get,
            r#"{"name":"panic"}"#,
            "-32603",
            "",
        ),
        ask(
            "tools/call handler panics",
            call,
            r#"{"name":"panic"}"#,
            "-32603",
            "",
        ),
        ask(
            "ok completion/complete",
            complete,
            &format!(r#"{{{greet},"argument":{{"name":"name","value":"A"}}}}"#),
            "result",
            "",
        ),
        ask(
            "completion missing ref",
            complete,
            r#"{"argument":{"name":"name","value":"A"}}"#,
            PARAMS,
            "params.ref",
        ),
        ask(
            "completion missing argument",
            complete,
            &format!("{{{greet}}}"),
            PARAMS,
            "params.argument",
        ),
        ask(
            "completion argument.value missing",
            complete,
            &format!(r#"{{{greet},"argument":{{"name":"name"}}}}"#),
            PARAMS,
            "params.argument.value",
        ),
        ask(
            "completion ref.type unknown",
            complete,
            r#"{"ref":{"type":"ref/x","name":"greet"},"argument":{"name":"name","value":"A"}}"#,
            PARAMS,
            "params.ref.type",
        ),
        ask(
            "completion ref/resource",
            complete,
            r#"{"ref":{"type":"ref/resource","uri":"x:y"},"argument":{"name":"name","value":"A"}}"#,
            PARAMS,
            "params.ref.type",
        ),
        ask(
            "completion context.arguments non-string value",
            complete,
            &format!(
                r#"{{{greet},"argument":{{"name":"name","value":"A"}},"context":{{"arguments":{{"a":5}}}}}}"#
            ),
            PARAMS,
            "params.context.arguments.a",
        ),
        ask("tools/call no params", call, "", PARAMS, "params.name"),
        ask(
            "tools/call name:5",
            call,
            r#"{"name":5}"#,
            PARAMS,
            "params.name",
        ),
        ask(
            "tools/call unknown tool",
            call,
            r#"{"name":"nope"}"#,
            PARAMS,
            "params.name",
        ),
        ask(
            "tools/call arguments:\"x\"",
            call,
            r#"{"name":"echo","arguments":"x"}"#,
            PARAMS,
            "params.arguments",
        ),
        ask(
            "tools/list cursor:{}",
            "tools/list",
            r#"{"cursor":{}}"#,
            PARAMS,
            "params.cursor",
        ),
        // The server has not declared logging, so the method does not exist here.
        ask(
            "logging/setLevel bad level",
            "logging/setLevel",
            r#"{"level":"loud"}"#,
            "-32601",
            "",
        ),
        ask("unknown method", "no/such", "", "-32601", ""),
        ask(
            "unknown method params array",
            "no/such",
            "[]",
            PARAMS,
            "params",
        ),
        ask("method empty", "", "", "-32601", ""),
    ]
}

fn envelopes() -> Vec<Case> {
    vec![
        row(
            "method missing",
            r#"{"jsonrpc":"2.0","id":7}"#,
            NO_REQUEST,
            "method",
        ),
        row(
            "method:5",
            r#"{"jsonrpc":"2.0","id":7,"method":5}"#,
            NO_REQUEST,
            "method",
        ),
        row(
            "jsonrpc missing",
            r#"{"id":7,"method":"ping"}"#,
            NO_REQUEST,
            "jsonrpc",
        ),
        row(
            "jsonrpc:\"1.0\"",
            r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
            NO_REQUEST,
            "jsonrpc",
        ),
        row(
            "id:null",
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            NO_REQUEST_NO_ID,
            "id",
        ),
        row(
            "id:1.5",
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            NO_REQUEST_NO_ID,
            "id",
        ),
        row(
            "id:1.0",
            r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#,
            NO_REQUEST_NO_ID,
            "id",
        ),
        row(
            "id:true",
            r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
            NO_REQUEST_NO_ID,
            "id",
        ),
        row(
            "id:{}",
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            NO_REQUEST_NO_ID,
            "id",
        ),
        row(
            "id: 2^63 (too big)",
            r#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#,
            NO_REQUEST_NO_ID,
            "id",
        ),
        with_id(
            row(
                "id: negative",
                r#"{"jsonrpc":"2.0","id":-7,"method":"ping"}"#,
                "result",
                "",
            ),
            json!(-7),
        ),
        with_id(
            row(
                "id: string",
                r#"{"jsonrpc":"2.0","id":"7","method":"ping"}"#,
                "result",
                "",
            ),
            json!("7"),
        ),
        row(
            "extra top-level field",
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","more":1}"#,
            "result",
            "",
        ),
        row(
            "request with result field too",
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","result":{}}"#,
            NO_REQUEST,
            "result",
        ),
        row(
            "batch [ping]",
            r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#,
            NO_REQUEST_NO_ID,
            "message",
        ),
        row("batch []", "[]", NO_REQUEST_NO_ID, "message"),
        row("JSON scalar 5", "5", NO_REQUEST_NO_ID, "message"),
        row("JSON null", "null", NO_REQUEST_NO_ID, "message"),
        row(
            "malformed notification cancelled (no params)",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            "silence",
            "",
        ),
        row(
            "unknown notification",
            r#"{"jsonrpc":"2.0","method":"notifications/no/such"}"#,
            "silence",
            "",
        ),
        row(
            "notification for a request method (no id)",
            r#"{"jsonrpc":"2.0","method":"prompts/list"}"#,
            "silence",
            "",
        ),
        row(
            "unsolicited response",
            r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
            "silence",
            "",
        ),
        row(
            "unsolicited error null id",
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}"#,
            "silence",
            "",
        ),
    ]
}

fn bytes() -> Vec<Case> {
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let mut not_utf8 = request("prompts/get", r#"{"name":"@"}"#).into_bytes();
    for byte in &mut not_utf8 {
        if *byte == b'@' {
            *byte = 0xff;
        }
    }
    let deep = |levels: usize| {
        let nested = "[".repeat(levels) + &"]".repeat(levels);
        request("prompts/list", &format!(r#"{{"more":{nested}}}"#))
    };
    let named = |name: String| request("prompts/get", &format!(r#"{{"name":"{name}"}}"#));
    let greeted = request(
        "prompts/get",
        &format!(
            r#"{{"name":"greet","arguments":{{"name":"{}"}}}}"#,
            "x".repeat(1 << 20)
        ),
    );
    vec![
        row(
            "invalid JSON",
            r#"{"jsonrpc":"2.0","id":7,"method":"ping""#,
            UNREADABLE,
            "message",
        ),
        row("garbage text", "hello there", UNREADABLE, "message"),
        row("empty line", "", "silence", ""),
        row("non-UTF-8 bytes in string", not_utf8, UNREADABLE, "message"),
        row(
            "lone surrogate escape",
            named("\\ud800".to_owned()),
            UNREADABLE,
            "message",
        ),
        row("NUL byte", format!("{ping}\0"), UNREADABLE, "message"),
        row("BOM", format!("\u{feff}{ping}"), "result", ""),
        row("CRLF", format!("{ping}\r"), "result", ""),
        row("deep nesting 200", deep(200), UNREADABLE, "message"),
        row("deep nesting 100k", deep(100_000), UNREADABLE, "message"),
        row("deep nesting 120", deep(120), "result", ""),
        row("1 MiB argument", greeted, "result", ""),
        row(
            "15 MiB unknown name",
            named("x".repeat(15 << 20)),
            NO_REQUEST_NO_ID,
            "message",
        ),
        row(
            "20 MiB line",
            "x".repeat(20 << 20),
            NO_REQUEST_NO_ID,
            "message",
        ),
        row(
            "two requests on one line",
            format!("{ping}{ping}"),
            UNREADABLE,
            "message",
        ),
    ]
}

fn sequences() -> Vec<Case> {
    let slow = request("tools/call", r#"{"name":"slow"}"#);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#;
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let mut sequential = row("duplicate ids sequential", ping, "result, result", "");
    sequential.send.push(format!("{ping}\n").into_bytes());
    let bad_version = modern("prompts/list", "").replace("2026-07-28", "1999-01-01");
    let no_capabilities = request(
        "prompts/list",
        r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#,
    );
    let initialize = request(
        "initialize",
        &format!(r#"{{"protocolVersion":"2025-11-25",{INIT}}}"#),
    );
    vec![
        row(
            "duplicate in-flight ids (slow)",
            format!("{slow}\n{slow}"),
            "-32600 +data, result",
            "id",
        ),
        sequential,
        row(
            "cancel in-flight",
            format!("{slow}\n{cancel}"),
            "silence",
            "",
        ),
        row(
            "cancel in-flight, then the id again",
            format!("{slow}\n{cancel}\n{ping}"),
            "result",
            "",
        ),
        row("initialize a second time", initialize, "result", ""),
        row(
            "modern request in legacy session",
            modern("prompts/list", ""),
            "result",
            "",
        ),
        row(
            "modern request, bad version",
            bad_version,
            "-32022 +data",
            "",
        ),
        row(
            "modern request, missing clientCapabilities",
            no_capabilities,
            PARAMS,
            CAPABILITIES,
        ),
        row(
            "server/discover with meta (after initialize)",
            modern("server/discover", ""),
            "result",
            "",
        ),
        row(
            "server/discover w/o meta",
            request("server/discover", ""),
            PARAMS,
            VERSION,
        ),
        row(
            "subscriptions/listen modern",
            modern(
                "subscriptions/listen",
                r#""notifications":{"toolsListChanged":true}"#,
            ),
            "[acknowledged]",
            "",
        ),
        row(
            "subscriptions/listen modern, malformed",
            modern(
                "subscriptions/listen",
                r#""notifications":{"toolsListChanged":1}"#,
            ),
            PARAMS,
            "params.notifications.toolsListChanged",
        ),
        listen_then_toggle("subscriptions/listen modern then toggle"),
        row(
            "toggle -> list_changed (legacy)",
            request("tools/call", r#"{"name":"toggle"}"#),
            "[list_changed], result",
            "",
        ),
    ]
}

fn before_opening() -> Vec<Case> {
    let initialize = |params: &str| request("initialize", params);
    let version = |version: &str| initialize(&format!(r#"{{"protocolVersion":{version},{INIT}}}"#));
    let mut unended = row(
        "PRE last line without newline then EOF",
        version("\"2025-11-25\""),
        "result **server exits**",
        "",
    );
    unended.send[0].pop();
    let mut unended_ping = row(
        "PRE ping without newline then EOF",
        request("ping", ""),
        "result **server exits**",
        "",
    );
    unended_ping.send[0].pop();
    let mut legacy_after = row(
        "PRE modern then legacy initialize",
        modern("prompts/list", ""),
        "result, result",
        "",
    );
    let second = version("\"2025-11-25\"")
        + "
";
    legacy_after.send.push(second.into_bytes());
    vec![
        row(
            "PRE ping before initialize",
            request("ping", ""),
            "result",
            "",
        ),
        row(
            "PRE prompts/list before initialize",
            request("prompts/list", ""),
            PARAMS,
            VERSION,
        ),
        row(
            "PRE notification first",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
            "silence",
            "",
        ),
        row(
            "PRE unknown notification first",
            r#"{"jsonrpc":"2.0","method":"notifications/no/such"}"#,
            "silence",
            "",
        ),
        row(
            "PRE initialized first",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "silence",
            "",
        ),
        row(
            "PRE response first",
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            "silence",
            "",
        ),
        row(
            "PRE error null id first",
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}"#,
            "silence",
            "",
        ),
        row(
            "PRE ping, then a notification",
            format!(
                "{}\n{}",
                request("ping", ""),
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
            ),
            "result",
            "",
        ),
        row(
            "PRE discover, then a notification",
            format!(
                "{}\n{}",
                modern("server/discover", ""),
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
            ),
            "result",
            "",
        ),
        row(
            "PRE refused modern request, then a notification",
            format!(
                "{}\n{}",
                modern("prompts/list", "").replace("2026-07-28", "2099-01-01"),
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
            ),
            "-32022 +data",
            "",
        ),
        row("PRE garbage first", "hello there", UNREADABLE, "message"),
        row(
            "PRE batch first",
            r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#,
            NO_REQUEST_NO_ID,
            "message",
        ),
        row(
            "PRE initialize bad params {}",
            initialize("{}"),
            PARAMS,
            "params.protocolVersion",
        ),
        row(
            "PRE initialize protocolVersion:5",
            version("5"),
            PARAMS,
            "params.protocolVersion",
        ),
        row(
            "PRE initialize unknown version 2099",
            version("\"2099-01-01\""),
            "result",
            "",
        ),
        row(
            "PRE initialize 2026-07-28",
            version("\"2026-07-28\""),
            "result",
            "",
        ),
        row(
            "PRE initialize 2024-11-05",
            version("\"2024-11-05\""),
            "result",
            "",
        ),
        row(
            "PRE initialize missing clientInfo",
            initialize(r#"{"protocolVersion":"2025-11-25","capabilities":{}}"#),
            PARAMS,
            "params.clientInfo",
        ),
        row(
            "PRE discover modern",
            modern("server/discover", ""),
            "result",
            "",
        ),
        row(
            "PRE discover extra param",
            modern("server/discover", "\"more\":1"),
            "result",
            "",
        ),
        row(
            "PRE discover no meta",
            request("server/discover", ""),
            PARAMS,
            VERSION,
        ),
        row(
            "PRE modern prompts/list straight",
            modern("prompts/list", ""),
            "result",
            "",
        ),
        row(
            "PRE modern prompts/list cursor:5",
            modern("prompts/list", "\"cursor\":5"),
            PARAMS,
            "params.cursor",
        ),
        row(
            "PRE modern prompts/get name:5",
            modern("prompts/get", "\"name\":5"),
            PARAMS,
            "params.name",
        ),
        row("PRE modern ping", modern("ping", ""), "result", ""),
        row(
            "PRE modern unknown method",
            modern("no/such", ""),
            "-32601",
            "",
        ),
        legacy_after,
        listen_then_toggle("PRE modern listen+toggle"),
        unended,
        unended_ping,
    ]
}

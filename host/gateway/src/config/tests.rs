use super::*;

fn read(text: &str) -> Result<Config, String> {
    let variable = |name: &str| (name == "SET").then(|| "value".to_owned());
    Config::read(text, "file.json", &variable).map_err(|error| error.to_string())
}

#[test]
fn servers_keep_their_order_and_variables_are_filled_in() {
    let config = read(
        r#"{"mcpServers": {
            "z": {"command": "${SET}", "args": ["${UNSET:-other}", "$5"], "env": {"A": "x${SET}y"}, "disabled": 1},
            "a": {"type": "streamable-http", "url": "http://localhost:1/mcp", "headers": {"B": ""}}
        }, "reaToggle": {"server": "z"}, "other": 5}"#,
    )
    .unwrap();
    let names: Vec<_> = config
        .servers
        .iter()
        .map(|server| server.name.as_str())
        .collect();
    assert_eq!(names, ["z", "a"]);
    assert_eq!(config.toggle, r#"{"server":"z"}"#);
    let Reach::Child {
        command,
        args,
        env,
        cwd,
    } = &config.servers[0].reach
    else {
        panic!("a child");
    };
    assert_eq!((command.as_str(), cwd), ("value", &None));
    assert_eq!(args, &["other", "$5"]);
    assert_eq!(env["A"], "xvaluey");
    let Reach::Http { url, headers } = &config.servers[1].reach else {
        panic!("an address");
    };
    assert_eq!(url, "http://localhost:1/mcp");
    assert_eq!(headers["B"], "");
}

#[test]
fn an_error_names_the_file_and_the_field() {
    for (text, said) in [
        ("", "file.json: no JSON: "),
        ("[]", "file.json: the file: expected object, got []"),
        (
            "{}",
            "file.json: mcpServers: expected object of servers, got nothing",
        ),
        (
            r#"{"mcpServers": {}}"#,
            "file.json: mcpServers: expected 1 to 100 servers, got 0 servers",
        ),
        (
            r#"{"mcpServers": {"a": 5}}"#,
            "mcpServers.a: expected object, got 5",
        ),
        (
            r#"{"mcpServers": {"a": {}}}"#,
            "mcpServers.a.command: expected string, got nothing",
        ),
        (
            r#"{"mcpServers": {"a": {"command": 5}}}"#,
            "mcpServers.a.command: expected string, got 5",
        ),
        (
            r#"{"mcpServers": {"a": {"command": ""}}}"#,
            "mcpServers.a.command: expected a string that isn't empty",
        ),
        (
            r#"{"mcpServers": {"a": {"command": "x", "args": "y"}}}"#,
            "mcpServers.a.args: expected array of strings",
        ),
        (
            r#"{"mcpServers": {"a": {"command": "x", "args": ["y", 5]}}}"#,
            "mcpServers.a.args[1]: expected string, got 5",
        ),
        (
            r#"{"mcpServers": {"a": {"command": "x", "env": {"K": 5}}}}"#,
            "mcpServers.a.env.K: expected string",
        ),
        (
            r#"{"mcpServers": {"a": {"command": "${NO}"}}}"#,
            "mcpServers.a.command: expected the environment variable NO to be set",
        ),
        (
            r#"{"mcpServers": {"a": {"command": "${NO"}}}"#,
            "mcpServers.a.command: expected ${NAME}",
        ),
        (
            r#"{"mcpServers": {"a": {"type": "sse", "url": "http://x"}}}"#,
            "mcpServers.a.type: expected stdio, http or streamable-http",
        ),
        (
            r#"{"mcpServers": {"a": {"url": "ftp://x"}}}"#,
            "mcpServers.a.url: expected an address that begins with http://",
        ),
        (
            r#"{"mcpServers": {"a": {"url": "http://x", "command": "y"}}}"#,
            "mcpServers.a: expected `command` or `url`, not both",
        ),
        (
            r#"{"mcpServers": {" a": {"command": "y"}}}"#,
            "a name of 1 to 256 printable characters",
        ),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(said), "{text}: {error}");
    }
}

#[test]
fn what_may_be_secret_is_not_shown() {
    for text in [
        r#"{"mcpServers": {"a": {"url": "http://x", "headers": {"K": "s3cret ${NO}"}}}}"#,
        r#"{"mcpServers": {"a": {"url": "http://x", "headers": {"K": "s3cret\n"}}}}"#,
        r#"{"mcpServers": {"a": {"command": "x", "env": {"K": ["s3cret"]}}}}"#,
    ] {
        let error = read(text).unwrap_err();
        assert!(
            !error.contains("s3cret") && error.contains(".K: "),
            "{error}"
        );
    }
}

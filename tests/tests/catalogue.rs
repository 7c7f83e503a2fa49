//! What a client's model has to read stays small, and is what it claims to be.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise"
)]

use rea_tests::{program, stdio::Server};
use serde_json::{Value, json};

fn tools() -> (String, Vec<Value>) {
    let mut server = Server::connect(&program(), &["mcp"]).unwrap();
    let result = server.ask("tools/list", json!({})).unwrap()["result"].clone();
    let tools = result["tools"].as_array().unwrap().clone();
    (result.to_string(), tools)
}

/// rea #1484, kimi-cli #2475, claude-code #51836: clients refuse a server, or lose its tools, over large schemas.
#[test]
fn the_list_of_tools_stays_small() {
    let (whole, tools) = tools();
    assert!(tools.len() < 40, "{} tools", tools.len());
    assert!(whole.len() < 48_000, "{} bytes", whole.len());
    for tool in &tools {
        let schema = tool["inputSchema"].to_string();
        assert!(
            schema.len() < 4096,
            "{}: {} bytes",
            tool["name"],
            schema.len()
        );
    }
}

/// rea #528, #535: schemas that are none.
#[test]
fn every_input_schema_is_plain_json_schema() {
    for tool in tools().1 {
        let schema = &tool["inputSchema"];
        assert!(jsonschema::meta::is_valid(schema), "{schema}");
        assert_eq!(schema["type"], "object", "{}", tool["name"]);
        for word in ["anyOf", "oneOf", "allOf"] {
            assert!(
                schema.get(word).is_none(),
                "{}: a union at the root",
                tool["name"]
            );
        }
        let text = schema.to_string();
        assert!(
            !text.contains("$ref") && !text.contains("$dynamicRef"),
            "{}: a reference",
            tool["name"]
        );
        assert!(
            tool["description"].as_str().unwrap().len() < 2048,
            "{}",
            tool["name"]
        );
    }
}

/// rea 035e1144: a list that changes with the state of the session.
#[test]
fn the_list_of_tools_is_the_same_in_every_state() {
    let mut server = Server::connect(&program(), &["mcp"]).unwrap();
    let mut list = || server.ask("tools/list", json!({})).unwrap()["result"].clone();
    let before = list();
    let own = std::env::current_exe().unwrap();
    server.call("open_binary", json!({"path": own})).unwrap();
    server.call("list_documents", json!({})).unwrap();
    let opened = server.ask("tools/list", json!({})).unwrap()["result"].clone();
    server.call("close_binary", json!({})).unwrap();
    let closed = server.ask("tools/list", json!({})).unwrap()["result"].clone();
    assert_eq!(before, opened);
    assert_eq!(before, closed);
}

/// Claude Code cuts instructions at 2 KB.
#[test]
fn instructions_fit_into_what_clients_keep() {
    let mut server = Server::start(&program(), &["mcp"]).unwrap();
    let answer = server.initialize().unwrap();
    let instructions = answer["result"]["instructions"].as_str().unwrap();
    assert!(instructions.len() <= 2048, "{} bytes", instructions.len());
    let capabilities = &answer["result"]["capabilities"];
    assert_eq!(capabilities["prompts"]["listChanged"], true);
    assert_eq!(capabilities["completions"], json!({}));
}

/// Every tool that a prompt names with the whole catalogue is one that this server, or a later one, has; and no
/// prompt names one that isn't served.
#[test]
fn prompts_name_served_tools_only() {
    let (_, tools) = tools();
    let served: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let unserved: Vec<&str> = rea_guide::prompts::named_tools()
        .into_iter()
        .filter(|name| !served.contains(name))
        .collect();
    let mut server = Server::connect(&program(), &["mcp"]).unwrap();
    let prompts = server.ask("prompts/list", json!({})).unwrap()["result"]["prompts"].clone();
    let prompts = prompts.as_array().unwrap();
    assert_eq!(prompts.len(), 6);
    for prompt in prompts {
        let required: serde_json::Map<String, Value> = prompt["arguments"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|argument| argument["required"] == true)
            .map(|argument| (argument["name"].as_str().unwrap().to_owned(), json!("x")))
            .collect();
        let params = json!({"name": prompt["name"], "arguments": required});
        let result = server.ask("prompts/get", params).unwrap()["result"].clone();
        let text = result["messages"][0]["content"]["text"]
            .as_str()
            .unwrap()
            .to_owned();
        for name in &unserved {
            // `trace_crash` and the like are both a prompt and a word; a tool is named in backticks.
            assert!(
                !text.contains(&format!("`{name}`")),
                "{}: {name}",
                prompt["name"]
            );
        }
    }
}

//! Configuration: which servers are governed, and how conversations start (T12).

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::naming::Naming;
use super::problem::{Problem, ProblemKind};
use super::text::{check_length, printable, quoted};

/// Governed servers at most. The number is a person's; nobody has as many.
pub const MOST_GOVERNED: usize = 100;

/// Bytes of a configuration text at most.
const LONGEST: usize = 1 << 20;

/// The server that is governed where nothing is said.
const DEFAULT_SERVER: &str = "rea";

/// Which servers are governed, and how conversations start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The names of the governed servers.
    pub servers: Vec<String>,
    /// The position of a conversation that was never switched.
    pub default_enabled: bool,
}

/// A configuration that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// What the switch goes by.
    pub settings: Settings,
    /// The servers whose one connection serves all conversations.
    pub shared: Vec<String>,
    /// Fields that mean nothing here.
    pub ignored: Vec<String>,
}

/// Reads a configuration from JSON text; `bridged` are the servers that there can be, where that is known.
///
/// # Errors
/// The first field that is wrong, in the order `servers`, `server`, `defaultEnabled`, `shared`.
pub fn read(
    text: &str,
    naming: Naming,
    bridged: Option<&[String]>,
) -> Result<Configuration, Problem> {
    let fields = object(text)?;
    let field = |name: &str| fields.get(name).filter(|value| !value.is_null());

    let servers = field("servers")
        .map(|value| names("servers", value))
        .transpose()?;
    let server = field("server")
        .map(|value| name("server", value))
        .transpose()?;
    let default_enabled = match field("defaultEnabled") {
        None => false,
        Some(Value::Bool(value)) => *value,
        Some(other) => return Err(wrong_type("defaultEnabled", "true or false", other)),
    };
    let shared = match (bridged, field("shared")) {
        (Some(bridged), Some(value)) => {
            let shared = names("shared", value)?;
            each("shared", &shared, naming, Some(bridged))?;
            shared
        }
        _ => Vec::new(),
    };

    let (origin, servers) = match (servers, server, bridged) {
        (Some(servers), _, _) => ("servers", servers),
        (None, Some(server), _) => ("server", vec![server]),
        (None, None, Some(bridged)) => ("servers", bridged.to_vec()),
        (None, None, None) => ("server", vec![DEFAULT_SERVER.to_owned()]),
    };
    let settings = Settings {
        servers,
        default_enabled,
    };
    check_as(origin, &settings, naming, bridged)?;

    let mut known = vec!["server", "servers", "defaultEnabled"];
    if bridged.is_some() {
        known.push("shared");
    }
    let ignored: BTreeSet<&String> = fields
        .keys()
        .filter(|key| !known.contains(&key.as_str()))
        .collect();
    Ok(Configuration {
        settings,
        shared,
        ignored: ignored.into_iter().take(20).cloned().collect(),
    })
}

/// Fails with the field unless the settings are usable.
pub(super) fn check(settings: &Settings, naming: Naming) -> Result<(), Problem> {
    check_as("servers", settings, naming, None)
}

fn check_as(
    origin: &str,
    settings: &Settings,
    naming: Naming,
    bridged: Option<&[String]>,
) -> Result<(), Problem> {
    if settings.servers.is_empty() {
        return Err(Problem::new(
            ProblemKind::Empty,
            origin,
            "No server is named; leave the field out, or name at least one.",
        ));
    }
    each(origin, &settings.servers, naming, bridged)
}

/// Checks names of servers, one by one.
fn each(
    origin: &str,
    servers: &[String],
    naming: Naming,
    bridged: Option<&[String]>,
) -> Result<(), Problem> {
    if servers.len() > MOST_GOVERNED {
        return Err(Problem::new(
            ProblemKind::TooMuch,
            origin,
            format!(
                "It names {} servers; {MOST_GOVERNED} are the most.",
                servers.len()
            ),
        ));
    }
    let mut seen = BTreeSet::new();
    for (index, server) in servers.iter().enumerate() {
        let field = if origin == "server" {
            origin.to_owned()
        } else {
            format!("{origin}[{index}]")
        };
        check_server(&field, server, naming)?;
        if !seen.insert(server) {
            return Err(Problem::new(
                ProblemKind::Duplicate,
                field,
                format!(
                    "The server {} is named twice; name it once.",
                    quoted(server)
                ),
            ));
        }
        if bridged.is_some_and(|bridged| !bridged.contains(server)) {
            return Err(Problem::new(
                ProblemKind::Unknown,
                field,
                format!(
                    "There is no server {} here; name one of those that are configured.",
                    quoted(server)
                ),
            ));
        }
    }
    Ok(())
}

fn check_server(field: &str, server: &str, naming: Naming) -> Result<(), Problem> {
    check_length(field, server)?;
    let (usable, rule) = match naming {
        Naming::Dsh => (
            server.len() <= 32
                && server
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')),
            "it must have 1 to 32 characters of A-Z, a-z, 0-9, _ and -",
        ),
        Naming::Gateway => (
            printable(server),
            "it must have printable characters only, and no white space at its ends",
        ),
    };
    if usable {
        Ok(())
    } else {
        Err(Problem::new(
            ProblemKind::Unprintable,
            field,
            format!("No server can be named {}: {rule}.", quoted(server)),
        ))
    }
}

fn object(text: &str) -> Result<Map<String, Value>, Problem> {
    if text.len() > LONGEST {
        return Err(Problem::new(
            ProblemKind::TooMuch,
            "",
            format!("The configuration is longer than {LONGEST} bytes."),
        ));
    }
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(other) => Err(wrong_type("", "an object", &other)),
        Err(error) => Err(Problem::new(
            ProblemKind::Syntax,
            "",
            format!("The configuration isn't JSON: {error}."),
        )),
    }
}

fn names(field: &str, value: &Value) -> Result<Vec<String>, Problem> {
    let Value::Array(items) = value else {
        return Err(wrong_type(field, "a list of names", value));
    };
    items
        .iter()
        .enumerate()
        .map(|(index, item)| name(&format!("{field}[{index}]"), item))
        .collect()
}

fn name(field: &str, value: &Value) -> Result<String, Problem> {
    match value {
        Value::String(text) => Ok(text.clone()),
        other => Err(wrong_type(field, "the name of a server as text", other)),
    }
}

fn wrong_type(field: &str, wanted: &str, value: &Value) -> Problem {
    let got = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    let subject = if field.is_empty() {
        "The configuration"
    } else {
        field
    };
    Problem::new(
        ProblemKind::WrongType,
        field,
        format!("{subject} must be {wanted}; it is {got}."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dsh(text: &str) -> Result<Configuration, (ProblemKind, String)> {
        read(text, Naming::Dsh, None).map_err(|problem| (problem.kind, problem.field))
    }

    fn gateway(text: &str) -> Result<Configuration, (ProblemKind, String)> {
        let bridged = ["one".to_owned(), "my server".to_owned()];
        read(text, Naming::Gateway, Some(&bridged)).map_err(|problem| (problem.kind, problem.field))
    }

    #[test]
    fn t12_without_configuration_the_server_rea_is_governed_and_conversations_start_off() {
        for text in [
            "",
            " \n",
            "null",
            "{}",
            r#"{"server":null,"servers":null,"defaultEnabled":null}"#,
        ] {
            let read = dsh(text).unwrap();
            assert_eq!(read.settings.servers, ["rea"], "{text}");
            assert!(!read.settings.default_enabled);
            assert!(read.ignored.is_empty() && read.shared.is_empty());
        }
    }

    #[test]
    fn t12_servers_wins_over_server() {
        let read =
            dsh(r#"{"server":"x","servers":["rea","ghidra"],"defaultEnabled":true}"#).unwrap();
        assert_eq!(read.settings.servers, ["rea", "ghidra"]);
        assert!(read.settings.default_enabled);
        assert_eq!(dsh(r#"{"server":"x"}"#).unwrap().settings.servers, ["x"]);
    }

    #[test]
    fn errors_name_the_field() {
        use ProblemKind::{Duplicate, Empty, Syntax, TooMuch, Unprintable, WrongType};
        let long = format!(r#"{{"server":"{}"}}"#, "a".repeat(257));
        let many = format!(r#"{{"servers":[{}]}}"#, vec!["\"a\""; 101].join(","));
        for (text, kind, field) in [
            ("[]", WrongType, ""),
            ("3", WrongType, ""),
            ("{", Syntax, ""),
            (r#"{"server":""}"#, Empty, "server"),
            (r#"{"server":5}"#, WrongType, "server"),
            (r#"{"server":"a b"}"#, Unprintable, "server"),
            (r#"{"server":"a\u200b"}"#, Unprintable, "server"),
            (
                r#"{"server":"abcdefghijabcdefghijabcdefghijabc"}"#,
                Unprintable,
                "server",
            ),
            (long.as_str(), TooMuch, "server"),
            (r#"{"servers":[]}"#, Empty, "servers"),
            (r#"{"servers":"rea"}"#, WrongType, "servers"),
            (r#"{"servers":["rea",1]}"#, WrongType, "servers[1]"),
            (r#"{"servers":["rea",""]}"#, Empty, "servers[1]"),
            (r#"{"servers":["rea","b","rea"]}"#, Duplicate, "servers[2]"),
            (many.as_str(), TooMuch, "servers"),
            (r#"{"servers":["rea"],"server":7}"#, WrongType, "server"),
            (r#"{"defaultEnabled":"true"}"#, WrongType, "defaultEnabled"),
            (r#"{"defaultEnabled":1}"#, WrongType, "defaultEnabled"),
        ] {
            assert_eq!(dsh(text), Err((kind, field.to_owned())), "{text}");
        }
        assert_eq!(dsh(&" ".repeat(LONGEST + 1)), Err((TooMuch, String::new())));
    }

    #[test]
    fn the_gateway_governs_what_it_bridges() {
        assert_eq!(gateway("").unwrap().settings.servers, ["one", "my server"]);
        let read = gateway(r#"{"servers":["my server"],"shared":["one"],"x":1}"#).unwrap();
        assert_eq!(read.settings.servers, ["my server"]);
        assert_eq!(read.shared, ["one"]);
        assert_eq!(read.ignored, ["x"]);
        use ProblemKind::{Duplicate, Unknown, WrongType};
        for (text, kind, field) in [
            (r#"{"server":"two"}"#, Unknown, "server"),
            (r#"{"servers":["one","two"]}"#, Unknown, "servers[1]"),
            (r#"{"shared":["two"]}"#, Unknown, "shared[0]"),
            (r#"{"shared":["one","one"]}"#, Duplicate, "shared[1]"),
            (r#"{"shared":{}}"#, WrongType, "shared"),
        ] {
            assert_eq!(gateway(text), Err((kind, field.to_owned())), "{text}");
        }
        assert!(gateway(r#"{"shared":[]}"#).unwrap().shared.is_empty());
    }

    #[test]
    fn what_means_nothing_is_named_and_not_fatal() {
        let read = dsh(r#"{"shared":["x"],"defaultEnable":true,"__proto__":{}}"#).unwrap();
        assert_eq!(read.ignored, ["__proto__", "defaultEnable", "shared"]);
        assert!(read.shared.is_empty());
    }
}

//! Which servers there are: the `mcpServers` file that MCP clients know, and `reaToggle` beside it.
//!
//! ```json
//! {
//!   "mcpServers": {
//!     "rea": {"command": "rea", "args": ["mcp"], "env": {"KEY": "${KEY}"}, "cwd": "/srv"},
//!     "wiki": {"type": "http", "url": "https://wiki.example/mcp", "headers": {"Authorization": "Bearer ${TOKEN:-none}"}}
//!   },
//!   "reaToggle": {"servers": ["wiki"], "defaultEnabled": false, "shared": ["wiki"]}
//! }
//! ```
//!
//! In `command`, `args`, `env`, `cwd`, `url` and `headers`, `${NAME}` stands for the environment variable of this name and
//! `${NAME:-text}` for that or, if it isn't set, the text. A name that isn't set and has no text is an error. A child
//! gets this program's environment, and `env` on top. Members that aren't named here are left to other clients.

mod expand;

use std::{collections::BTreeMap, path::Path};

use rea_front::{Diagnostic, shorten_text};
use serde_json::{Map, Value};

use expand::expand;

/// The most servers that are bridged.
pub const MAX_SERVERS: usize = 100;
/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 4 << 20;

/// What is bridged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The servers, in the order of the file.
    pub servers: Vec<ServerConfig>,
    /// The text of `reaToggle`, for who reads it; empty if there is none.
    pub toggle: String,
}

/// One server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
}

/// How a server is reached.
#[derive(Clone, PartialEq, Eq)]
pub enum Reach {
    /// As a child, over its standard input and output.
    Child {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Environment beside that of this program.
        env: BTreeMap<String, String>,
        /// Where it runs; without it, where this program runs.
        cwd: Option<String>,
    },
    /// Over Streamable HTTP.
    Http {
        /// The address of its endpoint.
        url: String,
        /// Header fields of each request.
        headers: BTreeMap<String, String>,
    },
}

impl std::fmt::Debug for Reach {
    // Environment and headers hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Child { command, args, .. } => write!(f, "Child({command:?} {args:?})"),
            Self::Http { url, .. } => write!(f, "Http({url:?})"),
        }
    }
}

/// Why a configuration can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file can't be read.
    #[error("{file}: {reason}")]
    File {
        /// The file.
        file: String,
        /// What the system said, or that it is too large.
        reason: String,
    },
    /// A field isn't as it must be.
    #[error("{file}: {diagnostic}")]
    Field {
        /// The file.
        file: String,
        /// The field, and what was wrong with it.
        diagnostic: Diagnostic,
    },
}

impl Config {
    /// One server, a child that is started like this.
    pub fn of_child(name: &str, command: String, args: &[&str]) -> Self {
        let reach = Reach::Child {
            command,
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            env: BTreeMap::new(),
            cwd: None,
        };
        let name = name.to_owned();
        Self {
            servers: vec![ServerConfig { name, reach }],
            toggle: String::new(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], with the file and the field.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let file = path.display().to_string();
        let failed = |reason: String| ConfigError::File {
            file: file.clone(),
            reason,
        };
        let size = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?;
        if size.len() > MAX_FILE {
            return Err(failed(format!("longer than {MAX_FILE} bytes")));
        }
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        Self::read(&text, &file, &|name| std::env::var(name).ok())
    }

    /// Reads the text of a file. `variable` looks up the environment.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], with the field.
    pub fn read(
        text: &str,
        file: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let read = Reader { variable };
        let value: Value = serde_json::from_str(text).map_err(|error| ConfigError::File {
            file: file.to_owned(),
            reason: format!("no JSON: {error}"),
        })?;
        read.config(&value)
            .map_err(|diagnostic| ConfigError::Field {
                file: file.to_owned(),
                diagnostic,
            })
    }
}

struct Reader<'a> {
    variable: &'a dyn Fn(&str) -> Option<String>,
}

type Read<T> = Result<T, Diagnostic>;

impl Reader<'_> {
    fn config(&self, value: &Value) -> Read<Config> {
        let all = object("the file", value)?;
        let named = match all.get("mcpServers") {
            Some(named) => object("mcpServers", named)?,
            None => return Err(Diagnostic::missing("mcpServers", "object of servers")),
        };
        if named.is_empty() || named.len() > MAX_SERVERS {
            let expected = format!("1 to {MAX_SERVERS} servers");
            let got = format!("{} servers", named.len());
            return Err(diagnostic("mcpServers", expected, got));
        }
        let mut servers = Vec::new();
        for (name, value) in named {
            if !is_name(name) {
                let expected =
                    "a name of 1 to 256 printable characters without white space at its ends";
                let path = format!("mcpServers[{}]", shorten_text(name));
                return Err(diagnostic(path, expected, shorten_text(name)));
            }
            servers.push(ServerConfig {
                name: name.clone(),
                reach: self.reach(&path("mcpServers", name), value)?,
            });
        }
        let toggle = all.get("reaToggle").filter(|value| !value.is_null());
        let toggle = toggle.map(Value::to_string).unwrap_or_default();
        Ok(Config { servers, toggle })
    }

    fn reach(&self, at: &str, value: &Value) -> Read<Reach> {
        let fields = object(at, value)?;
        let kind = match fields.get("type") {
            Some(kind) => {
                let kind = text(&path(at, "type"), kind)?;
                match kind {
                    "stdio" => "command",
                    "http" | "streamable-http" | "streamableHttp" => "url",
                    other => {
                        let expected = "stdio, http or streamable-http";
                        return Err(diagnostic(path(at, "type"), expected, shorten_text(other)));
                    }
                }
            }
            None => match (fields.get("command"), fields.get("url")) {
                (Some(_), Some(_)) => {
                    let expected = "`command` or `url`, not both, or a `type`";
                    return Err(Diagnostic::wrong(at, expected, value));
                }
                (None, Some(_)) => "url",
                _ => "command",
            },
        };
        let Some(given) = fields.get(kind) else {
            return Err(Diagnostic::missing(path(at, kind), "string"));
        };
        let given = self.filled(&path(at, kind), given)?;
        if kind == "url" {
            let secure = given.strip_prefix("https://");
            let rest = secure.or_else(|| given.strip_prefix("http://"));
            if rest.is_none_or(|rest| rest.is_empty() || rest.starts_with('/')) {
                let expected = "an address that begins with http:// or https://";
                return Err(diagnostic(path(at, kind), expected, shorten_text(&given)));
            }
            return Ok(Reach::Http {
                url: given,
                headers: self.texts(at, fields, "headers")?,
            });
        }
        let mut args = Vec::new();
        if let Some(list) = fields.get("args") {
            let Value::Array(list) = list else {
                return Err(Diagnostic::wrong(
                    path(at, "args"),
                    "array of strings",
                    list,
                ));
            };
            for (index, arg) in list.iter().enumerate() {
                args.push(self.filled(&format!("{at}.args[{index}]"), arg)?);
            }
        }
        let cwd = match fields.get("cwd") {
            Some(cwd) => Some(self.filled(&path(at, "cwd"), cwd)?),
            None => None,
        };
        Ok(Reach::Child {
            command: given,
            args,
            env: self.texts(at, fields, "env")?,
            cwd,
        })
    }

    fn texts(
        &self,
        at: &str,
        fields: &Map<String, Value>,
        name: &str,
    ) -> Read<BTreeMap<String, String>> {
        let Some(value) = fields.get(name) else {
            return Ok(BTreeMap::new());
        };
        let at = path(at, name);
        let mut texts = BTreeMap::new();
        for (name, value) in object(&at, value)? {
            texts.insert(name.clone(), self.secret(&path(&at, name), value)?);
        }
        Ok(texts)
    }

    /// A string that isn't empty, its variables filled in.
    fn filled(&self, at: &str, value: &Value) -> Read<String> {
        let text = text(at, value)?;
        let filled = expand(text, self.variable).map_err(|why| why.at(at, text))?;
        if filled.is_empty() || filled.contains('\0') {
            let expected = "a string that isn't empty and has no NUL";
            return Err(diagnostic(at, expected, shorten_text(text)));
        }
        Ok(filled)
    }

    /// A string that may be empty, and is never shown.
    fn secret(&self, at: &str, value: &Value) -> Read<String> {
        let Value::String(text) = value else {
            return Err(diagnostic(at, "string", "another type"));
        };
        let filled = expand(text, self.variable).map_err(|why| why.at(at, "(not shown)"))?;
        if filled.contains(['\0', '\r', '\n']) {
            let expected = "a string without NUL and line ends";
            return Err(diagnostic(at, expected, "(not shown)"));
        }
        Ok(filled)
    }
}

fn is_name(name: &str) -> bool {
    (1..=256).contains(&name.chars().count())
        && name.trim() == name
        && !name.chars().any(char::is_control)
}

fn object<'a>(at: &str, value: &'a Value) -> Read<&'a Map<String, Value>> {
    match value {
        Value::Object(members) => Ok(members),
        other => Err(Diagnostic::wrong(at, "object", other)),
    }
}

fn text<'a>(at: &str, value: &'a Value) -> Read<&'a str> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(Diagnostic::wrong(at, "string", other)),
    }
}

fn path(at: &str, name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if !name.is_empty() && name.len() <= 80 && name.chars().all(plain) {
        format!("{at}.{name}")
    } else {
        format!("{at}[{}]", shorten_text(name))
    }
}

fn diagnostic(
    path: impl Into<String>,
    expected: impl Into<String>,
    got: impl Into<String>,
) -> Diagnostic {
    Diagnostic {
        path: path.into(),
        expected: expected.into(),
        got: got.into(),
    }
}

#[cfg(test)]
mod tests;

//! How a client opens, in either era, and what it is told of the gateway.

use std::collections::BTreeSet;

use rmcp::{ErrorData, model::ErrorCode};
use serde_json::{Value, json};

use super::{Client, Opens, Refusal, Request, era_of};
use crate::{
    raw::{Object, quote},
    upstream::{Era, LEGACY, MODERN, Opening},
};

/// Every revision that a client may speak.
const VERSIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", LEGACY, MODERN];

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const INFO: &str = "io.modelcontextprotocol/clientInfo";

impl Client {
    /// The era of a request, and whether it is the first that says who the client is.
    pub(super) fn era(&self, method: &str, message: &Value) -> Result<(Era, Opens), Refusal> {
        let meta = message.pointer("/params/_meta");
        let of = |name: &str| meta.and_then(|meta| meta.get(name));
        if method == "initialize" {
            let params = message.get("params");
            let of = |name: &str| params.and_then(|params| params.get(name));
            let version = of("protocolVersion")
                .and_then(Value::as_str)
                .unwrap_or(LEGACY);
            self.says(agreed(version), of("capabilities"), of("clientInfo"), true);
            return Ok((Era::Legacy, Opens::Connection));
        }
        if method == "ping" {
            return Ok((
                of(VERSION)
                    .and_then(Value::as_str)
                    .map_or(Era::Legacy, era_of),
                Opens::Nothing,
            ));
        }
        let (legacy, said) = {
            let state = self.lock();
            (state.legacy.is_some(), state.said.is_some())
        };
        match of(VERSION).and_then(Value::as_str) {
            Some(version) if !VERSIONS.contains(&version) => {
                let data = json!({"requested": version, "supported": VERSIONS});
                Err(Refusal(ErrorData::new(
                    ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
                    "Unsupported protocol version",
                    Some(data),
                )))
            }
            Some(_) if of(CAPABILITIES).is_none() => Err(lacking(&[CAPABILITIES])),
            Some(version) => {
                if !said {
                    self.says(LEGACY, of(CAPABILITIES), of(INFO), false);
                }
                let opens = if said {
                    Opens::Nothing
                } else {
                    Opens::Connection
                };
                Ok((era_of(version), opens))
            }
            None if legacy && method != "server/discover" => Ok((Era::Legacy, Opens::Nothing)),
            None => Err(lacking(&[VERSION, CAPABILITIES])),
        }
    }

    fn says(
        &self,
        version: &str,
        capabilities: Option<&Value>,
        info: Option<&Value>,
        legacy: bool,
    ) {
        let own = Opening::own();
        let opening = Opening {
            version: version.to_owned(),
            capabilities: capabilities.map_or(own.capabilities, Value::to_string),
            info: info.map_or(own.info, Value::to_string),
        };
        let mut state = self.lock();
        state.said = Some(opening.clone());
        if legacy {
            state.legacy = Some(opening);
        }
    }

    /// What the client can do for a server.
    pub(super) fn opening(&self) -> Opening {
        self.lock().said.clone().unwrap_or_else(Opening::own)
    }

    /// Whether the client declared this capability.
    pub(super) fn can(&self, capability: &str) -> bool {
        let opening = self.opening();
        Object::read(&opening.capabilities).is_some_and(|can| can.get(capability).is_some())
    }

    pub(super) fn initialize(
        &self,
        request: &Request<'_>,
        message: &Value,
        hidden: &BTreeSet<String>,
    ) -> Result<(), Refusal> {
        let asked = message
            .pointer("/params/protocolVersion")
            .and_then(Value::as_str);
        let capabilities = self.gateway.capabilities(self.gateway.options.prompt);
        let mut result = format!(
            r#"{{"protocolVersion":"{}","capabilities":{capabilities},"serverInfo":{}"#,
            agreed(asked.unwrap_or(LEGACY)),
            info(),
        );
        if let Some(instructions) = self.gateway.instructions(hidden) {
            result.push_str(",\"instructions\":");
            result.push_str(&quote(&instructions));
        }
        result.push('}');
        self.result(request.key, &result, Era::Legacy);
        Ok(())
    }

    pub(super) fn discover(
        &self,
        request: &Request<'_>,
        hidden: &BTreeSet<String>,
    ) -> Result<(), Refusal> {
        let mut result = json!({
            "resultType": "complete",
            "supportedVersions": VERSIONS,
            "capabilities": self.gateway.capabilities(false),
        });
        if let Value::Object(members) = &mut result {
            if let Some(instructions) = self.gateway.instructions(hidden) {
                members.insert("instructions".to_owned(), instructions.into());
            }
            members.insert(
                "_meta".to_owned(),
                json!({"io.modelcontextprotocol/serverInfo": info()}),
            );
        }
        // A flip changes the instructions, and no notification says so.
        self.private(request.key, &result.to_string(), Era::Modern);
        Ok(())
    }
}

/// The version that is spoken with a client who asks for this one in `initialize`.
fn agreed(asked: &str) -> &str {
    if asked < MODERN && VERSIONS.contains(&asked) {
        asked
    } else {
        LEGACY
    }
}

fn info() -> Value {
    json!({
        "name": "rea-gateway",
        "title": "rea: a switch before MCP servers",
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn lacking(names: &[&str]) -> Refusal {
    let text = format!(
        "request _meta is missing required fields: {}",
        names.join(", ")
    );
    Refusal(ErrorData::invalid_params(text, None))
}

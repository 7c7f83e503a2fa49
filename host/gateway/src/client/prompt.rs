//! The prompt `rea`, for clients that show prompts as commands: it flips the switch of the conversation.
//!
//! A client of an era with `initialize` reads instructions only once. So the answer to `on` brings them.

use rmcp::ErrorData;
use serde_json::{Value, json};

use super::{Client, Refusal, Request};
use crate::upstream::{Era, Kind};

/// What may be typed.
const WORDS: [&str; 4] = ["on", "off", "toggle", "status"];

/// The prompt, as a list shows it.
pub(super) fn described(name: &str) -> String {
    json!({
        "name": name,
        "title": "Switch servers on or off",
        "description": "Switches the governed MCP servers on or off for this conversation, or says how they stand.",
        "arguments": [{"name": "position", "description": "on, off, toggle or status", "required": true}],
    })
    .to_string()
}

impl Client {
    /// Whether this client has the prompt.
    pub(super) fn has_prompt(&self, era: Era) -> bool {
        era == Era::Legacy && self.gateway.options.prompt
    }

    /// `rea`, or if a server has a prompt of that name, another.
    pub(super) fn prompt_name(&self) -> String {
        let mut name = "rea".to_owned();
        while self.prompt_exists(&name) {
            name.push_str("_switch");
        }
        name
    }

    fn prompt_exists(&self, name: &str) -> bool {
        // Also of a server that is hidden: the name stays the same when it is flipped.
        self.gateway.names.own(name).is_some_and(|(server, own)| {
            let server = self.gateway.server(server);
            server.is_some_and(|server| self.lists_of(server, Kind::Prompts).find(&own).is_some())
        })
    }

    pub(super) fn switch(&self, request: &Request<'_>, message: &Value) -> Result<(), Refusal> {
        let typed = message.pointer("/params/arguments/position");
        let Some(typed) = typed.and_then(Value::as_str).map(str::to_owned) else {
            let missing = rea_front::Diagnostic::missing(
                "params.arguments.position",
                "on, off, toggle or status",
            );
            return Err(Refusal(rea_front::invalid_params(&[missing])));
        };
        let Some(me) = self.me.upgrade() else {
            return Ok(());
        };
        let key = request.key;
        tokio::spawn(async move {
            let told = me
                .gateway
                .policy
                .command(&me.seat.conversation, &typed)
                .await;
            if !told.ok {
                let error = ErrorData::internal_error(told.text, None);
                return me.refuse_plainly(key, &Refusal(error));
            }
            let mut text = told.text;
            let decision = me.decision.borrow().clone();
            let word = typed.trim().to_ascii_lowercase();
            if decision.enabled
                && word != "status"
                && let Some(instructions) = me.gateway.instructions(&decision.hidden)
            {
                text.push_str("\n\n");
                text.push_str(&instructions);
            }
            let result = json!({
                "description": "How the switch of this conversation stands",
                "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
            });
            me.result(key, &result.to_string(), Era::Legacy);
        });
        Ok(())
    }

    pub(super) fn complete_switch(&self, request: &Request<'_>, message: &Value) {
        let of = |pointer| {
            message
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let typed = of("/params/argument/value").trim().to_ascii_lowercase();
        let mut values = Vec::new();
        if of("/params/argument/name") == "position" {
            values.extend(WORDS.into_iter().filter(|word| word.starts_with(&typed)));
        }
        let result =
            json!({"completion": {"values": values, "total": values.len(), "hasMore": false}});
        self.result(request.key, &result.to_string(), request.era);
    }
}

//! Positions in memory, answered as the policy answers them.

use std::sync::{Mutex, PoisonError};

use rea_http::{Conversation, Conversations, StateApi, StateRequest, StateResponse};
use serde_json::{Value, json};

const TOOLS: u32 = 207;
const SCHEMA_BYTES: u64 = 183_211;

#[derive(Default)]
pub struct Fake {
    known: Mutex<Vec<Conversation>>,
}

impl Fake {
    /// With some conversations, so that the page has something to show.
    pub fn with_some() -> Fake {
        let fake = Fake::default();
        for (id, on, agents) in [
            ("crash-in-parser", true, 2),
            ("firmware-1.4-vs-1.5", false, 1),
            ("notes", false, 0),
        ] {
            let one = fake.change(id, Some(on));
            debug_assert_eq!(one.id, id);
            if let Some(one) = fake.lock().iter_mut().find(|one| one.id == id) {
                one.agents = agents;
            }
        }
        fake
    }

    fn change(&self, id: &str, to: Option<bool>) -> Conversation {
        let mut known = self.lock();
        let at = known.iter().position(|one| one.id == id);
        let mut one = at.map_or_else(Conversation::default, |at| known.remove(at));
        id.clone_into(&mut one.id);
        one.enabled = to.unwrap_or(!one.enabled);
        one.tools = TOOLS;
        one.schema_bytes = Some(SCHEMA_BYTES);
        one.revision = Some(one.revision.unwrap_or(0) + 1);
        known.insert(0, one.clone());
        one
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Conversation>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StateApi for Fake {
    async fn state(&self, request: StateRequest) -> StateResponse {
        if request.body.len() > self.body_limit() {
            return answer(
                413,
                &json!({"error": {"kind": "too-much", "field": "", "message": "too long"}}),
            );
        }
        let wanted: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let asked = request
            .query
            .as_deref()
            .and_then(|query| query.strip_prefix("session="));
        let one = match (
            request.method.as_str(),
            wanted.get("session").and_then(Value::as_str),
        ) {
            ("POST", Some(id)) => self.change(id, wanted.get("enabled").and_then(Value::as_bool)),
            ("GET", _) if asked.is_some() => {
                let id = asked.unwrap_or_default();
                let found = self.lock().iter().find(|one| one.id == id).cloned();
                found.unwrap_or(Conversation {
                    id: id.to_owned(),
                    tools: TOOLS,
                    schema_bytes: Some(SCHEMA_BYTES),
                    ..Conversation::default()
                })
            }
            _ => {
                let body = json!({"error": {"kind": "missing", "field": "session", "message": "session is missing"}});
                return answer(400, &body);
            }
        };
        answer(
            200,
            &json!({
                "session": one.id, "enabled": one.enabled, "known": one.revision.is_some(), "defaultEnabled": false,
                "servers": ["rea"], "agents": one.agents, "tools": one.tools, "statePath": "(in memory)",
                "schemaBytes": one.schema_bytes, "serverStates": {"rea": "connected"},
            }),
        )
    }

    async fn conversations(&self) -> Conversations {
        Conversations {
            default_enabled: false,
            servers: vec![("rea".to_owned(), "connected".to_owned())],
            conversations: self.lock().clone(),
        }
    }
}

fn answer(status: u16, body: &Value) -> StateResponse {
    StateResponse {
        status,
        headers: vec![(
            "content-type".to_owned(),
            "application/json; charset=utf-8".to_owned(),
        )],
        body: body.to_string(),
    }
}

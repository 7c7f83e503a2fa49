//! Changes that a client is told of, in the manner of its era.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::{Value, json};

use super::{Client, Refusal, Request};
use crate::{
    outlet::Outlet,
    raw::{quote, with},
    upstream::{Era, Kind},
};

/// A `subscriptions/listen` that is open.
pub(super) struct Subscription {
    key: u64,
    /// The id of the request, as JSON.
    id: String,
    tools: bool,
    prompts: bool,
    resources: bool,
    watched: Vec<String>,
    outlet: Arc<dyn Outlet>,
}

impl Subscription {
    fn wants(&self, kind: Kind) -> bool {
        match kind {
            Kind::Tools => self.tools,
            Kind::Prompts => self.prompts,
            Kind::Resources | Kind::Templates => self.resources,
        }
    }

    fn tell(&self, method: &str, params: Option<&str>) {
        let params = with(
            params.unwrap_or("{}"),
            "_meta",
            &format!(
                r#"{{"io.modelcontextprotocol/subscriptionId":{}}}"#,
                self.id
            ),
        );
        self.outlet.send(notification(method, Some(&params)));
    }
}

impl Client {
    pub(super) fn listen(&self, request: &Request<'_>, message: &Value) -> Result<(), Refusal> {
        let declared = self.gateway.capabilities(false);
        let asked = message
            .pointer("/params/notifications")
            .cloned()
            .unwrap_or_default();
        let wants = |name: &str, capability: &str| {
            asked.get(name) == Some(&Value::Bool(true)) && declared.get(capability).is_some()
        };
        let subscribe = declared.pointer("/resources/subscribe") == Some(&Value::Bool(true));
        let watched = asked.get("resourceSubscriptions").and_then(Value::as_array);
        let watched: Vec<String> = watched
            .filter(|_| subscribe)
            .into_iter()
            .flatten()
            .filter_map(|uri| uri.as_str().map(str::to_owned))
            .collect();
        let (Some(outlet), Some(id)) =
            (self.flight.outlet(request.key), self.flight.id(request.key))
        else {
            return Ok(());
        };
        let one = Subscription {
            key: request.key,
            id,
            tools: wants("toolsListChanged", "tools"),
            prompts: wants("promptsListChanged", "prompts"),
            resources: wants("resourcesListChanged", "resources"),
            watched: watched.clone(),
            outlet,
        };
        let mut accepted = json!({});
        for (name, wanted) in [
            ("toolsListChanged", one.tools),
            ("promptsListChanged", one.prompts),
            ("resourcesListChanged", one.resources),
        ] {
            if let (Value::Object(members), true) = (&mut accepted, wanted) {
                members.insert(name.to_owned(), true.into());
            }
        }
        if let (Value::Object(members), false) = (&mut accepted, watched.is_empty()) {
            members.insert("resourceSubscriptions".to_owned(), watched.clone().into());
        }
        let params = format!(r#"{{"notifications":{accepted}}}"#);
        {
            // Nothing may come before the acknowledgement, and no change between it and the subscription.
            let mut state = self.lock();
            one.tell("notifications/subscriptions/acknowledged", Some(&params));
            state.listening.push(one);
        }
        self.watch_for(&watched);
        Ok(())
    }

    /// A subscription was cancelled.
    pub(super) fn unlisten(&self, key: u64) {
        let mut state = self.lock();
        let at = state.listening.iter().position(|one| one.key == key);
        let ended = at.map(|at| state.listening.remove(at));
        drop(state);
        if let Some(ended) = ended {
            self.unwatch(&ended.watched);
        }
    }

    /// The switch was flipped: other servers are hidden now.
    pub(crate) fn flipped(&self, before: &BTreeSet<String>, now: &BTreeSet<String>) {
        let mut kinds = Vec::new();
        for server in &self.gateway.servers {
            let name = &server.config.name;
            if before.contains(name) == now.contains(name) {
                continue;
            }
            let hello = server.base.hello();
            for kind in Kind::ALL {
                let has = hello
                    .as_ref()
                    .is_none_or(|hello| hello.capabilities.get(kind.capability()).is_some());
                if has && !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
        self.tell_lists(&kinds);
    }

    /// Lists of a server are others now.
    pub(crate) fn lists_changed(&self, server: usize, kinds: &[Kind]) {
        let Some(server) = self.gateway.server(server) else {
            return;
        };
        if !self.hidden().contains(&server.config.name) {
            self.tell_lists(kinds);
        }
    }

    fn tell_lists(&self, kinds: &[Kind]) {
        let mut told: Vec<&str> = Vec::new();
        let state = self.lock();
        for kind in kinds {
            let capability = kind.capability();
            // Resources and their templates are one notification.
            if told.contains(&capability) {
                continue;
            }
            told.push(capability);
            let method = format!("notifications/{capability}/list_changed");
            let mut subscribed = false;
            for one in &state.listening {
                if one.wants(*kind) {
                    subscribed = true;
                    one.tell(&method, None);
                }
            }
            // One that has subscribed as well is told on the subscription only.
            if state.legacy.is_some()
                && !subscribed
                && let Some(main) = &state.main
            {
                main.send(notification(&method, None));
            }
        }
    }

    /// A server sends something of its own accord on a connection that serves this client's conversation.
    pub(crate) fn server_says(
        &self,
        link: &crate::upstream::Link,
        method: &str,
        params: Option<&str>,
    ) {
        if self.hidden().contains(&link.name) {
            return;
        }
        let state = self.lock();
        if method == "notifications/resources/updated" {
            let Some(uri) = Self::updated_uri(params) else {
                return;
            };
            let subscribed = state
                .listening
                .iter()
                .filter(|one| one.watched.contains(&uri));
            let mut told = false;
            for one in subscribed {
                told = true;
                one.tell(method, params);
            }
            if told || state.watched.get(&uri) != Some(&link.server) {
                return;
            }
        }
        // A modern client is told of nothing that it has not asked for.
        if state.legacy.is_some()
            && link.era() == Era::Legacy
            && let Some(main) = &state.main
            && !main.is_full()
        {
            main.send(notification(method, params));
        }
    }
}

fn notification(method: &str, params: Option<&str>) -> String {
    let mut text = format!(r#"{{"jsonrpc":"2.0","method":{}"#, quote(method));
    if let Some(params) = params {
        text.push_str(",\"params\":");
        text.push_str(params);
    }
    text.push('}');
    text
}

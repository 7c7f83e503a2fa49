//! Resources: whose an address is, reading, and being told of changes.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Client, Refusal, Request};
use crate::{
    hub::Bridged,
    raw::{Object, quote},
    upstream::{Kind, Link, Outcome},
};

impl Client {
    pub(super) fn read(
        &self,
        request: &Request<'_>,
        message: &Value,
        hidden: &BTreeSet<String>,
    ) -> Result<(), Refusal> {
        self.has_resources(request)?;
        let uri = message
            .pointer("/params/uri")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let owners = self.owner_of(uri, hidden);
        match owners.as_slice() {
            [] => Err(Refusal::unknown("resource", uri)),
            [one] => {
                self.hand_on(
                    request.key,
                    one,
                    request.method,
                    request.params,
                    request.era,
                );
                Ok(())
            }
            several => {
                let numbers = several.iter().map(|server| server.base.server).collect();
                self.ask_around(request, numbers, uri);
                Ok(())
            }
        }
    }

    /// The servers that an address may belong to: the one that lists it, else those with a template that fits,
    /// else all that have resources, since an address needn't be listed.
    pub(super) fn owner_of(&self, uri: &str, hidden: &BTreeSet<String>) -> Vec<&Bridged> {
        let seen: Vec<&Bridged> = self
            .gateway
            .servers
            .iter()
            .filter(|server| !hidden.contains(&server.config.name))
            .filter(|server| {
                let hello = server.base.hello();
                hello.is_none_or(|hello| hello.capabilities.get("resources").is_some())
            })
            .collect();
        let listed = seen.iter().find(|server| {
            let list = |kind| self.lists_of(server, kind);
            list(Kind::Resources).find(uri).is_some() || list(Kind::Templates).find(uri).is_some()
        });
        if let Some(listed) = listed {
            return vec![listed];
        }
        let fitting = seen.iter().copied().filter(|server| {
            let templates = self.lists_of(server, Kind::Templates);
            templates.entries.iter().any(|entry| fits(&entry.key, uri))
        });
        let fitting: Vec<_> = fitting.collect();
        if fitting.is_empty() { seen } else { fitting }
    }

    /// Asks one after the other until one knows it; the last refusal is passed on.
    fn ask_around(&self, request: &Request<'_>, servers: Vec<usize>, uri: &str) {
        let Some(me) = self.me.upgrade() else { return };
        let (key, era) = (request.key, request.era);
        let (method, uri) = (request.method.to_owned(), uri.to_owned());
        let params = request.params.map(str::to_owned);
        tokio::spawn(async move {
            let mut last = None;
            for server in servers {
                let Some(server) = me.gateway.server(server) else {
                    continue;
                };
                let slot = me
                    .gateway
                    .slot(server, &me.seat.conversation, &me.opening());
                let Ok(link) = slot.link().await else {
                    continue;
                };
                let outcome = link.call(&method, params.as_deref()).await;
                let found = matches!(outcome, Outcome::Result(..));
                last = Some((server.config.name.clone(), link.era(), outcome));
                if found {
                    break;
                }
            }
            match last {
                Some((name, of, outcome)) => me.pass_on(key, &name, &method, of, era, &outcome),
                None => me.refuse_plainly(key, &Refusal::unknown("resource", &uri)),
            }
        });
    }

    /// `resources/subscribe` and `resources/unsubscribe`.
    pub(super) fn watch(
        &self,
        request: &Request<'_>,
        message: &Value,
        hidden: &BTreeSet<String>,
    ) -> Result<(), Refusal> {
        self.has_resources(request)?;
        let uri = message
            .pointer("/params/uri")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let owners = self.owner_of(uri, hidden);
        let server = owners
            .first()
            .ok_or_else(|| Refusal::unknown("resource", uri))?;
        if request.method == "resources/subscribe" {
            self.lock()
                .watched
                .insert(uri.to_owned(), server.base.server);
        } else {
            self.lock().watched.remove(uri);
            if self.others_watch(server, uri) {
                self.result(request.key, "{}", request.era);
                return Ok(());
            }
        }
        self.hand_on(
            request.key,
            server,
            request.method,
            request.params,
            request.era,
        );
        Ok(())
    }

    /// A modern client's subscription names resources: a server of the other era is asked in its manner.
    pub(super) fn watch_for(&self, uris: &[String]) {
        let hidden = self.hidden();
        for uri in uris {
            let Some(server) = self.owner_of(uri, &hidden).first().copied() else {
                continue;
            };
            self.lock().watched.insert(uri.clone(), server.base.server);
            self.ask_quietly(server, "resources/subscribe", uri);
        }
    }

    /// Nobody here waits for changes of these any more.
    pub(super) fn unwatch(&self, uris: &[String]) {
        for uri in uris {
            let server = self.lock().watched.remove(uri);
            if let Some(server) = server.and_then(|at| self.gateway.server(at))
                && !self.others_watch(server, uri)
            {
                self.ask_quietly(server, "resources/unsubscribe", uri);
            }
        }
    }

    pub(super) fn unwatch_all(&self) {
        let uris: Vec<String> = self.lock().watched.keys().cloned().collect();
        self.unwatch(&uris);
    }

    fn ask_quietly(&self, server: &Bridged, method: &'static str, uri: &str) {
        let slot = self
            .gateway
            .slot(server, &self.seat.conversation, &self.opening());
        let params = format!(r#"{{"uri":{}}}"#, quote(uri));
        let ask = move |link: &Link| {
            link.ask(method, Some(&params), None, Box::new(|_| {}));
        };
        match slot.up() {
            Some(link) => ask(&link),
            None if method == "resources/subscribe" => {
                tokio::spawn(async move {
                    if let Ok(link) = slot.link().await {
                        ask(&link);
                    }
                });
            }
            None => {}
        }
    }

    /// Whether another client on the same connection is told of this resource.
    fn others_watch(&self, server: &Bridged, uri: &str) -> bool {
        let slot = self.gateway.looks(server, &self.seat.conversation);
        let others = self.gateway.clients_of(&slot.owner);
        let mut others = others.iter().filter(|client| client.id != self.id);
        others.any(|client| client.watches(uri, server.base.server))
    }

    pub(super) fn watches(&self, uri: &str, server: usize) -> bool {
        self.lock().watched.get(uri) == Some(&server)
    }

    /// The address in `notifications/resources/updated`.
    pub(super) fn updated_uri(params: Option<&str>) -> Option<String> {
        let params = Object::read(params?)?;
        params.text("uri").map(std::borrow::Cow::into_owned)
    }

    fn has_resources(&self, request: &Request<'_>) -> Result<(), Refusal> {
        let declared = self.gateway.capabilities(false);
        let can = declared.get("resources").is_some()
            && (request.method == "resources/read"
                || declared.pointer("/resources/subscribe") == Some(&Value::Bool(true)));
        if can {
            Ok(())
        } else {
            Err(Refusal::no_method(request.method))
        }
    }
}

/// Whether an address may have come from a template: its fixed parts stand in it, in order.
fn fits(template: &str, uri: &str) -> bool {
    let mut rest = uri;
    let mut first = true;
    let mut left = template;
    loop {
        let (fixed, after) = match left.split_once('{') {
            Some((fixed, after)) => (fixed, after.split_once('}').map(|(_, after)| after)),
            None => {
                return if first {
                    rest == left
                } else {
                    rest.ends_with(left)
                };
            }
        };
        let found = if first {
            rest.strip_prefix(fixed)
        } else {
            rest.split_once(fixed).map(|(_, after)| after)
        };
        let (Some(found), Some(after)) = (found, after) else {
            return false;
        };
        rest = found;
        left = after;
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_template_fits_what_could_have_come_from_it() {
        assert!(fits("file:///{path}", "file:///a/b"));
        assert!(fits("x://{a}/y/{b}.txt", "x://1/y/2.txt"));
        assert!(!fits("x://{a}/y/{b}.txt", "x://1/z/2.txt"));
        assert!(!fits("x://{a}", "y://1"));
        assert!(fits("x://a", "x://a"));
        assert!(!fits("x://a", "x://ab"));
        assert!(!fits("x://{a", "x://ab"));
    }
}

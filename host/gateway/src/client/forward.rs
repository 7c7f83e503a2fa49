//! Requests that a server answers: whose they are, and on which connection they go.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::Value;

use super::{Client, Refusal, Request};
use crate::{
    hub::Bridged,
    raw::{Object, quote, with},
    upstream::{Asker, Era, Kind, Link},
};

impl Client {
    /// `tools/call` and `prompts/get`: by name.
    pub(super) fn call(
        &self,
        request: &Request<'_>,
        kind: Kind,
        message: &Value,
        hidden: &BTreeSet<String>,
    ) -> Result<(), Refusal> {
        let name = message.pointer("/params/name").and_then(Value::as_str);
        let name = name.unwrap_or_default();
        if kind == Kind::Prompts && self.has_prompt(request.era) && name == self.prompt_name() {
            return self.switch(request, message);
        }
        if self
            .gateway
            .capabilities(kind == Kind::Prompts && self.has_prompt(request.era))
            .get(kind.capability())
            .is_none()
        {
            return Err(Refusal::no_method(request.method));
        }
        let what = if kind == Kind::Tools {
            "tool"
        } else {
            "prompt"
        };
        let unknown = || Refusal::unknown(what, name);
        let (server, own) = self.visible(kind, name, hidden).ok_or_else(unknown)?;
        let params = request.params.unwrap_or("{}");
        if *own == *name {
            self.hand_on(
                request.key,
                server,
                request.method,
                Some(params),
                request.era,
            );
        } else {
            let params = with(params, "name", &quote(&own));
            self.hand_on(
                request.key,
                server,
                request.method,
                Some(&params),
                request.era,
            );
        }
        Ok(())
    }

    /// The server and its own name of a tool or prompt that this client sees.
    fn visible(
        &self,
        kind: Kind,
        name: &str,
        hidden: &BTreeSet<String>,
    ) -> Option<(&Bridged, Arc<str>)> {
        let (at, own) = self.gateway.names.own(name)?;
        let server = self.gateway.server(at)?;
        if hidden.contains(&server.config.name) {
            return None;
        }
        self.lists_of(server, kind).find(&own)?;
        Some((server, own))
    }

    /// `completion/complete`: by the name of a prompt, or the address of a resource.
    pub(super) fn complete(
        &self,
        request: &Request<'_>,
        message: &Value,
        hidden: &BTreeSet<String>,
    ) -> Result<(), Refusal> {
        let declared = self.gateway.capabilities(self.has_prompt(request.era));
        if declared.get("completions").is_none() {
            return Err(Refusal::no_method(request.method));
        }
        let of = |name| message.pointer(name).and_then(Value::as_str);
        let params = request.params.unwrap_or("{}");
        if let Some(uri) =
            of("/params/ref/uri").filter(|_| of("/params/ref/type") == Some("ref/resource"))
        {
            let server = self.owner_of(uri, hidden).into_iter().next();
            let server = server.ok_or_else(|| Refusal::unknown("resource", uri))?;
            self.hand_on(
                request.key,
                server,
                request.method,
                Some(params),
                request.era,
            );
            return Ok(());
        }
        let name = of("/params/ref/name").unwrap_or_default();
        if self.has_prompt(request.era) && name == self.prompt_name() {
            self.complete_switch(request, message);
            return Ok(());
        }
        let unknown = || Refusal::unknown("prompt", name);
        let (server, own) = self
            .visible(Kind::Prompts, name, hidden)
            .ok_or_else(unknown)?;
        let params = if *own == *name {
            params.to_owned()
        } else {
            let reference = Object::read(params).and_then(|params| params.get("ref"));
            let reference = with(reference.unwrap_or("{}"), "name", &quote(&own));
            with(params, "ref", &reference)
        };
        self.hand_on(
            request.key,
            server,
            request.method,
            Some(&params),
            request.era,
        );
        Ok(())
    }

    /// `logging/setLevel`: for all servers that it sees.
    pub(super) fn level(
        &self,
        request: &Request<'_>,
        hidden: &BTreeSet<String>,
    ) -> Result<(), Refusal> {
        if self.gateway.capabilities(false).get("logging").is_none() {
            return Err(Refusal::no_method(request.method));
        }
        let mut seen = self.gateway.servers.iter();
        let seen = seen
            .by_ref()
            .filter(|server| !hidden.contains(&server.config.name));
        let seen: Vec<&Bridged> = seen.collect();
        if let ([server], true) = (seen.as_slice(), self.gateway.names.plain()) {
            self.hand_on(
                request.key,
                server,
                request.method,
                request.params,
                request.era,
            );
            return Ok(());
        }
        for server in seen {
            let slot = self.gateway.looks(server, &self.seat.conversation);
            if let Some(link) = slot.up().filter(|link| link.can("logging")) {
                link.ask(request.method, request.params, None, Box::new(|_| {}));
            }
        }
        self.result(request.key, "{}", request.era);
        Ok(())
    }

    /// A method that the gateway doesn't know: with one server that is seen, it is that one's.
    pub(super) fn other(
        &self,
        request: &Request<'_>,
        hidden: &BTreeSet<String>,
    ) -> Result<(), Refusal> {
        let legacy_only = [
            "logging/setLevel",
            "resources/subscribe",
            "resources/unsubscribe",
        ];
        match self.gateway.servers.as_slice() {
            [only]
                if !hidden.contains(&only.config.name)
                    && !legacy_only.contains(&request.method)
                    && request.method != "subscriptions/listen" =>
            {
                self.hand_on(
                    request.key,
                    only,
                    request.method,
                    request.params,
                    request.era,
                );
                Ok(())
            }
            _ => Err(Refusal::no_method(request.method)),
        }
    }

    /// Hands a request to a server; its answer becomes the answer.
    pub(super) fn hand_on(
        &self,
        key: u64,
        server: &Bridged,
        method: &str,
        params: Option<&str>,
        era: Era,
    ) {
        let slot = self
            .gateway
            .slot(server, &self.seat.conversation, &self.opening());
        slot.touch();
        if let Some(link) = slot.up() {
            return self.send(key, &link, method, params, era);
        }
        let Some(me) = self.me.upgrade() else { return };
        let method = method.to_owned();
        let params = params.map(str::to_owned);
        let name = server.config.name.clone();
        tokio::spawn(async move {
            match slot.link().await {
                // Cancelled while it was opened: the server never hears of it.
                Ok(_) if !me.flight.is_open(key) => {}
                Ok(link) => me.send(key, &link, &method, params.as_deref(), era),
                Err(reason) => me.refuse_plainly(key, &Refusal::down(&name, &reason)),
            }
        });
    }

    fn send(&self, key: u64, link: &Arc<Link>, method: &str, params: Option<&str>, era: Era) {
        let (Some(me), Some(outlet)) = (self.me.upgrade(), self.flight.outlet(key)) else {
            return;
        };
        let asker = Asker {
            client: self.id,
            outlet,
        };
        let (of, server, asked) = (link.era(), link.name.clone(), method.to_owned());
        let number = link.ask(
            method,
            params,
            Some(asker),
            Box::new(move |outcome| me.pass_on(key, &server, &asked, of, era, &outcome)),
        );
        if let Some(number) = number
            && !self.flight.handed(key, link, number)
        {
            // Answered already; or cancelled between, and then it is cancelled there too.
            link.cancel(number, None);
        }
    }
}

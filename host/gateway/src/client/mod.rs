//! One client: what it sends is checked, answered here or handed on; what belongs to it finds the way back.

mod answer;
mod asked;
mod flight;
mod forward;
mod listen;
mod lists;
mod opening;
mod prompt;
mod resources;

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use rea_front::{Rules, Verdict, check, message_id};
use rmcp::model::RequestId;
use serde_json::Value;
use tokio::sync::watch;

use crate::{
    hub::{Bridged, Gateway},
    outlet::Outlet,
    policy::{Decision, Seat},
    raw::Object,
    upstream::{Era, Kind, MODERN, Opening},
};
use answer::Refusal;
use flight::Flight;
use listen::Subscription;

/// One client of a gateway. Ends with [`Client::close`].
pub struct Client {
    pub(crate) id: u64,
    pub(crate) gateway: Arc<Gateway>,
    pub(crate) seat: Seat,
    decision: watch::Receiver<Decision>,
    flight: Flight,
    state: Mutex<State>,
    me: Weak<Self>,
    /// Dropped with the client: who watches for it ends.
    alive: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    /// Where goes what belongs to no request.
    main: Option<Arc<dyn Outlet>>,
    /// What it opened with, if that was `initialize`.
    legacy: Option<Opening>,
    /// What it said of itself last, in either era.
    said: Option<Opening>,
    listening: Vec<Subscription>,
    asked: asked::Asked,
    /// Addresses of resources it wants to be told of, and the server of each.
    watched: HashMap<String, usize>,
    closed: bool,
}

/// A request that is being dealt with.
struct Request<'a> {
    /// Its number.
    key: u64,
    method: &'a str,
    params: Option<&'a str>,
    era: Era,
}

/// What a client is waited for: after a request that opens, the servers behind are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opens {
    Nothing,
    Connection,
}

impl Client {
    /// A client of the conversation. Fails with a sentence for a person, if the switch can't be asked.
    ///
    /// `main` takes what belongs to no request: a legacy client's notifications.
    ///
    /// # Errors
    ///
    /// If the policy refuses the conversation.
    pub async fn enter(
        gateway: &Arc<Gateway>,
        seat: Seat,
        main: Option<Arc<dyn Outlet>>,
    ) -> Result<Arc<Self>, String> {
        let decision = gateway.policy.join(&seat).await?;
        let client = Arc::new_cyclic(|me| Self {
            id: gateway.next(),
            gateway: gateway.clone(),
            seat,
            decision: decision.clone(),
            flight: Flight::default(),
            state: Mutex::new(State {
                main,
                ..State::default()
            }),
            me: me.clone(),
            alive: watch::Sender::new(()),
        });
        gateway.enter(&client);
        tokio::spawn(follow(
            Arc::downgrade(&client),
            client.alive.subscribe(),
            decision,
        ));
        Ok(client)
    }

    /// Another place for what belongs to no request.
    pub fn set_main(&self, main: Option<Arc<dyn Outlet>>) {
        self.lock().main = main;
    }

    /// Takes one message of the client: a line, or a body. What it asks is answered to `outlet`, in time.
    ///
    /// Returns once the next message may be taken; that is at once, but for the one that opens the connection.
    pub async fn take(&self, bytes: &[u8], outlet: &Arc<dyn Outlet>) {
        let rules = self.rules();
        match check(bytes, &rules, &|id| self.flight.has(id)) {
            Verdict::Ignore => {}
            Verdict::Reply(reply) => outlet.send(reply.to_string()),
            Verdict::Accept(message) => {
                let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
                // It was read as JSON a moment ago.
                let text = std::str::from_utf8(bytes).unwrap_or_default().trim();
                self.accepted(text, &message, outlet).await;
            }
        }
    }

    async fn accepted(&self, text: &str, message: &Value, outlet: &Arc<dyn Outlet>) {
        let raw = Object::read(text).unwrap_or_default();
        let params = raw.get("params").filter(|params| *params != "null");
        let method = message.get("method").and_then(Value::as_str);
        match (message_id(message), method) {
            (Some(id), Some(method)) => self.request(id, method, params, message, outlet).await,
            (None, Some(method)) => self.notified(method, params, message),
            (Some(id), None) => self.answered(&id, &raw),
            (None, None) => {}
        }
    }

    async fn request(
        &self,
        id: RequestId,
        method: &str,
        params: Option<&str>,
        message: &Value,
        outlet: &Arc<dyn Outlet>,
    ) {
        let owed = method != "subscriptions/listen";
        let key = self.flight.start(id, outlet.clone(), owed);
        match self.era(method, message) {
            Ok((era, opens)) => {
                if opens == Opens::Connection {
                    let opening = self.lock().said.clone();
                    self.gateway.start_for(opening.unwrap_or_else(Opening::own));
                    self.gateway.met().await;
                }
                let request = Request {
                    key,
                    method,
                    params,
                    era,
                };
                if self.must_wait(method) {
                    self.later(&request, message);
                } else if let Err(refusal) = self.dispatch(&request, message) {
                    self.refuse(key, refusal, message);
                }
            }
            Err(refusal) => self.refuse(key, refusal, message),
        }
    }

    /// Whether a request is about what servers offer, and that isn't known yet.
    fn must_wait(&self, method: &str) -> bool {
        let asks = matches!(
            method,
            "tools/call" | "prompts/get" | "completion/complete" | "resources/read"
        );
        (asks || Kind::of(method).is_some()) && self.unread().next().is_some()
    }

    /// The servers that it sees and whose lists aren't read yet.
    fn unread(&self) -> impl Iterator<Item = &Bridged> {
        let hidden = self.hidden();
        let servers = self.gateway.servers.iter();
        servers.filter(move |server| {
            !hidden.contains(&server.config.name) && !*server.base.listed.borrow()
        })
    }

    /// Deals with a request once lists are read.
    fn later(&self, request: &Request<'_>, message: &Value) {
        let Some(me) = self.me.upgrade() else { return };
        let (key, era, message) = (request.key, request.era, message.clone());
        let method = request.method.to_owned();
        let params = request.params.map(str::to_owned);
        tokio::spawn(async move {
            for server in me.unread() {
                me.gateway.listed(server).await;
            }
            if !me.flight.is_open(key) {
                return;
            }
            let request = Request {
                key,
                method: &method,
                params: params.as_deref(),
                era,
            };
            // What is hidden is asked now: it may have been flipped meanwhile.
            if let Err(refusal) = me.dispatch(&request, &message) {
                me.refuse(key, refusal, &message);
            }
        });
    }

    fn dispatch(&self, request: &Request<'_>, message: &Value) -> Result<(), Refusal> {
        let hidden = &self.hidden();
        if let Some(kind) = Kind::of(request.method) {
            return self.list(request, kind, message, hidden);
        }
        match request.method {
            "initialize" => self.initialize(request, message, hidden),
            "server/discover" => self.discover(request, hidden),
            "ping" => {
                self.result(request.key, "{}", request.era);
                Ok(())
            }
            "tools/call" => self.call(request, Kind::Tools, message, hidden),
            "prompts/get" => self.call(request, Kind::Prompts, message, hidden),
            "completion/complete" => self.complete(request, message, hidden),
            "resources/read" => self.read(request, message, hidden),
            "resources/subscribe" | "resources/unsubscribe" if request.era == Era::Legacy => {
                self.watch(request, message, hidden)
            }
            "logging/setLevel" if request.era == Era::Legacy => self.level(request, hidden),
            "subscriptions/listen" if request.era == Era::Modern => self.listen(request, message),
            _ => self.other(request, hidden),
        }
    }

    fn notified(&self, method: &str, params: Option<&str>, message: &Value) {
        match method {
            "notifications/cancelled" => {
                let id = message.pointer("/params/requestId").cloned();
                let id = id.and_then(|id| message_id(&serde_json::json!({ "id": id })));
                let given = params.and_then(Object::read).unwrap_or_default();
                if let Some(key) = id.and_then(|id| self.flight.key(&id)) {
                    self.cancel(key, given.get("reason"));
                }
            }
            "notifications/progress" => self.asked_progresses(params),
            "notifications/initialized" => {}
            "notifications/roots/list_changed" => self.to_all(method, params),
            _ if self.gateway.names.plain() => self.to_all(method, params),
            _ => {}
        }
    }

    /// Cancels a request: nothing is sent for it any more.
    fn cancel(&self, key: u64, reason: Option<&str>) {
        let Some(open) = self.flight.end(key) else {
            return;
        };
        if let Some((link, number)) = open.handed
            && let Some(link) = link.upgrade()
        {
            link.cancel(number, reason);
        }
        self.unlisten(key);
    }

    /// Tells the servers that it sees and has a connection to.
    fn to_all(&self, method: &str, params: Option<&str>) {
        let hidden = self.hidden();
        for server in &self.gateway.servers {
            if hidden.contains(&server.config.name) {
                continue;
            }
            let slot = self.gateway.looks(server, &self.seat.conversation);
            // On a connection that serves everyone no single client has anything to say.
            if slot.owner != crate::upstream::Owner::Everyone
                && let Some(link) = slot.up()
            {
                link.notify(method, params);
            }
        }
    }

    /// The servers that it must see nothing of.
    fn hidden(&self) -> BTreeSet<String> {
        self.decision.borrow().hidden.clone()
    }

    /// Whether it opened with `initialize`.
    pub(crate) fn is_legacy(&self) -> bool {
        self.lock().legacy.is_some()
    }

    fn rules(&self) -> Rules {
        let declared = self.gateway.capabilities(self.gateway.options.prompt);
        Rules::new(serde_json::from_value(declared).unwrap_or_default())
    }

    /// Waits until all it asked for is answered.
    pub async fn landed(&self) {
        self.flight.landed().await;
    }

    /// The client is gone: what it still waits for is cancelled, and with the last client of a conversation its
    /// connections are closed.
    pub fn close(&self) {
        if std::mem::replace(&mut self.lock().closed, true) {
            return;
        }
        for key in self.flight.keys() {
            self.cancel(key, Some("\"the client is gone\""));
        }
        self.unwatch_all();
        self.gateway.leave(self.id, &self.seat);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is a single assignment, push or removal.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Client({} of {:?})", self.id, self.seat)
    }
}

/// Tells a client when the switch of its conversation is flipped.
async fn follow(
    client: Weak<Client>,
    mut alive: watch::Receiver<()>,
    mut decision: watch::Receiver<Decision>,
) {
    let mut last = decision.borrow_and_update().hidden.clone();
    loop {
        tokio::select! {
            // Nothing is ever sent: this ends when the client does.
            _ = alive.changed() => return,
            changed = decision.changed() => if changed.is_err() { return },
        }
        let now = decision.borrow_and_update().hidden.clone();
        let Some(client) = client.upgrade() else {
            return;
        };
        if now != last {
            client.flipped(&last, &now);
            last = now;
        }
    }
}

/// Whether parameters of this version are those of the era without sessions.
fn era_of(version: &str) -> Era {
    // Versions are dates, so text order is time order.
    if version >= MODERN {
        Era::Modern
    } else {
        Era::Legacy
    }
}

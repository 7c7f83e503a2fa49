//! The gateway: its servers, its conversations and their clients, and who is told what.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tokio::sync::watch;

use crate::{
    client::Client,
    config::{Config, ServerConfig},
    names::Names,
    policy::{Policy, Seat, ServerTools},
    raw::Object,
    upstream::{Catalogue, Condition, Events, Hello, Keeper, Kind, Link, Opening, Owner, Slot},
};

/// How long a client's first request waits for servers to open. One that takes longer is told of when it is there.
const OPENING: Duration = Duration::from_secs(30);
/// How long a request for a list waits for a server that is being read.
const LISTING: Duration = Duration::from_secs(60);
/// How long children may take to end.
const ENDING: Duration = Duration::from_secs(5);
/// A conversation's own connection is closed when it wasn't used for so long.
const IDLE: Duration = Duration::from_secs(1800);

/// Which conversations a gateway serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Serves {
    /// One, which is this process's life: the connections that serve the catalogue serve it too.
    One(Seat),
    /// Any number: each gets connections of its own at its first call.
    Many,
}

/// What a gateway is made of, beside its servers.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which conversations it serves.
    pub serves: Serves,
    /// The servers whose one connection serves all conversations.
    pub shared: BTreeSet<String>,
    /// Whether legacy clients get the prompt `rea`, with which the switch is flipped.
    pub prompt: bool,
}

/// A gateway. It ends when it is dropped and its clients with it.
pub struct Gateway {
    pub(crate) servers: Vec<Bridged>,
    pub(crate) names: Names,
    pub(crate) policy: Arc<dyn Policy>,
    pub(crate) options: Options,
    clients: Mutex<HashMap<u64, Weak<Client>>>,
    last: AtomicU64,
    started: AtomicBool,
    /// Who runs a child holds a receiver of it.
    running: Arc<watch::Sender<()>>,
    me: Weak<Self>,
}

/// A server behind the gateway.
pub(crate) struct Bridged {
    pub(crate) config: ServerConfig,
    /// The connection that serves the catalogue.
    pub(crate) base: Arc<Slot>,
    /// Those of conversations.
    own: Mutex<HashMap<Arc<str>, Arc<Slot>>>,
    shared: bool,
}

impl Gateway {
    /// A gateway before these servers. Nothing is started before the first client says what it can do, or
    /// [`Gateway::start`] is called. Must be called in a tokio runtime.
    pub fn new(config: Config, policy: Arc<dyn Policy>, options: Options) -> Arc<Self> {
        let names = Names::new(config.servers.iter().map(|server| server.name.clone()));
        let owner = match &options.serves {
            Serves::One(seat) => Owner::Conversation(seat.conversation.as_str().into()),
            Serves::Many => Owner::Everyone,
        };
        let running = Arc::new(watch::Sender::new(()));
        let gateway = Arc::new_cyclic(|me: &Weak<Self>| {
            let keeper: Weak<dyn Keeper> = me.clone();
            let servers = config.servers.into_iter().enumerate();
            let servers = servers.map(|(at, config)| Bridged {
                base: Slot::new(
                    (at, config.clone()),
                    owner.clone(),
                    None,
                    Opening::own(),
                    (keeper.clone(), running.clone()),
                ),
                shared: options.shared.contains(&config.name),
                own: Mutex::default(),
                config,
            });
            Self {
                servers: servers.collect(),
                names,
                policy,
                options,
                clients: Mutex::default(),
                last: AtomicU64::new(0),
                started: AtomicBool::new(false),
                running: running.clone(),
                me: me.clone(),
            }
        });
        if gateway.options.serves == Serves::Many {
            tokio::spawn(sweep(gateway.me.clone()));
        }
        gateway
    }

    /// Starts the servers, as for a client that can do nothing for them. Later calls do nothing.
    pub fn start(&self) {
        self.start_for(Opening::own());
    }

    pub(crate) fn start_for(&self, opening: Opening) {
        if self.started.swap(true, Ordering::AcqRel) {
            return;
        }
        for server in &self.servers {
            server.base.set_opening(opening.clone());
            tokio::spawn(server.base.clone().keep());
        }
    }

    /// Waits until each server was reached or could not be, half a minute at most.
    pub(crate) async fn met(&self) {
        let all = async {
            for server in &self.servers {
                let mut met = server.base.met.subscribe();
                let _ = met.wait_for(|met| *met).await;
            }
        };
        if tokio::time::timeout(OPENING, all).await.is_err() {
            tracing::warn!("a server takes long to open; its tools are told of when it is there");
        }
    }

    /// Waits until the lists of a server were read, or it is down.
    pub(crate) async fn listed(&self, server: &Bridged) -> bool {
        if *server.base.listed.borrow() {
            return true;
        }
        let mut listed = server.base.listed.subscribe();
        let read = listed.wait_for(|listed| *listed);
        tokio::time::timeout(LISTING, read).await.is_ok()
    }

    /// A server by its number.
    pub(crate) fn server(&self, at: usize) -> Option<&Bridged> {
        self.servers.get(at)
    }

    /// Where the calls of a conversation to a server go.
    pub(crate) fn slot(
        &self,
        server: &Bridged,
        conversation: &str,
        opening: &Opening,
    ) -> Arc<Slot> {
        if server.shared || self.options.serves != Serves::Many {
            return server.base.clone();
        }
        let mut own = lock(&server.own);
        if let Some(slot) = own.get(conversation) {
            return slot.clone();
        }
        let conversation: Arc<str> = conversation.into();
        let keeper: Weak<dyn Keeper> = self.me.clone();
        let slot = Slot::new(
            (server.base.server, server.config.clone()),
            Owner::Conversation(conversation.clone()),
            Some(server.base.clone()),
            opening.clone(),
            (keeper, self.running.clone()),
        );
        own.insert(conversation, slot.clone());
        slot
    }

    /// Where a conversation looks for lists: its own connection if it has one, else that of the catalogue.
    pub(crate) fn looks(&self, server: &Bridged, conversation: &str) -> Arc<Slot> {
        let own = lock(&server.own).get(conversation).cloned();
        own.unwrap_or_else(|| server.base.clone())
    }

    /// What the gateway can do for a client. A server that was never reached may have anything.
    pub(crate) fn capabilities(&self, prompt: bool) -> Value {
        let hellos: Vec<Option<Hello>> = self.servers.iter().map(|one| one.base.hello()).collect();
        let of = |name: &str| {
            hellos.iter().any(|hello| {
                hello
                    .as_ref()
                    .is_none_or(|hello| hello.capabilities.get(name).is_some())
            })
        };
        let subscribe = hellos.iter().flatten().any(|hello| {
            hello.capabilities.pointer("/resources/subscribe") == Some(&Value::Bool(true))
        });
        let mut all = match hellos.as_slice() {
            // What only it knows of (experimental, extensions) stays; calls of unknown methods go to it.
            [Some(hello)] => hello.capabilities.clone(),
            _ => json!({}),
        };
        let Value::Object(members) = &mut all else {
            return json!({});
        };
        if of("logging") {
            members.entry("logging").or_insert_with(|| json!({}));
        }
        if prompt || of("completions") {
            members.entry("completions").or_insert_with(|| json!({}));
        }
        for name in ["prompts", "resources", "tools"] {
            if of(name) || prompt && name == "prompts" {
                let one = members.entry(name).or_insert_with(|| json!({}));
                if let Value::Object(one) = one {
                    one.insert("listChanged".to_owned(), true.into());
                    if name == "resources" && subscribe {
                        one.insert("subscribe".to_owned(), true.into());
                    }
                }
            }
        }
        all
    }

    /// The instructions of the servers that aren't hidden, in order; with several, each under its name.
    pub(crate) fn instructions(&self, hidden: &BTreeSet<String>) -> Option<String> {
        let mut parts = Vec::new();
        for server in &self.servers {
            if hidden.contains(&server.config.name) {
                continue;
            }
            if let Some(text) = server.base.hello().and_then(|hello| hello.instructions) {
                parts.push(if self.names.plain() {
                    text
                } else {
                    format!("# {}\n\n{text}", server.config.name)
                });
            }
        }
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }

    pub(crate) fn enter(&self, client: &Arc<Client>) {
        lock(&self.clients).insert(client.id, Arc::downgrade(client));
    }

    pub(crate) fn next(&self) -> u64 {
        self.last.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// A client is gone; with the last one of a conversation its connections are.
    pub(crate) fn leave(&self, client: u64, seat: &Seat) {
        lock(&self.clients).remove(&client);
        self.policy.leave(seat);
        let conversation = &seat.conversation;
        let others = self.clients_of(&Owner::Conversation(conversation.as_str().into()));
        if others.is_empty() {
            for server in &self.servers {
                if let Some(slot) = lock(&server.own).remove(conversation.as_str()) {
                    slot.close();
                }
            }
        }
    }

    pub(crate) fn client(&self, id: u64) -> Option<Arc<Client>> {
        lock(&self.clients).get(&id)?.upgrade()
    }

    pub(crate) fn clients_of(&self, owner: &Owner) -> Vec<Arc<Client>> {
        let clients = lock(&self.clients);
        let mut all: Vec<_> = clients.values().filter_map(Weak::upgrade).collect();
        drop(clients);
        all.retain(|client| match owner {
            Owner::Everyone => true,
            Owner::Conversation(id) => **id == *client.seat.conversation,
        });
        all.sort_unstable_by_key(|client| client.id);
        all
    }

    /// Tells the policy all tools there are.
    fn tell_tools(&self) {
        let told = self.servers.iter().map(|server| {
            let catalogue = server.base.catalogue().unwrap_or_default();
            let list = catalogue.list(Kind::Tools);
            let mut tools: Vec<(String, u64)> = Vec::with_capacity(list.entries.len());
            for (at, entry) in list.entries.iter().enumerate() {
                if list.is_first(at, entry) {
                    let told = self.names.told(server.base.server, &entry.key);
                    tools.push((told.to_string(), schema_bytes(list.text(entry), &told)));
                }
            }
            ServerTools {
                server: server.config.name.clone(),
                connected: matches!(server.base.condition(), Condition::Up(_)),
                tools,
            }
        });
        self.policy.tools(told.collect());
    }

    /// Two servers must not have resources of the same address: which one is meant couldn't be known.
    fn colliding(&self, at: &Slot, catalogue: &Catalogue) {
        for kind in [Kind::Resources, Kind::Templates] {
            for entry in &catalogue.list(kind).entries {
                let other = self.servers.iter().find(|other| {
                    other.base.server != at.server
                        && other
                            .base
                            .catalogue()
                            .is_some_and(|of| of.list(kind).find(&entry.key).is_some())
                });
                if let Some(other) = other {
                    tracing::error!(
                        uri = %rea_front::shorten_text(&entry.key),
                        "servers `{}` and `{}` have resources of the same address: the first in the configuration is used",
                        at.config.name,
                        other.config.name
                    );
                }
            }
        }
    }

    /// Addresses that resources of two servers have. A client can't say which of them it means.
    pub fn collisions(&self) -> Vec<String> {
        let mut owners: HashMap<(Kind, Arc<str>), usize> = HashMap::new();
        let mut found = Vec::new();
        for server in &self.servers {
            let Some(catalogue) = server.base.catalogue() else {
                continue;
            };
            for kind in [Kind::Resources, Kind::Templates] {
                for entry in &catalogue.list(kind).entries {
                    let first = owners
                        .entry((kind, entry.key.clone()))
                        .or_insert(server.base.server);
                    if *first != server.base.server
                        && let Some(first) = self.server(*first)
                    {
                        found.push(format!(
                            "servers `{}` and `{}` both have the resource {}",
                            first.config.name,
                            server.config.name,
                            rea_front::shorten_text(&entry.key)
                        ));
                    }
                }
            }
        }
        found
    }

    /// Ends when all lists were read and resources of two servers have the same address, with what [`Gateway::collisions`]
    /// says. If there are none it never ends.
    pub async fn collided(&self) -> Vec<String> {
        for server in &self.servers {
            let mut listed = server.base.listed.subscribe();
            let _ = listed.wait_for(|listed| *listed).await;
        }
        let collisions = self.collisions();
        if collisions.is_empty() {
            std::future::pending::<()>().await;
        }
        collisions
    }

    /// Ends the connections to all servers, and waits until their children are gone: each has three seconds to end by
    /// itself.
    pub async fn close(&self) {
        for server in &self.servers {
            server.base.close();
            for (_, slot) in lock(&server.own).drain() {
                slot.close();
            }
        }
        if tokio::time::timeout(ENDING, self.running.closed())
            .await
            .is_err()
        {
            tracing::warn!("a server did not end");
        }
    }
}

impl Events for Gateway {
    fn request(&self, link: &Arc<Link>, id: &str, method: &str, params: Option<&str>) {
        if method == "ping" {
            return link.answer(id, r#""result":{}"#);
        }
        // Who waits for an answer of this server is who it asks for. On a connection that serves several
        // conversations that must be clear: nothing of one may reach another.
        let mut askers: Vec<_> = link
            .askers()
            .into_iter()
            .filter_map(|id| self.client(id))
            .collect();
        askers.dedup_by(|one, other| one.id == other.id);
        let seats: BTreeSet<_> = askers
            .iter()
            .map(|client| client.seat.conversation.clone())
            .collect();
        let latest = link.latest_asker();
        let chosen = match (seats.len(), latest, &link.owner) {
            (1, Some((client, outlet)), _) => {
                self.client(client).map(|client| (client, Some(outlet)))
            }
            (0, _, owner @ Owner::Conversation(_)) => {
                let mut clients = self.clients_of(owner);
                clients.retain(|client| client.is_legacy());
                clients.pop().map(|client| (client, None))
            }
            _ => None,
        };
        let asked = chosen
            .is_some_and(|(client, outlet)| client.ask(link, id, method, params, outlet.as_ref()));
        if !asked {
            let text = "no client of this conversation can be asked that";
            link.answer(
                id,
                &format!(r#""error":{{"code":-32601,"message":"{text}"}}"#),
            );
        }
    }

    fn notification(&self, link: &Arc<Link>, method: &str, params: Option<&str>) {
        let lists: &[Kind] = match method {
            "notifications/tools/list_changed" => &[Kind::Tools],
            "notifications/prompts/list_changed" => &[Kind::Prompts],
            "notifications/resources/list_changed" => &[Kind::Resources, Kind::Templates],
            _ => &[],
        };
        if !lists.is_empty() {
            if let Some(server) = self.server(link.server) {
                let slot = match &link.owner {
                    Owner::Everyone => server.base.clone(),
                    Owner::Conversation(id) => self.looks(server, id),
                };
                slot.changed(lists);
            }
            return;
        }
        match method {
            "notifications/cancelled" => {
                for client in self.clients_of(&link.owner) {
                    client.asked_cancelled(link, params);
                }
            }
            // Of a connection that serves everyone it can't be known whom a log line is about.
            _ if link.owner == Owner::Everyone && method != "notifications/resources/updated" => {}
            "notifications/subscriptions/acknowledged" => {}
            _ => {
                for client in self.clients_of(&link.owner) {
                    client.server_says(link, method, params);
                }
            }
        }
    }
}

impl Keeper for Gateway {
    fn listed(&self, slot: &Arc<Slot>, news: &[Kind]) {
        if !self.names.plain()
            && let Some(catalogue) = slot.catalogue()
        {
            // Names are given in the order of the list, not in that in which clients ask.
            for kind in [Kind::Tools, Kind::Prompts] {
                for entry in &catalogue.list(kind).entries {
                    self.names.told(slot.server, &entry.key);
                }
            }
            self.colliding(slot, &catalogue);
        }
        let is_base = self
            .server(slot.server)
            .is_some_and(|server| Arc::ptr_eq(&server.base, slot));
        if is_base {
            self.tell_tools();
        }
        let owner = if is_base {
            &Owner::Everyone
        } else {
            &slot.owner
        };
        for client in self.clients_of(owner) {
            client.lists_changed(slot.server, news);
        }
    }

    fn condition(&self, slot: &Arc<Slot>) {
        let is_base = self
            .server(slot.server)
            .is_some_and(|server| Arc::ptr_eq(&server.base, slot));
        if is_base && slot.catalogue().is_some() {
            self.tell_tools();
        }
        if let Condition::Down(reason, _) = slot.condition() {
            tracing::info!(server = %slot.config.name, %reason, "a connection is down");
        }
    }
}

/// Bytes of name, description and input schema: what a model is told of a tool.
fn schema_bytes(tool: &str, name: &str) -> u64 {
    let tool = Object::read(tool).unwrap_or_default();
    let of = |member| tool.get(member).map_or(0, str::len);
    // The name with its quotes, as the others are counted as JSON.
    let bytes = name.len() + 2 + of("description") + of("inputSchema");
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

/// Closes connections of conversations that don't use them.
async fn sweep(gateway: Weak<Gateway>) {
    loop {
        tokio::time::sleep(IDLE / 10).await;
        let Some(gateway) = gateway.upgrade() else {
            return;
        };
        for server in &gateway.servers {
            lock(&server.own).retain(|_, slot| {
                let idle = slot
                    .idle_since()
                    .is_some_and(|since| since.elapsed() > IDLE);
                if idle {
                    slot.close();
                }
                !idle
            });
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every change is a single call: a panic elsewhere leaves nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

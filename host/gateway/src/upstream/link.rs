//! One live connection to a server: requests with ids of this connection, and whose answer is whose.

use std::{
    borrow::Cow,
    collections::HashMap,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
};

use tokio::sync::watch;

use super::opening::{Era, Hello};
use crate::{
    outlet::Outlet,
    raw::{Object, paste, place, quote, with, without},
};

/// Requests of one connection that may wait for an answer at a time. A client decides how many it sends.
const MOST_OPEN: usize = 10_000;

/// Moves messages to the server. What comes back is handed to [`Link::receive`].
pub(crate) trait Wire: Send + Sync {
    /// Queues a message, in order.
    fn send(&self, message: Outgoing);
    /// Whether so much waits that nothing more should be sent.
    fn is_full(&self) -> bool;
    /// Lets go of a request that is cancelled.
    fn forget(&self, _id: u64) {}
    /// Ends the connection; what is queued is still sent.
    fn close(&self);
}

/// A message, and what a wire may have to know of it.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// The whole JSON text.
    pub(crate) text: String,
    /// The id, if it is a request.
    pub(crate) id: Option<u64>,
    /// The method, if it isn't an answer.
    pub(crate) method: Option<String>,
}

/// Whom a connection serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// All conversations: it serves the catalogue, or its server is shared.
    Everyone,
    /// One conversation.
    Conversation(Arc<str>),
}

/// Is told what a server sends of its own.
pub(crate) trait Events: Send + Sync {
    /// A request, to be answered with [`Link::answer`].
    fn request(&self, link: &Arc<Link>, id: &str, method: &str, params: Option<&str>);
    /// A notification; progress is not among them.
    fn notification(&self, link: &Arc<Link>, method: &str, params: Option<&str>);
}

/// An answer, or why there is none.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// A result: the line, and where in it the result stands.
    Result(String, Range<usize>),
    /// An error: the line, and where in it the error stands.
    Error(String, Range<usize>),
    /// The connection ended.
    Lost(String),
}

impl Outcome {
    /// The result's text, or what went wrong, for a person.
    pub(crate) fn result(&self) -> Result<&str, String> {
        match self {
            Self::Result(line, range) => Ok(line.get(range.clone()).unwrap_or_default()),
            Self::Error(line, range) => {
                let error = line.get(range.clone()).unwrap_or_default();
                Err(rea_front::shorten_text(error))
            }
            Self::Lost(reason) => Err(reason.clone()),
        }
    }
}

/// What is done with the outcome. Called by who reads the connection, so it must not wait.
pub(crate) type Done = Box<dyn FnOnce(Outcome) + Send>;

/// Who asks, where it is a client.
pub(crate) struct Asker {
    /// The client.
    pub(crate) client: u64,
    /// Where what belongs to this request goes.
    pub(crate) outlet: Arc<dyn Outlet>,
}

struct Waiting {
    done: Done,
    asker: Option<Asker>,
    /// The client's own token, as JSON.
    token: Option<String>,
}

#[derive(Default)]
struct State {
    last: u64,
    open: HashMap<u64, Waiting>,
}

/// A connection.
pub(crate) struct Link {
    /// The number of the server.
    pub(crate) server: usize,
    /// Its name.
    pub(crate) name: String,
    /// Whom it serves.
    pub(crate) owner: Owner,
    /// What the server said of itself, once it is open.
    pub(crate) hello: OnceLock<Hello>,
    /// What a modern server is told with each request, as JSON members of `_meta`.
    pub(crate) identity: Vec<(&'static str, String)>,
    wire: Box<dyn Wire>,
    events: Weak<dyn Events>,
    state: Mutex<State>,
    down: watch::Sender<Option<String>>,
    garbage: Mutex<u64>,
}

impl Link {
    pub(crate) fn new(
        (server, name): (usize, String),
        owner: Owner,
        identity: Vec<(&'static str, String)>,
        wire: Box<dyn Wire>,
        events: Weak<dyn Events>,
    ) -> Arc<Self> {
        Arc::new(Self {
            server,
            name,
            owner,
            hello: OnceLock::new(),
            identity,
            wire,
            events,
            state: Mutex::default(),
            down: watch::Sender::new(None),
            garbage: Mutex::new(0),
        })
    }

    /// The era in which the server is spoken to.
    pub(crate) fn era(&self) -> Era {
        self.hello.get().map_or(Era::Legacy, |hello| hello.era)
    }

    /// Whether the server declared this capability.
    pub(crate) fn can(&self, capability: &str) -> bool {
        let hello = self.hello.get();
        hello.is_some_and(|hello| hello.capabilities.get(capability).is_some())
    }

    /// Sends a request. Its number, under which it can be cancelled; none if the outcome was told at once.
    pub(crate) fn ask(
        &self,
        method: &str,
        params: Option<&str>,
        asker: Option<Asker>,
        done: Done,
    ) -> Option<u64> {
        let refused = if self.wire.is_full() {
            Some(format!(
                "server `{}` does not read what it is sent",
                self.name
            ))
        } else {
            self.down.borrow().clone()
        };
        if let Some(reason) = refused {
            done(Outcome::Lost(reason));
            return None;
        }
        let mut state = self.lock();
        if state.open.len() >= MOST_OPEN {
            drop(state);
            let reason = format!("server `{}` has {MOST_OPEN} requests to answer", self.name);
            done(Outcome::Lost(reason));
            return None;
        }
        state.last += 1;
        let id = state.last;
        let (params, token) = match method {
            // What a server is asked before its era is known says itself which one is meant.
            "server/discover" => (params.map(Cow::Borrowed), None),
            _ => self.params(params, id),
        };
        state.open.insert(id, Waiting { done, asker, token });
        let mut text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{}"#, quote(method));
        if let Some(params) = params {
            text.push_str(",\"params\":");
            text.push_str(&params);
        }
        text.push('}');
        // Queued under the lock: ids rise on the wire.
        self.wire.send(Outgoing {
            text,
            id: Some(id),
            method: Some(method.to_owned()),
        });
        drop(state);
        // It may have ended between the two looks at it.
        let ended = self.down.borrow().clone();
        if let Some(reason) = ended {
            self.lose(&reason);
            return None;
        }
        Some(id)
    }

    /// Sends a request and waits for the outcome.
    pub(crate) async fn call(&self, method: &str, params: Option<&str>) -> Outcome {
        let (done, outcome) = tokio::sync::oneshot::channel();
        self.ask(
            method,
            params,
            None,
            Box::new(move |outcome| drop(done.send(outcome))),
        );
        let lost = || Outcome::Lost(format!("server `{}` was let go", self.name));
        outcome.await.unwrap_or_else(|_| lost())
    }

    /// Sends a notification.
    pub(crate) fn notify(&self, method: &str, params: Option<&str>) {
        let mut text = format!(r#"{{"jsonrpc":"2.0","method":{}"#, quote(method));
        if let Some(params) = params {
            text.push_str(",\"params\":");
            text.push_str(params);
        }
        text.push('}');
        self.wire.send(Outgoing {
            text,
            id: None,
            method: Some(method.to_owned()),
        });
    }

    /// Answers a request of the server: `part` is `"result":…` or `"error":…`.
    pub(crate) fn answer(&self, id: &str, part: &str) {
        self.wire.send(Outgoing {
            text: format!(r#"{{"jsonrpc":"2.0","id":{id},{part}}}"#),
            id: None,
            method: None,
        });
    }

    /// Cancels a request: whatever comes of it is dropped.
    pub(crate) fn cancel(&self, id: u64, reason: Option<&str>) {
        if self.lock().open.remove(&id).is_none() {
            return;
        }
        let mut params = format!(r#"{{"requestId":{id}"#);
        if let Some(reason) = reason {
            params.push_str(",\"reason\":");
            params.push_str(reason);
        }
        params.push('}');
        self.notify("notifications/cancelled", Some(&params));
        self.wire.forget(id);
    }

    /// The client that asked last of those that wait for an answer. `Err` if clients of several do.
    pub(crate) fn latest_asker(&self) -> Option<(u64, Arc<dyn Outlet>)> {
        let state = self.lock();
        let mut asked: Vec<_> = state
            .open
            .iter()
            .filter_map(|(id, waiting)| Some((*id, waiting.asker.as_ref()?)))
            .collect();
        asked.sort_unstable_by_key(|(id, _)| *id);
        let (_, last) = asked.last()?;
        Some((last.client, last.outlet.clone()))
    }

    /// All clients that wait for an answer.
    pub(crate) fn askers(&self) -> Vec<u64> {
        let state = self.lock();
        let asked = state.open.values().filter_map(|one| one.asker.as_ref());
        asked.map(|asker| asker.client).collect()
    }

    /// Whether anything waits for an answer.
    pub(crate) fn is_idle(&self) -> bool {
        self.lock().open.is_empty()
    }

    /// Takes in a message of the server. What is none is counted and passed over.
    pub(crate) fn receive(self: &Arc<Self>, mut text: String) {
        if text.bytes().any(|byte| byte == b'\n' || byte == b'\r') {
            // Line ends in JSON are blanks between its parts; on a line of ours they'd end it.
            text = text.replace(['\n', '\r'], " ");
        }
        if text.trim().is_empty() {
            return;
        }
        let Some(message) = Object::read(&text) else {
            return self.garbage(&text);
        };
        if let Some(method) = message.text("method") {
            let params = message.get("params");
            let events = self.events.upgrade();
            match (message.get("id"), events) {
                (Some(id), Some(events)) => events.request(self, id, &method, params),
                (None, _) if method == "notifications/progress" => self.progress(params),
                (None, Some(events)) => events.notification(self, &method, params),
                (_, None) => {}
            }
            return;
        }
        let id = message.get("id").and_then(|id| id.parse().ok());
        let (part, failed) = match (message.get("result"), message.get("error")) {
            (Some(result), None) => (result, false),
            (None, Some(error)) => (error, true),
            _ => return self.garbage(&text),
        };
        let range = place(&text, part);
        let Some(waiting) = id.and_then(|id: u64| self.lock().open.remove(&id)) else {
            // The late answer to what was cancelled.
            tracing::debug!(server = %self.name, "an answer that nobody waits for");
            return;
        };
        (waiting.done)(if failed {
            Outcome::Error(text, range)
        } else {
            Outcome::Result(text, range)
        });
    }

    /// Notes what is no message.
    pub(crate) fn garbage(&self, text: &str) {
        let mut count = self.garbage.lock().unwrap_or_else(PoisonError::into_inner);
        *count += 1;
        // The first few are told; a server that prints a log there would fill ours.
        if *count <= 3 {
            tracing::warn!(
                server = %self.name,
                got = %rea_front::shorten_text(text),
                "a server wrote what is no message of MCP; it is passed over"
            );
        }
    }

    /// The connection has ended. Everyone who waits is told why. Only the first reason counts.
    pub(crate) fn fail(&self, reason: &str) {
        let first = self.down.send_if_modified(|down| {
            let first = down.is_none();
            if first {
                *down = Some(reason.to_owned());
            }
            first
        });
        if first {
            self.wire.close();
            self.lose(reason);
        }
    }

    /// Ends the connection.
    pub(crate) fn close(&self) {
        self.fail("the connection was closed");
    }

    /// Whether it has ended.
    pub(crate) fn is_down(&self) -> bool {
        self.down.borrow().is_some()
    }

    /// Why it has ended; empty if it hasn't.
    pub(crate) fn reason(&self) -> String {
        self.down.borrow().clone().unwrap_or_default()
    }

    /// Waits until it has ended, and tells why.
    pub(crate) async fn ended(&self) -> String {
        let mut down = self.down.subscribe();
        match down.wait_for(Option::is_some).await {
            Ok(reason) => reason.clone().unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    /// A request gets no answer any more, if it hasn't got one.
    pub(crate) fn lose_one(&self, id: u64, reason: &str) {
        let waiting = self.lock().open.remove(&id);
        if let Some(waiting) = waiting {
            (waiting.done)(Outcome::Lost(reason.to_owned()));
        }
    }

    fn lose(&self, reason: &str) {
        let lost: Vec<_> = self.lock().open.drain().collect();
        for (_, waiting) in lost {
            (waiting.done)(Outcome::Lost(reason.to_owned()));
        }
    }

    fn progress(&self, params: Option<&str>) {
        let Some(params) = params else { return };
        let given = Object::read(params).unwrap_or_default();
        let Some(token) = given.get("progressToken") else {
            return;
        };
        let told = {
            let state = self.lock();
            let waiting = token.parse().ok().and_then(|id: u64| state.open.get(&id));
            waiting.and_then(|one| Some((one.asker.as_ref()?.outlet.clone(), one.token.clone()?)))
        };
        if let Some((outlet, own)) = told
            && !outlet.is_full()
        {
            let params = paste(params, place(params, token), &own);
            outlet.send(format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#
            ));
        }
    }

    /// A client's parameters as this server is to see them: the progress token is the number of the request, and what
    /// belongs to the era of the client becomes what belongs to that of the server. The client's token is given back.
    fn params<'a>(
        &self,
        params: Option<&'a str>,
        id: u64,
    ) -> (Option<Cow<'a, str>>, Option<String>) {
        let modern = self.era() == Era::Modern;
        let meta = params
            // Most requests of legacy clients have none, and aren't read twice.
            .filter(|params| params.contains("_meta"))
            .and_then(|params| Object::read(params)?.get("_meta"));
        if meta.is_none() && !modern {
            return (params.map(Cow::Borrowed), None);
        }
        let params = params.unwrap_or("{}");
        let meta = meta.unwrap_or("{}");
        let token = Object::read(meta)
            .and_then(|meta| meta.get("progressToken"))
            .map(str::to_owned);
        let mut edited = if modern {
            Cow::Borrowed(meta)
        } else {
            without(meta, |name| name.starts_with("io.modelcontextprotocol/"))
        };
        if token.is_some() {
            edited = Cow::Owned(with(&edited, "progressToken", &id.to_string()));
        }
        if modern {
            for (name, value) in &self.identity {
                if Object::read(&edited).is_some_and(|meta| meta.get(name).is_none()) {
                    edited = Cow::Owned(with(&edited, name, value));
                }
            }
        }
        (Some(Cow::Owned(with(params, "_meta", &edited))), token)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing in here panics between two changes that belong together.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Link({} for {:?})", self.name, self.owner)
    }
}

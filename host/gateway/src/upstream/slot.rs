//! A place for one connection to a server: opened when needed, opened again with back-off when it is gone.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

use super::{
    catalogue::{Catalogue, Kind, fetch},
    http,
    link::{Events, Link, Owner},
    opening::{self, Hello, Opening},
    process,
};
use crate::config::{Reach, ServerConfig};

/// The wait after the first failure; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// A connection that lived so long was a good one: the waits begin anew.
const GOOD: Duration = Duration::from_secs(60);
/// Changes of lists that a server announces within this time are read together.
const COALESCE: Duration = Duration::from_millis(5);

/// Is told what becomes of the connection in a slot.
pub(crate) trait Keeper: Events {
    /// Lists have been read anew. `news` are those that differ from before.
    fn listed(&self, slot: &Arc<Slot>, news: &[Kind]);
    /// The connection has come up or gone down.
    fn condition(&self, slot: &Arc<Slot>);
}

/// How the connection stands.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// Nobody has asked for it yet.
    Idle,
    /// It is open.
    Up(Arc<Link>),
    /// It is gone, or could not be opened. The reason, and when it may be opened again.
    Down(String, Instant),
}

/// One place.
pub(crate) struct Slot {
    /// The number of the server.
    pub(crate) server: usize,
    /// The server.
    pub(crate) config: ServerConfig,
    /// Whom the connection serves.
    pub(crate) owner: Owner,
    /// The slot of the catalogue, if this isn't it: its lists hold here until the server says on this connection that
    /// they are others.
    base: Option<Arc<Slot>>,
    opening: Mutex<Opening>,
    keeper: Weak<dyn Keeper>,
    state: Mutex<State>,
    /// Who runs a child holds a receiver of it.
    running: Arc<tokio::sync::watch::Sender<()>>,
    /// Only one opens at a time.
    gate: tokio::sync::Mutex<()>,
    /// Lists to be read.
    dirty: Mutex<Vec<Kind>>,
    wake: Notify,
    /// The server was reached, or an attempt at that was made.
    pub(crate) met: tokio::sync::watch::Sender<bool>,
    /// Lists were read, or an attempt at that was made.
    pub(crate) listed: tokio::sync::watch::Sender<bool>,
    /// A client was answered as if the server had nothing, because its lists weren't read yet.
    pub(crate) missed: AtomicBool,
    closed: AtomicBool,
    used: Mutex<Instant>,
}

struct State {
    condition: Condition,
    catalogue: Option<Arc<Catalogue>>,
    /// What the server said of itself when it was last there.
    hello: Option<Hello>,
    failures: u32,
    since: Instant,
}

impl Slot {
    pub(crate) fn new(
        (server, config): (usize, ServerConfig),
        owner: Owner,
        base: Option<Arc<Slot>>,
        opening: Opening,
        (keeper, running): (Weak<dyn Keeper>, Arc<tokio::sync::watch::Sender<()>>),
    ) -> Arc<Self> {
        Arc::new(Self {
            server,
            config,
            owner,
            base,
            opening: Mutex::new(opening),
            keeper,
            running,
            state: Mutex::new(State {
                condition: Condition::Idle,
                catalogue: None,
                hello: None,
                failures: 0,
                since: Instant::now(),
            }),
            gate: tokio::sync::Mutex::default(),
            dirty: Mutex::default(),
            wake: Notify::new(),
            met: tokio::sync::watch::Sender::new(false),
            listed: tokio::sync::watch::Sender::new(false),
            missed: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            used: Mutex::new(Instant::now()),
        })
    }

    /// The connection, if it is open.
    pub(crate) fn up(&self) -> Option<Arc<Link>> {
        match &self.state().condition {
            Condition::Up(link) if !link.is_down() => Some(link.clone()),
            _ => None,
        }
    }

    /// How it stands.
    pub(crate) fn condition(&self) -> Condition {
        self.state().condition.clone()
    }

    /// What the server offers, as far as it was read.
    pub(crate) fn catalogue(&self) -> Option<Arc<Catalogue>> {
        let own = self.state().catalogue.clone();
        own.or_else(|| self.base.as_ref()?.catalogue())
    }

    /// What the server said of itself when it was last there.
    pub(crate) fn hello(&self) -> Option<Hello> {
        self.state().hello.clone()
    }

    /// For whom it is opened the next time.
    pub(crate) fn set_opening(&self, opening: Opening) {
        *self.opening.lock().unwrap_or_else(PoisonError::into_inner) = opening;
    }

    /// The connection, opened if need be. Fails with a sentence for a person, at once while it may not be opened again
    /// yet.
    pub(crate) async fn link(self: &Arc<Self>) -> Result<Arc<Link>, String> {
        if let Some(link) = self.up() {
            return Ok(link);
        }
        let _gate = self.gate.lock().await;
        if let Some(link) = self.up() {
            return Ok(link);
        }
        if self.closed.load(Ordering::Acquire) {
            return Err("the conversation has ended".to_owned());
        }
        if let Condition::Up(link) = self.condition() {
            self.gone(&link);
        }
        if let Condition::Down(reason, until) = self.condition() {
            let left = until.saturating_duration_since(Instant::now());
            if !left.is_zero() {
                let left = left.as_secs_f64();
                return Err(format!("{reason}; it is tried again in {left:.1} s"));
            }
        }
        self.open().await
    }

    async fn open(self: &Arc<Self>) -> Result<Arc<Link>, String> {
        let opening = self
            .opening
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let Some(keeper) = self.keeper.upgrade() else {
            return Err("the gateway has ended".to_owned());
        };
        let opened = match self.start(&opening, self.keeper.clone()) {
            Ok(link) => match opening::open(&link, &opening).await {
                Ok(()) => Ok(link),
                Err(reason) => {
                    link.fail(&reason);
                    Err(reason)
                }
            },
            Err(reason) => Err(reason),
        };
        match opened {
            Ok(link) => {
                {
                    let mut state = self.state();
                    state.since = Instant::now();
                    state.condition = Condition::Up(link.clone());
                    state.hello = link.hello.get().cloned();
                }
                self.met.send_replace(true);
                *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
                keeper.condition(self);
                let watched = self.clone();
                let of = link.clone();
                tokio::spawn(async move { watched.attend(of).await });
                Ok(link)
            }
            Err(reason) => {
                self.down(&mut self.state(), &reason);
                self.met.send_replace(true);
                self.listed.send_replace(true);
                keeper.condition(self);
                Err(reason)
            }
        }
    }

    fn start(&self, opening: &Opening, keeper: Weak<dyn Keeper>) -> Result<Arc<Link>, String> {
        let named = (self.server, self.config.name.clone());
        let owner = self.owner.clone();
        match &self.config.reach {
            reach @ Reach::Child { .. } => {
                let started = process::start(&self.config.name, reach)?;
                let link = Link::new(named, owner, opening.identity(), started.wire, keeper);
                started.reader.run(&link, self.running.subscribe());
                Ok(link)
            }
            Reach::Http { url, headers } => http::start(url, headers, |wire| {
                Link::new(named, owner, opening.identity(), wire, keeper)
            }),
        }
    }

    /// Reads lists when they change, until the connection ends.
    async fn attend(self: Arc<Self>, link: Arc<Link>) {
        // A conversation's own connection begins with the catalogue that everyone sees.
        if self.base.is_none() {
            self.changed(&Kind::ALL);
        }
        let subscribed = self.clone();
        subscribe(&link, move |kinds| subscribed.changed(kinds));
        loop {
            tokio::select! {
                _ = link.ended() => break,
                () = self.wake.notified() => {
                    tokio::time::sleep(COALESCE).await;
                    self.read_lists(&link).await;
                }
            }
        }
        self.gone(&link);
        if let Some(keeper) = self.keeper.upgrade() {
            keeper.condition(&self);
        }
    }

    /// The server says that these lists have changed.
    pub(crate) fn changed(&self, kinds: &[Kind]) {
        let mut dirty = self.dirty.lock().unwrap_or_else(PoisonError::into_inner);
        for kind in kinds {
            if !dirty.contains(kind) {
                dirty.push(*kind);
            }
        }
        self.wake.notify_one();
    }

    async fn read_lists(self: &Arc<Self>, link: &Arc<Link>) {
        let kinds = std::mem::take(&mut *self.dirty.lock().unwrap_or_else(PoisonError::into_inner));
        if kinds.is_empty() {
            return;
        }
        // All of them at once is the beginning of a connection, not an announcement.
        let announced = kinds.len() < Kind::ALL.len();
        let old = self.catalogue();
        let mut catalogue = old.as_deref().cloned().unwrap_or_default();
        let mut news = Vec::new();
        for kind in kinds {
            match fetch(link, kind).await {
                Ok(list) => {
                    if *catalogue.list(kind) != list {
                        news.push(kind);
                        catalogue.set(kind, Arc::new(list));
                    } else if announced {
                        // It said so, so it is passed on.
                        news.push(kind);
                    }
                }
                Err(reason) => {
                    tracing::warn!(server = %link.name, list = kind.method(), %reason, "a list can't be read");
                }
            }
        }
        self.state().catalogue = Some(Arc::new(catalogue));
        if old.is_none() && !self.missed.swap(false, Ordering::AcqRel) {
            // Nobody has seen them yet.
            news.clear();
        }
        self.listed.send_replace(true);
        if let Some(keeper) = self.keeper.upgrade() {
            keeper.listed(self, &news);
        }
    }

    /// Keeps it open as long as the gateway lives.
    pub(crate) async fn keep(self: Arc<Self>) {
        loop {
            match self.link().await {
                Ok(link) => drop(link.ended().await),
                Err(reason) => {
                    tracing::warn!(server = %self.config.name, %reason, "a server is down");
                }
            }
            if let Condition::Up(link) = self.condition()
                && link.is_down()
            {
                self.gone(&link);
            }
            let until = match self.condition() {
                Condition::Down(_, until) => until,
                _ => Instant::now() + COALESCE,
            };
            tokio::time::sleep_until(until).await;
            if self.closed.load(Ordering::Acquire) || self.keeper.strong_count() == 0 {
                return;
            }
        }
    }

    /// Notes that this connection has ended, unless another has taken its place.
    fn gone(&self, link: &Arc<Link>) {
        let mut state = self.state();
        if matches!(&state.condition, Condition::Up(current) if Arc::ptr_eq(current, link)) {
            self.down(&mut state, &link.reason());
            // Who waits for lists has waited long enough.
            self.listed.send_replace(true);
        }
    }

    fn down(&self, state: &mut State, reason: &str) {
        let now = Instant::now();
        if matches!(state.condition, Condition::Up(_)) && now - state.since > GOOD {
            state.failures = 0;
        }
        let wait = FIRST_WAIT
            .saturating_mul(1 << state.failures.min(16))
            .min(LONGEST_WAIT);
        state.failures = state.failures.saturating_add(1);
        state.condition = Condition::Down(reason.to_owned(), now + wait);
    }

    /// It is in use.
    pub(crate) fn touch(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Since when it hasn't been used; none while something waits for an answer.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        if self.up().is_some_and(|link| !link.is_idle()) {
            return None;
        }
        Some(*self.used.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends it for good.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        if let Some(link) = self.up() {
            link.close();
        }
        self.wake.notify_one();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is an assignment: a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A modern server says nothing of its lists unless it is asked to.
fn subscribe(link: &Arc<Link>, ended: impl Fn(&[Kind]) + Send + 'static) {
    if link.era() != opening::Era::Modern {
        return;
    }
    let wanted = r#"{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}}"#;
    let name = link.name.clone();
    link.ask(
        "subscriptions/listen",
        Some(wanted),
        None,
        Box::new(move |outcome| {
            tracing::debug!(server = %name, ?outcome, "a subscription ended");
            // What changes from now on isn't told; what has changed meanwhile is read once more.
            ended(&[]);
        }),
    );
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(link) = self.up() {
            link.close();
        }
    }
}

//! Says that a list changed, in the manner of each era.
//!
//! rmcp's own `peer.notify_*_list_changed()` goes to a modern client too, although it did not subscribe; the
//! protocol forbids that.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_util::{FutureExt as _, future::join_all};
use rmcp::{
    ErrorData, Peer, RoleServer,
    model::SubscriptionFilter,
    service::{RequestContext, SubscriptionContext, SubscriptionSink},
};

use crate::guard::Arrived;

/// Who is told when a list changes. Cheap to clone; clones share.
///
/// * A client that opened with `initialize` is told freely: call [`Notifier::legacy`] in
///   `ServerHandler::initialize` (rmcp runs `on_initialized` beside the requests that follow, so too late for
///   them). If it has subscribed as well, it is told on the subscription only.
/// * A client of 2026-07-28 is told on the subscription it opened and of what it asked for: return
///   [`Notifier::listen`] from `ServerHandler::listen`, and what is served from `accepted_subscription_filter`.
#[derive(Clone, Debug, Default)]
pub struct Notifier {
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    legacy: Vec<Legacy>,
    modern: Vec<Subscription>,
    next: u64,
    /// When each list last changed.
    changed: Times,
}

#[derive(Clone, Debug)]
struct Legacy {
    peer: Peer<RoleServer>,
    /// When it was last told of each list.
    told: Times,
}

#[derive(Clone, Debug)]
struct Subscription {
    ticket: u64,
    peer: Peer<RoleServer>,
    sink: SubscriptionSink,
}

#[derive(Clone, Copy)]
enum List {
    Prompts,
    Tools,
}

#[derive(Clone, Copy, Debug, Default)]
struct Times {
    prompts: Option<Instant>,
    tools: Option<Instant>,
}

impl Times {
    fn of(&mut self, list: List) -> &mut Option<Instant> {
        match list {
            List::Prompts => &mut self.prompts,
            List::Tools => &mut self.tools,
        }
    }
}

/// A client that reads nothing must not keep the others from being told: it is waited for no longer. What was
/// queued for it stays queued.
const PATIENCE: Duration = Duration::from_secs(2);

impl Notifier {
    /// Nobody yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a client that opened with `initialize`. A connection counts once, however often it is taken in.
    pub fn legacy(&self, peer: Peer<RoleServer>) {
        let mut known = self.lock();
        known
            .legacy
            .retain(|old| !old.peer.is_transport_closed() && !same(&old.peer, &peer));
        let told = Times::default();
        known.legacy.push(Legacy { peer, told });
    }

    /// Serves one `subscriptions/listen`: tells it of changes until the client cancels it or is gone.
    ///
    /// # Errors
    ///
    /// None; the type is that of `ServerHandler::listen`.
    pub async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let one = Subscription {
            ticket: 0,
            peer: subscription.request_context().peer.clone(),
            sink: subscription.sink().clone(),
        };
        let (ticket, missed) = self.subscribe(one.clone(), subscription.request_context());
        // Taken out also if this future is dropped.
        let _leave = Leave {
            notifier: self,
            ticket,
        };
        let catch_up = async {
            for list in missed {
                on_subscription(&one, list).await;
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = subscription.cancelled() => {}
            () = catch_up => {}
        }
        Ok(())
    }

    /// Tells everyone concerned that `prompts/list` has changed. Returns when it is written, after two
    /// seconds at the latest.
    pub async fn prompts_changed(&self) {
        self.tell(List::Prompts).await;
    }

    /// Tells everyone concerned that `tools/list` has changed. Returns when it is written, after two
    /// seconds at the latest.
    pub async fn tools_changed(&self) {
        self.tell(List::Tools).await;
    }

    async fn tell(&self, list: List) {
        let (legacy, modern) = self.concerned(list);
        let free = legacy.iter().map(|peer| freely(peer, list).boxed());
        let subscribed = modern.iter().map(|one| on_subscription(one, list).boxed());
        let all = join_all(free.chain(subscribed));
        if tokio::time::timeout(PATIENCE, all).await.is_err() {
            tracing::warn!("a client does not read what it is told");
        }
    }

    /// Takes a subscription in. rmcp acknowledges it before it calls `listen`, so a list may have changed since the
    /// client believes itself subscribed: those lists are given back.
    fn subscribe(
        &self,
        mut one: Subscription,
        request: &RequestContext<RoleServer>,
    ) -> (u64, Vec<List>) {
        let mut known = self.lock();
        let mut missed = Vec::new();
        if let Some(Arrived(arrived)) = request.extensions.get() {
            // If it opened with `initialize` it may have been told freely meanwhile.
            let free = known.legacy.iter().find(|free| same(&free.peer, &one.peer));
            let (mut changed, mut told) = (
                known.changed,
                free.map_or(Times::default(), |free| free.told),
            );
            missed.extend([List::Prompts, List::Tools]);
            missed.retain(|list| {
                list.is_in(one.sink.accepted())
                    && *changed.of(*list) >= Some(*arrived)
                    && *told.of(*list) < Some(*arrived)
            });
        }
        let ticket = known.next;
        known.next += 1;
        one.ticket = ticket;
        known.modern.push(one);
        (ticket, missed)
    }

    /// Who is told of a change of this list.
    fn concerned(&self, list: List) -> (Vec<Peer<RoleServer>>, Vec<Subscription>) {
        let now = Some(Instant::now());
        let mut known = self.lock();
        *known.changed.of(list) = now;
        known.legacy.retain(|free| !free.peer.is_transport_closed());
        let mut modern = known.modern.clone();
        modern.retain(|one| list.is_in(one.sink.accepted()));
        let mut legacy = Vec::new();
        for free in &mut known.legacy {
            if !modern.iter().any(|one| same(&one.peer, &free.peer)) {
                *free.told.of(list) = now;
                legacy.push(free.peer.clone());
            }
        }
        (legacy, modern)
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // Every change is a single push, retain or remove: a panic elsewhere leaves nothing half done.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Leave<'a> {
    notifier: &'a Notifier,
    ticket: u64,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.notifier
            .lock()
            .modern
            .retain(|one| one.ticket != self.ticket);
    }
}

impl List {
    fn is_in(self, accepted: &SubscriptionFilter) -> bool {
        let wanted = match self {
            Self::Prompts => accepted.prompts_list_changed,
            Self::Tools => accepted.tools_list_changed,
        };
        wanted == Some(true)
    }
}

async fn freely(peer: &Peer<RoleServer>, list: List) {
    let told = match list {
        List::Prompts => peer.notify_prompt_list_changed().await,
        List::Tools => peer.notify_tool_list_changed().await,
    };
    if let Err(error) = told {
        tracing::debug!(%error, "a client was gone before it could be told of a change");
    }
}

async fn on_subscription(one: &Subscription, list: List) {
    let told = match list {
        List::Prompts => one.sink.notify_prompt_list_changed().await,
        List::Tools => one.sink.notify_tool_list_changed().await,
    };
    if let Err(error) = told {
        tracing::debug!(%error, "a subscription ended before it could be told of a change");
    }
}

/// Whether two handles belong to one connection: its handles share what the client said of itself.
fn same(one: &Peer<RoleServer>, other: &Peer<RoleServer>) -> bool {
    match (one.peer_info(), other.peer_info()) {
        (Some(one), Some(other)) => Arc::ptr_eq(&one, &other),
        _ => false,
    }
}

//! The requests of one client that are not answered yet.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use rmcp::model::RequestId;
use tokio::sync::watch;

use crate::{outlet::Outlet, upstream::Link};

/// Requests under way, each under a number that is never used twice: the late answer to a cancelled one can't reach a
/// later one of the same id.
#[derive(Default)]
pub(super) struct Flight {
    table: Mutex<Table>,
    /// How many answers the client waits for; subscriptions, which end only when cancelled, do not count.
    owed: watch::Sender<usize>,
}

#[derive(Default)]
struct Table {
    last: u64,
    keys: HashMap<RequestId, u64>,
    open: HashMap<u64, Open>,
}

/// One request under way.
pub(super) struct Open {
    id: RequestId,
    /// Where its answer goes.
    pub(super) outlet: Arc<dyn Outlet>,
    /// Where it was handed on to, and its number there.
    pub(super) handed: Option<(Weak<Link>, u64)>,
    owed: bool,
}

impl Open {
    /// Its id, as JSON.
    pub(super) fn id(&self) -> String {
        self.id.clone().into_json_value().to_string()
    }
}

impl Flight {
    pub(super) fn has(&self, id: &RequestId) -> bool {
        self.lock().keys.contains_key(id)
    }

    /// Notes a request and gives its number. The id must not be under way.
    pub(super) fn start(&self, id: RequestId, outlet: Arc<dyn Outlet>, owed: bool) -> u64 {
        let mut table = self.lock();
        table.last += 1;
        let key = table.last;
        table.keys.insert(id.clone(), key);
        let open = Open {
            id,
            outlet,
            handed: None,
            owed,
        };
        table.open.insert(key, open);
        if owed {
            self.owed.send_modify(|owed| *owed += 1);
        }
        key
    }

    /// Notes where a request was handed on to. False if it isn't under way any more.
    pub(super) fn handed(&self, key: u64, link: &Arc<Link>, number: u64) -> bool {
        match self.lock().open.get_mut(&key) {
            Some(open) => {
                open.handed = Some((Arc::downgrade(link), number));
                true
            }
            None => false,
        }
    }

    /// Where the answer goes.
    pub(super) fn outlet(&self, key: u64) -> Option<Arc<dyn Outlet>> {
        Some(self.lock().open.get(&key)?.outlet.clone())
    }

    /// The client's id, as JSON.
    pub(super) fn id(&self, key: u64) -> Option<String> {
        Some(self.lock().open.get(&key)?.id())
    }

    /// Whether it is still under way.
    pub(super) fn is_open(&self, key: u64) -> bool {
        self.lock().open.contains_key(&key)
    }

    /// The number of the request with this id.
    pub(super) fn key(&self, id: &RequestId) -> Option<u64> {
        self.lock().keys.get(id).copied()
    }

    /// It is answered or cancelled: its id is free.
    pub(super) fn end(&self, key: u64) -> Option<Open> {
        let mut table = self.lock();
        let open = table.open.remove(&key)?;
        table.keys.remove(&open.id);
        if open.owed {
            self.owed.send_modify(|owed| *owed -= 1);
        }
        Some(open)
    }

    /// All that are under way.
    pub(super) fn keys(&self) -> Vec<u64> {
        self.lock().open.keys().copied().collect()
    }

    /// Waits until nothing is owed.
    pub(super) async fn landed(&self) {
        let mut owed = self.owed.subscribe();
        // The sender is in `self`, so this cannot fail before it is true.
        let _ = owed.wait_for(|owed| *owed == 0).await;
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        // Nothing in here panics between two changes that belong together.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

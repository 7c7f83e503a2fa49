//! The requests that were handed on and are not answered yet.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rmcp::model::RequestId;
use tokio::sync::watch;

use crate::explain::Asked;

/// Requests under way. Behind the front each has a number of its own that is never used twice, so the late answer
/// to a cancelled request cannot reach a later one to which the client gave the same id.
#[derive(Clone, Debug, Default)]
pub(super) struct Flight {
    table: Arc<Mutex<Table>>,
    /// How many answers the client waits for; subscriptions, which end only when cancelled, do not count.
    owed: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Table {
    last: i64,
    inner: HashMap<RequestId, i64>,
    open: HashMap<i64, Pending>,
}

/// One request under way.
#[derive(Debug)]
pub(super) struct Pending {
    /// The client's own id.
    pub(super) id: RequestId,
    pub(super) asked: Asked,
    owed: bool,
}

impl Flight {
    pub(super) fn has(&self, id: &RequestId) -> bool {
        self.lock().inner.contains_key(id)
    }

    /// Notes a request and gives its number. The id must not be under way.
    pub(super) fn start(&self, id: RequestId, asked: Asked, owed: bool) -> i64 {
        let mut table = self.lock();
        // 2^63 requests do not happen.
        table.last = table.last.wrapping_add(1);
        let number = table.last;
        table.inner.insert(id.clone(), number);
        table.open.insert(number, Pending { id, asked, owed });
        if owed {
            self.owed.send_modify(|owed| *owed += 1);
        }
        number
    }

    /// The client cancelled a request: its number, if it is under way. From now on the id is free.
    pub(super) fn cancel(&self, id: &RequestId) -> Option<i64> {
        let number = self.lock().inner.get(id).copied()?;
        self.end(number);
        Some(number)
    }

    /// A request is answered. From now on its id is free.
    pub(super) fn end(&self, number: i64) -> Option<Pending> {
        let mut table = self.lock();
        let pending = table.open.remove(&number)?;
        table.inner.remove(&pending.id);
        if pending.owed {
            self.owed.send_modify(|owed| *owed -= 1);
        }
        Some(pending)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().open.is_empty()
    }

    /// Takes out any one request that is still under way.
    pub(super) fn give_up(&self) -> Option<i64> {
        let number = self.lock().open.keys().next().copied()?;
        self.end(number);
        Some(number)
    }

    /// The client's id of a request under way.
    pub(super) fn id(&self, number: i64) -> Option<RequestId> {
        Some(self.lock().open.get(&number)?.id.clone())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Asked {
        Asked::of(&serde_json::Value::Null)
    }

    #[test]
    fn an_id_is_free_again_once_answered_or_cancelled_and_numbers_are_not_reused() {
        let flight = Flight::default();
        let id = RequestId::Number(7);
        let first = flight.start(id.clone(), asked(), true);
        assert!(flight.has(&id));
        assert_eq!(flight.cancel(&id), Some(first));
        assert!(!flight.has(&id));
        let second = flight.start(id.clone(), asked(), true);
        assert_ne!(first, second);
        // The late answer to the cancelled one finds nobody.
        assert!(flight.end(first).is_none());
        assert_eq!(flight.end(second).unwrap().id, id);
        assert!(!flight.has(&id));
    }

    #[test]
    fn the_number_one_and_the_string_one_are_two_ids() {
        let flight = Flight::default();
        flight.start(RequestId::Number(1), asked(), true);
        assert!(!flight.has(&RequestId::String("1".into())));
    }

    #[tokio::test]
    async fn a_subscription_is_not_waited_for() {
        let flight = Flight::default();
        flight.start(RequestId::Number(1), asked(), false);
        flight.landed().await;
    }
}

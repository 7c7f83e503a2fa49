//! The requests of one session that are being answered.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rea_front::Asked;
use rmcp::model::RequestId;

/// In the extensions of a message: the number that stands for the client's id behind the front. A client may use
/// an id again once it was answered or cancelled; what a cancelled request still gives must not be taken for the
/// answer to the new one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number(pub(super) i64);

/// A request that is being answered.
#[derive(Debug)]
pub(super) struct Pending {
    /// The client's id.
    pub(super) id: RequestId,
    /// What is needed to explain a refusal.
    pub(super) asked: Asked,
}

/// Why a request can't be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoRoom {
    /// A request of this id is being answered.
    Twice,
    /// As many as may be are being answered.
    Full,
}

#[derive(Debug)]
pub(super) struct Flight {
    most: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    next: i64,
    under_way: HashMap<i64, Pending>,
    numbers: HashMap<RequestId, i64>,
}

impl Flight {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            inner: Mutex::default(),
        }
    }

    pub(super) fn start(&self, id: RequestId, asked: Asked) -> Result<Number, NoRoom> {
        let mut inner = self.lock();
        if inner.numbers.contains_key(&id) {
            return Err(NoRoom::Twice);
        }
        if inner.under_way.len() >= self.most {
            return Err(NoRoom::Full);
        }
        let number = inner.next;
        inner.next += 1;
        inner.numbers.insert(id.clone(), number);
        inner.under_way.insert(number, Pending { id, asked });
        Ok(Number(number))
    }

    pub(super) fn has(&self, id: &RequestId) -> bool {
        self.lock().numbers.contains_key(id)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().under_way.is_empty()
    }

    /// The client wants no answer any more. The number by which the work can be stopped, if it is under way.
    pub(super) fn cancel(&self, id: &RequestId) -> Option<Number> {
        let mut inner = self.lock();
        let number = inner.numbers.remove(id)?;
        inner.under_way.remove(&number);
        Some(Number(number))
    }

    /// An answer came; `None` if nobody waits for it.
    pub(super) fn end(&self, number: &RequestId) -> Option<Pending> {
        let mut inner = self.lock();
        let pending = inner.under_way.remove(&as_number(number)?)?;
        inner.numbers.remove(&pending.id);
        Some(pending)
    }

    /// The client's id of a request under way.
    pub(super) fn id(&self, number: &RequestId) -> Option<RequestId> {
        let inner = self.lock();
        let pending = inner.under_way.get(&as_number(number)?)?;
        Some(pending.id.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Both maps change together, without anything between that could panic.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn as_number(id: &RequestId) -> Option<i64> {
    match id {
        RequestId::Number(number) => Some(*number),
        RequestId::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_id_is_used_once_at_a_time_and_the_late_answer_is_nobodys() {
        let flight = Flight::new(2);
        let asked = || Asked::of(&json!({}));
        let id = RequestId::Number(7);
        let first = flight.start(id.clone(), asked()).unwrap();
        assert_eq!(
            flight.start(id.clone(), asked()).unwrap_err(),
            NoRoom::Twice
        );
        assert_eq!(flight.cancel(&id).unwrap().0, first.0);
        let second = flight.start(id.clone(), asked()).unwrap();
        assert!(flight.end(&RequestId::Number(first.0)).is_none());
        assert_eq!(flight.end(&RequestId::Number(second.0)).unwrap().id, id);
        assert!(flight.is_empty());
    }

    #[test]
    fn there_is_a_bound() {
        let flight = Flight::new(1);
        let asked = || Asked::of(&json!({}));
        assert!(flight.start(RequestId::Number(1), asked()).is_ok());
        let more = flight.start(RequestId::Number(2), asked());
        assert_eq!(more.unwrap_err(), NoRoom::Full);
    }
}

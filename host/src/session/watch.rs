//! Hearing how far a piece of work is, and telling it to stop.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// What work says of itself: a stage for people, and how much of it is done of how much.
pub type Listener = dyn Fn(&str, u64, u64) + Send + Sync;

/// Given to work that may take long. Clones share one cancellation.
#[derive(Clone)]
pub struct Watch {
    listener: Arc<Listener>,
    cancelled: Arc<AtomicBool>,
}

impl Watch {
    /// A watch that tells `listener` how far the work is.
    pub fn new(listener: Arc<Listener>) -> Watch {
        Watch {
            listener,
            cancelled: Arc::new(AtomicBool::new(false)),
        }
    }

    /// A watch that nobody looks at.
    pub fn silent() -> Watch {
        Watch::new(Arc::new(|_, _, _| {}))
    }

    /// Tells the work to stop at the next opportunity.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the work was told to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Says how far a stage is.
    pub fn report(&self, stage: &str, done: u64, total: u64) {
        (self.listener)(stage, done, total);
    }

    /// Cancels the work when dropped: for a caller whose own future may be dropped while a thread works.
    pub fn cancel_on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(Some(self.clone()))
    }
}

/// See [`Watch::cancel_on_drop`].
pub struct CancelOnDrop(Option<Watch>);

impl CancelOnDrop {
    /// The work ended by itself.
    pub fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(watch) = &self.0 {
            watch.cancel();
        }
    }
}

//! Notices that somebody else changed the file.
//!
//! By looking, four times a second, and not through the system's notifications: one `stat` takes a microsecond, works where
//! notifications don't (network folders, folders shared with a container or a virtual machine), and has no special cases (a folder
//! that isn't there yet, a link, a file that is replaced). A second is allowed; no dependency is needed.

use std::{sync::Arc, time::Duration};

use tokio::{task::JoinHandle, time::MissedTickBehavior};

use super::{change::Store, error::StoreError};
use crate::component::switch::Damage;

/// Between two looks.
const INTERVAL: Duration = Duration::from_millis(250);

/// What a look has brought.
#[derive(Debug)]
pub enum News {
    /// Somebody else changed these conversations. Listeners of the switch have heard of it.
    Changed(Vec<String>),
    /// The file is damaged now. What was readable holds; else the positions known before stand.
    Damaged(Damage),
    /// The file can't be read now; the positions known before stand. Said once, until it can be read again.
    Unreadable(StoreError),
}

/// Keeps looking until it is dropped.
#[must_use = "it looks as long as this is kept"]
pub struct Watching {
    task: JoinHandle<()>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Store {
    /// Looks after the file. `tell` hears what somebody else did, within half a second; it must not wait.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn watch(&self, tell: Arc<dyn Fn(News) + Send + Sync>) -> Watching {
        let store = self.clone();
        let task = tokio::spawn(async move {
            let mut looks = tokio::time::interval(INTERVAL);
            looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut readable = true;
            loop {
                looks.tick().await;
                match store.refresh().await {
                    Ok(adopted) => {
                        readable = true;
                        let Some(adopted) = adopted else { continue };
                        if !adopted.conversations.is_empty() {
                            tell(News::Changed(adopted.conversations));
                        }
                        if let Some(damage) = adopted.damage {
                            tell(News::Damaged(damage));
                        }
                    }
                    Err(error) => {
                        if std::mem::replace(&mut readable, false) {
                            tell(News::Unreadable(error));
                        }
                    }
                }
            }
        });
        Watching { task }
    }
}

//! The store: the file and the switch that knows it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::sync::Mutex;

use super::{
    error::StoreError,
    file::{self, Signature},
    lock::Lock,
    path,
};
use crate::component::{
    Defect,
    switch::{Adopted, Change, Damage, Switch},
};

/// How long a change waits for others who are changing the file. They take milliseconds each.
const WAIT: Duration = Duration::from_secs(10);

/// A change that was stored and adopted.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// The conversation.
    pub conversation: String,
    /// Its position now.
    pub enabled: bool,
    /// All conversations whose position is another now: of this one, if the change was one, and of those that somebody
    /// else had changed meanwhile.
    pub conversations: Vec<String>,
    /// What was wrong with the file before, and where it was kept.
    pub damage: Option<(Damage, PathBuf)>,
}

/// The state file and the switch that goes by it. Clones are handles of the same one.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    switch: Switch,
    wait: Duration,
    /// Who changes waits here, and not at the lock, for the others of this process.
    turn: Mutex<()>,
    /// What was adopted last. Held from reading to adopting, so that what is adopted is the latest.
    adopted: Mutex<Seen>,
}

/// What was adopted last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// Nothing, or what is written and not yet adopted.
    Nothing,
    /// There was no file.
    NoFile,
    /// A file.
    File(Signature),
}

impl From<Option<Signature>> for Seen {
    fn from(signature: Option<Signature>) -> Self {
        signature.map_or(Seen::NoFile, Seen::File)
    }
}

impl Store {
    /// Reads the file and lets the switch adopt it. Also says what is wrong with it: warn once. A file that isn't there is
    /// none: it is made at the first change.
    ///
    /// # Errors
    /// If something is there that can't be read.
    ///
    /// # Panics
    /// Outside of a tokio runtime with its drivers enabled.
    pub async fn open(
        path: PathBuf,
        switch: Switch,
    ) -> Result<(Store, Option<Damage>), StoreError> {
        Store::open_within(path, switch, WAIT).await
    }

    /// The same, where a change waits for others for another time than 10 s.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open_within(
        path: PathBuf,
        switch: Switch,
        wait: Duration,
    ) -> Result<(Store, Option<Damage>), StoreError> {
        survive_size_limit();
        let store = Store {
            inner: Arc::new(Inner {
                path,
                switch,
                wait,
                turn: Mutex::new(()),
                adopted: Mutex::new(Seen::Nothing),
            }),
        };
        let adopted = store.refresh().await?;
        Ok((store, adopted.and_then(|adopted| adopted.damage)))
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// The switch that goes by it.
    pub fn switch(&self) -> &Switch {
        &self.inner.switch
    }

    /// Changes a position: in the file, flushed to the disk, then in the switch. By the time it returns listeners of the switch have
    /// heard of it. A caller who stops waiting doesn't stop it.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub async fn change(&self, change: Change) -> Result<Changed, StoreError> {
        let inner = Arc::clone(&self.inner);
        tokio::spawn(async move { inner.change(change).await })
            .await
            .map_err(|error| StoreError::Defect(Defect::from_text(error.to_string())))?
    }

    /// Adopts the file if it isn't the one that was adopted last; gives what has come of that.
    ///
    /// # Errors
    /// If it can't be read; the positions known before stand.
    pub async fn refresh(&self) -> Result<Option<Adopted>, StoreError> {
        self.inner.refresh().await
    }
}

impl Inner {
    async fn change(&self, change: Change) -> Result<Changed, StoreError> {
        let _turn = self.turn.lock().await;
        let (named, wait) = (self.path.clone(), self.wait);
        let (real, lock) = blocking(move || {
            let real = path::real(&named).map_err(super::error::at("follow", &named))?;
            file::make_folder(&real)?;
            let lock = Lock::take(&real, wait)?;
            Ok((real, lock))
        })
        .await?;

        let mut adopted = self.adopted.lock().await;
        let most = self.switch.limits().document_bytes;
        let reading = real.clone();
        let current = blocking(move || file::read(&reading, most)).await?;
        let current = current.map(|content| content.bytes);
        let written = self.switch.prepare_write(current, change).await?;

        let (document, damaged) = (written.document.clone(), written.damage.is_some());
        let (signature, aside) = blocking(move || {
            let aside = match damaged {
                true => Some(file::keep_aside(&real)?),
                false => None,
            };
            file::replace(&real, &document, || lock.check())?;
            let signature = Signature::at(&real);
            drop(lock);
            Ok((signature, aside))
        })
        .await?;

        // Until it is adopted: if that fails, the next look at the file tries again.
        *adopted = Seen::Nothing;
        let news = self.switch.adopt(Some(written.document)).await?;
        if let Ok(signature) = signature {
            *adopted = signature.into();
        }
        Ok(Changed {
            conversation: written.conversation,
            enabled: written.enabled,
            conversations: news.conversations,
            damage: written.damage.zip(aside),
        })
    }

    async fn refresh(&self) -> Result<Option<Adopted>, StoreError> {
        let mut adopted = self.adopted.lock().await;
        let (seen, path) = (*adopted, self.path.clone());
        let most = self.switch.limits().document_bytes;
        let content = blocking(move || {
            if Seen::from(Signature::at(&path)?) == seen {
                return Ok(None);
            }
            file::read(&path, most).map(Some)
        })
        .await?;
        let Some(content) = content else {
            return Ok(None);
        };
        let signature = content.as_ref().map(|content| content.signature);
        let document = content.map(|content| content.bytes);
        let news = self.switch.adopt(document).await?;
        *adopted = signature.into();
        Ok(Some(news))
    }
}

/// Work that waits for the disk or for a lock.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| StoreError::Defect(Defect::from_text(error.to_string())))?
}

/// Where a limit on the size of files (`ulimit -f`) is reached the system sends a signal that ends the process, unless somebody
/// listens for it: then the write fails with an error that says what is the matter. Children don't inherit this.
fn survive_size_limit() {
    use tokio::signal::unix::{SignalKind, signal};
    // SIGXFSZ, on every system that this program runs on.
    const SIGXFSZ: i32 = 25;
    if let Err(error) = signal(SignalKind::from_raw(SIGXFSZ)) {
        tracing::debug!("a limit on file sizes will end the program: {error}");
    }
}

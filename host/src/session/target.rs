//! One opened target: cold after it is opened, ready once a tool wanted to read it.

use std::{
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use rea_provider::{Binary, Inventory, Monitor};
use tokio::sync::watch as channel;

use super::{
    error::{SessionError, index_failure},
    evidence::{Subject, SubjectDigest, hex},
    pages::Pages,
    watch::Watch,
};
use crate::component::{Extent, ProcedureIndex, Program, SessionView};

/// A target. Tools that are at work hold it, so it outlives a switch until they end.
pub struct Target {
    binary: Arc<Binary>,
    run_id: String,
    closings: usize,
    digest: channel::Receiver<Digest>,
    /// Bytes of the file that are in the digest already.
    digested: Arc<AtomicU64>,
    ready: RwLock<Option<Arc<Ready>>>,
    /// One builder at a time; the others wait for its result.
    building: tokio::sync::Mutex<()>,
}

/// What a ready target has.
pub struct Ready {
    inventory: Arc<Inventory>,
    index: RwLock<Option<ProcedureIndex>>,
    /// Why there is no index, if building it failed.
    index_failure: Option<String>,
}

impl Target {
    /// A cold target. Its digest is computed on a thread of its own from now on.
    pub(super) fn new(binary: Binary, run_id: String, closings: usize) -> Target {
        let binary = Arc::new(binary);
        let digested = Arc::new(AtomicU64::new(0));
        let digest = digest_on_a_thread(Arc::clone(&binary), Arc::clone(&digested));
        Target {
            binary,
            run_id,
            closings,
            digest,
            digested,
            ready: RwLock::new(None),
            building: tokio::sync::Mutex::new(()),
        }
    }

    /// The file.
    pub fn binary(&self) -> &Arc<Binary> {
        &self.binary
    }

    /// Names this opening: another one, of the same file too, has another.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// How often the session had been closed when this was opened.
    pub(super) fn closings(&self) -> usize {
        self.closings
    }

    /// What was read, if it was and its index serves.
    pub fn ready(&self) -> Option<Arc<Ready>> {
        self.ready
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Reads the target if nobody has; waits if somebody is about to.
    ///
    /// # Errors
    /// If the file can't be read (any more), or the request was cancelled.
    pub(super) async fn make_ready(
        &self,
        program: &Arc<Program>,
        session: &Arc<dyn SessionView>,
        watch: &Watch,
    ) -> Result<Arc<Ready>, SessionError> {
        if let Some(ready) = self.ready().filter(|ready| ready.is_sound()) {
            return Ok(ready);
        }
        let _turn = self.building.lock().await;
        let known = self.ready();
        if let Some(ready) = known.clone().filter(|ready| ready.is_sound()) {
            return Ok(ready);
        }
        // The index was lost to a trap: the inventory still stands.
        let inventory = match known {
            Some(ready) => Arc::clone(&ready.inventory),
            None => self.read_inventory(watch).await?,
        };
        let ready = Arc::new(index(inventory, program, session, watch).await?);
        *self.ready.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&ready));
        Ok(ready)
    }

    async fn read_inventory(&self, watch: &Watch) -> Result<Arc<Inventory>, SessionError> {
        let (binary, monitor) = (Arc::clone(&self.binary), Monitored::new("reading", watch));
        // If this future is dropped, the thread is told to stop.
        let guard = watch.cancel_on_drop();
        let inventory = tokio::task::spawn_blocking(move || binary.inventory(&monitor)).await?;
        guard.disarm();
        Ok(Arc::new(inventory?))
    }

    /// SHA-256 of the file, in hex; nothing if it isn't computed within `limit`. Says meanwhile how far it is.
    ///
    /// # Errors
    /// If the file changed or vanished meanwhile.
    pub async fn digest(
        &self,
        limit: Duration,
        watch: &Watch,
    ) -> Result<Option<String>, SessionError> {
        let mut digest = self.digest.clone();
        let size = self.binary.identity().size;
        let end = tokio::time::Instant::now() + limit;
        loop {
            let wait = end.min(tokio::time::Instant::now() + PATIENCE);
            let told = tokio::time::timeout_at(wait, digest.wait_for(Option::is_some)).await;
            let Ok(told) = told else {
                if tokio::time::Instant::now() >= end {
                    return Ok(None);
                }
                watch.report("hashing", self.digested.load(Ordering::Relaxed), size);
                continue;
            };
            let told =
                told.map_err(|_| SessionError::Internal("the digest thread ended".into()))?;
            return match &*told {
                Some(Err(reason)) => Err(SessionError::Internal(reason.clone())),
                Some(Ok(digest)) => Ok(Some(digest.clone())),
                None => Ok(None),
            };
        }
    }

    /// The digest if it is known already.
    pub fn known_digest(&self) -> Option<String> {
        self.digest
            .borrow()
            .as_ref()
            .and_then(|digest| digest.as_ref().ok())
            .cloned()
    }

    /// The subject of evidence about this target; nothing if its digest isn't there within `limit`.
    ///
    /// # Errors
    /// As [`Target::digest`].
    pub async fn subject(
        &self,
        limit: Duration,
        watch: &Watch,
    ) -> Result<Option<Subject>, SessionError> {
        let identity = self.binary.identity();
        Ok(self.digest(limit, watch).await?.map(|sha256| Subject {
            name: identity.file_name.clone(),
            digest: SubjectDigest { sha256 },
            format: identity.format.to_string(),
            architecture: Some(identity.architecture.to_string()),
            local_path: identity.path.display().to_string(),
        }))
    }
}

impl Ready {
    /// The inventory.
    pub fn inventory(&self) -> &Arc<Inventory> {
        &self.inventory
    }

    /// The index, unless it couldn't be built or is lost.
    pub fn index(&self) -> Option<ProcedureIndex> {
        self.index
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Drops an index that failed; the next tool that reads the target builds another.
    pub(super) fn lose_index(&self) {
        *self.index.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Why no procedure is offered for completion, if that is so.
    pub fn index_failure(&self) -> Option<&str> {
        self.index_failure.as_deref()
    }

    /// Names of the documents, in order.
    pub fn document_names(&self) -> Vec<String> {
        self.inventory
            .documents()
            .iter()
            .map(|document| document.name().to_owned())
            .collect()
    }

    /// Whether there is nothing to repair: it has its index, or one that can't be built.
    fn is_sound(&self) -> bool {
        self.index_failure.is_some() || self.index().is_some()
    }
}

async fn index(
    inventory: Arc<Inventory>,
    program: &Arc<Program>,
    session: &Arc<dyn SessionView>,
    watch: &Watch,
) -> Result<Ready, SessionError> {
    let pages = Arc::new(Pages(Arc::clone(&inventory)));
    let extents: Vec<Extent> = pages.extents();
    let built = ProcedureIndex::build(
        Arc::clone(program),
        Arc::clone(session),
        pages,
        extents,
        |progress| {
            watch.report("indexing", progress.done_units, progress.all_units);
            !watch.is_cancelled()
        },
    )
    .await;
    // The component has the names now; what is shown later is read again.
    for document in inventory.documents() {
        document.release_text();
    }
    let (index, index_failure) = match built {
        Ok(index) => (Some(index), None),
        Err(error) => match index_failure(&error) {
            Some(reason) => {
                tracing::error!("no index of procedures: {reason}");
                (None, Some(reason))
            }
            None => return Err(SessionError::Cancelled),
        },
    };
    Ok(Ready {
        inventory,
        index: RwLock::new(index),
        index_failure,
    })
}

/// How long somebody who waits for the digest goes without a word of it.
const PATIENCE: Duration = Duration::from_millis(200);

type Digest = Option<Result<String, String>>;

fn digest_on_a_thread(binary: Arc<Binary>, digested: Arc<AtomicU64>) -> channel::Receiver<Digest> {
    let (tell, hear) = channel::channel(None);
    let failed = tell.clone();
    let spawned = thread::Builder::new()
        .name("rea-digest".into())
        .spawn(move || {
            let monitor = WhileWanted { tell, digested };
            let digest = binary.sha256(&monitor).map(|digest| hex(&digest));
            let _ = monitor
                .tell
                .send(Some(digest.map_err(|error| error.to_string())));
        });
    if let Err(error) = spawned {
        let _ = failed.send(Some(Err(format!("no thread for the digest: {error}"))));
    }
    hear
}

/// Counts the bytes, and stops the digest once the target is dropped.
struct WhileWanted {
    tell: channel::Sender<Digest>,
    digested: Arc<AtomicU64>,
}

impl Monitor for WhileWanted {
    fn progress(&self, done: u64, _total: u64) {
        self.digested.store(done, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.tell.is_closed()
    }
}

/// A [`Watch`] as the provider knows it.
pub(crate) struct Monitored {
    stage: &'static str,
    watch: Watch,
}

impl Monitored {
    pub(crate) fn new(stage: &'static str, watch: &Watch) -> Monitored {
        Monitored {
            stage,
            watch: watch.clone(),
        }
    }
}

impl Monitor for Monitored {
    fn progress(&self, done: u64, total: u64) {
        self.watch.report(self.stage, done, total);
    }

    fn cancelled(&self) -> bool {
        self.watch.is_cancelled()
    }
}

//! The sessions of clients that open with `initialize`: whose they are, how many, how long.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use rea_front::{Rules, guarded};
use rmcp::{
    RoleServer, Service,
    service::serve_server_with_ct,
    transport::{
        TransportAdapterIdentity,
        streamable_http_server::session::{
            SessionId, SessionManager as _,
            local::{LocalSessionManager, LocalSessionManagerError, SessionTransport},
        },
    },
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::{flight::Flight, homeward::Homeward, info::RequestInfo};
use crate::{auth::Principal, config::Limits, refusal::Refusal};

/// A session with so little silence is not put out to make room for a new one.
const FRESH: Duration = Duration::from_secs(60);
/// How often the silent ones are looked for, at most.
const ROUND: Duration = Duration::from_secs(10);

pub(crate) struct Sessions {
    /// Carries the messages. Who may use what is decided here.
    pub(super) carrier: Arc<LocalSessionManager>,
    table: Mutex<HashMap<SessionId, Arc<Session>>>,
    room: Arc<Semaphore>,
    pub(super) limits: Limits,
    pub(super) end: CancellationToken,
}

/// One session.
pub(super) struct Session {
    pub(super) id: SessionId,
    path: String,
    principal: Principal,
    pub(super) rules: Rules,
    pub(super) flight: Arc<Flight>,
    activity: Activity,
    _permit: OwnedSemaphorePermit,
}

struct Activity {
    last: Mutex<Instant>,
    streams: AtomicUsize,
    /// The client had a stream and closed it.
    left: AtomicBool,
}

/// A stream of a session that is open.
pub(super) struct Open {
    session: Arc<Session>,
    /// Whether it is the one that stays open while nothing happens.
    standing: bool,
}

impl Sessions {
    pub(crate) fn new(limits: Limits, end: CancellationToken) -> Self {
        let mut carrier = LocalSessionManager::default();
        // How long a session lives is decided here, where it is known whether a stream of it is open.
        carrier.session_config.keep_alive = None;
        // Answers are short and come at once; a client is not told to come back for one.
        carrier.session_config.sse_retry = None;
        Self {
            carrier: Arc::new(carrier),
            table: Mutex::default(),
            room: Arc::new(Semaphore::new(limits.sessions)),
            limits,
            end,
        }
    }

    /// The session of this id, if it belongs to who asks, here. Whose it is otherwise is not told: it is as if
    /// there were none.
    pub(super) fn find(&self, id: &str, info: &RequestInfo) -> Option<Arc<Session>> {
        let session = Arc::clone(self.lock().get(id)?);
        let same = session.path == info.path() && session.principal == *info.principal();
        same.then(|| {
            session.touch();
            session
        })
    }

    /// Room for one more; of those that nobody has used for a while the most silent goes.
    pub(super) async fn room(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let full = || Refusal::full("there are too many sessions; end one, or try again later");
        if let Ok(permit) = Arc::clone(&self.room).try_acquire_owned() {
            return Ok(permit);
        }
        let silent = {
            let table = self.lock();
            let candidates = table.values().filter(|session| !session.is_busy());
            candidates
                .map(|session| (session.silence(), session.id.clone()))
                .max()
        };
        let Some((silence, id)) = silent else {
            return Err(full());
        };
        if silence < FRESH.min(self.limits.idle) {
            return Err(full());
        }
        self.forget(&id).await;
        Arc::clone(&self.room)
            .try_acquire_owned()
            .map_err(|_| full())
    }

    pub(super) async fn carry(
        &self,
    ) -> Result<(SessionId, SessionTransport), LocalSessionManagerError> {
        self.carrier.create_session().await
    }

    /// Takes a session in and serves it.
    pub(super) fn serve<S: Service<RoleServer>>(
        self: &Arc<Self>,
        (id, transport): (SessionId, SessionTransport),
        info: &RequestInfo,
        permit: OwnedSemaphorePermit,
        rules: Rules,
        service: S,
    ) -> Arc<Session> {
        let flight = Arc::new(Flight::new(self.limits.requests));
        let session = Arc::new(Session {
            id: id.clone(),
            path: info.path().to_owned(),
            principal: info.principal().clone(),
            rules,
            flight: Arc::clone(&flight),
            activity: Activity {
                last: Mutex::new(Instant::now()),
                streams: AtomicUsize::new(0),
                left: AtomicBool::new(false),
            },
            _permit: permit,
        });
        self.lock().insert(id.clone(), Arc::clone(&session));
        let (sessions, end) = (Arc::clone(self), self.end.child_token());
        tokio::spawn(async move {
            let transport = Homeward::new(transport, flight);
            let service = guarded(service);
            let served =
                serve_server_with_ct::<_, _, _, TransportAdapterIdentity>(service, transport, end);
            match served.await {
                Ok(running) => {
                    if let Err(error) = running.waiting().await {
                        tracing::error!(%error, "serving a session stopped");
                    }
                }
                // It was answered with the error.
                Err(error) => tracing::debug!(%error, "a session was not opened"),
            }
            sessions.forget(&id).await;
        });
        session
    }

    /// Ends a session, if it is still there.
    pub(super) async fn forget(&self, id: &SessionId) {
        let gone = self.lock().remove(id);
        drop(gone);
        if let Err(error) = self.carrier.close_session(id).await {
            tracing::debug!(%error, "a session was closed already");
        }
    }

    /// Ends silent sessions, for ever.
    pub(crate) async fn tend(&self) {
        let least = self.limits.idle.min(self.limits.left) / 4;
        let round = least.clamp(Duration::from_millis(20), ROUND);
        loop {
            tokio::time::sleep(round).await;
            let silent: Vec<SessionId> = {
                let table = self.lock();
                let expired = table
                    .values()
                    .filter(|session| session.is_over(&self.limits));
                expired.map(|session| session.id.clone()).collect()
            };
            for id in silent {
                tracing::debug!("a silent session ends");
                self.forget(&id).await;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<Session>>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    /// Notes that the client lives.
    pub(super) fn touch(&self) {
        *self.last() = Instant::now();
    }

    /// An open stream of it, until what is returned is dropped.
    pub(super) fn opened(self: &Arc<Self>, standing: bool) -> Open {
        self.activity.streams.fetch_add(1, Ordering::Relaxed);
        if standing {
            self.activity.left.store(false, Ordering::Relaxed);
        }
        Open {
            session: Arc::clone(self),
            standing,
        }
    }

    fn is_busy(&self) -> bool {
        self.activity.streams.load(Ordering::Relaxed) > 0 || !self.flight.is_empty()
    }

    fn silence(&self) -> Duration {
        self.last().elapsed()
    }

    fn is_over(&self, limits: &Limits) -> bool {
        let allowed = if self.activity.left.load(Ordering::Relaxed) {
            limits.left
        } else {
            limits.idle
        };
        // Work that never ends on behalf of a client that is gone must not keep the session for ever.
        let silence = self.silence();
        let streams = self.activity.streams.load(Ordering::Relaxed) > 0;
        !streams
            && silence > allowed
            && (self.flight.is_empty() || silence > limits.idle.saturating_mul(4))
    }

    fn last(&self) -> MutexGuard<'_, Instant> {
        self.activity
            .last
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let activity = &self.session.activity;
        activity.streams.fetch_sub(1, Ordering::Relaxed);
        if self.standing {
            activity.left.store(true, Ordering::Relaxed);
        }
        self.session.touch();
    }
}

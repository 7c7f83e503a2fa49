//! A server over Streamable HTTP: each message is a POST of its own, what comes back is JSON or a stream of events.
//!
//! hyper with rustls, and not a client with more comfort: what that would add (redirects, cookies, proxies, decompression) is
//! what must not happen to a configured address and its secrets.

mod post;
mod sse;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
    time::Duration,
};

use http_body_util::Full;
use hyper::{
    Uri,
    body::Bytes,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use tokio::{
    sync::{mpsc, watch},
    task::AbortHandle,
};

use super::{
    link::{Link, Outgoing, Wire},
    opening::Era,
};

/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_secs(10);
/// Messages that may wait to be sent.
const WAITING: usize = 10_000;

/// One server's address, and what goes along with each request.
struct Remote {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    uri: Uri,
    headers: HeaderMap,
    /// The session that the server gave.
    session: Mutex<Option<HeaderValue>>,
    /// The requests that are under way.
    open: Mutex<HashMap<u64, AbortHandle>>,
    link: OnceLock<Weak<Link>>,
}

struct HttpWire {
    queue: mpsc::UnboundedSender<Outgoing>,
    remote: Arc<Remote>,
    end: watch::Sender<bool>,
    waiting: Arc<std::sync::atomic::AtomicUsize>,
}

impl Wire for HttpWire {
    fn send(&self, message: Outgoing) {
        use std::sync::atomic::Ordering;
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // It fails only after the end.
        let _ = self.queue.send(message);
    }

    fn is_full(&self) -> bool {
        self.waiting.load(std::sync::atomic::Ordering::Relaxed) > WAITING
    }

    fn forget(&self, id: u64) {
        // In the modern era closing the response is the cancellation.
        if let Some(request) = lock(&self.remote.open).remove(&id)
            && self
                .remote
                .link()
                .is_some_and(|link| link.era() == Era::Modern)
        {
            request.abort();
        }
    }

    fn close(&self) {
        self.end.send_replace(true);
    }
}

/// Starts a connection; `make` makes the link of a wire. Fails with a sentence for a person.
pub(super) fn start(
    url: &str,
    headers: &BTreeMap<String, String>,
    make: impl FnOnce(Box<dyn Wire>) -> Arc<Link>,
) -> Result<Arc<Link>, String> {
    let uri: Uri = url
        .parse()
        .map_err(|error| format!("`{url}` is no address: {error}"))?;
    let mut fields = HeaderMap::new();
    for (name, value) in headers {
        let field = HeaderName::try_from(name.as_str());
        let field = field.map_err(|_| format!("`{name}` is no name of a header field"))?;
        // The value may be a secret.
        let mut value = HeaderValue::try_from(value.as_str())
            .map_err(|_| format!("the header field `{name}` has a value that can't be sent"))?;
        value.set_sensitive(true);
        fields.insert(field, value);
    }
    let remote = Arc::new(Remote {
        client: Client::builder(TokioExecutor::new()).build(connector()?),
        uri,
        headers: fields,
        session: Mutex::default(),
        open: Mutex::default(),
        link: OnceLock::new(),
    });
    let (queue, messages) = mpsc::unbounded_channel();
    let end = watch::Sender::new(false);
    let waiting = Arc::<std::sync::atomic::AtomicUsize>::default();
    let ended = end.subscribe();
    let link = make(Box::new(HttpWire {
        queue,
        remote: remote.clone(),
        end,
        waiting: waiting.clone(),
    }));
    // Set once, here.
    let _ = remote.link.set(Arc::downgrade(&link));
    tokio::spawn(run(remote, messages, ended, waiting));
    Ok(link)
}

fn connector() -> Result<HttpsConnector<HttpConnector>, String> {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(CONNECTING));
    let builder = hyper_rustls::HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(rustls::crypto::ring::default_provider())
        .map_err(|error| format!("the system's certificates can't be read: {error}"))?;
    Ok(builder.https_or_http().enable_http1().wrap_connector(tcp))
}

/// Sends what is queued. Notifications and answers one after the other, and before what comes after them; requests at
/// once, each on its own.
async fn run(
    remote: Arc<Remote>,
    mut messages: mpsc::UnboundedReceiver<Outgoing>,
    mut ended: watch::Receiver<bool>,
    waiting: Arc<std::sync::atomic::AtomicUsize>,
) {
    let mut listening = None;
    loop {
        let message = tokio::select! {
            biased;
            message = messages.recv() => message,
            _ = ended.wait_for(|ended| *ended) => None,
        };
        let Some(message) = message else { break };
        waiting.fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
        let initialized = message.method.as_deref() == Some("notifications/initialized");
        match message.id {
            Some(id) => {
                let of = remote.clone();
                let task = tokio::spawn(async move { of.request(id, message).await });
                lock(&remote.open).insert(id, task.abort_handle());
                if task.is_finished() {
                    lock(&remote.open).remove(&id);
                }
            }
            None => remote.tell(message).await,
        }
        if initialized {
            let of = remote.clone();
            listening = Some(tokio::spawn(async move { of.listen().await }).abort_handle());
        }
    }
    if let Some(listening) = listening {
        listening.abort();
    }
    for (_, task) in lock(&remote.open).drain() {
        task.abort();
    }
    remote.leave().await;
}

impl Remote {
    fn link(&self) -> Option<Arc<Link>> {
        self.link.get()?.upgrade()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every change is a single call.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

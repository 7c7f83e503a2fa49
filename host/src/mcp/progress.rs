//! Progress notifications, for requests that carry a token.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use rmcp::{
    RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};

use crate::session::Watch;

/// A client is told at most this often.
const INTERVAL: Duration = Duration::from_millis(100);

/// A watch over one request, heard by the client if it asked to hear. A request that is cancelled drops the future
/// that does the work, and that stops it.
pub(super) fn watch(context: &RequestContext<RoleServer>) -> Watch {
    match context.meta.get_progress_token() {
        Some(token) => Watch::new(notifier(context, token)),
        None => Watch::silent(),
    }
}

fn notifier(
    context: &RequestContext<RoleServer>,
    token: ProgressToken,
) -> Arc<crate::session::Listener> {
    let (peer, runtime) = (context.peer.clone(), tokio::runtime::Handle::current());
    let last = Mutex::new(Sent {
        at: None,
        progress: 0.0,
    });
    Arc::new(move |stage, done, total| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if last.at.is_some_and(|at| now.duration_since(at) < INTERVAL) {
            return;
        }
        // The protocol wants progress to grow; a second stage begins at nought, so it counts on from the first.
        let fraction = if total == 0 { 0.0 } else { ratio(done, total) };
        let progress = (last.progress.floor() + fraction).max(last.progress);
        if last.at.is_some() && progress <= last.progress {
            return;
        }
        *last = Sent {
            at: Some(now),
            progress,
        };
        let params = ProgressNotificationParam::new(token.clone(), progress)
            .with_message(format!("{stage} {:.0} %", fraction * 100.0));
        let peer = peer.clone();
        runtime.spawn(async move {
            if let Err(error) = peer.notify_progress(params).await {
                tracing::debug!("progress not delivered: {error}");
            }
        });
    })
}

struct Sent {
    at: Option<Instant>,
    progress: f64,
}

#[allow(clippy::cast_precision_loss, reason = "a percentage for people")]
fn ratio(done: u64, total: u64) -> f64 {
    (done as f64 / total as f64).clamp(0.0, 1.0)
}

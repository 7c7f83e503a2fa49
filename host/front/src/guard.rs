//! Answers for a handler that panics.

use std::{borrow::Cow, panic::AssertUnwindSafe, time::Instant};

use futures_util::FutureExt as _;
use rmcp::{
    ErrorData, RoleServer, Service,
    model::{ClientNotification, ClientRequest, ProtocolVersion, ServerConfig, ServerResult},
    service::{NotificationContext, RequestContext},
};

/// Wraps a handler so that a panic in it costs that one request: the client gets -32603 `internal error`, without
/// detail, and the connection goes on. The panic itself goes to `tracing`, and to the process's panic hook.
///
/// rmcp alone runs handlers in tasks of their own and would never answer such a request.
///
/// One exception is rmcp's: if `initialize` itself fails, serving ends.
pub fn guarded<S: Service<RoleServer>>(handler: S) -> Guarded<S> {
    Guarded { handler }
}

/// When a request came, in its `extensions`. A subscription is told of what has changed since.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived(pub(crate) Instant);

/// See [`guarded`].
#[derive(Clone, Debug)]
pub struct Guarded<S> {
    handler: S,
}

impl<S> Guarded<S> {
    /// The handler inside.
    pub fn inner(&self) -> &S {
        &self.handler
    }
}

impl<S: Service<RoleServer>> Service<RoleServer> for Guarded<S> {
    async fn handle_request(
        &self,
        request: ClientRequest,
        mut context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        context.extensions.insert(Arrived(Instant::now()));
        let id = context.id.clone();
        // Nothing that the handler left half done is read here afterwards, and what it shares with other
        // requests is behind locks that tell when their holder panicked.
        let work = async { self.handler.handle_request(request, context).await };
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(answer) => answer,
            Err(panic) => {
                tracing::error!(%id, panic = text(&*panic), "a request's handler panicked");
                Err(ErrorData::internal_error("internal error", None))
            }
        }
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let work = async {
            self.handler
                .handle_notification(notification, context)
                .await
        };
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(done) => done,
            Err(panic) => {
                tracing::error!(panic = text(&*panic), "a notification's handler panicked");
                Ok(())
            }
        }
    }

    fn get_info(&self) -> ServerConfig {
        self.handler.get_info()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.handler.supported_protocol_versions()
    }
}

fn text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("(no text)")
}

//! Runs a handler behind the front, from the first byte to the last.

use rmcp::{RoleServer, Service, ServiceExt as _, service::ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{Front, guarded};

/// Why serving ended other than by the client closing the connection.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The connection was never opened, because `initialize` itself failed or could not be answered.
    #[error("the connection could not be opened: {0}")]
    Open(#[source] Box<ServerInitializeError>),
    /// The task that served the connection was ended.
    #[error("serving stopped: {0}")]
    Stopped(#[from] tokio::task::JoinError),
}

/// Serves one client over a pair of byte streams and returns when the client closed its side and everything it
/// asked for is answered. A client that goes away is no error.
///
/// Must be called in a tokio runtime with time enabled. With `tokio::io::stdin()` as `read`, end the runtime with
/// `shutdown_background()`: a client that closes only our output leaves a read of standard input behind, and that
/// cannot be interrupted.
///
/// # Errors
///
/// See [`ServeError`].
pub async fn serve<H, R, W>(handler: H, read: R, write: W) -> Result<(), ServeError>
where
    H: Service<RoleServer>,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let front = Front::new(&handler, read, write);
    match guarded(handler).serve(front).await {
        Ok(running) => {
            running.waiting().await?;
            Ok(())
        }
        // The client closed before it opened anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(ServeError::Open(Box::new(error))),
    }
}

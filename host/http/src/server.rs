//! The listener and its connections.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc};

use axum::{Router, body::Body, extract::Request, response::Response};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tower_service::Service as _;

use crate::{
    auth::{Tokens, make_token},
    config::{Config, ConfigError, Limits},
    fence::Fence,
    gate::Ends,
    site::Site,
};

/// Bytes of a request's head at most, and header fields in it.
const HEAD_BYTES: usize = 64 << 10;
const HEAD_FIELDS: usize = 64;

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// A setting makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The address can't be had.
    #[error("can't listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    fence: Fence,
    tokens: Tokens,
    made: Option<String>,
    limits: Limits,
}

impl Server {
    /// Listens. Must be called in a tokio runtime with I/O and time enabled.
    ///
    /// # Errors
    ///
    /// See [`StartError`].
    pub async fn bind(config: Config) -> Result<Server, StartError> {
        let fence = Fence::new(&config)?;
        let failed = |source| StartError::Listen {
            address: config.address,
            source,
        };
        let listener = TcpListener::bind(config.address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let mut tokens = config.tokens;
        let open = address.ip().to_canonical().is_loopback();
        let made = (tokens.is_empty() && !open).then(make_token);
        tokens.extend(made.clone());
        Ok(Server {
            listener,
            address,
            fence,
            tokens: Tokens::new(tokens),
            made,
            limits: config.limits,
        })
    }

    /// Where it listens; the port is the real one.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The same as `http://ADDRESS:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The token that was made up, because the address is not a loopback one and none was given. Tell the user, on
    /// standard error; it is nowhere else.
    pub fn made_token(&self) -> Option<&str> {
        self.made.as_deref()
    }

    /// An empty site with this server's bounds.
    pub fn site(&self) -> Site {
        Site::new(self.limits)
    }

    /// Serves until `stop` is ready, then ends streams and sessions, and waits a little for answers under way.
    pub async fn serve(self, site: Site, stop: impl Future<Output = ()> + Send) {
        let (end, sessions, limits) = (site.end.clone(), Arc::clone(&site.sessions), self.limits);
        let router = site.router(self.fence, self.tokens);
        let open = GracefulShutdown::new();
        let room = Arc::new(Semaphore::new(limits.connections));
        let mut stop = std::pin::pin!(stop);
        let mut tended = std::pin::pin!(sessions.tend());
        loop {
            let next = async {
                let permit = Arc::clone(&room).acquire_owned().await.ok()?;
                Some((permit, accept(&self.listener).await))
            };
            let (permit, (stream, ends)) = tokio::select! {
                () = &mut stop => break,
                () = &mut tended => break,
                next = next => match next {
                    Some(next) => next,
                    None => break,
                },
            };
            let connection = open.watch(connection(stream, ends, router.clone(), limits));
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection ended");
                }
                drop(permit);
            });
        }
        drop(self.listener);
        end.cancel();
        if tokio::time::timeout(limits.grace, open.shutdown())
            .await
            .is_err()
        {
            tracing::warn!(
                "answers were still under way when the server stopped; they are given up"
            );
        }
    }
}

async fn accept(listener: &TcpListener) -> (TcpStream, Ends) {
    loop {
        let failed = match listener.accept().await {
            Ok((stream, peer)) => match stream.local_addr() {
                Ok(local) => {
                    // Answers are small and each is waited for.
                    let _ = stream.set_nodelay(true);
                    return (stream, Ends { local, peer });
                }
                Err(error) => error,
            },
            Err(error) => error,
        };
        // Too many open files, or a client that was gone at once: neither is a reason to stop.
        tracing::warn!(error = %failed, "a connection could not be taken");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

fn connection(
    stream: TcpStream,
    ends: Ends,
    router: Router,
    limits: Limits,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + Send + 'static {
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ends);
        let answer = router.clone().call(request.map(Body::new));
        async move {
            let answer: Result<Response, Infallible> = answer.await;
            answer
        }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_headers(HEAD_FIELDS)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
}

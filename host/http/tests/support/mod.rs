//! A server in this process, and the smallest client: bytes over a socket.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise, and not every test uses every helper"
)]

pub mod client;

#[path = "../../../front/examples/fixture/handler.rs"]
pub mod handler;
#[path = "../../examples/demo/switch.rs"]
pub mod switch;

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    thread::JoinHandle,
    time::Duration,
};

use handler::Fixture;
use rea_http::{Config, Refusal, RequestInfo, Server};
use tokio::sync::oneshot;

/// What opens a legacy session.
pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
/// `_meta` of a request of 2026-07-28.
pub const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}"#;

/// Calls of a factory: path and session.
pub type Made = Arc<Mutex<Vec<(String, Option<String>)>>>;

/// A running server, with the fixture at `/mcp` and at `/c/{conversation}/mcp`, and the switch.
pub struct Bed {
    pub address: SocketAddr,
    /// The factory's calls: path, session.
    pub made: Made,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Bed {
    pub fn start() -> Bed {
        Bed::with(|_| {})
    }

    pub fn with(change: impl FnOnce(&mut Config)) -> Bed {
        let mut config = Config::new("127.0.0.1:0".parse().unwrap());
        config.limits.grace = Duration::from_millis(500);
        change(&mut config);
        let made = Made::default();
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let seen = Arc::clone(&made);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(serve(config, seen, tell, async {
                let _ = stopped.await;
            }));
            runtime.shutdown_background();
        });
        Bed {
            address: told.recv().expect("the server starts"),
            made,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Stops the server; returns when it has.
    pub fn stop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn serve(
    config: Config,
    made: Made,
    tell: std::sync::mpsc::Sender<SocketAddr>,
    stop: impl Future<Output = ()> + Send,
) {
    let server = Server::bind(config).await.unwrap();
    tell.send(server.address()).unwrap();
    let known: Arc<Mutex<HashMap<String, Fixture>>> = Arc::default();
    let factory = move |info: RequestInfo| {
        let id = info.param("conversation").unwrap_or_default().to_owned();
        let session = info.session().map(str::to_owned);
        made.lock().unwrap().push((info.path().to_owned(), session));
        let known = Arc::clone(&known);
        async move {
            assert_ne!(id, "panic", "a detail that must not be told");
            if id == "nobody" {
                return Err(Refusal::not_found("no such conversation"));
            }
            Ok(known.lock().unwrap().entry(id).or_default().clone())
        }
    };
    let site = server
        .site()
        .mcp("/mcp", factory.clone())
        .mcp("/c/{conversation}/mcp", factory)
        .switch(switch::Fake::with_some());
    server.serve(site, stop).await;
}

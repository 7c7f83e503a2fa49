//! One writer for everything that goes out, in the order in which it was handed in.

use std::io;

use tokio::{
    io::{AsyncWrite, AsyncWriteExt as _},
    sync::{mpsc, oneshot, watch},
    task::JoinHandle,
};

/// Messages that wait are written together up to this many bytes.
const BATCH: usize = 64 * 1024;
/// While more than this waits for a client that does not read, nothing more is read from it.
const FULL: usize = 32 * 1024 * 1024;

/// Hands messages to the writer task. A message is one line; it goes out whole and is flushed.
pub struct Outbox {
    queue: Option<mpsc::UnboundedSender<Item>>,
    state: watch::Sender<State>,
    writer: Option<JoinHandle<()>>,
}

struct Item {
    line: Vec<u8>,
    written: oneshot::Sender<()>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Bytes that wait or are being written.
    waiting: usize,
    /// The other side is gone, or this one is closed.
    gone: bool,
}

impl Outbox {
    /// Must be called in a tokio runtime.
    pub fn new<W: AsyncWrite + Send + Unpin + 'static>(write: W) -> Self {
        let (queue, items) = mpsc::unbounded_channel();
        let state = watch::Sender::new(State::default());
        let writer = tokio::spawn(run(write, items, state.clone()));
        Self {
            queue: Some(queue),
            state,
            writer: Some(writer),
        }
    }

    /// Queues a line (its newline is added here). The future ends when it is written, or the client is gone.
    pub fn send(&self, mut line: Vec<u8>) -> impl Future<Output = ()> + Send + 'static {
        line.push(b'\n');
        let (written, wait) = oneshot::channel();
        if let Some(queue) = &self.queue {
            let size = line.len();
            self.state.send_modify(|state| state.waiting += size);
            if queue.send(Item { line, written }).is_err() {
                self.state.send_modify(|state| state.waiting -= size);
            }
        }
        async move {
            // An error means that the writer has ended: there is nobody left to write to.
            let _ = wait.await;
        }
    }

    /// Whether so much waits that nothing more should be asked for.
    pub fn is_full(&self) -> bool {
        self.state.borrow().waiting >= FULL
    }

    /// Waits while too much waits for the client. False when the client is gone.
    pub async fn room(&self) -> bool {
        self.until(|state| state.waiting < FULL).await
    }

    /// Waits until everything queued so far is written. False when the client is gone.
    pub async fn flushed(&self) -> bool {
        self.until(|state| state.waiting == 0).await
    }

    /// Waits until the client is gone.
    pub async fn gone(&self) {
        self.until(|_| false).await;
    }

    /// Takes nothing more, and waits until all is written.
    pub async fn close(&mut self) {
        self.queue = None;
        if let Some(writer) = &mut self.writer {
            // It ends when the queue does; it does not panic.
            let _ = writer.await;
        }
        self.writer = None;
    }

    async fn until(&self, enough: impl Fn(&State) -> bool) -> bool {
        let mut states = self.state.subscribe();
        match states.wait_for(|state| state.gone || enough(state)).await {
            Ok(state) => !state.gone,
            Err(_) => false,
        }
    }
}

async fn run<W: AsyncWrite + Unpin>(
    mut write: W,
    mut items: mpsc::UnboundedReceiver<Item>,
    state: watch::Sender<State>,
) {
    while let Some(Item { mut line, written }) = items.recv().await {
        let mut told = vec![written];
        while line.len() < BATCH
            && let Ok(next) = items.try_recv()
        {
            line.extend_from_slice(&next.line);
            told.push(next.written);
        }
        if let Err(error) = put(&mut write, &line).await {
            if error.kind() == io::ErrorKind::BrokenPipe {
                tracing::debug!("the client closed its side");
            } else {
                tracing::warn!(%error, "output could not be written");
            }
            break;
        }
        state.send_modify(|state| state.waiting -= line.len());
        for one in told {
            // Nobody has to wait for it.
            let _ = one.send(());
        }
    }
    state.send_modify(|state| state.gone = true);
}

async fn put<W: AsyncWrite + Unpin>(write: &mut W, bytes: &[u8]) -> io::Result<()> {
    write.write_all(bytes).await?;
    write.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt as _;

    #[tokio::test]
    async fn order_is_that_of_handing_in() {
        let (write, mut read) = tokio::io::duplex(16);
        let mut outbox = Outbox::new(write);
        let sent: Vec<_> = (0..100)
            .map(|n| outbox.send(format!("{n}").into_bytes()))
            .collect();
        // Waited for in the wrong order, or not at all.
        drop(sent.into_iter().rev().take(50).collect::<Vec<_>>());
        let reader = tokio::spawn(async move {
            let mut all = String::new();
            read.read_to_string(&mut all).await.unwrap();
            all
        });
        outbox.close().await;
        drop(outbox);
        let expected: String = (0..100).map(|n| format!("{n}\n")).collect();
        assert_eq!(reader.await.unwrap(), expected);
    }

    #[tokio::test]
    async fn a_client_that_is_gone_is_noticed_and_holds_nobody_up() {
        let (write, read) = tokio::io::duplex(16);
        let outbox = Outbox::new(write);
        drop(read);
        outbox.send(b"x".to_vec()).await;
        outbox.gone().await;
        outbox.send(b"y".to_vec()).await;
        assert!(!outbox.flushed().await);
        assert!(!outbox.room().await);
    }
}

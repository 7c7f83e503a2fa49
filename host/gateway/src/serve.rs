//! One client over a pair of byte streams, a message a line.

use std::{sync::Arc, time::Duration};

use rea_front::{Line, Lines, MAX_MESSAGE_BYTES, Outbox, Rules, too_long};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{client::Client, hub::Gateway, outlet::Outlet, policy::Seat};

/// How long answers under way are waited for after the end of input.
const GRACE: Duration = Duration::from_secs(30);
/// How long the last bytes may take to go out.
const CLOSE: Duration = Duration::from_secs(5);

/// Serves one client of a conversation, and returns when it closed its side and everything it asked for is answered.
///
/// # Errors
///
/// If the policy refuses the conversation; a sentence for a person. A client that goes away is no error.
pub async fn serve<R, W>(
    gateway: &Arc<Gateway>,
    seat: Seat,
    read: R,
    write: W,
) -> Result<(), String>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let out = Arc::new(Outbox::new(write));
    let outlet: Arc<dyn Outlet> = out.clone();
    let client = Client::enter(gateway, seat, Some(outlet.clone())).await?;
    // Only its limit of length matters here.
    let rules = Rules::new(rmcp::model::ServerCapabilities::default());
    let mut lines = Lines::new(read, MAX_MESSAGE_BYTES);
    loop {
        let line = tokio::select! {
            biased;
            () = out.gone() => Line::End,
            line = async {
                out.room().await;
                lines.next().await
            } => line,
        };
        match line {
            Line::Whole(line) => client.take(&line, &outlet).await,
            Line::TooLong => outlet.send(too_long(&rules).to_string()),
            Line::End => break,
        }
    }
    let landed = async {
        client.landed().await;
        out.flushed().await;
    };
    tokio::select! {
        () = out.gone() => {}
        done = tokio::time::timeout(GRACE, landed) => if done.is_err() {
            tracing::warn!("input ended and answers were still under way; they are given up");
        }
    }
    client.close();
    if tokio::time::timeout(CLOSE, out.flushed()).await.is_err() {
        tracing::warn!("the client did not read its last answers");
    }
    Ok(())
}

//! `rea mcp`: the server on standard input and output.

use std::{path::PathBuf, sync::Arc};

use super::{
    exit::Failure,
    workbench::{open, session},
};
use crate::mcp::Server;

pub(super) async fn serve(target: Option<PathBuf>) -> Result<(), Failure> {
    let session = Arc::new(session()?);
    if let Some(target) = target {
        open(&session, &target).await?;
    }
    rea_front::serve(
        Server::new(session),
        tokio::io::stdin(),
        tokio::io::stdout(),
    )
    .await
    .map_err(|error| Failure::Failed(error.to_string()))
}

//! A session for one command.

use std::{io::Write, path::Path};

use super::{exit::Failure, progress::Progress};
use crate::{
    component::Program,
    session::{Session, SessionError},
    tools,
};

/// A session as `rea mcp` would have it.
pub(super) fn session() -> Result<Session, Failure> {
    let program = Program::embedded();
    program.warm_up();
    Ok(Session::new(program, tools::names())?)
}

/// The same, with a file open and read.
pub(super) async fn session_on(path: Option<&Path>) -> Result<Session, Failure> {
    let session = session()?;
    if let Some(path) = path {
        open(&session, path).await?;
        let progress = Progress::new();
        session.ready(progress.watch()).await?;
    }
    Ok(session)
}

pub(super) async fn open(session: &Session, path: &Path) -> Result<(), SessionError> {
    session.open(path, None).await.map(|_| ())
}

/// Prints to stdout. A reader that went away is no reason to complain.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.is_empty() && !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// A path for people.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}

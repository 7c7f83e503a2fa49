//! Standard input and output without a thread between, where the system allows that.
//!
//! tokio reads and writes standard streams on threads of their own, since they may be files; that costs two thread
//! switches a message. Clients pass pipes or sockets, which can be polled.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Standard input.
pub struct Input(Box<dyn AsyncRead + Send + Unpin>);
/// Standard output.
pub struct Output(Box<dyn AsyncWrite + Send + Unpin>);

/// Standard input and output. Must be called in a tokio runtime with I/O enabled. Nobody else may use them afterwards.
pub fn standard() -> (Input, Output) {
    (
        input().unwrap_or_else(|| Input(Box::new(tokio::io::stdin()))),
        output().unwrap_or_else(|| Output(Box::new(tokio::io::stdout()))),
    )
}

#[cfg(unix)]
fn input() -> Option<Input> {
    use std::os::fd::AsFd as _;

    let own = || io::stdin().as_fd().try_clone_to_owned().ok();
    if is_socket(own()?) {
        return Some(Input(Box::new(socket(own()?)?)));
    }
    let pipe = tokio::net::unix::pipe::Receiver::from_owned_fd(own()?).ok()?;
    Some(Input(Box::new(pipe)))
}

#[cfg(unix)]
fn output() -> Option<Output> {
    use std::os::fd::AsFd as _;

    let own = || io::stdout().as_fd().try_clone_to_owned().ok();
    if is_socket(own()?) {
        return Some(Output(Box::new(socket(own()?)?)));
    }
    let pipe = tokio::net::unix::pipe::Sender::from_owned_fd(own()?).ok()?;
    Some(Output(Box::new(pipe)))
}

#[cfg(unix)]
fn is_socket(own: std::os::fd::OwnedFd) -> bool {
    use std::os::unix::fs::FileTypeExt as _;

    let about = std::fs::File::from(own).metadata();
    about.is_ok_and(|about| about.file_type().is_socket())
}

#[cfg(unix)]
fn socket(own: std::os::fd::OwnedFd) -> Option<tokio::net::UnixStream> {
    let socket = std::os::unix::net::UnixStream::from(own);
    socket.set_nonblocking(true).ok()?;
    tokio::net::UnixStream::from_std(socket).ok()
}

#[cfg(not(unix))]
fn input() -> Option<Input> {
    None
}

#[cfg(not(unix))]
fn output() -> Option<Output> {
    None
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl AsyncWrite for Output {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

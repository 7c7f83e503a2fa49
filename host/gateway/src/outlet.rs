//! Where messages to a client go.

/// Takes messages to one client: the connection, or the stream of one request of it.
pub trait Outlet: Send + Sync + 'static {
    /// Sends one message, the text of a JSON object without line ends. Must not wait.
    fn send(&self, message: String);

    /// Whether so much waits for the client that what can be left out (progress, logs) is.
    fn is_full(&self) -> bool {
        false
    }
}

impl Outlet for rea_front::Outbox {
    fn send(&self, message: String) {
        // Not waited for: the writer keeps the order.
        drop(rea_front::Outbox::send(self, message.into_bytes()));
    }

    fn is_full(&self) -> bool {
        rea_front::Outbox::is_full(self)
    }
}

//! A session's transport, with ids of our own behind it and diagnostics on the way home.

use std::sync::Arc;

use rea_front::explain;
use rmcp::{
    RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, GetExtensions as _, JsonRpcMessage, RequestId,
        ServerJsonRpcMessage,
    },
    service::OriginatingRequestId,
    transport::Transport,
};

use super::flight::{Flight, Number};

pub(super) struct Homeward<T> {
    inner: T,
    flight: Arc<Flight>,
}

impl<T> Homeward<T> {
    pub(super) fn new(inner: T, flight: Arc<Flight>) -> Self {
        Self { inner, flight }
    }

    /// Gives a message the client's id; `None` if nobody waits for it any more.
    fn home(&self, mut message: ServerJsonRpcMessage) -> Option<ServerJsonRpcMessage> {
        match &mut message {
            JsonRpcMessage::Response(response) => {
                response.id = self.flight.end(&response.id)?.id;
            }
            JsonRpcMessage::Error(error) => {
                let pending = match &error.id {
                    Some(id) => Some(self.flight.end(id)?),
                    None => None,
                };
                explain(
                    &mut error.error,
                    pending.as_ref().map(|pending| &pending.asked),
                );
                error.id = pending.map(|pending| pending.id);
            }
            JsonRpcMessage::Request(request) => {
                // So that it goes out on the stream of the request that it is about.
                let marks = request.request.extensions_mut();
                if let Some(OriginatingRequestId(number)) = marks.get().cloned()
                    && let Some(id) = self.flight.id(&number)
                {
                    marks.insert(OriginatingRequestId(id));
                }
            }
            JsonRpcMessage::Notification(_) => {}
        }
        Some(message)
    }
}

/// Gives a message of the client our number. A request or a cancellation without one was not let through.
fn inward(mut message: ClientJsonRpcMessage) -> ClientJsonRpcMessage {
    match &mut message {
        JsonRpcMessage::Request(request) => {
            if let Some(Number(number)) = request.request.extensions().get().copied() {
                request.id = RequestId::Number(number);
            }
        }
        JsonRpcMessage::Notification(notification) => {
            if let ClientNotification::CancelledNotification(cancelled) =
                &mut notification.notification
            {
                let number = cancelled.extensions.get::<Number>().copied();
                cancelled.params.request_id = number.map(|Number(n)| RequestId::Number(n));
            }
        }
        JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
    }
    message
}

impl<T: Transport<RoleServer> + 'static> Transport<RoleServer> for Homeward<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        let sent = self.home(message).map(|message| self.inner.send(message));
        async move {
            match sent {
                Some(sent) => sent.await,
                None => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.inner.receive().await.map(inward)
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.inner.close().await
    }
}

//! What the server behind the front can do, as far as a check depends on it.

use rmcp::model::ServerCapabilities;

/// The largest message that is read, in bytes, the newline not counted: 4 MiB.
pub const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;

/// What a message is checked against.
#[derive(Clone, Debug)]
pub struct Rules {
    capabilities: ServerCapabilities,
    max_bytes: usize,
}

impl Rules {
    /// Rules for a server with these capabilities. A method whose capability is not declared is not checked
    /// further: rmcp answers it with -32601 whatever its parameters.
    pub fn new(capabilities: ServerCapabilities) -> Self {
        Self {
            capabilities,
            max_bytes: MAX_MESSAGE_BYTES,
        }
    }

    /// Another limit on the bytes of one message.
    pub fn with_max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// The most bytes one message may have.
    pub fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// Whether the server declared what a method needs.
    pub(crate) fn serves(&self, needs: Capability) -> bool {
        let declared = &self.capabilities;
        match needs {
            Capability::None => true,
            Capability::Prompts => declared.prompts.is_some(),
            Capability::Tools => declared.tools.is_some(),
            Capability::Completions => declared.completions.is_some(),
            Capability::Logging => declared.logging.is_some(),
            Capability::Resources => declared.resources.is_some(),
            Capability::ResourceSubscriptions => declared
                .resources
                .as_ref()
                .is_some_and(|resources| resources.subscribe == Some(true)),
            Capability::Tasks => declared.supports_tasks(),
        }
    }
}

/// What a server must have declared for a method to exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capability {
    None,
    Prompts,
    Tools,
    Completions,
    Logging,
    Resources,
    ResourceSubscriptions,
    Tasks,
}

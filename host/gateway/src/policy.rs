//! What the gateway asks of the switch, and nothing more: who decides is somebody else.

use std::{collections::BTreeSet, pin::Pin};

use tokio::sync::watch;

/// A future that a policy gives.
pub type Asked<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Who a client's connection belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seat {
    /// The conversation.
    pub conversation: String,
    /// The conversation that created it, if it is that of a sub-agent: that one's position is followed.
    pub parent: Option<String>,
}

/// What holds for a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// The position of its switch.
    pub enabled: bool,
    /// The servers of which it sees nothing.
    pub hidden: BTreeSet<String>,
}

/// The tools of one server, as clients see their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerTools {
    /// The server.
    pub server: String,
    /// Whether it is connected. If not, its tools are those that it had last.
    pub connected: bool,
    /// Name, and bytes of name, description and input schema.
    pub tools: Vec<(String, u64)>,
}

/// What a person or a client is told who typed a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Whether it went well.
    pub ok: bool,
    /// The text.
    pub text: String,
}

/// Decides which servers a conversation sees.
pub trait Policy: Send + Sync + 'static {
    /// A conversation has a client. What comes back always holds the latest decision for it, and changes no later than
    /// the command or the file that changed the position is dealt with. Told again for each further client.
    ///
    /// Fails with a sentence for a person; the client is then refused.
    fn join<'a>(&'a self, seat: &'a Seat) -> Asked<'a, Result<watch::Receiver<Decision>, String>>;

    /// A client of the conversation has left.
    fn leave(&self, seat: &Seat);

    /// All tools there are, unfiltered, whenever they have changed. Must not block.
    fn tools(&self, tools: Vec<ServerTools>);

    /// Carries out `on`, `off`, `enable`, `disable`, `toggle` or `status`; anything else gives the usage.
    fn command<'a>(&'a self, conversation: &'a str, input: &'a str) -> Asked<'a, Told>;
}

/// Positions in memory, for tests and for who needs nothing kept.
#[derive(Debug)]
pub struct InMemory {
    governed: BTreeSet<String>,
    default_enabled: bool,
    conversations: std::sync::Mutex<std::collections::HashMap<String, watch::Sender<Decision>>>,
    /// The latest that was told with [`Policy::tools`].
    pub told: watch::Sender<Vec<ServerTools>>,
}

impl InMemory {
    /// These servers are governed; conversations begin as the default says.
    pub fn new(governed: impl IntoIterator<Item = String>, default_enabled: bool) -> Self {
        Self {
            governed: governed.into_iter().collect(),
            default_enabled,
            conversations: std::sync::Mutex::default(),
            told: watch::Sender::default(),
        }
    }

    fn decision(&self, enabled: bool) -> Decision {
        let hidden = if enabled {
            BTreeSet::new()
        } else {
            self.governed.clone()
        };
        Decision { enabled, hidden }
    }

    /// Sets or flips a position; gives the new one.
    pub fn set(&self, conversation: &str, enabled: Option<bool>) -> bool {
        let of = self.of(conversation);
        let enabled = enabled.unwrap_or(!of.borrow().enabled);
        of.send_replace(self.decision(enabled));
        enabled
    }

    fn of(&self, conversation: &str) -> watch::Sender<Decision> {
        let mut all = self
            .conversations
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        all.entry(conversation.to_owned())
            .or_insert_with(|| watch::Sender::new(self.decision(self.default_enabled)))
            .clone()
    }
}

impl Policy for InMemory {
    fn join<'a>(&'a self, seat: &'a Seat) -> Asked<'a, Result<watch::Receiver<Decision>, String>> {
        let conversation = seat.parent.as_ref().unwrap_or(&seat.conversation);
        let receiver = self.of(conversation).subscribe();
        Box::pin(async move { Ok(receiver) })
    }

    fn leave(&self, _: &Seat) {}

    fn tools(&self, tools: Vec<ServerTools>) {
        self.told.send_replace(tools);
    }

    fn command<'a>(&'a self, conversation: &'a str, input: &'a str) -> Asked<'a, Told> {
        let word = input.trim().to_ascii_lowercase();
        let position = match word.as_str() {
            "on" | "enable" => self.set(conversation, Some(true)),
            "off" | "disable" => self.set(conversation, Some(false)),
            "toggle" => self.set(conversation, None),
            "status" => self.of(conversation).borrow().enabled,
            _ => {
                let text = "Usage: on, off, toggle or status.".to_owned();
                return Box::pin(async { Told { ok: false, text } });
            }
        };
        let text = if position { "on" } else { "off" }.to_owned();
        Box::pin(async { Told { ok: true, text } })
    }
}

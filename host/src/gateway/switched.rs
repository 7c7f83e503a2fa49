//! The gateway's policy: the switch of the component, its positions in the state file.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rea_gateway::{Asked, Decision, Policy, Seat, ServerTools, Told};
use tokio::{sync::watch, task::JoinHandle};

use crate::{
    component::switch::{
        Agent, CommandStep, OwnedNames, Server, ServerState, Standing, Switch, SwitchError, Toolset,
    },
    store::{News, Store, Watching},
};

/// The section of a server's instructions is called so, and its name.
const SECTION: &str = "mcp:";

/// What holds for each conversation that has a client.
#[derive(Default)]
pub(super) struct Listening {
    conversations: Mutex<HashMap<String, Member>>,
}

struct Member {
    decision: watch::Sender<Decision>,
    clients: usize,
}

impl Listening {
    /// A decision is another now.
    pub(super) fn hear(&self, agent: &str, standing: &Standing) {
        if let Some(member) = self.lock().get(agent) {
            let decision = decision(standing);
            member.decision.send_if_modified(|now| {
                let other = *now != decision;
                *now = decision;
                other
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Member>> {
        // Every change is a single insertion or removal.
        self.conversations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn decision(standing: &Standing) -> Decision {
    let hidden = standing.sections.iter();
    Decision {
        enabled: standing.enabled,
        hidden: hidden
            .filter_map(|section| section.strip_prefix(SECTION))
            .map(str::to_owned)
            .collect(),
    }
}

/// The switch, as the gateway asks it.
pub struct Switched {
    store: Store,
    listening: Arc<Listening>,
    tools: watch::Sender<Vec<ServerTools>>,
    teller: JoinHandle<()>,
    _watching: Watching,
}

impl Drop for Switched {
    fn drop(&mut self) {
        self.teller.abort();
    }
}

impl Switched {
    /// Must be called in a tokio runtime. Looks after the state file as long as it lives.
    pub(super) fn new(store: Store, listening: Arc<Listening>) -> Switched {
        let tools = watch::Sender::new(Vec::new());
        let teller = tokio::spawn(tell(store.switch().clone(), tools.subscribe()));
        let path = store.path().display().to_string();
        let watching = store.watch(Arc::new(move |news| match news {
            News::Changed(conversations) => tracing::info!(?conversations, "flipped elsewhere"),
            News::Damaged(damage) => tracing::warn!("{path} is damaged: {}", damage.detail),
            News::Unreadable(error) => tracing::warn!("{error}"),
        }));
        Switched {
            store,
            listening,
            tools,
            teller,
            _watching: watching,
        }
    }

    /// The state file and its switch.
    pub fn store(&self) -> &Store {
        &self.store
    }

    async fn take_in(&self, seat: &Seat) -> Result<watch::Receiver<Decision>, String> {
        let id = seat.conversation.clone();
        {
            let mut members = self.listening.lock();
            let member = members.entry(id.clone()).or_insert_with(|| Member {
                decision: watch::Sender::default(),
                clients: 0,
            });
            member.clients += 1;
        }
        let agent = Agent {
            id: id.clone(),
            parent: seat.parent.clone(),
            origin: seat.parent.is_some().then(|| "subagent".to_owned()),
            names: None,
            held: None,
        };
        let seen = self.store.switch().agents_seen(vec![agent]).await;
        if let Err(error) = seen {
            self.leave(seat);
            return Err(error.to_string());
        }
        let standing = self.store.switch().standing(&id);
        let members = self.listening.lock();
        match (standing, members.get(&id)) {
            (Some(standing), Some(member)) => {
                member.decision.send_replace(decision(&standing));
                Ok(member.decision.subscribe())
            }
            _ => Err("the switch knows nothing of the conversation".to_owned()),
        }
    }

    async fn carry_out(&self, conversation: &str, input: &str) -> Result<Told, SwitchError> {
        let switch = self.store.switch();
        let step = switch
            .command(conversation.to_owned(), input.to_owned())
            .await?;
        let reply = match step {
            CommandStep::Reply(reply) => reply,
            CommandStep::Change(change) => {
                let changed = self.store.change(change.clone()).await;
                let failure = changed.err().map(|error| error.failure());
                switch.command_answer(change, failure).await?
            }
        };
        Ok(Told {
            ok: reply.ok,
            text: reply.text,
        })
    }
}

impl Policy for Switched {
    fn join<'a>(&'a self, seat: &'a Seat) -> Asked<'a, Result<watch::Receiver<Decision>, String>> {
        Box::pin(self.take_in(seat))
    }

    fn leave(&self, seat: &Seat) {
        let mut members = self.listening.lock();
        let Some(member) = members.get_mut(&seat.conversation) else {
            return;
        };
        member.clients = member.clients.saturating_sub(1);
        if member.clients > 0 {
            return;
        }
        members.remove(&seat.conversation);
        drop(members);
        let (switch, id) = (self.store.switch().clone(), seat.conversation.clone());
        tokio::spawn(async move {
            if let Err(error) = switch.agent_gone(id).await {
                tracing::warn!("the switch: {error}");
            }
        });
    }

    fn tools(&self, tools: Vec<ServerTools>) {
        self.tools.send_replace(tools);
    }

    fn command<'a>(&'a self, conversation: &'a str, input: &'a str) -> Asked<'a, Told> {
        Box::pin(async move {
            match self.carry_out(conversation, input).await {
                Ok(told) => told,
                Err(error) => Told {
                    ok: false,
                    text: error.to_string(),
                },
            }
        })
    }
}

/// Tells the switch which tools there are. Of several changes in a row the last is enough.
async fn tell(switch: Switch, mut tools: watch::Receiver<Vec<ServerTools>>) {
    while tools.changed().await.is_ok() {
        let all = tools.borrow_and_update().clone();
        let sizes = all.iter().flat_map(|server| server.tools.clone()).collect();
        let set = toolset(all);
        let told = match switch.tools_changed(set).await {
            Ok(()) => switch.sizes_told(sizes).await,
            refused => refused,
        };
        if let Err(error) = told {
            tracing::warn!("the switch: {error}");
        }
    }
}

fn toolset(all: Vec<ServerTools>) -> Toolset {
    let servers = all.iter().map(|server| Server {
        name: server.server.clone(),
        state: Some(if server.connected {
            ServerState::Connected
        } else {
            ServerState::Down
        }),
    });
    let servers = servers.collect();
    let owned = all.into_iter().map(|server| OwnedNames {
        server: server.server,
        names: server.tools.into_iter().map(|(name, _)| name).collect(),
    });
    Toolset {
        servers,
        names: Vec::new(),
        owned: owned.collect(),
        agents: Vec::new(),
    }
}

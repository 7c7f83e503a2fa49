//! The switch: `wit/toggle.wit` behind a handle that outlives its instance.
//!
//! [`Policy`] reads a configuration; [`Policy::open`] makes the [`Switch`]. Whatever the switch is told is kept on this
//! side too. After a trap the next call makes another instance, tells it all of that again and lands on the same
//! decision. Meanwhile the last decision stands: [`Switch::standing`] reads it without asking the component.

mod desk;
mod replay;
mod standing;
mod told;

use std::{io, sync::Arc};

use wasmtime::{Store, component::ResourceAny};

pub use self::standing::{Listener, Standing};
use self::{
    desk::{Desk, Fresh},
    told::Told,
};
pub use super::bindings::exports::rea::guide::toggle::{
    Agent, AgentNames, Ancestor, Change, CommandStep, Configuration, Conversation, Damage,
    DamageKind, Decision, Fence, Held, Hosting, HttpChange, HttpRequest, HttpResponse, HttpStep,
    Limits, Movement, Naming, OwnedNames, Problem, ProblemKind, Reply, Server, ServerState,
    Settings, Status, StoreFailure, StoreFailureKind, Summary, Toolset, Written,
};
use super::{
    Defect, Program, bindings::exports::rea::guide::toggle::GuestSwitch, imports::Context,
    thread::Thread,
};

/// Why the switch didn't do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SwitchError {
    /// What it was asked or told is wrong; nothing has changed.
    #[error("{}", .0.detail)]
    Refused(Problem),
    /// The component failed, and again on a fresh instance. Nothing has changed: the last decision stands.
    #[error(transparent)]
    Defect(#[from] Defect),
}

impl From<Problem> for SwitchError {
    fn from(problem: Problem) -> Self {
        SwitchError::Refused(problem)
    }
}

/// What has come of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Adopted {
    /// The conversations whose position is another now, in byte order.
    pub conversations: Vec<String>,
    /// What is wrong with the document. What was readable is used; if nothing was, the positions known before stand.
    pub damage: Option<Damage>,
}

/// An instance of the component for the switch, before there is one.
pub struct Policy {
    thread: Thread<Desk>,
}

impl Policy {
    /// Starts the thread of the instance. The instance itself is made at the first question.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn start(program: Arc<Program>) -> io::Result<Policy> {
        let thread = Thread::spawn("rea-switch", move || Desk::new(program))?;
        Ok(Policy { thread })
    }

    /// Reads a configuration: the JSON of `reaToggle`, or nothing. `bridged` are the servers that there are, if that is
    /// known.
    ///
    /// # Errors
    /// The field that is wrong, or a defect.
    pub async fn read_config(
        &self,
        text: String,
        naming: Naming,
        bridged: Option<Vec<String>>,
    ) -> Result<Configuration, SwitchError> {
        let read = self
            .thread
            .ask(move |desk| {
                desk.ask_free(|toggle, store| {
                    toggle.call_read_config(store, &text, naming, bridged.as_deref())
                })
            })
            .await??;
        Ok(read?)
    }

    /// Opens the switch. It knows no positions, tools or agents yet. `listener` hears how each agent stands, whenever that
    /// changes.
    ///
    /// # Errors
    /// The setting that is wrong, or a defect.
    pub async fn open(
        self,
        settings: Settings,
        hosting: Hosting,
        listener: Arc<Listener>,
    ) -> Result<Switch, SwitchError> {
        let (limits, standings) = self
            .thread
            .tell(move |desk| desk.open(Told::new(settings, hosting), listener))
            .await??;
        Ok(Switch {
            thread: self.thread,
            standings,
            limits,
        })
    }
}

/// The switch. Clones are handles of the same one.
#[derive(Clone)]
pub struct Switch {
    thread: Thread<Desk>,
    standings: Arc<standing::Standings>,
    limits: Limits,
}

/// What a failing call leaves behind holds for every function here: nothing has changed, the last decision stands, and the
/// next call has a fresh instance that knows all that this one knew.
impl Switch {
    /// How an agent stands, as last decided; none if it isn't there. Waits for nobody and can't fail.
    pub fn standing(&self, agent: &str) -> Option<Arc<Standing>> {
        self.standings.of(agent)
    }

    /// Sizes beyond which a host need not read.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Takes over the positions of a state document; none if there is no file.
    ///
    /// # Errors
    /// A defect.
    pub async fn adopt(&self, document: Option<Vec<u8>>) -> Result<Adopted, SwitchError> {
        self.thread.tell(move |desk| desk.adopt(document)).await?
    }

    /// The document in which a change is made, on top of what the state file holds.
    ///
    /// # Errors
    /// If the change names no conversation or the document would be too large, or a defect.
    pub async fn prepare_write(
        &self,
        current: Option<Vec<u8>>,
        change: Change,
    ) -> Result<Written, SwitchError> {
        let written = self
            .ask(move |toggle, store, switch| {
                toggle.call_prepare_write(store, switch, current.as_deref(), &change)
            })
            .await?;
        Ok(written?)
    }

    /// Tells which tools there are, all anew.
    ///
    /// # Errors
    /// If there are more than the contract allows, or a defect.
    pub async fn tools_changed(&self, tools: Toolset) -> Result<(), SwitchError> {
        self.thread
            .tell(move |desk| desk.tools_changed(tools))
            .await?
    }

    /// Tells the size of the schema of some tools.
    ///
    /// # Errors
    /// A defect.
    pub async fn sizes_told(&self, sizes: Vec<(String, u64)>) -> Result<(), SwitchError> {
        self.thread.tell(move |desk| desk.sizes_told(sizes)).await?
    }

    /// Tells of agents that are new, or of which something else is true now. When it returns, [`Switch::standing`]
    /// knows them.
    ///
    /// # Errors
    /// If there are more than the contract allows, or a defect.
    pub async fn agents_seen(&self, agents: Vec<Agent>) -> Result<(), SwitchError> {
        self.thread
            .tell(move |desk| desk.agents_seen(agents))
            .await?
    }

    /// Tells where agents came from that aren't live.
    ///
    /// # Errors
    /// As [`Switch::agents_seen`].
    pub async fn lineage_told(&self, ancestors: Vec<Ancestor>) -> Result<(), SwitchError> {
        self.thread
            .tell(move |desk| desk.lineage_told(ancestors))
            .await?
    }

    /// Tells that an agent is gone.
    ///
    /// # Errors
    /// A defect; the agent is forgotten all the same.
    pub async fn agent_gone(&self, id: String) -> Result<(), SwitchError> {
        self.thread.tell(move |desk| desk.agent_gone(&id)).await?
    }

    /// Tells what is in place for an agent, where that is not what was decided.
    ///
    /// # Errors
    /// A defect; the next instance is told all the same.
    pub async fn holds(&self, agent: String, held: Held) -> Result<(), SwitchError> {
        self.thread
            .tell(move |desk| desk.holds(&agent, held))
            .await?
    }

    /// What holds for an agent, asked of the component; none if it isn't known.
    ///
    /// # Errors
    /// A defect.
    pub async fn decision(&self, agent: String) -> Result<Option<Decision>, SwitchError> {
        self.ask(move |toggle, store, switch| toggle.call_decision(store, switch, &agent))
            .await
    }

    /// How a conversation stands, by its own id or that of a sub-agent.
    ///
    /// # Errors
    /// If the id isn't one, or a defect.
    pub async fn status(&self, session: String) -> Result<Status, SwitchError> {
        let status = self
            .ask(move |toggle, store, switch| toggle.call_status(store, switch, &session))
            .await?;
        Ok(status?)
    }

    /// How all of it stands.
    ///
    /// # Errors
    /// A defect.
    pub async fn summary(&self) -> Result<Summary, SwitchError> {
        self.ask(|toggle, store, switch| toggle.call_summary(store, switch))
            .await
    }

    /// All conversations that were switched or have live agents, the most recently switched first.
    ///
    /// # Errors
    /// A defect.
    pub async fn conversations(&self) -> Result<Vec<Conversation>, SwitchError> {
        self.ask(|toggle, store, switch| toggle.call_conversations(store, switch))
            .await
    }

    /// What a command means that is typed in a session.
    ///
    /// # Errors
    /// A defect.
    pub async fn command(
        &self,
        session: String,
        input: String,
    ) -> Result<CommandStep, SwitchError> {
        self.ask(move |toggle, store, switch| toggle.call_command(store, switch, &session, &input))
            .await
    }

    /// The reply to a command whose change was stored and adopted, or was not.
    ///
    /// # Errors
    /// A defect.
    pub async fn command_answer(
        &self,
        change: Change,
        failure: Option<StoreFailure>,
    ) -> Result<Reply, SwitchError> {
        self.ask(move |toggle, store, switch| {
            toggle.call_command_answer(store, switch, &change, failure.as_ref())
        })
        .await
    }

    /// What an HTTP request for `/rea-toggle/state` means.
    ///
    /// # Errors
    /// A defect.
    pub async fn http(&self, request: HttpRequest, fence: Fence) -> Result<HttpStep, SwitchError> {
        self.ask(move |toggle, store, switch| toggle.call_http(store, switch, &request, &fence))
            .await
    }

    /// The response to a request whose change was stored and adopted, or was not.
    ///
    /// # Errors
    /// A defect.
    pub async fn http_answer(
        &self,
        change: HttpChange,
        failure: Option<StoreFailure>,
    ) -> Result<HttpResponse, SwitchError> {
        self.ask(move |toggle, store, switch| {
            toggle.call_http_answer(store, switch, &change, failure.as_ref())
        })
        .await
    }

    /// What `bytes` of tool schema come to in tokens: an estimate.
    ///
    /// # Errors
    /// A defect.
    pub async fn estimate_tokens(&self, bytes: u64) -> Result<u64, SwitchError> {
        Ok(self
            .thread
            .ask(move |desk| {
                desk.ask_free(|toggle, store| toggle.call_estimate_tokens(store, bytes))
            })
            .await??)
    }

    /// Lifts everything, for the end. From then on nothing is decided any more.
    ///
    /// # Errors
    /// A defect.
    pub async fn lift_all(&self) -> Result<(), SwitchError> {
        self.thread.tell(Desk::lift_all).await?
    }

    /// A question that changes nothing.
    async fn ask<R: Send + 'static>(
        &self,
        question: impl Fn(&GuestSwitch<'_>, &mut Store<Context>, ResourceAny) -> wasmtime::Result<R>
        + Send
        + 'static,
    ) -> Result<R, SwitchError> {
        Ok(self
            .thread
            .ask(move |desk| {
                desk.ask(|fresh: &mut Fresh| {
                    let (toggle, store, switch) = fresh.parts()?;
                    question(&toggle, store, switch)
                })
            })
            .await??)
    }
}

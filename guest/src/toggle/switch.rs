//! The switch as a whole: what it was told, and what follows.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::agents::{Held, Live, Order, Orders, Work};
use super::config::{self, Settings};
use super::damage::Damage;
use super::document::{self, Document, LONGEST_DOCUMENT, Movement};
use super::lineage::{Lineage, MOST_FACTS};
use super::names::{Load, MOST_NAMES, NameSet, Pool};
use super::naming::{self, Naming, Owners};
use super::problem::{Problem, ProblemKind};
use super::text;

/// Live agents at most.
pub const MOST_AGENTS: usize = 10_000;

/// Servers that are told of at most.
pub const MOST_SERVERS: usize = 1_000;

/// Bytes of an agent's id at most.
const LONGEST_AGENT: usize = 1_024;

/// What a switch must know of its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosting {
    /// How tools are named.
    pub naming: Naming,
    /// Where the state file is, for people.
    pub state_path: String,
    /// How the command is typed, for the usage text.
    pub command: String,
}

/// Whether a server is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerState {
    /// It is connected, or tools of it are there.
    Connected,
    /// It is known, but doesn't answer now.
    Down,
    /// Nobody knows it.
    Absent,
}

/// A server that the host knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Whether it is there, if the host knows.
    pub state: Option<ServerState>,
}

/// The tools of one server, where the host knows that they are its.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnedNames {
    /// The server.
    pub server: String,
    /// The names of its tools as the model sees them.
    pub names: Vec<String>,
}

/// What one agent can be denied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentNames {
    /// The agent.
    pub agent: String,
    /// All names that are deniable for it.
    pub names: Vec<String>,
}

/// Everything about tools that holds now (`wit/toggle.wit`, `toolset`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toolset {
    /// All servers that the host knows.
    pub servers: Vec<Server>,
    /// What is deniable for everybody.
    pub names: Vec<String>,
    /// Whose some names are; these are deniable too.
    pub owned: Vec<OwnedNames>,
    /// Agents for whom other names are deniable.
    pub agents: Vec<AgentNames>,
}

/// An agent, as its host describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agent {
    /// Its id.
    pub id: String,
    /// The agent or conversation that this one came from, if any.
    pub parent: Option<String>,
    /// How it came about.
    pub origin: Option<String>,
    /// What is deniable for it, if other than for everybody.
    pub names: Option<Vec<String>>,
    /// What is in place for it already.
    pub held: Option<Held>,
}

/// Where an agent that isn't live came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ancestor {
    /// Its id.
    pub id: String,
    /// The agent or conversation that it came from, if any.
    pub parent: Option<String>,
    /// How it came about.
    pub origin: Option<String>,
}

/// What holds for one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The conversation that it belongs to.
    pub conversation: String,
    /// The position of that.
    pub enabled: bool,
    /// Exactly those deniable names that are out of reach, in byte order.
    pub deny: Vec<String>,
    /// The sections that are empty.
    pub sections: Vec<String>,
}

/// A wish to change a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The conversation, or a sub-agent of it.
    pub session: String,
    /// What to.
    pub to: Movement,
}

/// What has come of a document that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// The conversations whose position is another now, in byte order.
    pub conversations: Vec<String>,
    /// What the host must do.
    pub orders: Orders,
    /// What is wrong with the document.
    pub damage: Option<Damage>,
}

/// A document that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The whole of it.
    pub document: String,
    /// The conversation that changes.
    pub conversation: String,
    /// Its new position.
    pub enabled: bool,
    /// What was wrong with the document that was read.
    pub damage: Option<Damage>,
}

/// The switch (`wit/toggle.wit`, resource `switch`).
pub struct Switch {
    pub(super) settings: Settings,
    pub(super) hosting: Hosting,
    pub(super) document: Document,
    sections: Vec<String>,
    lineage: Lineage,
    owners: Owners,
    pub(super) states: BTreeMap<String, Option<ServerState>>,
    pub(super) everybody: Rc<NameSet>,
    pub(super) agents: BTreeMap<String, Live>,
    pub(super) sizes: BTreeMap<String, u64>,
    lifted: bool,
}

impl Switch {
    /// Opens a switch that knows no positions, tools or agents yet.
    ///
    /// # Errors
    /// If the settings name no server, one twice, or one that can't be.
    pub fn open(settings: Settings, hosting: Hosting) -> Result<Switch, Problem> {
        config::check(&settings, hosting.naming)?;
        Ok(Switch {
            sections: settings
                .servers
                .iter()
                .map(|name| naming::section(name))
                .collect(),
            owners: Owners::new(hosting.naming, &settings.servers),
            settings,
            hosting,
            document: Document::default(),
            lineage: Lineage::default(),
            states: BTreeMap::new(),
            everybody: Rc::default(),
            agents: BTreeMap::new(),
            sizes: BTreeMap::new(),
            lifted: false,
        })
    }

    /// Takes over the positions of a document that was read or written; none if there is no file.
    pub fn adopt(&mut self, document: Option<&[u8]>) -> Adopted {
        let (document, damage) = self.on_top_of(document);
        let before = std::mem::replace(&mut self.document, document);
        let ids: BTreeSet<&str> = before
            .entries()
            .chain(self.document.entries())
            .map(|(id, _)| id)
            .collect();
        let conversations = ids
            .into_iter()
            .filter(|id| self.position_in(&before, id) != self.position_in(&self.document, id))
            .map(str::to_owned)
            .collect();
        Adopted {
            conversations,
            orders: self.settle(),
            damage,
        }
    }

    /// The document in which a change is made, on top of what the state file holds. Changes nothing here.
    ///
    /// # Errors
    /// If the id isn't one, or what others keep in the document leaves no room.
    pub fn prepare_write(
        &self,
        current: Option<&[u8]>,
        change: &Change,
    ) -> Result<Written, Problem> {
        text::check_id("session", &change.session)?;
        let conversation = self.conversation(&change.session).to_owned();
        text::check_id("session", &conversation)?;
        let (mut document, damage) = self.on_top_of(current);
        let enabled = document.change(&conversation, change.to, self.settings.default_enabled);
        let document = document.render();
        if document.len() > LONGEST_DOCUMENT {
            return Err(Problem::new(
                ProblemKind::TooMuch,
                "",
                format!(
                    "The state file would be longer than {LONGEST_DOCUMENT} bytes; remove from {} what isn't the switch's.",
                    self.hosting.state_path
                ),
            ));
        }
        Ok(Written {
            document,
            conversation,
            enabled,
            damage,
        })
    }

    /// Tells which tools there are.
    ///
    /// # Errors
    /// Beyond the bounds; nothing has changed then.
    pub fn tools_changed(&mut self, tools: Toolset) -> Result<Orders, Problem> {
        if tools.servers.len() > MOST_SERVERS || tools.owned.len() > MOST_SERVERS {
            return Err(Problem::new(
                ProblemKind::TooMuch,
                "servers",
                format!("{MOST_SERVERS} servers are the most."),
            ));
        }
        let mut load = Load::default();
        load.add("names", &tools.names)?;
        for owned in &tools.owned {
            load.add("owned", &owned.names)?;
        }
        for agent in &tools.agents {
            load.add("agents", &agent.names)?;
        }

        let mut owners = Owners::new(self.hosting.naming, &self.settings.servers);
        for server in &tools.servers {
            owners.know(server.name.clone());
        }
        for owned in &tools.owned {
            for name in &owned.names {
                owners.tell(name, &owned.server);
            }
        }
        let mut names = tools.names;
        names.extend(tools.owned.into_iter().flat_map(|owned| owned.names));
        self.everybody = Rc::new(NameSet::new(names, &owners));
        for live in self.agents.values_mut() {
            live.names = None;
        }
        let mut pool = Pool::with(&self.everybody);
        for own in tools.agents {
            if let Some(live) = self.agents.get_mut(&own.agent) {
                live.names = Some(pool.share(NameSet::new(own.names, &owners)));
            }
        }
        self.owners = owners;
        self.states = tools
            .servers
            .into_iter()
            .map(|server| (server.name, server.state))
            .collect();
        self.forget_sizes();
        Ok(self.settle())
    }

    /// Tells the size of the schema of some tools.
    pub fn sizes_told(&mut self, sizes: Vec<(String, u64)>) {
        for (name, bytes) in sizes.into_iter().take(MOST_NAMES) {
            if self.sizes.len() < MOST_NAMES || self.sizes.contains_key(&name) {
                self.sizes.insert(name, bytes);
            }
        }
    }

    /// Tells of agents that are new, or of which something else is true now.
    ///
    /// # Errors
    /// Beyond the bounds; nothing has changed then.
    pub fn agents_seen(&mut self, agents: Vec<Agent>) -> Result<Orders, Problem> {
        // What other agents have of their own counts too: calls add up.
        let mut load = Load::default();
        let told: BTreeSet<&str> = agents.iter().map(|agent| agent.id.as_str()).collect();
        for (agent, live) in &self.agents {
            if !told.contains(agent.as_str()) {
                live.weigh(&self.everybody, &mut load);
            }
        }
        let mut fresh = BTreeSet::new();
        for agent in &agents {
            check_length("id", &agent.id)?;
            check_length("parent", agent.parent.as_deref().unwrap_or_default())?;
            load.add("names", agent.names.as_deref().unwrap_or_default())?;
            if let Some(held) = &agent.held {
                load.add("held.mask", &held.mask)?;
                load.add("held.sections", &held.sections)?;
            }
            if !self.agents.contains_key(&agent.id) {
                fresh.insert(agent.id.as_str());
            }
        }
        if self.agents.len() + fresh.len() > MOST_AGENTS {
            return Err(Problem::new(
                ProblemKind::TooMuch,
                "",
                format!("{MOST_AGENTS} live agents are the most."),
            ));
        }
        let mut pool = Pool::with(&self.everybody);
        for agent in agents {
            self.lineage
                .tell(&agent.id, agent.parent.as_deref(), agent.origin.as_deref());
            let names = agent
                .names
                .map(|names| pool.share(NameSet::new(names, &self.owners)));
            self.agents
                .insert(agent.id, Live::new(names, agent.held.unwrap_or_default()));
        }
        self.lineage.prune(self.agents.keys().map(String::as_str));
        Ok(self.settle())
    }

    /// Tells of agents that aren't live.
    ///
    /// # Errors
    /// Beyond the bounds; nothing has changed then.
    pub fn lineage_told(&mut self, ancestors: &[Ancestor]) -> Result<Orders, Problem> {
        if ancestors.len() > MOST_FACTS {
            return Err(Problem::new(
                ProblemKind::TooMuch,
                "",
                format!("{MOST_FACTS} facts are the most that one call can bring."),
            ));
        }
        for ancestor in ancestors {
            check_length("id", &ancestor.id)?;
            check_length("parent", ancestor.parent.as_deref().unwrap_or_default())?;
        }
        for ancestor in ancestors {
            // What a live agent says of itself is fresher than what is remembered of it.
            if self.agents.contains_key(&ancestor.id) {
                continue;
            }
            self.lineage.tell(
                &ancestor.id,
                ancestor.parent.as_deref(),
                ancestor.origin.as_deref(),
            );
        }
        self.lineage.prune(self.agents.keys().map(String::as_str));
        Ok(self.settle())
    }

    /// Tells that an agent is gone, and what was in place for it with it.
    pub fn agent_gone(&mut self, id: &str) {
        self.agents.remove(id);
    }

    /// Tells what is in place for an agent, where that is not what was ordered.
    pub fn holds(&mut self, agent: &str, held: Held) {
        let mut load = Load::default();
        let fits = load.add("", &held.mask).is_ok() && load.add("", &held.sections).is_ok();
        if let Some(live) = self.agents.get_mut(agent)
            && fits
        {
            live.hold(held);
        }
    }

    /// What holds for an agent now; none if it isn't known.
    #[must_use]
    pub fn decision(&self, agent: &str) -> Option<Decision> {
        let live = self.agents.get(agent)?;
        let conversation = self.conversation(agent);
        let enabled = self.position(conversation);
        let names = live.names.as_ref().unwrap_or(&self.everybody);
        Some(Decision {
            conversation: conversation.to_owned(),
            enabled,
            deny: if enabled {
                Vec::new()
            } else {
                names.mask().to_vec()
            },
            sections: if enabled {
                Vec::new()
            } else {
                self.sections.clone()
            },
        })
    }

    /// Lifts everything. From then on no call gives orders.
    pub fn lift_all(&mut self) -> Orders {
        let orders = self.orders(Live::lift);
        self.lifted = true;
        orders
    }

    /// The conversation that an agent or a conversation belongs to.
    pub(super) fn conversation<'a>(&'a self, id: &'a str) -> &'a str {
        self.lineage.conversation(id)
    }

    /// The position of a conversation.
    pub(super) fn position(&self, conversation: &str) -> bool {
        self.position_in(&self.document, conversation)
    }

    fn position_in(&self, document: &Document, conversation: &str) -> bool {
        document
            .entry(conversation)
            .map_or(self.settings.default_enabled, |entry| entry.enabled)
    }

    /// What is in a document. Where nothing of it is readable the positions known here stand; where a part isn't, they fill
    /// the gaps.
    fn on_top_of(&self, current: Option<&[u8]>) -> (Document, Option<Damage>) {
        let read = document::read(current);
        let document = match (read.document, &read.damage) {
            (Some(document), None) => document,
            (Some(mut document), Some(_)) => {
                document.complete(&self.document);
                document
            }
            (None, _) => self.document.clone(),
        };
        (document, read.damage)
    }

    /// What must be done so that every agent is as it should be.
    fn settle(&mut self) -> Orders {
        let everybody = Rc::clone(&self.everybody);
        let sections = std::mem::take(&mut self.sections);
        let positions: Vec<bool> = self
            .agents
            .keys()
            .map(|agent| self.position(self.conversation(agent)))
            .collect();
        let mut positions = positions.into_iter();
        let orders = self.orders(|live| {
            live.settle(positions.next().unwrap_or_default(), &everybody, &sections)
        });
        self.sections = sections;
        orders
    }

    /// One order for each agent for which `work` finds something to do.
    fn orders(&mut self, mut work: impl FnMut(&mut Live) -> Option<Work>) -> Orders {
        let mut orders = Orders::default();
        if self.lifted {
            return orders;
        }
        let found: Vec<_> = self
            .agents
            .iter_mut()
            .filter_map(|(agent, live)| Some((agent.clone(), work(live)?)))
            .collect();
        let mut known = BTreeMap::new();
        for (agent, Work { mask, sections }) in found {
            let conversation = self.conversation(&agent).to_owned();
            let order = Order {
                enabled: self.position(&conversation),
                conversation,
                agent,
                mask: mask.map(|mask| orders.number(mask, &mut known)),
                sections,
            };
            orders.agents.push(order);
        }
        orders
    }

    /// Forgets the sizes of names that no tool has now.
    fn forget_sizes(&mut self) {
        if self.sizes.is_empty() {
            return;
        }
        let sets = self.sets(None);
        let present: BTreeSet<&str> = sets
            .iter()
            .flat_map(|set| set.governed().map(|(name, _)| name))
            .collect();
        self.sizes.retain(|name, _| present.contains(name.as_str()));
    }

    /// The distinct sets of names that are deniable for anyone, or for everybody and the agents of one conversation.
    pub(super) fn sets(&self, conversation: Option<&str>) -> Vec<Rc<NameSet>> {
        let mut sets = vec![Rc::clone(&self.everybody)];
        for (agent, live) in &self.agents {
            if let Some(names) = &live.names
                && !Rc::ptr_eq(names, &self.everybody)
                && conversation.is_none_or(|wanted| self.conversation(agent) == wanted)
            {
                sets.push(Rc::clone(names));
            }
        }
        sets
    }
}

/// An agent's id is its host's; only its length matters.
fn check_length(field: &str, id: &str) -> Result<(), Problem> {
    if id.len() > LONGEST_AGENT {
        return Err(Problem::new(
            ProblemKind::TooMuch,
            field,
            format!("An id of an agent has at most {LONGEST_AGENT} bytes."),
        ));
    }
    Ok(())
}

//! A small model of a host: tools in layers, masks and shadows per agent, a state file. It carries out what the
//! switch says, and stops at whatever a real host would refuse.

use std::collections::{BTreeMap, BTreeSet};

use rea_guide::toggle::{
    Adopted, Agent, AgentNames, Ancestor, Change, Held, Hosting, Movement, Naming, Orders, Server,
    Settings, Switch, Toolset,
};

/// What is in place for one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) parent: Option<String>,
    pub(crate) origin: Option<String>,
    /// Names that only this agent inherits, and names that it doesn't.
    pub(crate) own: Option<BTreeSet<String>>,
    pub(crate) mask: BTreeSet<String>,
    pub(crate) shadows: BTreeSet<String>,
}

pub(crate) struct Bed {
    pub(crate) settings: Settings,
    pub(crate) switch: Switch,
    pub(crate) file: Option<Vec<u8>>,
    pub(crate) tools: BTreeSet<String>,
    pub(crate) servers: Vec<Server>,
    pub(crate) agents: BTreeMap<String, Place>,
    pub(crate) offline: Vec<Ancestor>,
    /// Registrations and disposals so far.
    pub(crate) operations: usize,
}

pub(crate) fn settings(servers: &[&str], default_enabled: bool) -> Settings {
    Settings {
        servers: servers.iter().map(|name| (*name).to_owned()).collect(),
        default_enabled,
    }
}

pub(crate) fn hosting() -> Hosting {
    Hosting {
        naming: Naming::Dsh,
        state_path: "/state.json".into(),
        command: "/rea".into(),
    }
}

pub(crate) fn names(server: &str, count: usize) -> impl Iterator<Item = String> {
    (0..count).map(move |number| format!("mcp__{server}__tool_{number}"))
}

impl Bed {
    pub(crate) fn new(settings: Settings) -> Bed {
        Bed {
            switch: Switch::open(settings.clone(), hosting()).unwrap(),
            settings,
            file: None,
            tools: ["bash".to_owned(), "read".to_owned()].into(),
            servers: Vec::new(),
            agents: BTreeMap::new(),
            offline: Vec::new(),
            operations: 0,
        }
    }

    /// A bed with `count` tools of `rea` and two of `other`.
    pub(crate) fn with_rea(count: usize) -> Bed {
        let mut bed = Bed::new(settings(&["rea"], false));
        bed.tools.extend(names("rea", count));
        bed.tools.extend(names("other", 2));
        bed.tell_tools();
        bed
    }

    pub(crate) fn toolset(&self) -> Toolset {
        Toolset {
            servers: self.servers.clone(),
            names: self.tools.iter().cloned().collect(),
            owned: Vec::new(),
            agents: self
                .agents
                .iter()
                .filter_map(|(agent, place)| {
                    Some(AgentNames {
                        agent: agent.clone(),
                        names: place.own.as_ref()?.iter().cloned().collect(),
                    })
                })
                .collect(),
        }
    }

    fn described(&self, id: &str) -> Agent {
        let place = &self.agents[id];
        Agent {
            id: id.to_owned(),
            parent: place.parent.clone(),
            origin: place.origin.clone(),
            names: place.own.as_ref().map(|own| own.iter().cloned().collect()),
            held: Some(Held {
                mask: place.mask.iter().cloned().collect(),
                sections: place.shadows.iter().cloned().collect(),
            }),
        }
    }

    /// Tells the tools, and carries out what follows. Gives the number of orders.
    pub(crate) fn tell_tools(&mut self) -> usize {
        let orders = self.switch.tools_changed(self.toolset()).unwrap();
        self.carry_out(orders)
    }

    pub(crate) fn root(&mut self, id: &str) -> usize {
        self.agent(id, None, None)
    }

    pub(crate) fn sub_agent(&mut self, id: &str, parent: &str) -> usize {
        self.agent(id, Some(parent), Some("subagent"))
    }

    pub(crate) fn agent(&mut self, id: &str, parent: Option<&str>, origin: Option<&str>) -> usize {
        let place = Place {
            parent: parent.map(str::to_owned),
            origin: origin.map(str::to_owned),
            ..Place::default()
        };
        self.agents.insert(id.to_owned(), place);
        let agent = self.described(id);
        let orders = self.switch.agents_seen(vec![agent]).unwrap();
        self.carry_out(orders)
    }

    pub(crate) fn gone(&mut self, id: &str) {
        if let Some(place) = self.agents.remove(id) {
            self.offline.retain(|known| known.id != id);
            self.offline.push(Ancestor {
                id: id.to_owned(),
                parent: place.parent,
                origin: place.origin,
            });
        }
        self.switch.agent_gone(id);
    }

    /// Changes a position as a host does, all of it.
    pub(crate) fn change(&mut self, session: &str, to: Movement) -> Adopted {
        let change = Change {
            session: session.to_owned(),
            to,
        };
        let written = self
            .switch
            .prepare_write(self.file.as_deref(), &change)
            .unwrap();
        self.file = Some(written.document.into_bytes());
        self.adopt()
    }

    /// Takes over what the file holds.
    pub(crate) fn adopt(&mut self) -> Adopted {
        let adopted = self.switch.adopt(self.file.as_deref());
        self.carry_out(adopted.orders.clone());
        adopted
    }

    /// After a trap: a new switch is told what the host knows.
    pub(crate) fn restart(&mut self) -> usize {
        self.switch = Switch::open(self.settings.clone(), hosting()).unwrap();
        let adopted = self.switch.adopt(self.file.as_deref());
        assert_eq!(adopted.orders, Orders::default());
        assert_eq!(
            self.switch.tools_changed(self.toolset()),
            Ok(Orders::default())
        );
        assert_eq!(
            self.switch.lineage_told(&self.offline),
            Ok(Orders::default())
        );
        let agents = self.agents.keys().map(|id| self.described(id)).collect();
        let orders = self.switch.agents_seen(agents).unwrap();
        self.carry_out(orders)
    }

    pub(crate) fn carry_out(&mut self, orders: Orders) -> usize {
        let seen: BTreeSet<&String> = orders.agents.iter().map(|order| &order.agent).collect();
        assert_eq!(
            seen.len(),
            orders.agents.len(),
            "more than one order for an agent"
        );
        for order in &orders.agents {
            let deniable = self.deniable(&order.agent).clone();
            let place = self
                .agents
                .get_mut(&order.agent)
                .expect("an order for nobody");
            assert!(
                order.mask.is_some() || order.sections.is_some(),
                "an order for nothing"
            );
            if let Some(mask) = order.mask {
                let mask = &orders.masks[mask as usize];
                for name in mask.iter() {
                    assert!(
                        deniable.contains(name),
                        "restrict() names unknown tool {name}"
                    );
                }
                let fresh: BTreeSet<String> = mask.iter().cloned().collect();
                assert!(mask.is_sorted() && fresh.len() == mask.len());
                self.operations += usize::from(!fresh.is_empty());
                self.operations += usize::from(!place.mask.is_empty());
                place.mask = fresh;
            }
            if let Some(sections) = &order.sections {
                let fresh: BTreeSet<String> = sections.iter().cloned().collect();
                self.operations += fresh.symmetric_difference(&place.shadows).count();
                place.shadows = fresh;
            }
        }
        orders.agents.len()
    }

    fn deniable(&self, agent: &str) -> &BTreeSet<String> {
        self.agents[agent].own.as_ref().unwrap_or(&self.tools)
    }

    /// What the model of an agent is shown: tools, and which sections are empty.
    pub(crate) fn shown(&self, agent: &str) -> (BTreeSet<String>, BTreeSet<String>) {
        let place = &self.agents[agent];
        let tools = self
            .deniable(agent)
            .difference(&place.mask)
            .cloned()
            .collect();
        (tools, place.shadows.clone())
    }

    /// Number of tools of a server that an agent's model is shown.
    pub(crate) fn count(&self, agent: &str, server: &str) -> usize {
        let prefix = format!("mcp__{server}__");
        self.shown(agent)
            .0
            .iter()
            .filter(|name| name.starts_with(&prefix))
            .count()
    }

    /// What is shown is what was decided, for every agent.
    pub(crate) fn check(&self) {
        for (agent, place) in &self.agents {
            let decision = self.switch.decision(agent).expect("a decision");
            let deniable = self.deniable(agent);
            let denied: BTreeSet<String> = place.mask.intersection(deniable).cloned().collect();
            assert_eq!(denied, decision.deny.into_iter().collect(), "{agent}");
            assert_eq!(
                place.shadows,
                decision.sections.into_iter().collect(),
                "{agent}"
            );
        }
    }
}

//! What the instance was told and would have to be told again.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Agent, Ancestor, Damage, Hosting, Settings, Standing, Toolset};

/// Documents that are kept: the last whole one, and those after it of which a part was unreadable.
const MOST_DOCUMENTS: usize = 4;

/// Ancestors that are kept; as many facts as the policy keeps.
const MOST_ANCESTORS: usize = 20_000;

/// Everything, in the order in which it is told.
pub(super) struct Told {
    pub(super) settings: Settings,
    pub(super) hosting: Hosting,
    /// Where a part of a document is unreadable, what was known before fills the gap: so one may not be enough.
    pub(super) documents: Vec<Option<Vec<u8>>>,
    pub(super) tools: Option<Toolset>,
    pub(super) sizes: BTreeMap<String, u64>,
    /// Of agents that aren't live.
    pub(super) ancestors: BTreeMap<String, Origin>,
    pub(super) agents: BTreeMap<String, Live>,
    pub(super) lifted: bool,
}

/// Where an agent came from.
#[derive(Clone)]
pub(super) struct Origin {
    pub(super) parent: Option<String>,
    pub(super) origin: Option<String>,
}

/// A live agent.
pub(super) struct Live {
    pub(super) from: Origin,
    pub(super) names: Option<Vec<String>>,
    pub(super) standing: Arc<Standing>,
}

impl Told {
    pub(super) fn new(settings: Settings, hosting: Hosting) -> Told {
        Told {
            settings,
            hosting,
            documents: Vec::new(),
            tools: None,
            sizes: BTreeMap::new(),
            ancestors: BTreeMap::new(),
            agents: BTreeMap::new(),
            lifted: false,
        }
    }

    /// A document was adopted.
    pub(super) fn document(&mut self, document: Option<Vec<u8>>, damage: Option<&Damage>) {
        match damage {
            None => self.documents = vec![document],
            // Nothing of it was readable: the positions known before stand.
            Some(damage) if damage.field.is_empty() => {}
            Some(_) if self.documents.last() == Some(&document) => {}
            Some(_) => {
                if self.documents.len() >= MOST_DOCUMENTS {
                    // The oldest of the damaged ones.
                    self.documents.remove(1);
                }
                self.documents.push(document);
            }
        }
    }

    /// The tools were told anew: what single agents had of their own is no longer true.
    pub(super) fn toolset(&mut self, tools: Toolset) {
        for live in self.agents.values_mut() {
            live.names = None;
        }
        let names: BTreeSet<&String> = tools
            .names
            .iter()
            .chain(tools.owned.iter().flat_map(|owned| &owned.names))
            .chain(tools.agents.iter().flat_map(|agent| &agent.names))
            .collect();
        self.sizes.retain(|name, _| names.contains(name));
        self.tools = Some(tools);
    }

    /// An agent was seen. What it holds it brings along; nothing is known yet of how it stands.
    pub(super) fn agent(&mut self, agent: Agent) {
        self.ancestors.remove(&agent.id);
        let held = agent.held.unwrap_or_else(|| super::Held {
            mask: Vec::new(),
            sections: Vec::new(),
        });
        let standing = Standing {
            conversation: agent.id.clone(),
            // Until it is decided a moment later: nothing reaches it.
            enabled: false,
            mask: held.mask.into(),
            sections: held.sections.into(),
        };
        let live = Live {
            from: Origin {
                parent: agent.parent,
                origin: agent.origin,
            },
            names: agent.names,
            standing: Arc::new(standing),
        };
        self.agents.insert(agent.id, live);
    }

    pub(super) fn ancestor(&mut self, ancestor: Ancestor) {
        if self.agents.contains_key(&ancestor.id) {
            return;
        }
        let from = Origin {
            parent: ancestor.parent,
            origin: ancestor.origin,
        };
        self.ancestors.insert(ancestor.id, from);
        self.prune();
    }

    /// An agent is gone; where it came from stays, for the sub-agents of it.
    pub(super) fn gone(&mut self, id: &str) {
        if let Some(live) = self.agents.remove(id) {
            self.ancestors.insert(id.to_owned(), live.from);
            self.prune();
        }
    }

    /// Live agents that may belong to another conversation when something is told about the one they came from.
    pub(super) fn with_parents(&self) -> impl Iterator<Item = String> {
        self.agents
            .iter()
            .filter(|(_, live)| live.from.parent.is_some())
            .map(|(id, _)| id.clone())
    }

    /// Forgets ancestors of nobody, once there are too many.
    fn prune(&mut self) {
        if self.ancestors.len() <= MOST_ANCESTORS {
            return;
        }
        let needed = self.needed();
        self.ancestors.retain(|id, _| needed.contains(id));
        while self.ancestors.len() > MOST_ANCESTORS {
            self.ancestors.pop_last();
        }
    }

    /// From whom live agents came, directly or not.
    pub(super) fn needed(&self) -> BTreeSet<String> {
        let mut needed = BTreeSet::new();
        for live in self.agents.values() {
            let mut parent = live.from.parent.as_ref();
            while let Some(id) = parent {
                if !needed.insert(id.clone()) {
                    break;
                }
                parent = match self.agents.get(id) {
                    Some(live) => live.from.parent.as_ref(),
                    None => self.ancestors.get(id).and_then(|from| from.parent.as_ref()),
                };
            }
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::switch::{DamageKind, Naming};

    fn told() -> Told {
        let settings = Settings {
            servers: vec!["rea".into()],
            default_enabled: false,
        };
        let hosting = Hosting {
            naming: Naming::Gateway,
            state_path: "s".into(),
            command: "c".into(),
        };
        Told::new(settings, hosting)
    }

    fn damage(field: &str) -> Damage {
        Damage {
            kind: DamageKind::Shape,
            field: field.into(),
            detail: String::new(),
        }
    }

    #[test]
    fn documents_are_kept_as_far_as_they_matter() {
        let mut told = told();
        told.document(None, None);
        told.document(Some(b"unreadable".to_vec()), Some(&damage("")));
        assert_eq!(told.documents, [None]);
        for number in 0..9_u8 {
            told.document(Some(vec![number]), Some(&damage("conversations.a")));
            told.document(Some(vec![number]), Some(&damage("conversations.a")));
        }
        assert_eq!(
            told.documents,
            [None, Some(vec![6]), Some(vec![7]), Some(vec![8])]
        );
        told.document(Some(b"whole".to_vec()), None);
        assert_eq!(told.documents, [Some(b"whole".to_vec())]);
    }

    #[test]
    fn ancestors_of_nobody_go_when_there_are_too_many() {
        let mut told = told();
        let sub = |parent: &str| (Some(parent.to_owned()), Some("subagent".to_owned()));
        let (parent, origin) = sub("middle");
        told.agent(Agent {
            id: "leaf".into(),
            parent,
            origin,
            names: None,
            held: None,
        });
        for number in 0..=MOST_ANCESTORS {
            let (parent, origin) = sub("elsewhere");
            told.ancestor(Ancestor {
                id: format!("a{number}"),
                parent,
                origin,
            });
        }
        let (parent, origin) = sub("root");
        told.ancestor(Ancestor {
            id: "middle".into(),
            parent,
            origin,
        });
        assert!(told.ancestors.contains_key("middle"));
        assert!(told.ancestors.len() <= MOST_ANCESTORS);
    }
}

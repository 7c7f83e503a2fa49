//! Which conversation an agent belongs to (T2): a sub-agent to the one that created it, at any depth.

use std::collections::{BTreeMap, BTreeSet};

/// Facts that are kept at most, of live agents and of others.
pub(super) const MOST_FACTS: usize = 20_000;

/// Steps from a sub-agent to its conversation at most. Who goes on longer goes in circles.
const DEEPEST: usize = 256;

/// What DSH calls a sub-agent. A user's fork has a parent too, but not this origin.
const SUB_AGENT: &str = "subagent";

/// Who created whom.
#[derive(Default)]
pub(super) struct Lineage {
    /// Of each sub-agent its creator, and when that was told.
    creators: BTreeMap<String, (String, u64)>,
    told: u64,
}

impl Lineage {
    /// Takes a fact. The last one about an agent counts.
    pub(super) fn tell(&mut self, id: &str, parent: Option<&str>, origin: Option<&str>) {
        self.told = self.told.saturating_add(1);
        match parent {
            Some(parent) if origin == Some(SUB_AGENT) => {
                self.creators
                    .insert(id.to_owned(), (parent.to_owned(), self.told));
            }
            _ => {
                self.creators.remove(id);
            }
        }
    }

    /// The conversation of an agent: the first ancestor that isn't known as a sub-agent. An agent whose ancestry goes in
    /// circles is a conversation of its own.
    pub(super) fn conversation<'a>(&'a self, id: &'a str) -> &'a str {
        let mut at = id;
        for _ in 0..DEEPEST {
            match self.creators.get(at) {
                Some((creator, _)) => at = creator,
                None => return at,
            }
        }
        id
    }

    /// Forgets the oldest facts beyond the most that are kept: those first that no live agent needs.
    pub(super) fn prune<'a>(&mut self, live: impl Iterator<Item = &'a str>) {
        let excess = self.creators.len().saturating_sub(MOST_FACTS);
        if excess == 0 {
            return;
        }
        let mut needed = BTreeSet::new();
        for id in live {
            let mut at = id;
            while let Some((id, (creator, _))) = self.creators.get_key_value(at) {
                if !needed.insert(id.as_str()) {
                    break;
                }
                at = creator;
            }
        }
        let mut order: Vec<(bool, u64, &String)> = self
            .creators
            .iter()
            .map(|(id, (_, told))| (needed.contains(id.as_str()), *told, id))
            .collect();
        order.sort_unstable();
        // A tenth more, so that the next fact doesn't ask for all this again.
        let gone: Vec<String> = order
            .into_iter()
            .take(excess + MOST_FACTS / 10)
            .map(|(_, _, id)| id.clone())
            .collect();
        for id in gone {
            self.creators.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sub(lineage: &mut Lineage, id: &str, parent: &str) {
        lineage.tell(id, Some(parent), Some("subagent"));
    }

    #[test]
    fn t2_a_sub_agent_belongs_to_the_conversation_that_created_it_at_any_depth() {
        let mut lineage = Lineage::default();
        for depth in 1..=200_u32 {
            sub(&mut lineage, &depth.to_string(), &(depth - 1).to_string());
        }
        for depth in 0..=200_u32 {
            assert_eq!(lineage.conversation(&depth.to_string()), "0");
        }
    }

    #[test]
    fn p12_a_fork_and_anything_else_with_a_parent_is_a_conversation_of_its_own() {
        let mut lineage = Lineage::default();
        lineage.tell("fork", Some("root"), None);
        lineage.tell("odd", Some("root"), Some("Subagent"));
        lineage.tell("orphan", None, Some("subagent"));
        for id in ["fork", "odd", "orphan", "unknown"] {
            assert_eq!(lineage.conversation(id), id);
        }
        sub(&mut lineage, "child", "fork");
        assert_eq!(lineage.conversation("child"), "fork");
    }

    #[test]
    fn circles_end() {
        let mut lineage = Lineage::default();
        sub(&mut lineage, "self", "self");
        sub(&mut lineage, "a", "b");
        sub(&mut lineage, "b", "c");
        sub(&mut lineage, "c", "b");
        for id in ["self", "a", "b", "c"] {
            assert_eq!(lineage.conversation(id), id);
        }
        lineage.tell("c", None, None);
        assert_eq!(lineage.conversation("a"), "c");
    }

    #[test]
    fn what_live_agents_need_is_forgotten_last() {
        let mut lineage = Lineage::default();
        sub(&mut lineage, "middle", "root");
        sub(&mut lineage, "leaf", "middle");
        for number in 0..MOST_FACTS {
            sub(&mut lineage, &format!("gone-{number}"), "elsewhere");
        }
        lineage.prune(["leaf"].into_iter());
        assert!(lineage.creators.len() <= MOST_FACTS);
        assert_eq!(lineage.conversation("leaf"), "root");
        assert_eq!(lineage.conversation("gone-0"), "gone-0");
        assert_eq!(
            lineage.conversation(&format!("gone-{}", MOST_FACTS - 1)),
            "elsewhere"
        );
    }

    #[test]
    fn pruning_ends_in_circles_too() {
        let mut lineage = Lineage::default();
        sub(&mut lineage, "a", "b");
        sub(&mut lineage, "b", "a");
        for number in 0..MOST_FACTS {
            sub(&mut lineage, &format!("gone-{number}"), "elsewhere");
        }
        lineage.prune(["a"].into_iter());
        assert!(lineage.creators.contains_key("a"));
    }
}

//! How things stand: for people, for HTTP answers, for lists.

use std::collections::{BTreeMap, BTreeSet};

use super::problem::Problem;
use super::switch::{ServerState, Switch};
use super::text;

/// How one conversation stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The id that was asked for.
    pub session: String,
    /// The conversation that it belongs to.
    pub conversation: String,
    /// The position.
    pub enabled: bool,
    /// Whether it was ever switched.
    pub known: bool,
    /// Number of its live agents.
    pub agents: u32,
    /// Number of tools of the governed servers among the deniable names, on or off.
    pub tools: u32,
    /// Bytes of schema of these tools, if the size of each is known.
    pub schema_bytes: Option<u64>,
}

/// How all of it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The position of a conversation that was never switched.
    pub default_enabled: bool,
    /// The governed servers and whether they are there.
    pub servers: Vec<(String, ServerState)>,
    /// Number of conversations that were switched and are remembered.
    pub conversations: u32,
    /// Number of live agents.
    pub agents: u32,
    /// As in [`Status`], for all agents together.
    pub tools: u32,
    /// As in [`Status`], for all agents together.
    pub schema_bytes: Option<u64>,
    /// Where the state file is.
    pub state_path: String,
}

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// Its id.
    pub id: String,
    /// Its position.
    pub enabled: bool,
    /// The revision of its last change; none if it was never switched.
    pub revision: Option<u64>,
    /// Number of its live agents.
    pub agents: u32,
}

impl Switch {
    /// How a conversation stands, by its own id or that of a sub-agent.
    ///
    /// # Errors
    /// If the id isn't one.
    pub fn status(&self, session: &str) -> Result<Status, Problem> {
        text::check_id("session", session)?;
        let conversation = self.conversation(session);
        let (tools, schema_bytes) = self.weigh(Some(conversation));
        Ok(Status {
            session: session.to_owned(),
            conversation: conversation.to_owned(),
            enabled: self.position(conversation),
            known: self.document.entry(conversation).is_some(),
            agents: count(
                self.agents
                    .keys()
                    .filter(|agent| self.conversation(agent) == conversation)
                    .count(),
            ),
            tools,
            schema_bytes,
        })
    }

    /// How all of it stands.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let (tools, schema_bytes) = self.weigh(None);
        Summary {
            default_enabled: self.settings.default_enabled,
            servers: self.server_states(),
            conversations: count(self.document.len()),
            agents: count(self.agents.len()),
            tools,
            schema_bytes,
            state_path: self.hosting.state_path.clone(),
        }
    }

    /// All conversations that were switched or have live agents: the most recently switched first.
    #[must_use]
    pub fn conversations(&self) -> Vec<Conversation> {
        let mut agents: BTreeMap<&str, u32> = BTreeMap::new();
        for agent in self.agents.keys() {
            let number = agents.entry(self.conversation(agent)).or_default();
            *number = number.saturating_add(1);
        }
        let mut list: Vec<Conversation> = self
            .document
            .entries()
            .map(|(id, entry)| Conversation {
                id: id.to_owned(),
                enabled: entry.enabled,
                revision: Some(entry.revision),
                agents: agents.remove(id).unwrap_or_default(),
            })
            .collect();
        list.sort_by(|one, other| (other.revision, &other.id).cmp(&(one.revision, &one.id)));
        list.extend(agents.into_iter().map(|(id, agents)| Conversation {
            id: id.to_owned(),
            enabled: self.settings.default_enabled,
            revision: None,
            agents,
        }));
        list
    }

    /// The governed servers and whether they are there.
    pub(super) fn server_states(&self) -> Vec<(String, ServerState)> {
        let mut with_tools = BTreeSet::new();
        for set in self.sets(None) {
            with_tools.extend(set.governed().map(|(_, place)| place));
        }
        self.settings
            .servers
            .iter()
            .zip(0..)
            .map(|(server, place)| {
                let state = match self.states.get(server) {
                    Some(Some(told)) => *told,
                    _ if with_tools.contains(&place) => ServerState::Connected,
                    Some(None) => ServerState::Down,
                    None => ServerState::Absent,
                };
                (server.clone(), state)
            })
            .collect()
    }

    /// Number of governed tools and bytes of their schemas: of one conversation or of all.
    fn weigh(&self, conversation: Option<&str>) -> (u32, Option<u64>) {
        let sets = self.sets(conversation);
        let names: BTreeSet<&str> = sets
            .iter()
            .flat_map(|set| set.governed().map(|(name, _)| name))
            .collect();
        let bytes = names
            .iter()
            .map(|name| self.sizes.get(*name).copied())
            .try_fold(0_u64, |sum, bytes| Some(sum.saturating_add(bytes?)));
        (count(names.len()), bytes)
    }
}

/// What `bytes` of tool schema come to in tokens: bytes / 4.6, rounded. Measured on real tool lists for the o200k
/// vocabulary; an estimate for any other.
#[must_use]
pub fn estimate_tokens(bytes: u64) -> u64 {
    // bytes * 10 / 46, rounded half up, without leaving 64 bits.
    let (whole, rest) = (bytes / 46, bytes % 46);
    whole
        .saturating_mul(10)
        .saturating_add((rest * 10 + 23) / 46)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::estimate_tokens;

    #[test]
    fn tokens_are_bytes_by_four_point_six() {
        for (bytes, tokens) in [
            (0, 0),
            (1, 0),
            (2, 0),
            (3, 1),
            (46, 10),
            (4_600, 1_000),
            (46_001, 10_000),
        ] {
            assert_eq!(estimate_tokens(bytes), tokens, "{bytes}");
        }
        assert_eq!(
            estimate_tokens(u64::MAX),
            u64::MAX / 46 * 10 + (u64::MAX % 46 * 10 + 23) / 46
        );
    }
}

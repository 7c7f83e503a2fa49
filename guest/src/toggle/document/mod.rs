//! The positions, and the document that keeps them. The format is described in `wit/state.md`.

mod read;
#[cfg(test)]
mod tests;
mod write;

use std::collections::BTreeMap;

use serde_json::value::RawValue;

pub(super) use read::read;

/// Conversations that are remembered at most: the most recently changed ones (T11).
pub const MOST_CONVERSATIONS: usize = 500;

/// Bytes of a document at most. 500 entries with the longest ids take less than 2 MiB.
pub const LONGEST_DOCUMENT: usize = 4 << 20;

/// The highest revision: beyond it JavaScript can't count by ones.
const LAST_REVISION: u64 = (1 << 53) - 1;

/// Fields that this version doesn't know, with their values as they were spelled.
type Extra = BTreeMap<String, Box<RawValue>>;

/// One conversation that was switched.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its position.
    pub(super) enabled: bool,
    /// The revision of its last change.
    pub(super) revision: u64,
    extra: Extra,
}

/// All positions that are remembered.
#[derive(Clone, Debug, Default)]
pub(super) struct Document {
    revision: u64,
    entries: BTreeMap<String, Entry>,
    extra: Extra,
}

/// What a position is changed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// The tools and instructions reach the model.
    On,
    /// They don't.
    Off,
    /// The other of the two.
    Flip,
}

impl Document {
    /// The entry of a conversation, if it was ever switched.
    pub(super) fn entry(&self, conversation: &str) -> Option<&Entry> {
        self.entries.get(conversation)
    }

    /// All entries, in byte order of their ids.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.entries.iter().map(|(id, entry)| (id.as_str(), entry))
    }

    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Changes a position and returns the new one. The change gets the highest revision, also if the position stays
    /// the same; what is too many after it goes.
    pub(super) fn change(&mut self, conversation: &str, to: Movement, default: bool) -> bool {
        let before = self
            .entry(conversation)
            .map_or(default, |entry| entry.enabled);
        let enabled = match to {
            Movement::On => true,
            Movement::Off => false,
            Movement::Flip => !before,
        };
        if self.revision >= LAST_REVISION {
            self.renumber();
        }
        let revision = self.revision.saturating_add(1);
        self.revision = revision;
        self.entries
            .entry(conversation.to_owned())
            .and_modify(|entry| {
                entry.enabled = enabled;
                entry.revision = revision;
            })
            .or_insert_with(|| Entry {
                enabled,
                revision,
                extra: Extra::new(),
            });
        self.evict();
        enabled
    }

    /// Adds what `other` knows of conversations that aren't here: for a document of which a part was unreadable.
    pub(super) fn complete(&mut self, other: &Document) {
        for (id, known) in &other.entries {
            self.entries
                .entry(id.clone())
                .and_modify(|entry| entry.revision = entry.revision.max(known.revision))
                .or_insert_with(|| known.clone());
        }
        self.revision = self.revision.max(other.revision);
        self.evict();
    }

    /// Ids from the least to the most recently changed. Equal revisions, which only a foreign hand makes, go by id.
    fn by_age(&self) -> Vec<String> {
        let mut ids: Vec<(u64, &String)> = self
            .entries
            .iter()
            .map(|(id, entry)| (entry.revision, id))
            .collect();
        ids.sort_unstable();
        ids.into_iter().map(|(_, id)| id.clone()).collect()
    }

    /// Drops the least recently changed beyond the most that are remembered.
    fn evict(&mut self) {
        let excess = self.entries.len().saturating_sub(MOST_CONVERSATIONS);
        if excess > 0 {
            for id in self.by_age().into_iter().take(excess) {
                self.entries.remove(&id);
            }
        }
    }

    /// Gives the entries the revisions 1, 2, 3 … in their order. A file may claim any number; ours go up by one.
    fn renumber(&mut self) {
        let mut revision = 0;
        for id in self.by_age() {
            revision += 1;
            if let Some(entry) = self.entries.get_mut(&id) {
                entry.revision = revision;
            }
        }
        self.revision = revision;
    }
}

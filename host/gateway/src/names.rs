//! The names under which tools and prompts of several servers are told to a client.
//!
//! With one server names are its own. With several they are `<server>__<name>`: at most 64 characters of
//! `A-Z a-z 0-9 _ -`, as model providers ask for. A name that would be another, or longer, or one that is taken, ends with
//! eight hexadecimal digits of a hash of what it stands for.

use std::{
    collections::HashMap,
    sync::{Arc, RwLock},
};

/// The longest name, in characters.
const LONGEST: usize = 64;
/// A server may invent names; so many are remembered at most, far more than a client can be told.
const MOST: usize = 400_000;

/// A name of a server: its number and the name there.
pub(crate) type Own = (usize, Arc<str>);

/// A table of both directions. Once given, a name stands for the same thing as long as the program runs.
#[derive(Debug)]
pub(crate) struct Names {
    /// Names of servers; with only one, its names are used as they are.
    servers: Vec<String>,
    table: RwLock<Table>,
}

#[derive(Debug, Default)]
struct Table {
    own: HashMap<Arc<str>, Own>,
    told: HashMap<Own, Arc<str>>,
}

impl Names {
    pub(crate) fn new(servers: impl IntoIterator<Item = String>) -> Self {
        Self {
            servers: servers.into_iter().collect(),
            table: RwLock::default(),
        }
    }

    /// Whether names are the servers' own.
    pub(crate) fn plain(&self) -> bool {
        self.servers.len() == 1
    }

    /// What a client is told for a name of a server.
    pub(crate) fn told(&self, server: usize, name: &str) -> Arc<str> {
        let own: Own = (server, Arc::from(name));
        if self.plain() {
            return own.1;
        }
        if let Some(told) = read(&self.table).told.get(&own) {
            return told.clone();
        }
        let mut table = self
            .table
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let told = self.invent(&table, &own);
        if table.own.len() < MOST {
            table.own.insert(told.clone(), own.clone());
            table.told.insert(own, told.clone());
        }
        told
    }

    /// What a client's name stands for. With one server, itself.
    pub(crate) fn own(&self, told: &str) -> Option<Own> {
        if self.plain() {
            return Some((0, Arc::from(told)));
        }
        read(&self.table).own.get(told).cloned()
    }

    fn invent(&self, table: &Table, own: &Own) -> Arc<str> {
        let (server, name) = own;
        let prefix = self.servers.get(*server).map_or("", String::as_str);
        let whole = format!("{prefix}__{name}");
        let plain = |letter: char| {
            if letter.is_ascii_alphanumeric() || letter == '_' || letter == '-' {
                letter
            } else {
                '_'
            }
        };
        let clean: String = whole.chars().map(plain).collect();
        if clean == whole && clean.len() <= LONGEST && !table.own.contains_key(clean.as_str()) {
            return clean.into();
        }
        // More than one round only if two hashes are alike.
        let mut round = 0_u64;
        loop {
            let hash = hash(&[prefix, name, &round.to_string()]);
            let kept = clean
                .get(..clean.len().min(LONGEST - 9))
                .unwrap_or_default();
            let told = format!("{kept}_{hash:08x}");
            if !table.own.contains_key(told.as_str()) {
                return told.into();
            }
            round += 1;
        }
    }
}

fn read(table: &RwLock<Table>) -> std::sync::RwLockReadGuard<'_, Table> {
    table
        .read()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// FNV-1a, the same everywhere and for ever; not a secret.
fn hash(parts: &[&str]) -> u32 {
    let bytes = parts
        .iter()
        .flat_map(|part| part.bytes().chain(std::iter::once(0)));
    bytes.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(servers: &[&str]) -> Names {
        Names::new(servers.iter().map(|&name| name.to_owned()))
    }

    #[test]
    fn one_server_keeps_its_names() {
        let names = names(&["a b"]);
        assert_eq!(&*names.told(0, "x y/z"), "x y/z");
        assert_eq!(names.own("x y/z"), Some((0, "x y/z".into())));
    }

    #[test]
    fn with_several_every_name_is_plain_short_its_own_and_leads_back() {
        let names = names(&["a", "a__b", "ä ö", &"long".repeat(40)]);
        let mut all = std::collections::HashSet::new();
        for server in 0..4 {
            for name in [
                "b__c",
                "c",
                "",
                "d.e",
                "d e",
                &"x".repeat(100),
                &"x".repeat(101),
                "日本",
            ] {
                let told = names.told(server, name);
                assert!(all.insert(told.clone()), "{told} stands twice");
                assert!(told.len() <= 64 && !told.is_empty(), "{told}");
                assert!(
                    told.bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
                );
                assert_eq!(names.own(&told), Some((server, name.into())));
                assert_eq!(names.told(server, name), told);
            }
        }
        assert_eq!(&*names.told(0, "c"), "a__c");
        assert_eq!(names.own("a__nothing"), None);
    }
}

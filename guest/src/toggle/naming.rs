//! Whose tool a name is.

use std::collections::BTreeMap;

/// Bytes of a server's name at most: 256 characters of four.
const LONGEST_PREFIX: usize = 1026;

/// How the tools of a server are named where nobody says whose a tool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// `mcp__<server>__<tool>`.
    Dsh,
    /// `<server>__<tool>`.
    Gateway,
}

/// Knows whose tool a name is.
pub(super) struct Owners {
    naming: Naming,
    /// Servers whose prefixes count: the governed ones with their place in the settings, and others.
    servers: BTreeMap<String, Option<u16>>,
    /// Where the host says so: the governed server, or none for another.
    told: BTreeMap<String, Option<u16>>,
}

impl Owners {
    /// Knows the governed servers, in their order.
    pub(super) fn new(naming: Naming, governed: &[String]) -> Owners {
        Owners {
            naming,
            servers: governed
                .iter()
                .zip(0..)
                .map(|(server, place)| (server.clone(), Some(place)))
                .collect(),
            told: BTreeMap::new(),
        }
    }

    /// Adds a server that isn't governed, if it isn't known as one that is.
    pub(super) fn know(&mut self, server: String) {
        self.servers.entry(server).or_insert(None);
    }

    /// Takes the host's word for whose a name is. Of two words the governed server's counts: rather one tool too
    /// few than one that was to be out of reach.
    pub(super) fn tell(&mut self, name: &str, server: &str) {
        let place = self.servers.get(server).copied().flatten();
        if let Some(told) = self.told.get_mut(name) {
            *told = told.or(place);
        } else {
            self.told.insert(name.to_owned(), place);
        }
    }

    /// The place of the governed server whose tool this is; none if it is another's or nobody's.
    pub(super) fn governed(&self, name: &str) -> Option<u16> {
        if let Some(place) = self.told.get(name) {
            return *place;
        }
        let rest = match self.naming {
            Naming::Dsh => name.strip_prefix("mcp__")?,
            Naming::Gateway => name,
        };
        // The longest server first: its name ends at the last `__` that works. Overlapping ones count, since
        // a server may end with `_`, or a tool begin with it.
        let last = rest.len().saturating_sub(1).min(LONGEST_PREFIX);
        (1..last).rev().find_map(|end| {
            let behind = rest.get(end..)?;
            if !behind.starts_with("__") {
                return None;
            }
            self.servers.get(rest.get(..end)?).copied()
        })?
    }
}

/// The section of the system prompt that holds a server's instructions (T7).
pub(super) fn section(server: &str) -> String {
    format!("mcp:{server}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owners(naming: Naming, governed: &[&str], known: &[&str]) -> Owners {
        let governed: Vec<String> = governed.iter().map(|name| (*name).to_owned()).collect();
        let mut owners = Owners::new(naming, &governed);
        for server in known {
            owners.know((*server).to_owned());
        }
        owners
    }

    #[test]
    fn p22_a_server_does_not_swallow_its_neighbours() {
        let owners = owners(Naming::Dsh, &["rea", "ghidra"], &["rea__x", "rea2", "rea"]);
        for (name, place) in [
            ("mcp__rea__open", Some(0)),
            ("mcp__ghidra__open", Some(1)),
            ("mcp__rea2__open", None),
            ("mcp__rea__x__open", None),
            ("mcp__rea__y__open", Some(0)),
            ("mcp__rea__x_open", Some(0)),
            ("mcp__rea___open", Some(0)),
            ("mcp__rea__dotted_name_5e936d04d171", Some(0)),
            ("mcp__Rea__open", None),
            ("mcp_rea_open", None),
            ("mcp__rea", None),
            ("mcp__rea_", None),
            ("mcp____", None),
            ("rea__open", None),
            ("", None),
            ("mcp__réa__öffnen", None),
        ] {
            assert_eq!(owners.governed(name), place, "{name}");
        }
    }

    #[test]
    fn p22_a_governed_server_with_a_longer_name_is_told_from_its_neighbour_too() {
        let owners = owners(Naming::Dsh, &["rea__x", "a_"], &["rea", "a"]);
        assert_eq!(owners.governed("mcp__rea__x__open"), Some(0));
        assert_eq!(owners.governed("mcp__rea__open"), None);
        assert_eq!(owners.governed("mcp__a___open"), Some(1));
        assert_eq!(owners.governed("mcp__a__open"), None);
    }

    #[test]
    fn what_the_host_says_of_a_name_counts_more_than_its_prefix() {
        let mut owners = owners(Naming::Gateway, &["rea", "rea__x"], &[]);
        assert_eq!(owners.governed("rea__open"), Some(0));
        assert_eq!(owners.governed("mcp__rea__open"), None);
        owners.tell("open", "rea");
        owners.tell("rea__open", "other");
        owners.tell("both", "other");
        owners.tell("both", "rea__x");
        owners.tell("both", "another");
        assert_eq!(owners.governed("open"), Some(0));
        assert_eq!(owners.governed("rea__open"), None);
        assert_eq!(owners.governed("both"), Some(1));
    }

    #[test]
    fn a_monstrous_name_costs_little() {
        let owners = owners(Naming::Gateway, &["rea"], &[]);
        assert_eq!(owners.governed(&"_".repeat(4 << 20)), None);
    }
}

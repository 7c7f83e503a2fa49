//! The analysis providers of this server, and whether one can be chosen.

use serde::Serialize;

use super::evidence::ProviderIdentity;

/// The provider that reads binaries itself.
pub const NATIVE: &str = "native";

/// Leaves the choice to the server.
pub const AUTO: &str = "auto";

/// A provider and whether it can be chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Who it is.
    pub provider: ProviderIdentity,
    /// `available` or `unavailable`.
    pub availability: &'static str,
    /// Why it is unavailable.
    pub reason: Option<String>,
    /// What it does.
    pub capabilities: &'static [&'static str],
    /// File formats that it reads.
    pub formats: &'static [&'static str],
}

/// All providers.
pub fn candidates() -> Vec<Candidate> {
    vec![Candidate {
        provider: native(),
        availability: "available",
        reason: None,
        capabilities: &["documents", "procedures", "strings", "layout"],
        formats: &[
            "elf",
            "mach-o",
            "mach-o-fat",
            "fat-archive",
            "pe",
            "coff",
            "wasm",
            "wasm-component",
            "archive",
        ],
    }]
}

/// Ids that `provider_id` takes, `auto` among them.
pub fn selectable() -> Vec<String> {
    std::iter::once(AUTO.to_owned())
        .chain(
            candidates()
                .into_iter()
                .filter(|c| c.availability == "available")
                .map(|c| c.provider.id),
        )
        .collect()
}

/// The native provider.
pub fn native() -> ProviderIdentity {
    ProviderIdentity {
        id: NATIVE.into(),
        name: "rea native binary reader".into(),
        version: Some(env!("CARGO_PKG_VERSION").into()),
    }
}

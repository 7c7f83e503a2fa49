//! The first words with a server.
//!
//! `initialize` first, since most servers know that; one that refuses it is asked `server/discover`.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use super::link::{Link, Outcome};
use crate::raw::Object;

/// The revision without sessions.
pub(crate) const MODERN: &str = "2026-07-28";
/// The newest revision with them.
pub(crate) const LEGACY: &str = "2025-11-25";

/// How long a server may take to open. Some are fetched over the network when they are started.
const PATIENCE: Duration = Duration::from_secs(120);

/// How a peer is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// With `initialize`, up to 2025-11-25.
    Legacy,
    /// With `_meta` in each request, from 2026-07-28 on.
    Modern,
}

/// For whom a connection is opened: what the client said of itself, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    /// The revision to ask for.
    pub(crate) version: String,
    /// Its capabilities.
    pub(crate) capabilities: String,
    /// Its name and version.
    pub(crate) info: String,
}

impl Opening {
    /// The gateway itself, which can do nothing for a server.
    pub(crate) fn own() -> Self {
        Self {
            version: LEGACY.to_owned(),
            capabilities: "{}".to_owned(),
            info: format!(
                r#"{{"name":"rea-gateway","version":"{}"}}"#,
                env!("CARGO_PKG_VERSION")
            ),
        }
    }

    /// The members of `_meta` for a modern server.
    pub(crate) fn identity(&self) -> Vec<(&'static str, String)> {
        vec![
            (
                "io.modelcontextprotocol/protocolVersion",
                format!("\"{MODERN}\""),
            ),
            (
                "io.modelcontextprotocol/clientCapabilities",
                self.capabilities.clone(),
            ),
            ("io.modelcontextprotocol/clientInfo", self.info.clone()),
        ]
    }
}

/// What a server said of itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hello {
    pub(crate) era: Era,
    /// The revision that was agreed on.
    pub(crate) version: String,
    pub(crate) capabilities: Value,
    pub(crate) instructions: Option<String>,
}

/// Opens a connection. Fails with a sentence for a person.
pub(crate) async fn open(link: &Arc<Link>, opening: &Opening) -> Result<(), String> {
    let attempt = attempt(link, opening);
    match tokio::time::timeout(PATIENCE, attempt).await {
        Ok(done) => done,
        Err(_) => Err(format!(
            "it did not answer the first request within {} seconds",
            PATIENCE.as_secs()
        )),
    }
}

async fn attempt(link: &Arc<Link>, opening: &Opening) -> Result<(), String> {
    let params = format!(
        r#"{{"protocolVersion":"{}","capabilities":{},"clientInfo":{}}}"#,
        opening.version, opening.capabilities, opening.info
    );
    let outcome = link.call("initialize", Some(&params)).await;
    let refused = match &outcome {
        Outcome::Result(..) => {
            let hello = hello(Era::Legacy, outcome.result()?)?;
            // Set before anything else can be asked; nobody else has the link yet.
            let _ = link.hello.set(hello);
            link.notify("notifications/initialized", None);
            return Ok(());
        }
        Outcome::Lost(reason) => return Err(reason.clone()),
        Outcome::Error(..) => outcome.result().err().unwrap_or_default(),
    };
    let meta: Vec<String> = opening
        .identity()
        .into_iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    let params = format!(r#"{{"_meta":{{{}}}}}"#, meta.join(","));
    let outcome = link.call("server/discover", Some(&params)).await;
    match outcome.result() {
        Ok(result) => {
            let _ = link.hello.set(hello(Era::Modern, result)?);
            Ok(())
        }
        Err(also) => Err(format!(
            "it refused `initialize` ({refused}) and `server/discover` ({also})"
        )),
    }
}

fn hello(era: Era, result: &str) -> Result<Hello, String> {
    let odd = || "its answer to the first request is no object".to_owned();
    let said = Object::read(result).ok_or_else(odd)?;
    let capabilities = said.get("capabilities").unwrap_or("{}");
    let version = match era {
        Era::Legacy => said
            .text("protocolVersion")
            .unwrap_or_default()
            .into_owned(),
        Era::Modern => MODERN.to_owned(),
    };
    Ok(Hello {
        era,
        version,
        capabilities: serde_json::from_str(capabilities)
            .map_err(|error| format!("its capabilities can't be read: {error}"))?,
        instructions: said
            .text("instructions")
            .filter(|text| !text.is_empty())
            .map(std::borrow::Cow::into_owned),
    })
}

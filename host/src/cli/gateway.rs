//! `rea gateway`: a switch before MCP servers.

use std::path::PathBuf;

use clap::Args;
use rea_gateway::{Config, ConfigError, Seat, Serves};

use super::exit::Failure;
use crate::{
    component::Program,
    gateway::{GovernError, Governed, govern},
    store::state_path,
};

pub(super) const HELP: &str = "\
Examples:
  rea gateway
  rea gateway --config mcp.json --conversation 3f2b8c1e-7d4a-4c58-9a59-0c7b6f3f3f11
  rea gateway --config mcp.json --conversation helper --parent work

FILE is the JSON that MCP clients know, with one key more:
  {\"mcpServers\": {\"wiki\": {\"command\": \"wiki-mcp\", \"args\": [\"--all\"], \"env\": {\"KEY\": \"${KEY}\"}},
                  \"web\": {\"type\": \"http\", \"url\": \"https://web.example/mcp\", \"headers\": {}}},
   \"reaToggle\": {\"servers\": [\"wiki\"], \"defaultEnabled\": false, \"shared\": [\"web\"]}}
Without `servers` (or `server`) every server is governed. New conversations start off unless `defaultEnabled` is true.
`shared` names servers whose one connection may serve all conversations.

Off, nothing of a governed server reaches the client; on, everything does, as the server sent it. Flip it while the client runs:
  rea toggle on --conversation ID";

/// What was typed.
#[derive(Args)]
pub(super) struct Asked {
    /// The servers, as `mcpServers` JSON [default: one server `rea`, which is this program's `rea mcp`]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The conversation that this client belongs to [default: a new one with a random id, said on stderr]
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    /// The conversation that created this one, if it is that of a sub-agent: its switch is followed.
    #[arg(long, value_name = "ID")]
    parent: Option<String>,
    /// The state file [default: $DSH_HOME/rea-toggle.json, else ~/.dsh/rea-toggle.json]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Leave out the prompt `rea`, with which a client flips the switch: then prompts/list too is the servers' own.
    #[arg(long)]
    no_prompt: bool,
}

pub(super) async fn serve(asked: Asked) -> Result<(), Failure> {
    let program = Program::embedded();
    program.warm_up();
    let named = asked.config.as_ref().map(|path| path.display().to_string());
    let config = match &asked.config {
        Some(path) => Config::load(path)?,
        None => own()?,
    };
    let conversation = match asked.conversation {
        Some(id) => visible("--conversation", id)?,
        None => {
            let id = uuid::Uuid::new_v4().to_string();
            eprintln!("rea: conversation {id}");
            id
        }
    };
    let parent = asked.parent.map(|id| visible("--parent", id)).transpose()?;
    let seat = Seat {
        conversation,
        parent,
    };
    let state = state_path(asked.state.as_deref())?;
    let serves = Serves::One(seat.clone());
    let governed = govern(program, config, serves, state, !asked.no_prompt).await;
    let Governed { gateway, .. } = governed.map_err(|error| said(error, named))?;
    let (read, write) = rea_gateway::standard();
    let served = tokio::select! {
        served = rea_gateway::serve(&gateway, seat, read, write) => served.map_err(Failure::Failed),
        collisions = gateway.collided() => Err(Failure::Failed(collisions.join("; "))),
    };
    gateway.close().await;
    served
}

/// This program's own server.
fn own() -> Result<Config, Failure> {
    let program = std::env::current_exe()?;
    let Some(program) = program.to_str() else {
        let text = "the path of this program isn't UTF-8; name it in a --config".to_owned();
        return Err(Failure::Failed(text));
    };
    Ok(Config::of_child("rea", program.to_owned(), &["mcp"]))
}

/// The ids that the switch takes.
fn visible(option: &str, id: String) -> Result<String, Failure> {
    let visible = |letter: char| !letter.is_control() && !letter.is_whitespace();
    if (1..=256).contains(&id.chars().count()) && id.chars().all(visible) {
        return Ok(id);
    }
    Err(Failure::Usage(format!(
        "{option}: expected 1 to 256 visible characters, got {}",
        rea_front::shorten_text(&id)
    )))
}

fn said(error: GovernError, file: Option<String>) -> Failure {
    match (error, file) {
        (error @ GovernError::Config { .. }, Some(file)) => {
            Failure::Usage(format!("{file}: {error}"))
        }
        (error @ GovernError::Config { .. }, None) => Failure::Usage(error.to_string()),
        (GovernError::Switch(error), _) => error.into(),
        (GovernError::Store(error), _) => error.into(),
        (error @ GovernError::Thread(_), _) => Failure::Failed(error.to_string()),
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Failure::Usage(error.to_string())
    }
}

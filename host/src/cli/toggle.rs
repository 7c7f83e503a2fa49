//! `rea toggle`: positions of conversations, from a terminal.

use std::{fmt::Write, path::PathBuf, sync::Arc};

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{
    exit::Failure,
    workbench::{print, shown},
};
use crate::{
    component::{
        Program,
        switch::{
            Change, Conversation, Damage, Hosting, Movement, Naming, Policy, Status, SwitchError,
        },
    },
    store::{PathError, Store, StoreError, state_path},
};

/// What to do.
#[derive(Subcommand)]
pub(super) enum Action {
    /// Let the tools and instructions reach the model.
    On(OfConversation),
    /// Keep them from it.
    Off(OfConversation),
    /// The other of the two.
    Toggle(OfConversation),
    /// Say how a conversation stands.
    Status(OfConversation),
    /// List the conversations that were ever switched, the latest first.
    List(Place),
}

/// One conversation.
#[derive(Args)]
pub(super) struct OfConversation {
    /// The id of the conversation. A sub-agent follows the conversation that created it: give that one's.
    #[arg(long, value_name = "ID")]
    conversation: String,
    #[command(flatten)]
    place: Place,
}

/// Where positions are.
#[derive(Args)]
pub(super) struct Place {
    /// The state file [default: $DSH_HOME/rea-toggle.json, else ~/.dsh/rea-toggle.json]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(action: Action) -> Result<(), Failure> {
    let (of, movement) = match action {
        Action::List(place) => {
            let board = Board::open(&place).await?;
            let conversations = board.conversations().await?;
            return print(&board.list(&conversations, place.json));
        }
        Action::Status(of) => (of, None),
        Action::On(of) => (of, Some(Movement::On)),
        Action::Off(of) => (of, Some(Movement::Off)),
        Action::Toggle(of) => (of, Some(Movement::Flip)),
    };
    let board = Board::open(&of.place).await?;
    if let Some(to) = movement {
        board.change(&of.conversation, to).await?;
    }
    let status = board.status(&of.conversation).await?;
    print(&board.position(&status, of.place.json))
}

/// The positions in a state file. A gateway, asked over HTTP, would be another place with the same three questions.
struct Board {
    store: Store,
}

impl Board {
    async fn open(place: &Place) -> Result<Board, Failure> {
        let path = state_path(place.state.as_deref())?;
        let policy = Policy::start(Program::embedded())?;
        // The file doesn't say which servers are governed, and its positions don't depend on that.
        let settings = policy
            .read_config(String::new(), Naming::Dsh, None)
            .await?
            .settings;
        let hosting = Hosting {
            naming: Naming::Dsh,
            state_path: shown(&path),
            command: "rea toggle".into(),
        };
        let switch = policy.open(settings, hosting, Arc::new(|_, _| {})).await?;
        let (store, damage) = Store::open(path, switch).await?;
        if let Some(damage) = damage {
            warn(&store, &damage);
        }
        Ok(Board { store })
    }

    async fn change(&self, conversation: &str, to: Movement) -> Result<(), Failure> {
        let session = conversation.to_owned();
        let changed = self.store.change(Change { session, to }).await?;
        if let Some((_, aside)) = changed.damage {
            eprintln!("rea: the damaged file is kept as {}", shown(&aside));
        }
        Ok(())
    }

    async fn status(&self, conversation: &str) -> Result<Status, Failure> {
        Ok(self.store.switch().status(conversation.to_owned()).await?)
    }

    async fn conversations(&self) -> Result<Vec<Conversation>, Failure> {
        Ok(self.store.switch().conversations().await?)
    }

    /// The fields are those of `GET /rea-toggle/state` as far as the file knows them.
    fn position(&self, status: &Status, json: bool) -> String {
        if json {
            return json!({
                "session": status.session,
                "enabled": status.enabled,
                "known": status.known,
                "statePath": self.path(),
            })
            .to_string();
        }
        if status.known {
            word(status.enabled).to_owned()
        } else {
            format!(
                "{} (never switched: this is the default, unless its host is configured otherwise)",
                word(status.enabled)
            )
        }
    }

    fn list(&self, conversations: &[Conversation], json: bool) -> String {
        if json {
            let conversations: Vec<Value> = conversations
                .iter()
                .map(|one| json!({"session": one.id, "enabled": one.enabled, "revision": one.revision}))
                .collect();
            return json!({"conversations": conversations, "statePath": self.path()}).to_string();
        }
        let mut text = String::new();
        for one in conversations {
            // Writing to a String can't fail.
            let _ = writeln!(text, "{:<3}  {}", word(one.enabled), one.id);
        }
        if text.is_empty() {
            text = format!("(no conversation was ever switched in {})", self.path());
        }
        text
    }

    fn path(&self) -> String {
        self.store.path().display().to_string()
    }
}

fn word(enabled: bool) -> &'static str {
    if enabled { "on" } else { "off" }
}

fn warn(store: &Store, damage: &Damage) {
    let path = store.path().display();
    let field = match damage.field.as_str() {
        "" => String::new(),
        field => format!("{}: ", field.escape_debug()),
    };
    eprintln!("rea: {path} is damaged: {field}{}", damage.detail);
}

impl From<SwitchError> for Failure {
    fn from(error: SwitchError) -> Self {
        match error {
            SwitchError::Refused(problem) => Failure::Usage(problem.detail),
            SwitchError::Defect(defect) => defect.into(),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused(problem) => Failure::Usage(problem.detail),
            other => Failure::Failed(other.to_string()),
        }
    }
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Self {
        Failure::Usage(error.to_string())
    }
}

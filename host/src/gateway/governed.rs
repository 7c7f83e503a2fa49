//! A gateway before the servers of a configuration, governed by the switch.

use std::{path::PathBuf, sync::Arc};

use rea_gateway::{Config, Gateway, Options, Serves};

use super::switched::{Listening, Switched};
use crate::{
    component::{
        Program,
        switch::{Hosting, Naming, Policy, SwitchError},
    },
    store::{Store, StoreError},
};

/// Why there is no gateway.
#[derive(Debug, thiserror::Error)]
pub enum GovernError {
    /// `reaToggle` isn't as it must be.
    #[error("reaToggle{}: {detail}", under(.field))]
    Config {
        /// The field; empty if it is the whole.
        field: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The switch failed.
    #[error(transparent)]
    Switch(SwitchError),
    /// The state file can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system has no thread left.
    #[error("no thread for the switch: {0}")]
    Thread(#[from] std::io::Error),
}

fn under(field: &str) -> String {
    if field.is_empty() {
        String::new()
    } else {
        format!(".{field}")
    }
}

/// A gateway that is governed.
pub struct Governed {
    /// The gateway.
    pub gateway: Arc<Gateway>,
    /// Who governs it.
    pub switched: Arc<Switched>,
}

/// Makes a gateway. Nothing is started yet. Must be called in a tokio runtime.
///
/// # Errors
/// See [`GovernError`].
pub async fn govern(
    program: Arc<Program>,
    config: Config,
    serves: Serves,
    state: PathBuf,
    prompt: bool,
) -> Result<Governed, GovernError> {
    let policy = Policy::start(program)?;
    let bridged = config.servers.iter().map(|server| server.name.clone());
    let configuration = policy
        .read_config(
            config.toggle.clone(),
            Naming::Gateway,
            Some(bridged.collect()),
        )
        .await
        .map_err(wrong_config)?;
    for field in &configuration.ignored {
        tracing::warn!("reaToggle.{field} means nothing to the gateway");
    }
    let hosting = Hosting {
        naming: Naming::Gateway,
        state_path: state.display().to_string(),
        command: "/rea".into(),
    };
    let listening = Arc::new(Listening::default());
    let hears = Arc::clone(&listening);
    let switch = policy
        .open(
            configuration.settings,
            hosting,
            Arc::new(move |agent, standing| hears.hear(agent, standing)),
        )
        .await
        .map_err(GovernError::Switch)?;
    let (store, damage) = Store::open(state, switch).await?;
    if let Some(damage) = damage {
        tracing::warn!("{} is damaged: {}", store.path().display(), damage.detail);
    }
    let switched = Arc::new(Switched::new(store, listening));
    let options = Options {
        serves,
        shared: configuration.shared.into_iter().collect(),
        prompt,
    };
    let gateway = Gateway::new(config, switched.clone(), options);
    Ok(Governed { gateway, switched })
}

fn wrong_config(error: SwitchError) -> GovernError {
    match error {
        SwitchError::Refused(problem) => GovernError::Config {
            field: problem.field,
            detail: problem.detail,
        },
        defect @ SwitchError::Defect(_) => GovernError::Switch(defect),
    }
}

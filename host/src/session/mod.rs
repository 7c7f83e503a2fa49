//! One investigation: the active target, the evidence found, and the component that looks at both.
//!
//! A session knows nothing of JSON-RPC. Transitions (open, switch, close) are serialised; what reads a target
//! waits for one that is under way, completion doesn't wait but is empty meanwhile.

mod error;
pub mod evidence;
mod identifiers;
pub mod ledger;
mod pages;
pub mod providers;
mod state;
mod target;
mod watch;

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use rea_provider::Binary;
use serde_json::{Map, Value};

pub use error::SessionError;
pub(crate) use target::Monitored;
pub use target::{Ready, Target};
pub use watch::{CancelOnDrop, Listener, Watch};

use self::{
    evidence::{ANALYSIS, Observation, SCHEMA_VERSION},
    ledger::{Ledger, Retention},
    state::State,
};
use crate::component::{
    Answer, CompletionRequest, Completions, Defect, Family, Guide, Program, SessionView,
};

/// A result waits so long for the digest of the file that it is about. A gigabyte takes two or three seconds.
const DIGEST_WAIT: Duration = Duration::from_secs(5);

/// An investigation. Cheap to share behind an `Arc`.
pub struct Session {
    state: Arc<State>,
    program: Arc<Program>,
    guide: Guide,
    /// Held for writing by a transition, for reading by whoever asks for the target.
    transition: tokio::sync::RwLock<()>,
}

/// What `open` did.
pub struct Opened {
    /// The active target.
    pub target: Arc<Target>,
    /// Whether it was open already, unchanged: nothing happened then.
    pub already_open: bool,
    /// The file that was active before and no longer is.
    pub replaced: Option<PathBuf>,
}

/// What `close` did.
pub struct Closed {
    /// The file that was open, if any was.
    pub closed: Option<PathBuf>,
    /// How many evidence records were forgotten.
    pub evidence_cleared: usize,
}

/// What an analysis found, ready to be retained.
pub struct Finding {
    /// Name of the tool.
    pub operation: &'static str,
    /// Its arguments, defaults filled in.
    pub parameters: Map<String, Value>,
    /// What it returns.
    pub result: Value,
    /// `observed` for what the file says, `derived` for what follows from it, `inferred` for a heuristic.
    pub confidence: &'static str,
    /// What the result doesn't cover.
    pub limitations: Vec<String>,
}

impl Session {
    /// A session without a target. `tools` are the names of the tools that the server offers.
    ///
    /// # Errors
    /// If the system has no thread for the component.
    pub fn new(program: Arc<Program>, tools: Vec<String>) -> io::Result<Session> {
        let state = Arc::new(State::new(tools));
        let view: Arc<dyn SessionView> = Arc::<State>::clone(&state);
        let guide = Guide::start(Arc::clone(&program), view)?;
        Ok(Session {
            state,
            program,
            guide,
            transition: tokio::sync::RwLock::new(()),
        })
    }

    /// The component's prompts.
    pub fn guide(&self) -> &Guide {
        &self.guide
    }

    /// Names of the tools that the server offers.
    pub fn tool_names(&self) -> &[String] {
        self.state.tool_names()
    }

    /// Opens a target in place of the active one. If that fails, the active one stays as it was. The evidence
    /// found so far stays too. The same file, unchanged, isn't opened again.
    ///
    /// # Errors
    /// If the file can't be opened or read as a binary, or there is no such provider.
    pub async fn open(&self, path: &Path, provider: Option<&str>) -> Result<Opened, SessionError> {
        if let Some(asked) = provider {
            let candidates = providers::selectable();
            if !candidates.iter().any(|id| id == asked) {
                return Err(SessionError::UnknownProvider {
                    asked: asked.to_owned(),
                    candidates,
                });
            }
        }
        let _turn = self.transition.write().await;
        let _shown = self.state.transition();
        let wanted = path.to_owned();
        let binary = tokio::task::spawn_blocking(move || Binary::open(&wanted)).await??;

        let before = self.state.active();
        if let Some(active) = &before
            && active.binary().identity().path == binary.identity().path
            && active.binary().is_unchanged()
        {
            return Ok(Opened {
                target: Arc::clone(active),
                already_open: true,
                replaced: None,
            });
        }
        let target = Arc::new(Target::new(binary, run_id(), self.state.closings()));
        let replaced = self.state.activate(Some(Arc::clone(&target)));
        let replaced = replaced.map(|target| target.binary().identity().path.clone());
        Ok(Opened {
            target,
            already_open: false,
            replaced,
        })
    }

    /// Closes the target, if one is open, and forgets all evidence.
    pub async fn close(&self) -> Closed {
        let _turn = self.transition.write().await;
        let _shown = self.state.transition();
        let (closed, evidence_cleared) = self.state.close();
        Closed {
            closed: closed.map(|target| target.binary().identity().path.clone()),
            evidence_cleared,
        }
    }

    /// The active target. Waits for a transition that is under way.
    ///
    /// # Errors
    /// If none is open.
    pub async fn target(&self) -> Result<Arc<Target>, SessionError> {
        let _turn = self.transition.read().await;
        self.state.active().ok_or(SessionError::NoTarget)
    }

    /// The active target, read. The first caller reads it, others wait for that.
    ///
    /// # Errors
    /// If none is open, it can't be read, or `watch` was cancelled.
    pub async fn ready(&self, watch: &Watch) -> Result<(Arc<Target>, Arc<Ready>), SessionError> {
        let target = self.target().await?;
        let view: Arc<dyn SessionView> = Arc::<State>::clone(&self.state);
        let ready = target.make_ready(&self.program, &view, watch).await?;
        Ok((target, ready))
    }

    /// The active target without waiting, for status: also one that is being replaced.
    pub fn active(&self) -> Option<Arc<Target>> {
        self.state.active()
    }

    /// Looks at the evidence ledger.
    pub fn with_ledger<R>(&self, look: impl FnOnce(&Ledger) -> R) -> R {
        look(&self.state.ledger())
    }

    /// Completes an argument of a prompt from what the session holds now.
    ///
    /// # Errors
    /// If the component failed.
    pub async fn complete(
        &self,
        request: CompletionRequest,
    ) -> Result<Answer<Completions>, Defect> {
        let source = self
            .guide
            .source(request.prompt.clone(), request.argument.clone())
            .await?;
        let procedures = match source {
            Answer::Given(source) => source == Some(Family::Procedure),
            Answer::Refused(fault) => return Ok(Answer::Refused(fault)),
        };
        if procedures
            && let Ok(target) = self.state.settled()
            && let Some(ready) = target.ready()
            && let Some(index) = ready.index()
        {
            return match index.complete(request).await {
                Ok(answer) => Ok(answer),
                Err(defect) => {
                    ready.lose_index();
                    Err(defect)
                }
            };
        }
        self.guide.complete(request).await
    }

    /// Retains what was found about a target.
    pub async fn retain(&self, target: &Target, finding: Finding, watch: &Watch) -> Retention {
        let subject = match target.subject(DIGEST_WAIT, watch).await {
            Ok(Some(subject)) => subject,
            Ok(None) => {
                return Retention::NotRetained {
                    reason: "the digest of this large file is still being computed; the same call \
                             later is retained"
                        .into(),
                };
            }
            Err(error) => {
                return Retention::NotRetained {
                    reason: format!("the file's digest can't be computed: {error}"),
                };
            }
        };
        let observation = Observation {
            schema_version: SCHEMA_VERSION,
            subject: Some(subject),
            provider: providers::native(),
            predicate_type: ANALYSIS,
            operation: finding.operation.to_owned(),
            parameters: finding.parameters,
            normalized_result: finding.result,
            confidence: finding.confidence,
            authority: "shipped-artifact",
            environment: None,
            limitations: finding.limitations,
            locations: Vec::new(),
            evidence_links: Vec::new(),
        };
        // A target that was closed meanwhile takes its evidence with it: nothing of it may come back.
        let _turn = self.transition.read().await;
        match target.closings() == self.state.closings() {
            true => self.state.ledger().record(observation),
            false => Retention::NotRetained {
                reason: "the target was closed meanwhile".into(),
            },
        }
    }
}

/// A name for one opening: random, so that nobody takes one for another.
fn run_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

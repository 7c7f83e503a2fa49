//! Prompts and completion, through the instance that serves them.

use std::{io, sync::Arc};

use super::{
    CompletionRequest, Completions, Defect, Family, Fault, Program, Prompt, Rendered, SessionView,
    limits,
    worker::{AfterTrap, Recipe, Worker},
};

/// The component said no (a fault of the question), or failed (a fault of ours).
#[derive(Clone, Debug)]
pub enum Answer<T> {
    /// What was asked for.
    Given(T),
    /// The question was wrong, and how.
    Refused(Fault),
}

impl<T> From<Result<T, Fault>> for Answer<T> {
    fn from(result: Result<T, Fault>) -> Self {
        match result {
            Ok(value) => Answer::Given(value),
            Err(fault) => Answer::Refused(fault),
        }
    }
}

/// The component's prompts and completion over one session.
#[derive(Clone)]
pub struct Guide {
    worker: Worker,
}

impl Guide {
    /// Starts the thread of the instance. The instance itself is made at the first question.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn start(program: Arc<Program>, session: Arc<dyn SessionView>) -> io::Result<Guide> {
        let recipe = Recipe {
            program,
            session,
            snapshot: None,
            memory: limits::GUIDE_MEMORY,
            transfer: limits::HOSTCALL_FUEL,
            after_trap: AfterTrap::Replace,
        };
        Ok(Guide {
            worker: Worker::spawn("rea-guide", recipe)?,
        })
    }

    /// All guided prompts, in their fixed order.
    ///
    /// # Errors
    /// If the component failed; the next call has a fresh instance. So for every function here.
    pub async fn catalogue(&self) -> Result<Vec<Prompt>, Defect> {
        self.worker
            .call(limits::CALL, |guide, store| {
                guide.rea_guide_prompts().call_catalogue(store)
            })
            .await
    }

    /// The text of a prompt with these arguments, in terms of the tools served now.
    ///
    /// # Errors
    /// As [`Guide::catalogue`].
    pub async fn render(
        &self,
        name: String,
        arguments: Vec<(String, String)>,
    ) -> Result<Answer<Rendered>, Defect> {
        self.worker
            .call(limits::CALL, move |guide, store| {
                guide
                    .rea_guide_prompts()
                    .call_render(store, &name, &arguments)
            })
            .await
            .map(Answer::from)
    }

    /// Which family an argument completes with, and so which instance to ask.
    ///
    /// # Errors
    /// As [`Guide::catalogue`].
    pub async fn source(
        &self,
        prompt: String,
        argument: String,
    ) -> Result<Answer<Option<Family>>, Defect> {
        self.worker
            .call(limits::CALL, move |guide, store| {
                guide
                    .rea_guide_completion()
                    .call_source(store, &prompt, &argument)
            })
            .await
            .map(Answer::from)
    }

    /// Completes an argument of any family; of procedures it knows none.
    ///
    /// # Errors
    /// As [`Guide::catalogue`].
    pub async fn complete(
        &self,
        request: CompletionRequest,
    ) -> Result<Answer<Completions>, Defect> {
        self.worker.complete(request).await
    }
}

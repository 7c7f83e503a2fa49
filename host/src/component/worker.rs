//! One thread that owns one instance. Callers send it work and wait for the answer.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use wasmtime::Store;

use super::{
    Answer, CompletionRequest, Completions,
    bindings::Guide,
    engine,
    imports::{Context, SessionView, SnapshotPages},
    limits,
    program::{Defect, Program},
    thread::Thread,
};

/// What happens after a trap. An instance that trapped is dead for good.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterTrap {
    /// Make another: nothing of value was in it.
    Replace,
    /// Refuse all further work: what it held must be built again by its owner.
    Refuse,
}

/// What a worker's instance is made of.
pub(super) struct Recipe {
    pub(super) program: Arc<Program>,
    pub(super) session: Arc<dyn SessionView>,
    pub(super) snapshot: Option<Arc<dyn SnapshotPages>>,
    /// Bytes of memory the instance may take.
    pub(super) memory: usize,
    /// Bytes that may cross from the guest in one call.
    pub(super) transfer: usize,
    pub(super) after_trap: AfterTrap,
}

/// A handle; the thread ends, and the instance with it, when the last one is dropped.
#[derive(Clone)]
pub(super) struct Worker {
    thread: Thread<Seat>,
}

impl Worker {
    pub(super) fn spawn(name: &str, recipe: Recipe) -> std::io::Result<Worker> {
        let thread = Thread::spawn(name, move || Seat {
            recipe,
            instance: None,
            trapped: false,
        })?;
        Ok(Worker { thread })
    }

    /// Runs `work` on the instance, within `limit`. If the caller stops waiting, the work still ends in order.
    pub(super) async fn call<R: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Guide, &mut Store<Context>) -> wasmtime::Result<R> + Send + 'static,
    ) -> Result<R, Defect> {
        self.thread.ask(move |seat| seat.run(limit, work)).await?
    }

    /// Completes an argument: in the instance of a snapshot one that takes procedures, in the other any else.
    pub(super) async fn complete(
        &self,
        request: CompletionRequest,
    ) -> Result<Answer<Completions>, Defect> {
        self.call(limits::CALL, move |guide, store| {
            guide.rea_guide_completion().call_complete(store, &request)
        })
        .await
        .map(Answer::from)
    }
}

struct Seat {
    recipe: Recipe,
    instance: Option<(Guide, Store<Context>)>,
    trapped: bool,
}

impl Seat {
    fn run<R>(
        &mut self,
        limit: Duration,
        work: impl FnOnce(&Guide, &mut Store<Context>) -> wasmtime::Result<R>,
    ) -> Result<R, Defect> {
        if self.trapped && self.recipe.after_trap == AfterTrap::Refuse {
            return Err(Defect("it trapped before".into()));
        }
        let outcome = self.attempt(limit, work);
        if let Err(error) = &outcome {
            tracing::error!("component: {error:?}");
            self.instance = None;
            self.trapped = true;
        }
        outcome.map_err(|error| Defect::of(&error))
    }

    fn attempt<R>(
        &mut self,
        limit: Duration,
        work: impl FnOnce(&Guide, &mut Store<Context>) -> wasmtime::Result<R>,
    ) -> wasmtime::Result<R> {
        let (guide, store) = match &mut self.instance {
            Some(instance) => instance,
            empty => empty.insert(self.recipe.instantiate()?),
        };
        store.set_epoch_deadline(engine::ticks_until(Instant::now() + limit));
        work(guide, store)
    }
}

impl Recipe {
    /// A fresh instance.
    pub(super) fn instantiate(&self) -> wasmtime::Result<(Guide, Store<Context>)> {
        let compiled = self.program.compiled()?;
        let context = Context {
            session: Arc::clone(&self.session),
            snapshot: self.snapshot.clone(),
            limits: limits::store_limits(self.memory),
        };
        let mut store = Store::new(engine::engine()?, context);
        store.limiter(|context| &mut context.limits);
        store.set_hostcall_fuel(self.transfer);
        // The contract passes one handle in all, that of the switch.
        store.set_max_component_handles(16);
        store.epoch_deadline_trap();
        store.set_epoch_deadline(engine::ticks_until(Instant::now() + limits::CALL));
        let guide = compiled.instantiate(&mut store)?;
        Ok((guide, store))
    }
}

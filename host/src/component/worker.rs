//! One thread that owns one instance. Callers send it work and wait for the answer.

use std::{
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;
use wasmtime::Store;

use super::{
    Answer, CompletionRequest, Completions,
    bindings::Guide,
    engine,
    imports::{Context, SessionView, SnapshotPages},
    limits,
    program::{Defect, Program},
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
    pub(super) after_trap: AfterTrap,
}

type Job = Box<dyn FnOnce(&mut Seat) + Send>;

/// A handle; the thread ends, and the instance with it, when the last one is dropped.
#[derive(Clone)]
pub(super) struct Worker {
    jobs: mpsc::Sender<Job>,
}

impl Worker {
    pub(super) fn spawn(name: &str, recipe: Recipe) -> std::io::Result<Worker> {
        let (jobs, queue) = mpsc::channel::<Job>();
        thread::Builder::new().name(name.into()).spawn(move || {
            let mut seat = Seat {
                recipe,
                instance: None,
                trapped: false,
            };
            while let Ok(job) = queue.recv() {
                job(&mut seat);
            }
        })?;
        Ok(Worker { jobs })
    }

    /// Runs `work` on the instance, within `limit`. If the caller stops waiting, the work still ends in order.
    pub(super) async fn call<R: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Guide, &mut Store<Context>) -> wasmtime::Result<R> + Send + 'static,
    ) -> Result<R, Defect> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |seat| {
            // Nobody waits any more: a cancelled request costs nothing here.
            if !reply.is_closed() {
                let _ = reply.send(seat.run(limit, work));
            }
        });
        self.jobs.send(job).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

impl Worker {
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

fn gone() -> Defect {
    Defect("its thread has ended".into())
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
    fn instantiate(&self) -> wasmtime::Result<(Guide, Store<Context>)> {
        let compiled = self.program.compiled()?;
        let context = Context {
            session: Arc::clone(&self.session),
            snapshot: self.snapshot.clone(),
            limits: limits::store_limits(self.memory),
        };
        let mut store = Store::new(engine::engine()?, context);
        store.limiter(|context| &mut context.limits);
        store.set_hostcall_fuel(limits::HOSTCALL_FUEL);
        // The contract passes no handles at all.
        store.set_max_component_handles(16);
        store.epoch_deadline_trap();
        store.set_epoch_deadline(engine::ticks_until(Instant::now() + limits::CALL));
        let guide = compiled.instantiate(&mut store)?;
        Ok((guide, store))
    }
}

//! A thread that owns something and is sent work. Callers wait for the answer.

use std::{sync::mpsc, thread};

use tokio::sync::oneshot;

use super::program::Defect;

type Job<S> = Box<dyn FnOnce(&mut S) + Send>;

/// A handle; the thread ends, and what it owns with it, when the last one is dropped.
pub(super) struct Thread<S> {
    jobs: mpsc::Sender<Job<S>>,
}

impl<S> Clone for Thread<S> {
    fn clone(&self) -> Self {
        Thread {
            jobs: self.jobs.clone(),
        }
    }
}

impl<S: 'static> Thread<S> {
    /// Starts a thread that owns what `make` gives there.
    pub(super) fn spawn(
        name: &str,
        make: impl FnOnce() -> S + Send + 'static,
    ) -> std::io::Result<Thread<S>> {
        let (jobs, queue) = mpsc::channel::<Job<S>>();
        thread::Builder::new().name(name.into()).spawn(move || {
            let mut owned = make();
            while let Ok(job) = queue.recv() {
                job(&mut owned);
            }
        })?;
        Ok(Thread { jobs })
    }

    /// Does work for somebody who waits for it: if he no longer does when its turn comes, it is left out. Once begun it
    /// ends in order.
    pub(super) async fn ask<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut S) -> R + Send + 'static,
    ) -> Result<R, Defect> {
        self.send(true, work).await
    }

    /// Does work whether or not somebody waits for the answer. It is in the queue as soon as this was polled once.
    pub(super) async fn tell<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut S) -> R + Send + 'static,
    ) -> Result<R, Defect> {
        self.send(false, work).await
    }

    async fn send<R: Send + 'static>(
        &self,
        skip: bool,
        work: impl FnOnce(&mut S) -> R + Send + 'static,
    ) -> Result<R, Defect> {
        let (reply, answer) = oneshot::channel();
        let job: Job<S> = Box::new(move |owned| {
            // Nobody waits any more: a cancelled request costs nothing here.
            if !(skip && reply.is_closed()) {
                let _ = reply.send(work(owned));
            }
        });
        self.jobs.send(job).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())
    }
}

fn gone() -> Defect {
    Defect("its thread has ended".into())
}

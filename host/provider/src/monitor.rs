//! How a caller watches and stops long work.

/// Watches long work and may stop it.
///
/// Calls come from the thread that does the work, at most every few megabytes or some ten thousand rows.
pub trait Monitor {
    /// `done` of `total` units are done. The unit is bytes or rows; only the ratio has a meaning.
    fn progress(&self, done: u64, total: u64);

    /// Whether the work should stop. It then ends soon with [`ReadError::Cancelled`](crate::ReadError::Cancelled).
    fn cancelled(&self) -> bool;
}

/// A monitor that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMonitor;

impl Monitor for NoMonitor {
    fn progress(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        false
    }
}

/// Reports and asks at once: the usual step of a loop.
pub(crate) fn step(monitor: &dyn Monitor, done: u64, total: u64) -> Result<(), crate::ReadError> {
    if monitor.cancelled() {
        return Err(crate::ReadError::Cancelled);
    }
    monitor.progress(done, total);
    Ok(())
}

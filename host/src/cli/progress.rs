//! Progress on a terminal, for work that takes longer than people like to wait without a word.

use std::{
    io::{IsTerminal, Write},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::session::Watch;

/// Nothing is shown before.
const PATIENCE: Duration = Duration::from_millis(700);

/// The line is renewed at most this often.
const INTERVAL: Duration = Duration::from_millis(100);

/// A watch that shows a line on stderr if that is a terminal.
pub(super) struct Progress {
    watch: Watch,
    shown: Arc<Mutex<Line>>,
}

struct Line {
    due: Instant,
    visible: bool,
}

impl Progress {
    pub(super) fn new() -> Progress {
        let shown = Arc::new(Mutex::new(Line {
            due: Instant::now() + PATIENCE,
            visible: false,
        }));
        if !std::io::stderr().is_terminal() {
            return Progress {
                watch: Watch::silent(),
                shown,
            };
        }
        let line = Arc::clone(&shown);
        let watch = Watch::new(Arc::new(move |stage, done, total| {
            let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            if now < line.due {
                return;
            }
            *line = Line {
                due: now + INTERVAL,
                visible: true,
            };
            let percent = done
                .saturating_mul(100)
                .checked_div(total)
                .unwrap_or(0)
                .min(100);
            eprint!("\r\u{1b}[K{stage} {percent} %");
            let _ = std::io::stderr().flush();
        }));
        Progress { watch, shown }
    }

    pub(super) fn watch(&self) -> &Watch {
        &self.watch
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self
            .shown
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .visible
        {
            eprint!("\r\u{1b}[K");
        }
    }
}

//! A server as a child: messages on its standard input and output, a line each.

use std::{
    collections::VecDeque,
    process::Stdio,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use rea_front::{Line, Lines, Outbox, shorten_text};
use tokio::{
    io::AsyncRead,
    process::{Child, ChildStderr, Command},
    sync::{Notify, watch},
};

use super::link::{Link, Outgoing, Wire};
use crate::config::Reach;

/// The longest line that a server may write, in bytes: a list of tools of 10 MB and more is one line.
pub(crate) const MAX_LINE: usize = 64 << 20;
/// The longest line of its log that is looked at.
const MAX_LOG_LINE: usize = 8 << 10;
/// Lines of its log that are kept, for when it dies.
const KEPT: usize = 8;
/// How long a child may take to end by itself once its input is closed.
const GRACE: Duration = Duration::from_secs(3);

/// A child that runs.
pub(crate) struct Started {
    pub(crate) wire: Box<dyn Wire>,
    pub(crate) reader: Reader,
}

/// Reads what the child writes, once there is a link to hand it to.
pub(crate) struct Reader {
    child: Child,
    stop: Arc<Notify>,
    log: Log,
}

type Log = Arc<Mutex<VecDeque<String>>>;

struct Pipe {
    /// None once closed: then the child's input ends.
    input: Mutex<Option<Outbox>>,
    stop: Arc<Notify>,
}

impl Wire for Pipe {
    fn send(&self, message: Outgoing) {
        if let Some(input) = &*self.input.lock().unwrap_or_else(PoisonError::into_inner) {
            drop(input.send(message.text.into_bytes()));
        }
    }

    fn is_full(&self) -> bool {
        let input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        input.as_ref().is_some_and(Outbox::is_full)
    }

    fn close(&self) {
        // The writer ends when all is written, and the pipe with it.
        self.input
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        self.stop.notify_one();
    }
}

/// Starts a child. Fails with a sentence for a person.
pub(crate) fn start(name: &str, reach: &Reach) -> Result<Started, String> {
    let Reach::Child {
        command,
        args,
        env,
        cwd,
    } = reach
    else {
        return Err("it is no child".to_owned());
    };
    let mut asked = Command::new(command);
    asked
        .args(args)
        .envs(env)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(cwd) = cwd {
        asked.current_dir(cwd);
    }
    let mut child = asked
        .spawn()
        .map_err(|error| format!("`{command}` does not start: {error}"))?;
    let stdin = child.stdin.take().ok_or("it has no input")?;
    let log = Log::default();
    if let Some(stderr) = child.stderr.take() {
        tokio::spawn(listen(name.to_owned(), stderr, log.clone()));
    }
    let stop = Arc::new(Notify::new());
    let pipe = Pipe {
        input: Mutex::new(Some(Outbox::new(stdin))),
        stop: stop.clone(),
    };
    Ok(Started {
        wire: Box::new(pipe),
        reader: Reader { child, stop, log },
    })
}

impl Reader {
    /// Reads until the child ends or the link is closed; then the link is down. `running` is held until the child is gone.
    pub(crate) fn run(mut self, link: &Arc<Link>, running: watch::Receiver<()>) {
        let Some(stdout) = self.child.stdout.take() else {
            return link.fail("it has no output");
        };
        let link = Arc::downgrade(link);
        tokio::spawn(async move {
            tokio::select! {
                () = read(stdout, &link) => {}
                () = self.stop.notified() => {}
            }
            // Its input is closed if the link is; if it closed its output, it is of no use any more.
            let closing = link.upgrade().is_none_or(|link| link.is_down());
            let grace = if closing { GRACE } else { GRACE / 10 };
            let status = match tokio::time::timeout(grace, self.child.wait()).await {
                Ok(Ok(status)) => status.to_string(),
                Ok(Err(error)) => error.to_string(),
                Err(_) => {
                    // Ends it, and waits for that.
                    let _ = self.child.kill().await;
                    "it closed its output".to_owned()
                }
            };
            if let Some(link) = link.upgrade() {
                link.fail(&format!("it ended ({status}){}", last_words(&self.log)));
            }
            drop(running);
        });
    }
}

async fn read(stdout: impl AsyncRead + Unpin, link: &Weak<Link>) {
    let mut lines = Lines::new(stdout, MAX_LINE);
    loop {
        let line = lines.next().await;
        let Some(link) = link.upgrade() else { return };
        match line {
            Line::Whole(line) => match String::from_utf8(line) {
                Ok(text) => link.receive(text),
                Err(error) => link.garbage(&String::from_utf8_lossy(error.as_bytes())),
            },
            Line::TooLong => {
                tracing::warn!(server = %link.name, limit = MAX_LINE, "a server wrote a line that is too long");
                // Whose answer it was can't be known.
                return link.fail(&format!("it wrote a line of more than {MAX_LINE} bytes"));
            }
            Line::End => return,
        }
    }
}

async fn listen(name: String, stderr: ChildStderr, log: Log) {
    let mut lines = Lines::new(stderr, MAX_LOG_LINE);
    loop {
        let text = match lines.next().await {
            Line::Whole(line) => String::from_utf8_lossy(&line).into_owned(),
            Line::TooLong => "(a long line)".to_owned(),
            Line::End => return,
        };
        let text = text.trim_end();
        if text.is_empty() {
            continue;
        }
        tracing::info!(server = %name, "{}", shorten_text(text));
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        if log.len() == KEPT {
            log.pop_front();
        }
        log.push_back(shorten_text(text));
    }
}

fn last_words(log: &Log) -> String {
    let log = log.lock().unwrap_or_else(PoisonError::into_inner);
    if log.is_empty() {
        return String::new();
    }
    let lines: Vec<&str> = log.iter().map(String::as_str).collect();
    format!("; its log ends with {}", lines.join(" "))
}

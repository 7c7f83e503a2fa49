//! Runs a command so that nothing of it is lost: everything it prints is passed on as it comes, and what it
//! printed last is kept for the case that it fails.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{IsTerminal as _, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::failure::Failure;

/// How many of its last lines a failure shows.
const TAIL: usize = 25;

/// A command on its way.
#[derive(Debug)]
pub(crate) struct Run {
    command: Command,
    line: String,
    quiet: bool,
}

impl Run {
    /// A command in a folder. Identity that cargo gave to this runner isn't handed on: it would look to build
    /// scripts as if something had changed, and things would be built twice.
    pub(crate) fn new(program: impl AsRef<OsStr>, folder: &Path) -> Self {
        let program = program.as_ref();
        let mut command = Command::new(program);
        command.current_dir(folder).stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            let own = [
                "CARGO_PKG_",
                "CARGO_MANIFEST_",
                "CARGO_BIN_",
                "CARGO_CRATE_",
                "CARGO_PRIMARY_",
            ];
            if own
                .iter()
                .any(|start| name.to_string_lossy().starts_with(start))
            {
                command.env_remove(name);
            }
        }
        let line = Path::new(program)
            .file_name()
            .unwrap_or(program)
            .to_string_lossy()
            .into_owned();
        Self {
            command,
            line,
            quiet: false,
        }
    }

    /// Adds an argument.
    pub(crate) fn arg(mut self, word: impl AsRef<OsStr>) -> Self {
        let word = word.as_ref();
        let text = word.to_string_lossy();
        let plain =
            |character: char| character.is_ascii_alphanumeric() || "-_./=:,@+".contains(character);
        self.line.push(' ');
        if text.is_empty() || !text.chars().all(plain) {
            self.line += &format!("'{}'", text.replace('\'', r"'\''"));
        } else {
            self.line += &text;
        }
        self.command.arg(word);
        self
    }

    /// Adds arguments.
    pub(crate) fn args(self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        words.into_iter().fold(self, Self::arg)
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// What a person would type for it.
    pub(crate) fn line(&self) -> &str {
        &self.line
    }

    /// Shows nothing of what it prints, unless it fails.
    pub(crate) fn quietly(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// Runs it to its end. Gives what it wrote to its standard output.
    pub(crate) fn run(mut self) -> Result<String, Failure> {
        if !self.quiet {
            println!("$ {}", self.line);
            // What cargo writes no longer goes to a terminal but through us: ask for colour and progress.
            if std::io::stderr().is_terminal() {
                self.command.env("CARGO_TERM_COLOR", "always");
                self.command
                    .env("CARGO_TERM_PROGRESS_WHEN", "always")
                    .env("CARGO_TERM_PROGRESS_WIDTH", "100");
            }
        }
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let start = |error| Failure {
            code: 127,
            what: format!("`{}` could not be started: {error}", self.line),
            tail: Vec::new(),
        };
        let mut child = self.command.spawn().map_err(start)?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let tail = Mutex::new(Tail::default());
        let quiet = self.quiet;
        let text = std::thread::scope(|scope| {
            scope.spawn(|| pass_on(stderr, (!quiet).then(std::io::stderr), &tail));
            pass_on(stdout, (!quiet).then(std::io::stdout), &tail)
        });
        let status = child
            .wait()
            .map_err(|error| Failure::own(format!("`{}` was lost: {error}", self.line)))?;
        if status.success() {
            return Ok(String::from_utf8_lossy(&text).into_owned());
        }
        let tail = tail.into_inner().unwrap_or_else(PoisonError::into_inner);
        Err(Failure {
            code: exit_code(status),
            what: format!("`{}` failed with {status}", self.line),
            tail: tail.finish(),
        })
    }
}

/// Passes on what comes, as it comes, and gives all of it. A reader that fails ends the same as one that closes.
fn pass_on(from: Option<impl Read>, mut to: Option<impl Write>, tail: &Mutex<Tail>) -> Vec<u8> {
    let mut text = Vec::new();
    let Some(mut from) = from else { return text };
    let mut block = [0; 8192];
    // What is left of a line whose end hasn't come yet, so that the two streams don't mix within one.
    let mut rest: Vec<u8> = Vec::new();
    while let Ok(length @ 1..) = from.read(&mut block) {
        let piece = block.get(..length).unwrap_or_default();
        if let Some(to) = &mut to {
            // Whoever reads us may have gone away; the command still runs to its end.
            let _ = to.write_all(piece).and_then(|()| to.flush());
        }
        text.extend_from_slice(piece);
        rest.extend_from_slice(piece);
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let line: Vec<u8> = rest.drain(..=end).collect();
            tail.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(&line);
        }
    }
    tail.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(&rest);
    text
}

/// The last lines.
#[derive(Debug, Default)]
struct Tail {
    lines: VecDeque<String>,
}

impl Tail {
    fn push(&mut self, line: &[u8]) {
        let line = plain(&String::from_utf8_lossy(line));
        let line = line.trim_end();
        // A progress bar is no message.
        if line.is_empty() || line.trim_start().starts_with("Building [") {
            return;
        }
        if self.lines.len() == TAIL {
            self.lines.pop_front();
        }
        self.lines.push_back(line.to_owned());
    }

    fn finish(self) -> Vec<String> {
        self.lines.into()
    }
}

/// Text without the escape sequences that colour a terminal.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            out.push(character);
        }
    }
    out
}

/// As a shell would give it: 128 + the signal if one ended the command.
fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None;
    let code = status
        .code()
        .or(signal.map(|signal| 128 + signal))
        .unwrap_or(1);
    u8::try_from(code)
        .ok()
        .filter(|code| *code != 0)
        .unwrap_or(1)
}

#[cfg(test)]
mod unit {
    use super::{Run, TAIL, Tail, plain};
    use std::path::Path;

    fn shell(script: &str) -> Run {
        Run::new("sh", Path::new("/"))
            .args(["-c", script])
            .quietly()
    }

    #[test]
    fn output_is_given() {
        assert_eq!(shell("echo a; echo b >&2; echo c").run().unwrap(), "a\nc\n");
    }

    #[test]
    fn a_failure_has_code_name_and_last_lines() {
        let failure = shell("echo first; echo why >&2; exit 7").run().unwrap_err();
        assert_eq!(failure.code, 7);
        assert!(
            failure.what.starts_with("`sh -c 'echo first;"),
            "{}",
            failure.what
        );
        assert!(
            failure.tail.contains(&"why".to_owned()) && failure.tail.contains(&"first".to_owned())
        );
    }

    #[test]
    fn a_signal_has_the_code_that_a_shell_gives() {
        assert_eq!(shell("kill -9 $$").run().unwrap_err().code, 137);
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let failure = Run::new("no-such-program", Path::new("/"))
            .quietly()
            .run()
            .unwrap_err();
        assert_eq!(failure.code, 127);
        assert!(failure.what.contains("no-such-program"));
    }

    #[test]
    fn the_tail_is_short_and_plain() {
        let mut tail = Tail::default();
        for number in 0..TAIL + 5 {
            tail.push(format!("\u{1b}[1m{number}\u{1b}[0m\n").as_bytes());
        }
        tail.push(b"    Building [=====>   ] 3/9\r");
        let lines = tail.finish();
        assert_eq!(lines.len(), TAIL);
        assert_eq!(lines.last(), Some(&(TAIL + 4).to_string()));
        assert_eq!(plain("a\u{1b}[31mb"), "ab");
    }
}

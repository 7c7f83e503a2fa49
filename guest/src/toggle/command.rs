//! The command that people type (T4), and what they are told.

use super::document::Movement;
use super::report::estimate_tokens;
use super::switch::{Change, Switch};
use super::text::{self, quoted};

/// Why a change could not be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreFailureKind {
    /// Someone else holds the lock.
    Busy,
    /// The file could not be read or written.
    Failed,
}

/// A change that could not be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreFailure {
    /// Why.
    pub kind: StoreFailureKind,
    /// One English sentence for a person.
    pub detail: String,
}

/// What a person is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Whether it went well.
    pub ok: bool,
    /// The text.
    pub text: String,
}

/// What a command comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandStep {
    /// A reply at once.
    Reply(Reply),
    /// A change to carry out.
    Change(Change),
}

/// The words of the grammar.
#[derive(Clone, Copy)]
enum Word {
    Move(Movement),
    Status,
}

const WORDS: [(&str, Word); 6] = [
    ("on", Word::Move(Movement::On)),
    ("off", Word::Move(Movement::Off)),
    ("enable", Word::Move(Movement::On)),
    ("disable", Word::Move(Movement::Off)),
    ("toggle", Word::Move(Movement::Flip)),
    ("status", Word::Status),
];

impl Switch {
    /// What a command means that is typed in a session.
    #[must_use]
    pub fn command(&self, session: &str, input: &str) -> CommandStep {
        if let Err(problem) = text::check_id("session", session) {
            return CommandStep::Reply(refusal(problem.detail));
        }
        let typed = input.trim();
        let word = WORDS
            .iter()
            .find(|(word, _)| word.eq_ignore_ascii_case(typed))
            .map(|(_, word)| *word);
        match word {
            Some(Word::Move(to)) => CommandStep::Change(Change {
                session: session.to_owned(),
                to,
            }),
            Some(Word::Status) => CommandStep::Reply(self.tell(session, false)),
            None => CommandStep::Reply(refusal(self.usage(typed))),
        }
    }

    /// The reply to a command whose change was stored and adopted, or was not.
    #[must_use]
    pub fn command_answer(&self, change: &Change, failure: Option<&StoreFailure>) -> Reply {
        match failure {
            None => self.tell(&change.session, true),
            Some(failure) => refusal(format!("Nothing was switched. {}", failure.detail)),
        }
    }

    fn usage(&self, typed: &str) -> String {
        let words: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
        let usage = format!("Usage: {} {}", self.hosting.command, words.join(" | "));
        if typed.is_empty() {
            usage
        } else {
            format!("There is no {}. {usage}", quoted(typed))
        }
    }

    /// How the conversation stands; `switched` if it was just switched.
    fn tell(&self, session: &str, switched: bool) -> Reply {
        let status = match self.status(session) {
            Ok(status) => status,
            Err(problem) => return refusal(problem.detail),
        };
        let one = self.settings.servers.len() == 1;
        let mut text = format!(
            "{} {} {} in this conversation",
            listed(&self.settings.servers),
            if one { "is" } else { "are" },
            if status.enabled { "on" } else { "off" },
        );
        if !status.known {
            text.push_str(" (the default: it was never switched)");
        }
        if status.conversation != session {
            text.push_str(&format!(
                "; this is a sub-agent of {} and follows it",
                quoted(&status.conversation)
            ));
        }
        text.push_str(". ");
        let (its, is) = if one {
            ("its", "it is")
        } else {
            ("their", "they are")
        };
        if status.tools == 0 {
            text.push_str(&format!(
                "No tools of {} are there now: perhaps {is} not connected under that name.",
                if one { "it" } else { "them" }
            ));
        } else {
            let tools = if status.tools == 1 {
                "1 tool".to_owned()
            } else {
                format!("{} tools", status.tools)
            };
            text.push_str(&format!(
                "{} {its} {tools} and any instructions {}",
                if switched {
                    "From the next step"
                } else {
                    "Now"
                },
                if status.enabled {
                    "reach the model"
                } else {
                    "are kept from the model"
                },
            ));
            if let Some(bytes) = status.schema_bytes {
                text.push_str(&format!(
                    " ({} estimated o200k tokens of schema {})",
                    estimate_tokens(bytes),
                    if status.enabled {
                        "in each request"
                    } else {
                        "kept out of each request"
                    },
                ));
            }
            text.push('.');
        }
        Reply { ok: true, text }
    }
}

fn refusal(text: String) -> Reply {
    Reply { ok: false, text }
}

/// Names as a person lists them.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

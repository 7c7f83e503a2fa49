//! The six guided prompts: what they are, and the text of one.
//!
//! A prompt is a suggestion. Listing or rendering one calls no tool and starts nothing; its text names only
//! tools that are served at this moment (G1, G2), and carries the caller's values in one line of JSON and
//! nowhere else (G4).

mod arguments;
mod data_line;
mod points;
mod render;
mod workflows;

use std::collections::BTreeSet;

use crate::session::{Family, Fault, FaultCode, Session};
use points::Point;

/// One argument of a prompt (`wit/prompts.wit`, `argument`).
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its name, as a client sends it.
    pub name: &'static str,
    /// What it is for, for people.
    pub description: &'static str,
    /// Whether the prompt can't be rendered without it.
    pub required: bool,
    /// The session values that it completes with; never any for a required argument.
    pub completes: Option<Family>,
}

impl Argument {
    const fn required(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            required: true,
            completes: None,
        }
    }

    const fn optional(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            description,
            required: false,
            completes: None,
        }
    }

    const fn completed(name: &'static str, family: Family, description: &'static str) -> Self {
        Self {
            name,
            description,
            required: false,
            completes: Some(family),
        }
    }
}

/// A guided prompt (`wit/prompts.wit`, `prompt`).
#[derive(Clone, Copy, Debug)]
pub struct Prompt {
    /// Its name.
    pub name: &'static str,
    /// Its title, for people.
    pub title: &'static str,
    /// What it is good for, in a sentence or two.
    pub description: &'static str,
    /// Its arguments in the order in which people should see them.
    pub arguments: &'static [Argument],
    /// What the investigation is to achieve: the first sentence of the text.
    objective: &'static str,
    /// What may be suggested, in order of appearance.
    points: &'static [Point],
}

impl Prompt {
    /// The argument of that name.
    fn argument(&self, name: &str) -> Option<&'static Argument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }
}

/// A prompt with its arguments filled in (`wit/prompts.wit`, `rendered`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The description of the prompt.
    pub description: String,
    /// The text of the one message, for the role `user`: Markdown.
    pub text: String,
}

/// In the order that clients see; it never changes.
static CATALOGUE: [Prompt; 6] = [
    workflows::investigate_feature::PROMPT,
    workflows::compare_application_versions::PROMPT,
    workflows::verify_reconstruction::PROMPT,
    workflows::trace_crash::PROMPT,
    workflows::audit_residual_unknowns::PROMPT,
    workflows::prepare_bounded_process_capture::PROMPT,
];

/// All guided prompts, in their fixed order.
#[must_use]
pub fn catalogue() -> &'static [Prompt] {
    &CATALOGUE
}

/// Which values an argument completes with: none for one that is required or that the prompt doesn't have.
///
/// # Errors
///
/// [`FaultCode::UnknownPrompt`] with the field `ref.name`.
pub fn source(prompt: &str, argument: &str) -> Result<Option<Family>, Fault> {
    Ok(find(prompt, "ref.name")?
        .argument(argument)
        .and_then(|argument| argument.completes))
}

/// The text of a prompt, in terms of the tools served now and of the evidence retained now.
///
/// `arguments` are pairs of name and value. Of a name given twice the last counts, a name that the prompt doesn't
/// have is ignored and never shown. Values aren't trimmed. An empty value of an optional argument counts as absent.
///
/// # Errors
///
/// [`FaultCode::UnknownPrompt`] (field `name`), [`FaultCode::MissingArgument`] if a required argument is absent
/// or empty, [`FaultCode::BlankArgument`] if any consists of white space only (field `arguments.<name>`).
pub fn render(
    session: &dyn Session,
    name: &str,
    arguments: &[(String, String)],
) -> Result<Rendered, Fault> {
    let prompt = find(name, "name")?;
    let given = arguments::check(prompt, arguments)?;
    Ok(Rendered {
        description: prompt.description.to_owned(),
        text: render::text(prompt, session, &given),
    })
}

/// Every tool that some prompt may name when it is served, in byte order. Nothing else is ever named.
#[must_use]
pub fn named_tools() -> BTreeSet<&'static str> {
    CATALOGUE
        .iter()
        .flat_map(|prompt| prompt.points)
        .flat_map(Point::tools)
        .collect()
}

fn find(name: &str, field: &str) -> Result<&'static Prompt, Fault> {
    CATALOGUE
        .iter()
        .find(|prompt| prompt.name == name)
        .ok_or_else(|| {
            let known: Vec<_> = CATALOGUE.iter().map(|prompt| prompt.name).collect();
            Fault {
                code: FaultCode::UnknownPrompt,
                field: field.to_owned(),
                detail: format!(
                    "There is no prompt {}; use one of {}.",
                    data_line::quoted_short(name),
                    known.join(", ")
                ),
            }
        })
}

//! Completion of prompt arguments with values of the running session (`wit/completion.wit`).
//!
//! Each answer is made anew from what the session says at that moment; nothing is kept from one call to the next.
//! Whatever the session can't supply, or supplies malformed, completes to an empty list.

mod identifiers;
mod listed;
pub(crate) mod presentable;
#[cfg(test)]
mod tests;

use crate::fold::fold;
use crate::procedures::Index;
use crate::prompts;
use crate::session::{Family, Fault, Session};

/// How many values an answer holds at most; so says the Model Context Protocol.
pub const MOST_VALUES: usize = 100;

/// What is to be completed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The prompt.
    pub prompt: String,
    /// The argument of it.
    pub argument: String,
    /// What was typed so far; may be empty.
    pub value: String,
    /// The arguments that are already filled in, as pairs of name and value. Only `document` matters, and only for
    /// procedures. Of a name given twice the last counts; an empty value counts as absent.
    pub context: Vec<(String, String)>,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// At most 100 values in code point order, without repetition.
    pub values: Vec<String>,
    /// How many values match in all. Absent if the argument doesn't complete, 0 if it does and nothing matches.
    pub total: Option<u64>,
    /// Whether values were left out.
    pub has_more: bool,
}

/// The values that match, the first of them spelled out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// The first [`MOST_VALUES`] in code point order.
    pub values: Vec<String>,
    /// How many there are.
    pub total: u64,
}

/// Values that begin with what was typed, without regard to case and compatibility forms (see [`fold`]), each in its
/// own spelling.
///
/// `index` is the index of this instance's inventory snapshot, once it is built; without one, procedures complete to
/// an empty list.
///
/// # Errors
///
/// `unknown-prompt` only.
pub fn complete(
    session: &dyn Session,
    index: Option<&Index>,
    request: &Request,
) -> Result<Completions, Fault> {
    let Some(family) = prompts::source(&request.prompt, &request.argument)? else {
        return Ok(Completions::default());
    };
    let prefix = fold(&request.value);
    let matches = match family {
        Family::Document => session
            .documents()
            .map(|names| listed::matches(names, &prefix))
            .unwrap_or_default(),
        Family::Provider => listed::matches(session.providers(), &prefix),
        Family::Procedure => index
            .map(|index| index.find(chosen_document(&request.context), &prefix))
            .unwrap_or_default(),
        Family::Evidence
        | Family::ProcessCapture
        | Family::ArtifactManifest
        | Family::ArtifactOccurrence
        | Family::ResidualUnknown => identifiers::matches(session, family, &prefix),
    };
    Ok(Completions {
        has_more: matches.total > matches.values.len() as u64,
        total: Some(matches.total),
        values: matches.values,
    })
}

/// The document that narrows procedures, if one is filled in.
fn chosen_document(context: &[(String, String)]) -> Option<&str> {
    context
        .iter()
        .rev()
        .find(|(name, _)| name == "document")
        .map(|(_, value)| value.as_str())
        .filter(|value| !value.is_empty())
}

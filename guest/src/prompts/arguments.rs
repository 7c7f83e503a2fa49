//! Which arguments of a request count, and whether they are usable.

use std::collections::BTreeMap;

use super::Prompt;
use crate::session::{Fault, FaultCode};

/// The arguments that count: known, not empty, each once, by name.
pub(super) type Given<'a> = BTreeMap<&'static str, &'a str>;

/// Sorts out what the caller sent. Reports the first mistake in the order of the prompt's own arguments.
pub(super) fn check<'a>(
    prompt: &Prompt,
    arguments: &'a [(String, String)],
) -> Result<Given<'a>, Fault> {
    let mut given = Given::new();
    for argument in prompt.arguments {
        let last = arguments.iter().rfind(|(name, _)| name == argument.name);
        let value = last.map_or("", |(_, value)| value.as_str());
        if value.is_empty() {
            if argument.required {
                return Err(fault(
                    FaultCode::MissingArgument,
                    argument.name,
                    format!(
                        "The prompt {} needs a value for {}.",
                        prompt.name, argument.name
                    ),
                ));
            }
        } else if value.chars().all(char::is_whitespace) {
            return Err(fault(
                FaultCode::BlankArgument,
                argument.name,
                format!(
                    "The value of {} is white space only; give a value{}.",
                    argument.name,
                    if argument.required {
                        ""
                    } else {
                        " or leave it out"
                    }
                ),
            ));
        } else {
            given.insert(argument.name, value);
        }
    }
    Ok(given)
}

fn fault(code: FaultCode, argument: &str, detail: String) -> Fault {
    Fault {
        code,
        field: format!("arguments.{argument}"),
        detail,
    }
}

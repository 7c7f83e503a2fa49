//! `rea prompt`: the list, or one of them rendered.

use std::{ffi::OsString, fmt::Write, path::PathBuf};

use serde_json::json;

use super::{
    exit::Failure,
    workbench::{print, session_on},
};
use crate::component::{Answer, Prompt};

pub(super) async fn run(
    name: Option<String>,
    arguments: Vec<OsString>,
    open: Option<PathBuf>,
    json: bool,
) -> Result<(), Failure> {
    let arguments = arguments
        .into_iter()
        .map(pair)
        .collect::<Result<Vec<_>, _>>()?;
    let session = session_on(open.as_deref()).await?;
    let Some(name) = name else {
        return print(&list(&session.guide().catalogue().await?, json));
    };
    refuse_unknown(&session.guide().catalogue().await?, &name, &arguments)?;
    match session.guide().render(name, arguments).await? {
        Answer::Refused(fault) => Err(fault.into()),
        Answer::Given(rendered) if json => {
            let message =
                json!({"role": "user", "content": {"type": "text", "text": rendered.text}});
            print(&json!({"description": rendered.description, "messages": [message]}).to_string())
        }
        Answer::Given(rendered) => print(&rendered.text),
    }
}

/// A client may send arguments that a prompt doesn't have; a person who does has mistyped one.
fn refuse_unknown(
    prompts: &[Prompt],
    name: &str,
    arguments: &[(String, String)],
) -> Result<(), Failure> {
    let Some(prompt) = prompts.iter().find(|prompt| prompt.name == name) else {
        return Ok(());
    };
    let known: Vec<&str> = prompt
        .arguments
        .iter()
        .map(|argument| argument.name.as_str())
        .collect();
    match arguments
        .iter()
        .find(|(given, _)| !known.contains(&given.as_str()))
    {
        None => Ok(()),
        Some((given, _)) => Err(Failure::Usage(format!(
            "{name} has no argument {given:?}; it has: {}",
            known.join(", ")
        ))),
    }
}

/// `NAME=VALUE`. MCP's strings are Unicode, so a value that isn't can't be passed on unchanged.
fn pair(argument: OsString) -> Result<(String, String), Failure> {
    let text = argument.into_string().map_err(|argument| {
        Failure::Usage(format!(
            "{} is not UTF-8; MCP arguments are",
            argument.display()
        ))
    })?;
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Failure::Usage(format!("{text:?} is not NAME=VALUE"))),
    }
}

fn list(prompts: &[Prompt], json: bool) -> String {
    if json {
        let prompts: Vec<_> = prompts
            .iter()
            .map(|prompt| {
                let arguments: Vec<_> = prompt
                    .arguments
                    .iter()
                    .map(|a| json!({"name": a.name, "description": a.description, "required": a.required}))
                    .collect();
                json!({
                    "name": prompt.name,
                    "title": prompt.title,
                    "description": prompt.description,
                    "arguments": arguments,
                })
            })
            .collect();
        return json!({"prompts": prompts}).to_string();
    }
    let mut text = String::new();
    for prompt in prompts {
        // Writing to a String can't fail.
        let _ = writeln!(text, "{}\n  {}", prompt.name, prompt.description);
        for argument in &prompt.arguments {
            let role = match (argument.required, argument.completes.is_some()) {
                (true, _) => " (required)",
                (false, true) => " (completes)",
                (false, false) => "",
            };
            let _ = writeln!(
                text,
                "    {}{role}: {}",
                argument.name, argument.description
            );
        }
        text.push('\n');
    }
    text
}

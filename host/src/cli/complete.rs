//! `rea complete`: what a client would be offered.

use std::path::PathBuf;

use serde_json::json;

use super::{
    exit::Failure,
    workbench::{print, session_on},
};
use crate::component::{Answer, CompletionRequest, Completions};

pub(super) struct Question {
    pub(super) prompt: String,
    pub(super) argument: String,
    pub(super) value: String,
    pub(super) document: Option<String>,
}

pub(super) async fn run(
    question: Question,
    open: Option<PathBuf>,
    json: bool,
) -> Result<(), Failure> {
    let session = session_on(open.as_deref()).await?;
    let (prompt, argument) = (question.prompt, question.argument);
    let request = CompletionRequest {
        prompt: prompt.clone(),
        argument: argument.clone(),
        value: question.value,
        context: question
            .document
            .map(|name| ("document".to_owned(), name))
            .into_iter()
            .collect(),
    };
    match session.complete(request).await? {
        Answer::Refused(fault) => Err(fault.into()),
        Answer::Given(answer) if json => print(&as_mcp(&answer)),
        Answer::Given(answer) if answer.total.is_none() => Err(Failure::Usage(format!(
            "{argument} of {prompt} doesn't complete; `rea prompt` lists the arguments that do"
        ))),
        Answer::Given(answer) => {
            print(&lines(&answer))?;
            // Not among the values: a symbol could be called that.
            eprintln!("{}", note(&answer, open.is_some()));
            Ok(())
        }
    }
}

fn as_mcp(answer: &Completions) -> String {
    let mut object = json!({"values": answer.values});
    if let Some(object) = object.as_object_mut() {
        if let Some(total) = answer.total {
            object.insert("total".into(), total.into());
        }
        object.insert("hasMore".into(), answer.has_more.into());
    }
    object.to_string()
}

fn lines(answer: &Completions) -> String {
    answer
        .values
        .iter()
        .map(|value| format!("{value}\n"))
        .collect()
}

fn note(answer: &Completions, opened: bool) -> String {
    match answer.total.unwrap_or_default() {
        0 if !opened => "(nothing; --open PATH gives a file to complete from)".to_owned(),
        0 => "(nothing matches)".to_owned(),
        total if answer.has_more => {
            format!(
                "({} of {total}; a longer prefix narrows it)",
                answer.values.len()
            )
        }
        total => format!("({total})"),
    }
}

//! `rea complete`: what a client would be offered.

use std::{fmt::Write, path::PathBuf};

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
    let request = CompletionRequest {
        prompt: question.prompt,
        argument: question.argument,
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
        Answer::Given(answer) => print(&for_people(&answer, open.is_some())),
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

fn for_people(answer: &Completions, opened: bool) -> String {
    let mut text = String::new();
    for value in &answer.values {
        // Writing to a String can't fail.
        let _ = writeln!(text, "{value}");
    }
    let note = match answer.total {
        None => "(this argument doesn't complete)".to_owned(),
        Some(0) if !opened => "(nothing; --open PATH gives a file to complete from)".to_owned(),
        Some(0) => "(nothing matches)".to_owned(),
        Some(total) if answer.has_more => {
            format!(
                "({} of {total}; a longer prefix narrows it)",
                answer.values.len()
            )
        }
        Some(total) => format!("({total})"),
    };
    text.push_str(&note);
    text
}

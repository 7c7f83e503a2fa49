//! `prompts`.

use super::convert::{family_out, fault};
use super::host::Host;
use super::{Component, exports, imports};
use crate::prompts;

impl exports::prompts::Guest for Component {
    fn catalogue() -> Vec<exports::prompts::Prompt> {
        prompts::catalogue().iter().map(prompt_out).collect()
    }

    fn render(
        name: String,
        arguments: Vec<(String, String)>,
    ) -> Result<exports::prompts::Rendered, imports::types::Fault> {
        prompts::render(&Host, &name, &arguments)
            .map(|rendered| exports::prompts::Rendered {
                description: rendered.description,
                text: rendered.text,
            })
            .map_err(fault)
    }
}

fn prompt_out(prompt: &prompts::Prompt) -> exports::prompts::Prompt {
    exports::prompts::Prompt {
        name: prompt.name.to_owned(),
        title: prompt.title.to_owned(),
        description: prompt.description.to_owned(),
        arguments: prompt
            .arguments
            .iter()
            .map(|argument| exports::prompts::Argument {
                name: argument.name.to_owned(),
                description: argument.description.to_owned(),
                required: argument.required,
                completes: argument.completes.map(family_out),
            })
            .collect(),
    }
}

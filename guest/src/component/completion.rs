//! `completion`.

use super::convert::{family_out, fault};
use super::host::Host;
use super::procedures::with_index;
use super::{Component, exports, imports};
use crate::{completion, prompts};

impl exports::completion::Guest for Component {
    fn source(
        prompt: String,
        argument: String,
    ) -> Result<Option<imports::types::Family>, imports::types::Fault> {
        prompts::source(&prompt, &argument)
            .map(|family| family.map(family_out))
            .map_err(fault)
    }

    fn complete(
        request: exports::completion::Request,
    ) -> Result<exports::completion::Completions, imports::types::Fault> {
        let request = completion::Request {
            prompt: request.prompt,
            argument: request.argument,
            value: request.value,
            context: request.context,
        };
        with_index(|index| completion::complete(&Host, index, &request))
            .map(|answer| exports::completion::Completions {
                values: answer.values,
                total: answer.total,
                has_more: answer.has_more,
            })
            .map_err(fault)
    }
}

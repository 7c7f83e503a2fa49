//! The smallest server behind the front, with what the tests of the wire need: a prompt, a completion, and tools
//! that are slow, panic, or change the lists. Speaks MCP over its standard input and output.

#![allow(
    clippy::panic,
    reason = "to panic is what two of this server's entries are for"
)]

use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rea_front::{Diagnostic, Notifier, invalid_params, shorten_text};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::*,
    service::{RequestContext, SubscriptionContext},
};
use serde_json::{Map, Value, json};

/// How long the tool `slow` takes.
const SLOW: Duration = Duration::from_millis(300);

#[derive(Default)]
struct Fixture {
    notifier: Notifier,
    /// Whether the lists have their second entry.
    more: AtomicBool,
}

impl Fixture {
    fn names(&self, always: &[&'static str], sometimes: &'static str) -> Vec<&'static str> {
        let mut names = always.to_vec();
        names.extend(self.more.load(Ordering::Relaxed).then_some(sometimes));
        names
    }

    fn tools(&self) -> Vec<&'static str> {
        self.names(&["echo", "panic", "slow", "toggle"], "more")
    }

    fn prompts(&self) -> Vec<&'static str> {
        self.names(&["greet", "panic"], "more")
    }
}

/// Both lists have one page, so every cursor is unknown, the empty string too.
fn one_page(page: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match page.and_then(|page| page.cursor) {
        None => Ok(()),
        Some(cursor) => Err(invalid_params(&[Diagnostic {
            path: "params.cursor".to_owned(),
            expected: "a cursor that the last page gave".to_owned(),
            got: shorten_text(&cursor),
        }])),
    }
}

fn text(answer: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(answer)]).into()
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("fixture", "1"))
    }

    async fn initialize(
        &self,
        asked: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(asked.clone());
        self.notifier.legacy(context.peer);
        self.negotiate_initialize(&asked)
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let all = SubscriptionFilter::builder()
            .prompts_list_changed()
            .tools_list_changed();
        Some(all.build())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        self.notifier.listen(subscription).await
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        one_page(page)?;
        let prompts = self.prompts().into_iter().map(|name| {
            let argument = PromptArgument::new("name").with_required(name == "greet");
            Prompt::new(name, Some("A prompt."), Some(vec![argument]))
        });
        Ok(ListPromptsResult::with_all_items(prompts.collect()))
    }

    async fn get_prompt(
        &self,
        asked: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if !self.prompts().contains(&asked.name.as_str()) {
            // Without data, as handlers are apt to be written: the front adds it.
            return Err(ErrorData::invalid_params("no such prompt", None));
        }
        assert_ne!(asked.name, "panic", "a detail that must not be told");
        let name = asked
            .arguments
            .as_ref()
            .and_then(|all| all.get("name")?.as_str());
        let Some(name) = name else {
            let missing = Diagnostic::missing("params.arguments.name", "string");
            return Err(invalid_params(&[missing]));
        };
        let message = PromptMessage::new_text(Role::User, format!("Greet {name}."));
        Ok(GetPromptResult::new(vec![message]).into())
    }

    async fn complete(
        &self,
        asked: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let values = ["Ada", "Alan", "Grace"]
            .into_iter()
            .filter(|value| value.starts_with(&asked.argument.value))
            .map(str::to_owned)
            .collect();
        let found = CompletionInfo::with_all_values(values);
        found
            .map(CompleteResult::new)
            .map_err(|error| ErrorData::internal_error(error, None))
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(page)?;
        let schema = Arc::new(Map::from_iter([("type".to_owned(), json!("object"))]));
        let tools = self.tools().into_iter();
        let tools = tools.map(|name| Tool::new(name, "A tool.", schema.clone()));
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let known = self.tools();
        match known.into_iter().find(|name| *name == asked.name) {
            Some("echo") => Ok(text(
                Value::from(asked.arguments.unwrap_or_default()).to_string(),
            )),
            Some("slow") => {
                tokio::time::sleep(SLOW).await;
                Ok(text("done"))
            }
            Some("panic") => panic!("a detail that must not be told"),
            Some("toggle") => {
                self.more.fetch_xor(true, Ordering::Relaxed);
                self.notifier.tools_changed().await;
                Ok(text("toggled"))
            }
            Some(_) => Ok(text("more")),
            None => Err(ErrorData::invalid_params("no such tool", None)),
        }
    }
}

fn main() -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("no runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    let served = runtime.block_on(rea_front::serve(
        Fixture::default(),
        tokio::io::stdin(),
        tokio::io::stdout(),
    ));
    // A client that closes only our output leaves a read of standard input behind, which nothing interrupts.
    runtime.shutdown_background();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

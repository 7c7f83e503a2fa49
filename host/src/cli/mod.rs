//! The command line: what was typed, what it means, and how the program ends.

mod complete;
mod component;
mod doctor;
mod exit;
mod gateway;
mod mcp;
mod progress;
mod prompt;
mod toggle;
mod workbench;

use std::{ffi::OsString, io::IsTerminal, path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use tokio::runtime::Builder;

use self::exit::Failure;

/// Guided reverse engineering for AI agents: six prompts, completion that knows the session, and tools that
/// read binaries by themselves.
#[derive(Parser)]
#[command(name = "rea", version = version(), max_term_width = 100, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 something failed, 2 wrong usage (also an unknown prompt or argument), 3 the target can't \
be opened or read.
Logs go to stderr; REA_LOG sets how much (error, warn, info, debug; default warn).";

#[derive(Subcommand)]
enum Command {
    /// Serve MCP on standard input and output.
    #[command(after_help = "Example, for Claude Code:\n  claude mcp add rea -- rea mcp")]
    Mcp {
        /// A file to open before the first request.
        target: Option<PathBuf>,
    },
    /// List the guided prompts, or render one.
    #[command(
        after_help = "Examples:\n  rea prompt\n  rea prompt investigate_feature feature='offline search' target_path=/usr/bin/git"
    )]
    Prompt {
        /// The prompt to render; without it they are listed.
        name: Option<String>,
        /// Arguments as NAME=VALUE. A value is taken as it is, blanks included.
        #[arg(value_name = "NAME=VALUE")]
        arguments: Vec<OsString>,
        /// Open this file first, so that the prompt is rendered as within an investigation of it.
        #[arg(long, value_name = "PATH")]
        open: Option<PathBuf>,
        /// Print JSON as MCP has it.
        #[arg(long)]
        json: bool,
    },
    /// Complete an argument of a prompt from what a file really holds.
    #[command(
        after_help = "Examples:\n  rea complete investigate_feature procedure main --open ./program\n  rea complete trace_crash document --open ./program --json"
    )]
    Complete {
        /// The prompt.
        prompt: String,
        /// The argument of it.
        argument: String,
        /// What was typed so far.
        #[arg(default_value = "")]
        value: String,
        /// Open and read this file first.
        #[arg(long, value_name = "PATH")]
        open: Option<PathBuf>,
        /// Procedures of this document only.
        #[arg(long, value_name = "NAME")]
        document: Option<String>,
        /// Print MCP's own object: values, total, hasMore.
        #[arg(long)]
        json: bool,
    },
    /// Check this program and, if given, a file.
    #[command(after_help = "Example:\n  rea doctor /usr/bin/git")]
    Doctor {
        /// A file to check: whether it can be opened, what is in it, how complete that is.
        path: Option<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Switch the tools and instructions of the governed MCP servers on or off for one conversation.
    ///
    /// The position is kept in a file that the gateway and DeepSeek Harness read too; they notice within a second.
    #[command(
        after_help = "Examples:\n  rea toggle on --conversation 3f2b8c1e-7d4a-4c58-9a59-0c7b6f3f3f11\n  rea toggle status --conversation work --json\n  rea toggle list --state ./positions.json"
    )]
    Toggle {
        #[command(subcommand)]
        action: toggle::Action,
    },
    /// Serve the MCP servers of a configuration, of which each conversation sees what its switch lets through.
    #[command(after_help = gateway::HELP)]
    Gateway(gateway::Asked),
    /// Say what the embedded WebAssembly component is, or write it to a file.
    #[command(after_help = "Example:\n  rea component --out guide.component.wasm")]
    Component {
        /// Write the component here; - for standard output.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    log_to_stderr();
    let command = match Arguments::try_parse() {
        Ok(arguments) => arguments.command,
        Err(error) => {
            // Help and version come this way too, with exit code 0.
            let _ = error.print();
            return exit::code(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let runtime = match threads(&command).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return Failure::Failed(format!("no runtime: {error}")).report(),
    };
    let done = runtime.block_on(perform(command));
    // A thread that still reads a file must not keep the program.
    runtime.shutdown_background();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// The gateway only moves messages on: a switch of threads would be most of what that costs.
fn threads(command: &Command) -> Builder {
    if matches!(command, Command::Gateway(_)) {
        return Builder::new_current_thread();
    }
    let mut threads = Builder::new_multi_thread();
    threads.worker_threads(2);
    threads
}

async fn perform(command: Command) -> Result<(), Failure> {
    match command {
        Command::Mcp { target } => mcp::serve(target).await,
        Command::Prompt {
            name,
            arguments,
            open,
            json,
        } => prompt::run(name, arguments, open, json).await,
        Command::Complete {
            prompt,
            argument,
            value,
            open,
            document,
            json,
        } => {
            complete::run(
                complete::Question {
                    prompt,
                    argument,
                    value,
                    document,
                },
                open,
                json,
            )
            .await
        }
        Command::Gateway(asked) => gateway::serve(asked).await,
        Command::Toggle { action } => toggle::run(action).await,
        Command::Doctor { path, json } => doctor::run(path, json).await,
        Command::Component { out, json } => component::run(out, json),
    }
}

fn version() -> &'static str {
    concat!(
        env!("CARGO_PKG_VERSION"),
        " (component sha256:",
        env!("REA_GUIDE_SHA256"),
        ")"
    )
}

fn log_to_stderr() {
    use tracing_subscriber::{EnvFilter, fmt};
    // rmcp logs whole messages, which are a client's business.
    let filter =
        EnvFilter::try_from_env("REA_LOG").unwrap_or_else(|_| EnvFilter::new("warn,rmcp=error"));
    let ready = fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .try_init();
    if let Err(error) = ready {
        eprintln!("rea: no log: {error}");
    }
}

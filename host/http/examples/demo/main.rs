//! A server for tests and for a look at the page: MCP at `/mcp` and `/c/{conversation}/mcp` from the fixture of the
//! front's tests, and a switch that is kept in memory.
//!
//! `demo [PORT or ADDRESS:PORT] [--allow-host H] [--allow-origin O] [--token T]`; it ends when its input does.

#![allow(
    clippy::panic,
    unreachable_pub,
    missing_docs,
    reason = "to panic is what two of the fixture's entries are for; nothing here is an interface"
)]

#[path = "../../../front/examples/fixture/handler.rs"]
mod handler;
mod switch;

use std::{
    collections::HashMap,
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

use handler::Fixture;
use rea_http::{Config, Refusal, RequestInfo, Server};
use switch::Fake;
use tokio::io::AsyncReadExt as _;

fn main() -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error),
    };
    let served = runtime.block_on(serve());
    runtime.shutdown_background();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&*error),
    }
}

fn failed(error: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("demo: {error}");
    ExitCode::FAILURE
}

async fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::bind(config()?).await?;
    println!("{}", server.url());
    if let Some(token) = server.made_token() {
        eprintln!("token: {token}");
    }
    let plain = Fixture::default();
    let conversations: Arc<Mutex<HashMap<String, Fixture>>> = Arc::default();
    let site = server
        .site()
        .mcp("/mcp", move |_| {
            let fixture = plain.clone();
            async move { Ok(fixture) }
        })
        .mcp("/c/{conversation}/mcp", move |info: RequestInfo| {
            let known = Arc::clone(&conversations);
            async move {
                match info.param("conversation") {
                    Some("nobody") | None => Err(Refusal::not_found("no such conversation")),
                    Some(id) => {
                        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
                        Ok(known.entry(id.to_owned()).or_default().clone())
                    }
                }
            }
        })
        .switch(Fake::with_some());
    let stop = async {
        // Whoever started this closes its input, or ends and so closes it.
        let _ = tokio::io::stdin().read_to_end(&mut Vec::new()).await;
    };
    server.serve(site, stop).await;
    Ok(())
}

fn config() -> Result<Config, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let address = arguments.next_if(|first| !first.starts_with("--"));
    let mut config = Config::new(Config::address(address.as_deref().unwrap_or("0"))?);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or("an option without its value")?;
        match option.as_str() {
            "--allow-host" => config.allow_hosts.push(value),
            "--allow-origin" => config.allow_origins.push(value),
            "--token" => config.tokens.push(value),
            _ => return Err(format!("no such option: {option}").into()),
        }
    }
    Ok(config)
}

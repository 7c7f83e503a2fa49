//! What the gateway costs: a call through it and directly, in pairs; its memory; how soon a flip is told.
//! `cargo bench -p rea-tests --bench gateway`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a benchmark may stop at the first surprise"
)]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rea_gateway::{Config, Gateway, InMemory, Options, Seat, Serves};
use rea_tests::{program, stdio::Server};
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

/// Pairs of calls, and flips.
const ROUNDS: usize = 3000;
const FLIPS: usize = 300;

fn main() {
    calls();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(flips());
    runtime.shutdown_background();
}

fn calls() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    let config = folder.path().join("servers.json");
    let server = json!({"rea": {"command": program(), "args": ["mcp"]}});
    let text = json!({"mcpServers": server, "reaToggle": {"defaultEnabled": true}});
    std::fs::write(&config, text.to_string()).unwrap();
    let arguments = [
        "gateway",
        "--config",
        config.to_str().unwrap(),
        "--state",
        state.to_str().unwrap(),
        "--conversation",
        "bench",
    ];
    let mut direct = Server::connect(&program(), &["mcp"]).unwrap();
    let mut through = Server::connect(&program(), &arguments).unwrap();
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for round in 0..ROUNDS + 200 {
        let mut pair = [Duration::ZERO; 2];
        // Each goes first half of the time.
        for turn in 0..2 {
            let which = (round + turn) % 2;
            let one = if which == 0 {
                &mut direct
            } else {
                &mut through
            };
            let start = Instant::now();
            one.call("binary_session", json!({})).unwrap();
            pair[which] = start.elapsed();
        }
        if round >= 200 {
            times[0].push(pair[0].as_secs_f64() * 1e3);
            times[1].push(pair[1].as_secs_f64() * 1e3);
            times[2].push((pair[1].as_secs_f64() - pair[0].as_secs_f64()) * 1e3);
        }
    }
    println!("tools/call, {ROUNDS} pairs, ms           p50     p99");
    for (name, times) in ["directly", "through the gateway", "added, pair by pair"]
        .iter()
        .zip(&mut times)
    {
        println!("  {name:<32}{}", quantiles(times));
    }
    println!(
        "resident memory of the gateway: {} MB",
        resident(through.pid())
    );
}

async fn flips() {
    let program = program();
    let config = Config::of_child("rea", program.to_str().unwrap().to_owned(), &["mcp"]);
    let policy = Arc::new(InMemory::new(["rea".to_owned()], false));
    let seat = Seat {
        conversation: "c".to_owned(),
        parent: None,
    };
    let options = Options {
        serves: Serves::One(seat.clone()),
        shared: Default::default(),
        prompt: false,
    };
    let gateway = Gateway::new(config, policy.clone(), options);
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(theirs);
    let serving = gateway.clone();
    tokio::spawn(async move { rea_gateway::serve(&serving, seat, read, write).await });
    let (read, mut write) = tokio::io::split(ours);
    let mut lines = BufReader::new(read).lines();
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}});
    let open = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    write
        .write_all(format!("{open}\n").as_bytes())
        .await
        .unwrap();
    lines.next_line().await.unwrap();
    let mut times = Vec::new();
    for _ in 0..FLIPS {
        let start = Instant::now();
        policy.set("c", None);
        loop {
            let line = lines.next_line().await.unwrap().unwrap();
            if line.contains("tools/list_changed") {
                break;
            }
        }
        times.push(start.elapsed().as_secs_f64() * 1e3);
        // What else has changed is told right after.
        lines.next_line().await.unwrap();
    }
    println!(
        "from a flip to list_changed, ms               {}",
        quantiles(&mut times)
    );
    gateway.close().await;
}

fn quantiles(times: &mut [f64]) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    format!("{:>8.3}{:>8.3}", at(50), at(99))
}

fn resident(pid: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or("?".to_owned(), |kilobytes| {
        format!("{:.1}", kilobytes / 1024.0)
    })
}

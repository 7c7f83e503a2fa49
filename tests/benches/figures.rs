//! The figures that the README gives, each beside a baseline of the same run. `cargo bench -p rea-tests`, or
//! `cargo bench -p rea-tests -- FILE` for another file than the compiler's own library.
//!
//! A program of its own and not a bench of criterion's: half of the figures are whole processes in pairs, the others
//! percentiles of single calls, and a table that a person reads is all that comes out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a benchmark may stop at the first surprise"
)]

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use rea_host::{
    component::{Answer, CompletionRequest, EMBEDDED, Program},
    session::{Session, Watch},
    tools,
};
use rea_provider::{Binary, NoMonitor};
use rea_tests::stdio::Server;
use serde_json::json;

#[path = "figures/switch.rs"]
mod switch;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let file = arguments
        .first()
        .map_or_else(compiler_library, PathBuf::from);
    println!(
        "file: {} ({} MB)",
        file.file_name().unwrap().display(),
        megabytes(&file)
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(inventory(&file));
    runtime.block_on(completion(&file));
    runtime.block_on(switch::figures(row));
    start();
    lists();
}

/// The largest ELF file with a symbol table that every machine with this compiler has.
fn compiler_library() -> PathBuf {
    let sysroot = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .unwrap();
    let folder = PathBuf::from(String::from_utf8(sysroot.stdout).unwrap().trim()).join("lib");
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("librustc_driver-")
        })
        .expect("the toolchain has its driver library")
}

/// Open, inventory and index, against `nm --defined-only` on the same file, in turns.
async fn inventory(file: &Path) {
    let program = Program::embedded();
    program.imports().unwrap();
    let (mut ours, mut theirs, mut read) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..9 {
        let session = Session::new(Arc::clone(&program), tools::names()).unwrap();
        let begin = Instant::now();
        session.open(file, None).await.unwrap();
        session.ready(&Watch::silent()).await.unwrap();
        ours.push(begin.elapsed());
        // The digest runs on beside; it must be over before the baseline has its turn.
        let (target, _) = session.ready(&Watch::silent()).await.unwrap();
        target
            .digest(Duration::from_secs(60), &Watch::silent())
            .await
            .unwrap();
        let begin = Instant::now();
        Binary::open(file).unwrap().inventory(&NoMonitor).unwrap();
        read.push(begin.elapsed());
        drop((session, target));

        let begin = Instant::now();
        let ended = Command::new("nm")
            .arg("--defined-only")
            .arg(file)
            .stdout(Stdio::null())
            .status();
        theirs.push(begin.elapsed());
        if !ended.is_ok_and(|status| status.success()) {
            println!("no `nm` to compare with");
        }
    }
    let ratio = median(&mut ours).as_secs_f64() / median(&mut theirs).as_secs_f64();
    row("open + inventory + index", &mut ours);
    row("  of which open + inventory", &mut read);
    row("  nm --defined-only", &mut theirs);
    println!("  ratio of medians {ratio:.2} (aim: at most 1.0)");
}

/// Single keystrokes, in process.
async fn completion(file: &Path) {
    let session = Session::new(Program::embedded(), tools::names()).unwrap();
    session.open(file, None).await.unwrap();
    let (target, _) = session.ready(&Watch::silent()).await.unwrap();
    target
        .digest(Duration::from_secs(60), &Watch::silent())
        .await
        .unwrap();
    let name = session_name(&session).await;
    let mut bare = Vec::new();
    for _ in 0..2000 {
        let begin = Instant::now();
        session
            .guide()
            .source("investigate_feature".into(), "feature".into())
            .await
            .unwrap();
        bare.push(begin.elapsed());
    }
    row("baseline: the smallest call of the component", &mut bare);
    let longest = name.len();
    for (what, value) in [
        ("empty", String::new()),
        ("broad", name[..4.min(longest)].to_owned()),
        ("narrow", name),
    ] {
        let mut times = Vec::new();
        let mut total = None;
        for _ in 0..2000 {
            let begin = Instant::now();
            total = complete(&session, &value).await;
            times.push(begin.elapsed());
        }
        row(
            &format!("completion, {what} prefix ({} match)", total.unwrap_or(0)),
            &mut times,
        );
    }
    println!("  aim: p99 under 100 µs");
}

/// Some long name that the file has.
async fn session_name(session: &Session) -> String {
    let (_, ready) = session.ready(&Watch::silent()).await.unwrap();
    let document = &ready.inventory().documents()[0];
    let page = document
        .procedures(document.extent().places / 2, 500)
        .unwrap();
    page.rows
        .iter()
        .flat_map(|row| &row.names)
        .map(|name| name.text.clone())
        .max_by_key(String::len)
        .unwrap()
}

async fn complete(session: &Session, value: &str) -> Option<u64> {
    let request = CompletionRequest {
        prompt: "investigate_feature".into(),
        argument: "procedure".into(),
        value: value.into(),
        context: Vec::new(),
    };
    match session.complete(request).await.unwrap() {
        Answer::Given(answer) => answer.total,
        Answer::Refused(fault) => panic!("{fault:?}"),
    }
}

/// From the start of the process to the answer of `initialize`, and to the first prompt list.
fn start() {
    let program = built_program();
    let (mut opened, mut listed) = (Vec::new(), Vec::new());
    for _ in 0..15 {
        let begin = Instant::now();
        let mut server = Server::start(&program, &["mcp"]).unwrap();
        server.initialize().unwrap();
        opened.push(begin.elapsed());
        server.ask("prompts/list", json!({})).unwrap();
        listed.push(begin.elapsed());
        server.finish().unwrap();
    }
    row("start of rea mcp to the answer of initialize", &mut opened);
    row(
        "  to the first prompts/list (component compiled)",
        &mut listed,
    );
    println!("  aim: initialize under 50 ms");
}

/// What goes into a model's context.
fn lists() {
    let mut server = Server::connect(&built_program(), &["mcp"]).unwrap();
    let tools = server.ask("tools/list", json!({})).unwrap()["result"]
        .to_string()
        .len();
    let prompts = server.ask("prompts/list", json!({})).unwrap()["result"]
        .to_string()
        .len();
    let largest = tools::CATALOGUE
        .iter()
        .map(|tool| {
            (
                serde_json::Value::Object(tool.schema()).to_string().len(),
                tool.name,
            )
        })
        .max()
        .unwrap();
    println!(
        "tools/list {tools} bytes ({} tools), prompts/list {prompts} bytes",
        tools::CATALOGUE.len()
    );
    println!("largest input schema {} bytes ({})", largest.0, largest.1);
    println!("component {} bytes", EMBEDDED.len());
}

fn built_program() -> PathBuf {
    rea_tests::program()
}

fn megabytes(file: &Path) -> u64 {
    std::fs::metadata(file).unwrap().len() >> 20
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn row(what: &str, times: &mut [Duration]) {
    times.sort();
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    println!(
        "{what:<52} p50 {:>10.1?}  p99 {:>10.1?}  min {:>10.1?}",
        at(50),
        at(99),
        times[0]
    );
}

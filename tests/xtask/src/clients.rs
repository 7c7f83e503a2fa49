//! The checks of real clients: the Python and TypeScript SDKs against `rea mcp` and `rea gateway`, and the component in
//! JavaScript.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::machine;
use crate::needs;
use crate::packages::{self, Node, unwritable};
use crate::place::Place;
use crate::report::{Note, Report, Totals};
use crate::run::Run;

/// A Python SDK and how its client is to connect.
const PYTHON: [(&str, &[&str]); 2] = [("sdk-2", &["auto", "legacy"]), ("sdk-1", &["legacy"])];

/// A TypeScript SDK and how its client is to connect.
const TYPESCRIPT: [(&str, &str); 3] = [
    ("client-2", "modern"),
    ("client-2", "legacy"),
    ("sdk-1", "legacy"),
];

/// Installs the clients that can run here and runs them. One that fails doesn't keep the next from running.
pub(crate) fn perform(place: &Place, report: &mut Report) -> Result<(), Failure> {
    let folder = place.clients();
    report.step("lay out clients", |_| {
        packages::lay_out(&place.root.join("tests/clients"), &folder)?;
        std::fs::write(folder.join("binaries.json"), binaries(place))
            .map_err(|error| unwritable(&folder, &error))
    })?;
    let python = python_clients(place, report);
    let node = node_clients(place, report);
    python.and(node)
}

fn python_clients(place: &Place, report: &mut Report) -> Result<(), Failure> {
    let mut outcome = Ok(());
    for (sdk, modes) in PYTHON.iter().filter(|_| needs::met("python3")) {
        let name = format!("install Python {sdk}");
        match report.step(&name, |note| packages::python(&place.clients(), sdk, note)) {
            Ok(home) => {
                for mode in *modes {
                    let run = Run::new(home.join("python"), &place.clients());
                    let run = run.args(["python/session.py", "--mode", mode]);
                    let name = format!("Python {sdk}, {mode}");
                    outcome = outcome.and(client(place, report, &name, run));
                }
            }
            Err(failure) => outcome = outcome.and(Err(failure)),
        }
    }
    outcome
}

fn node_clients(place: &Place, report: &mut Report) -> Result<(), Failure> {
    if !needs::met("node") {
        return Ok(());
    }
    let folder = place.clients();
    let node = report.step("Node.js", |note| packages::node(&folder, note))?;
    report.step("install TypeScript SDKs and jco", |note| {
        node.install(&folder, note)
    })?;
    report.step("name the gateway's servers", |_| {
        std::fs::write(folder.join("servers.json"), servers(place, &node))
            .map_err(|error| unwritable(&folder, &error))
    })?;
    let mut outcome = gateway_clients(place, report, &node);
    for (sdk, mode) in TYPESCRIPT {
        let run = node.node(&folder);
        let run = run.args(["typescript/session.mjs", "--sdk", sdk, "--mode", mode]);
        let name = format!("TypeScript {sdk}, {mode}");
        outcome = outcome.and(client(place, report, &name, run));
    }
    outcome = outcome.and(page(place, report, &node));
    // The component in jco, against the answers that it gives natively and in wasmtime.
    let component = folder.join("guide.component.wasm");
    outcome.and(counted(report, "the component in JavaScript", || {
        let out = Run::new(place.rea(), &place.root).args(["component", "--out"]);
        out.arg(&component).run()?;
        let run = node
            .node(&folder)
            .args(["jco/differential.mjs", "--component"]);
        Ok(run
            .arg(&component)
            .arg("--cases")
            .arg(place.root.join("tests/cases")))
    }))
}

/// The switch as clients see it. The Python SDKs are installed by now if they can be.
fn gateway_clients(place: &Place, report: &mut Report, node: &Node) -> Result<(), Failure> {
    let folder = place.clients();
    let mut outcome = Ok(());
    for (sdk, modes) in PYTHON.iter().filter(|_| needs::met("python3")) {
        for mode in *modes {
            let name = format!("gateway: Python {sdk}, {mode}");
            let python = folder.join(sdk).join("bin").join("python");
            outcome = outcome.and(counted(report, &name, || {
                let run = Run::new(python, &folder).args(["python/gateway.py", "--mode", mode]);
                let run = run.arg("--rea").arg(place.rea());
                Ok(run.args(["--servers", "servers.json"]))
            }));
        }
    }
    for (sdk, mode) in TYPESCRIPT {
        let name = format!("gateway: TypeScript {sdk}, {mode}");
        outcome = outcome.and(counted(report, &name, || {
            let run = node.node(&folder);
            let run = run.args(["typescript/gateway.mjs", "--sdk", sdk, "--mode", mode]);
            let run = run.arg("--rea").arg(place.rea());
            Ok(run.args(["--servers", "servers.json"]))
        }));
    }
    outcome
}

/// The servers behind the gateway: the reference server, and the stub of the gateway's own tests, which `cargo test`
/// has built.
fn servers(place: &Place, node: &Node) -> String {
    let script = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
    let script = place.clients().join(script);
    let stub = place.target.join("release").join("examples").join("stub");
    let text = |path: &Path| format!("{:?}", path.display().to_string());
    format!(
        "{{\"everything\": [{}, {}, \"stdio\"], \"stub\": [{}, \"--tools\", \"207\"]}}\n",
        text(&node.program()),
        text(&script),
        text(&stub)
    )
}

/// The switch's page and its pill in a browser.
fn page(place: &Place, report: &mut Report, node: &Node) -> Result<(), Failure> {
    let Some(browser) = machine::find("chromium") else {
        return Ok(());
    };
    counted(report, "the page in Chromium", || {
        // The tests of the workspace have built it.
        let demo = place.target.join("release/examples/demo");
        let run = node
            .node(&place.clients())
            .args(["page/page.mjs", "--demo"]);
        Ok(run.arg(demo).arg("--chromium").arg(browser))
    })
}

/// Runs a client against the built `rea`.
fn client(place: &Place, report: &mut Report, name: &str, run: Run) -> Result<(), Failure> {
    let run = run.arg("--rea").arg(place.rea());
    counted(report, name, || {
        Ok(run.args(["--binaries", "binaries.json"]))
    })
}

/// A step that runs what ends with a line that sums up its checks. If there is no such line, that is one that failed.
fn counted(
    report: &mut Report,
    name: &str,
    make: impl FnOnce() -> Result<Run, Failure>,
) -> Result<(), Failure> {
    let mut totals = Totals {
        failed: 1,
        ..Totals::default()
    };
    let result = report.step(name, |note| {
        let run = make()?;
        sum_up(run, &mut totals, note)
    });
    report.add(totals);
    result
}

fn sum_up(run: Run, totals: &mut Totals, note: &mut Note) -> Result<(), Failure> {
    let line = run.line().to_owned();
    match run.run() {
        Ok(text) => {
            let sum = text.lines().rev().find_map(Totals::parse).ok_or_else(|| {
                Failure::own(format!("`{line}` ended without saying what it checked"))
            })?;
            if sum.failed > 0 || sum.passed == 0 {
                return Err(Failure::own(format!(
                    "`{line}` exited with 0 although not all was well"
                )));
            }
            *totals = sum;
            note.say(format!("{} passed, {} skipped", sum.passed, sum.skipped));
            Ok(())
        }
        Err(failure) => {
            let sum = failure
                .tail
                .iter()
                .rev()
                .find_map(|line| Totals::parse(line));
            if let Some(sum) = sum.filter(|sum| sum.failed > 0) {
                *totals = sum;
            }
            Err(failure)
        }
    }
}

/// Which programs the clients open: one without symbols, and the least number of procedures to be found in it.
fn binaries(place: &Place) -> String {
    let git = Path::new("/usr/bin/git");
    let (stripped, least): (PathBuf, u32) = if git.is_file() {
        (git.to_path_buf(), 5000)
    } else {
        (place.rea(), 1)
    };
    format!(
        "{{\"stripped\": {:?}, \"procedures\": {least}}}\n",
        stripped.display().to_string()
    )
}

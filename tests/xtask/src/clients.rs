//! The checks of real clients: the Python and TypeScript SDKs against `rea mcp`, and the component in JavaScript.
//!
//! `tests/clients` is laid out below `target/`, and packages are installed there, so that a clone stays clean.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::needs;
use crate::place::Place;
use crate::report::{Note, Report, Totals};
use crate::run::Run;

/// A Python SDK and how its client is to connect.
const PYTHON: [(&str, &str); 3] = [("sdk-2", "auto"), ("sdk-2", "legacy"), ("sdk-1", "legacy")];

/// A TypeScript SDK and how its client is to connect.
const TYPESCRIPT: [(&str, &str); 3] = [
    ("client-2", "modern"),
    ("client-2", "legacy"),
    ("sdk-1", "legacy"),
];

/// Installs the clients that can run here and runs them.
pub(crate) fn perform(place: &Place, report: &mut Report) -> Result<(), Failure> {
    let folder = place.clients();
    report.step("lay out clients", |_| {
        lay_out(&place.root.join("tests/clients"), &folder)?;
        std::fs::write(folder.join("binaries.json"), binaries(place))
            .map_err(|error| unwritable(&folder, &error))
    })?;
    let mut first = None;
    let mut note = |result: Result<(), Failure>| first = first.take().or(result.err());
    if needs::met("python3") {
        for sdk in ["sdk-2", "sdk-1"] {
            let result = report.step(&format!("install Python {sdk}"), |note| {
                install_python(&folder, sdk, note)
            });
            let installed = result.is_ok();
            note(result);
            for (_, mode) in PYTHON.iter().filter(|(of, _)| installed && *of == sdk) {
                let python = folder.join(sdk).join("bin/python");
                let words = ["python/session.py".into(), "--mode".into(), mode.into()];
                note(client(
                    place,
                    report,
                    &format!("Python {sdk}, {mode}"),
                    python.into(),
                    &words,
                ));
            }
        }
    }
    if needs::met("node") {
        let result = report.step("install TypeScript SDKs and jco", |note| {
            install_node(&folder, note)
        });
        let installed = result.is_ok();
        note(result);
        for (sdk, mode) in TYPESCRIPT.iter().filter(|_| installed) {
            let words =
                ["typescript/session.mjs", "--sdk", sdk, "--mode", mode].map(OsString::from);
            note(client(
                place,
                report,
                &format!("TypeScript {sdk}, {mode}"),
                "node".into(),
                &words,
            ));
        }
        if installed {
            note(in_javascript(place, report));
        }
    }
    first.map_or(Ok(()), Err)
}

/// Runs a client and counts its checks, which it sums up in its last line.
fn client(
    place: &Place,
    report: &mut Report,
    name: &str,
    program: OsString,
    words: &[OsString],
) -> Result<(), Failure> {
    let folder = place.clients();
    let mut totals = None;
    let result = report.step(name, |note| {
        let run = Run::new(program, &folder).args(words);
        let run = run
            .arg("--rea")
            .arg(place.rea())
            .args(["--binaries", "binaries.json"]);
        counted(run, &mut totals, note)
    });
    report.add(totals.unwrap_or(Totals {
        failed: 1,
        ..Totals::default()
    }));
    result
}

/// The component in jco, against the answers that it gives natively and in wasmtime.
fn in_javascript(place: &Place, report: &mut Report) -> Result<(), Failure> {
    let folder = place.clients();
    let component = folder.join("guide.component.wasm");
    let mut totals = None;
    let result = report.step("the component in JavaScript", |note| {
        Run::new(place.rea(), &place.root)
            .args(["component", "--out"])
            .arg(&component)
            .run()?;
        let run = Run::new("node", &folder)
            .args(["jco/differential.mjs", "--component"])
            .arg(&component);
        counted(
            run.arg("--cases").arg(place.root.join("tests/cases")),
            &mut totals,
            note,
        )
    });
    report.add(totals.unwrap_or(Totals {
        failed: 1,
        ..Totals::default()
    }));
    result
}

/// Runs what ends with a line that sums up its checks.
fn counted(run: Run, totals: &mut Option<Totals>, note: &mut Note) -> Result<(), Failure> {
    let line = run.line().to_owned();
    let closing =
        |lines: &mut dyn DoubleEndedIterator<Item = &str>| lines.rev().find_map(Totals::parse);
    match run.run() {
        Ok(text) => {
            let sum = closing(&mut text.lines()).ok_or_else(|| {
                Failure::own(format!("`{line}` ended without saying what it checked"))
            })?;
            *totals = Some(sum);
            note.say(format!("{} passed, {} skipped", sum.passed, sum.skipped));
            if sum.failed > 0 || sum.passed == 0 {
                return Err(Failure::own(format!(
                    "`{line}` exited with 0 although not all was well"
                )));
            }
            Ok(())
        }
        Err(failure) => {
            *totals =
                closing(&mut failure.tail.iter().map(String::as_str)).filter(|sum| sum.failed > 0);
            Err(failure)
        }
    }
}

/// Copies what is new or different, so that what is installed there already stays.
fn lay_out(from: &Path, to: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(to).map_err(|error| unwritable(to, &error))?;
    let entries = from.read_dir().map_err(|error| unreadable(from, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(from, &error))?;
        let (source, copy) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "node_modules" || entry.file_name() == "__pycache__" {
            continue;
        }
        if source.is_dir() {
            lay_out(&source, &copy)?;
            continue;
        }
        let text = std::fs::read(&source).map_err(|error| unreadable(&source, &error))?;
        if std::fs::read(&copy).ok().as_ref() != Some(&text) {
            std::fs::write(&copy, text).map_err(|error| unwritable(&copy, &error))?;
        }
    }
    Ok(())
}

/// Which programs the clients open: one without symbols, and the least number of procedures to be found in it.
fn binaries(place: &Place) -> String {
    let git = Path::new("/usr/bin/git");
    let (stripped, least) = if git.is_file() {
        (git.to_path_buf(), 5000)
    } else {
        (place.rea(), 1)
    };
    format!(
        "{{\"stripped\": {:?}, \"procedures\": {least}}}\n",
        stripped.display().to_string()
    )
}

/// A virtual environment with an SDK, unless it is there as asked for.
fn install_python(folder: &Path, sdk: &str, note: &mut Note) -> Result<(), Failure> {
    let list = folder.join("python").join(format!("{sdk}.txt"));
    let home = folder.join(sdk);
    let python = home.join("bin/python");
    // The interpreter belongs to what was asked for: an environment breaks when it goes.
    let version = Run::new("python3", folder)
        .arg("--version")
        .quietly()
        .run()?;
    let wanted =
        std::fs::read_to_string(&list).map_err(|error| unreadable(&list, &error))? + &version;
    let works = || {
        Run::new(&python, folder)
            .args(["-c", "import mcp"])
            .quietly()
            .run()
            .is_ok()
    };
    if is_installed(&home, &wanted) && works() {
        note.say("there already");
        return Ok(());
    }
    println!(
        "installing from PyPI into {}: the packages of tests/clients/python/{sdk}.txt",
        home.display()
    );
    Run::new("python3", folder)
        .args(["-m", "venv", "--clear"])
        .arg(&home)
        .run()?;
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
    ];
    Run::new(&python, folder).args(pip).arg(&list).run()?;
    installed(&home, &wanted)
}

/// The packages of the lock file, unless they are there.
fn install_node(folder: &Path, note: &mut Note) -> Result<(), Failure> {
    let lock = folder.join("package-lock.json");
    let home = folder.join("node_modules");
    let version = Run::new("node", folder).arg("--version").quietly().run()?;
    let wanted =
        std::fs::read_to_string(&lock).map_err(|error| unreadable(&lock, &error))? + &version;
    if is_installed(&home, &wanted) {
        note.say("there already");
        return Ok(());
    }
    println!(
        "installing from npm into {}: the packages of tests/clients/package-lock.json",
        folder.display()
    );
    Run::new("npm", folder)
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .run()?;
    installed(&home, &wanted)
}

fn stamp(home: &Path) -> PathBuf {
    home.join(".installed")
}

fn is_installed(home: &Path, wanted: &str) -> bool {
    std::fs::read_to_string(stamp(home)).is_ok_and(|found| found == wanted)
}

/// Written last: what was interrupted is done again.
fn installed(home: &Path, wanted: &str) -> Result<(), Failure> {
    std::fs::write(stamp(home), wanted).map_err(|error| unwritable(home, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::own(format!("{} can't be read: {error}", path.display()))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::own(format!("{} can't be written: {error}", path.display()))
}

//! The task runner of the project: `cargo xtask help`.
//!
//! What typed words mean is decided here, and so are exit codes: 0 is success, 2 means that the command line
//! was wrong, 1 that a check of our own failed; else it is the exit code of the command that failed.

mod clients;
mod demo;
mod failure;
mod help;
mod machine;
mod needs;
mod packages;
mod place;
mod report;
mod run;
mod tests;
mod toolchain;

use std::io::Write as _;
use std::process::ExitCode;

use failure::Failure;
use place::Place;
use report::Report;

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
enum Task {
    Help,
    Try,
    Test { all: bool },
    Lint,
    Bench { rest: Vec<String> },
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let task = match parse(&words) {
        Ok(task) => task,
        Err(what) => {
            eprintln!("xtask: {what}\n\n{}", help::TEXT);
            return ExitCode::from(2);
        }
    };
    let code = match Place::find() {
        Ok(place) => perform(task, &place),
        Err(failure) => {
            eprintln!("{failure}");
            failure.code
        }
    };
    ExitCode::from(code)
}

fn parse(words: &[String]) -> Result<Task, String> {
    let Some((name, rest)) = words.split_first() else {
        return Ok(Task::Help);
    };
    if rest.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(Task::Help);
    }
    let refuse = |rest: &[String]| match rest.first() {
        Some(word) => Err(format!("{name} takes no {word:?}")),
        None => Ok(()),
    };
    match name.as_str() {
        "help" | "--help" | "-h" => Ok(Task::Help),
        "try" => refuse(rest).map(|()| Task::Try),
        "test" => match rest {
            [all] if all == "--all" => Ok(Task::Test { all: true }),
            [all, more, ..] if all == "--all" => Err(format!("test --all takes no {more:?}")),
            _ => refuse(rest).map(|()| Task::Test { all: false }),
        },
        "lint" => refuse(rest).map(|()| Task::Lint),
        "bench" => Ok(Task::Bench {
            rest: rest.to_vec(),
        }),
        _ => Err(format!("there is no command {name:?}")),
    }
}

fn perform(task: Task, place: &Place) -> u8 {
    let mut report = Report::new();
    let outcome = match task {
        Task::Help => {
            // Not println!, which panics when a pager has gone away.
            let _ = writeln!(std::io::stdout(), "{}", help::TEXT);
            return 0;
        }
        Task::Try => demo::perform(place, &mut report),
        Task::Test { all } => tests::perform(place, &mut report, all),
        Task::Lint => tests::lint(place, &mut report),
        Task::Bench { rest } => bench(place, &mut report, &rest),
    };
    report.finish(outcome)
}

/// `cargo bench` of the benchmark package, with what it needs brought first.
fn bench(place: &Place, report: &mut Report, rest: &[String]) -> Result<(), Failure> {
    let toolchain = report.step("wasm target", |_| toolchain::prepare(place))?;
    // The benchmarks start the program as its users do; cargo bench alone doesn't build it.
    report.step("build rea", |_| {
        toolchain
            .cargo(place)
            .args([
                "build",
                "--release",
                "--locked",
                "--workspace",
                "--bin",
                "rea",
            ])
            .run()
            .map(drop)
    })?;
    report.step("benchmarks", |_| {
        toolchain
            .cargo(place)
            .args(["bench", "--locked", "-p", "rea-tests"])
            .args(rest)
            .run()
            .map(drop)
    })
}

#[cfg(test)]
mod unit {
    use super::{Task, parse};

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn commands_are_understood() {
        assert_eq!(parse(&[]), Ok(Task::Help));
        assert_eq!(parse(&words("try")), Ok(Task::Try));
        assert_eq!(parse(&words("try --help")), Ok(Task::Help));
        assert_eq!(parse(&words("test")), Ok(Task::Test { all: false }));
        assert_eq!(parse(&words("test --all")), Ok(Task::Test { all: true }));
        assert_eq!(
            parse(&words("bench -- open")),
            Ok(Task::Bench {
                rest: words("-- open")
            })
        );
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert_eq!(
            parse(&words("tests")),
            Err("there is no command \"tests\"".to_owned())
        );
        assert_eq!(
            parse(&words("test --al")),
            Err("test takes no \"--al\"".to_owned())
        );
        assert_eq!(
            parse(&words("test --all x")),
            Err("test --all takes no \"x\"".to_owned())
        );
        assert_eq!(
            parse(&words("try now")),
            Err("try takes no \"now\"".to_owned())
        );
    }
}

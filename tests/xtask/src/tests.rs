//! `cargo xtask test` and `cargo xtask lint`.

use crate::clients;
use crate::dsh;
use crate::failure::Failure;
use crate::needs;
use crate::place::Place;
use crate::report::Report;
use crate::run::Run;
use crate::toolchain::{self, Toolchain};

/// The profile and the selection that all of the checks share, so that wasmtime is compiled once.
const COMMON: [&str; 3] = ["--release", "--workspace", "--locked"];

/// Brings what the tests need and runs them. With `all`, whatever is left out is a failure.
pub(crate) fn perform(place: &Place, report: &mut Report, all: bool) -> Result<(), Failure> {
    needs::bring(report, &place.root, all)?;
    let toolchain = report.step("wasm target", |_| toolchain::prepare(place))?;
    report.step("build", |_| {
        let targets = ["--lib", "--bins", "--tests", "--examples"];
        toolchain
            .cargo(place)
            .arg("build")
            .args(COMMON)
            .args(targets)
            .run()
            .map(drop)
    })?;
    // From here on a failure doesn't keep the rest from running: whoever mends one wants to see all.
    let mut first = report
        .step("runner's own tests", |_| own_tests(place, &toolchain))
        .err();
    let mut note = |result: Result<(), Failure>| first = first.take().or(result.err());
    note(rust_tests(place, report, &toolchain));
    note(clients::perform(place, report));
    note(dsh::perform(place, report, &toolchain));
    if let Some(failure) = first {
        return Err(failure);
    }
    match report.left_out() {
        left if all && left > 0 => Err(Failure::own(format!(
            "left out: {left}; with --all nothing may be"
        ))),
        _ => Ok(()),
    }
}

fn own_tests(place: &Place, toolchain: &Toolchain) -> Result<(), Failure> {
    let package = ["--manifest-path", "tests/xtask/Cargo.toml"];
    toolchain
        .cargo(place)
        .args(["test", "--release", "--locked"])
        .args(package)
        .run()
        .map(drop)
}

/// The tests of the workspace. One that can't run here, for want of a program, passes and appends a line to the file
/// that `REA_TESTS_NOT_RUN` names: its name, a tab, and why.
fn rust_tests(place: &Place, report: &mut Report, toolchain: &Toolchain) -> Result<(), Failure> {
    let file = place.target.join("not-run.txt");
    // Only this run's lines count.
    let _ = std::fs::remove_file(&file);
    let result = report.step("Rust tests", |_| {
        let run = toolchain
            .cargo(place)
            .arg("test")
            .args(COMMON)
            .arg("--no-fail-fast");
        run.env("REA_TESTS_NOT_RUN", &file).run().map(drop)
    });
    for line in std::fs::read_to_string(&file).unwrap_or_default().lines() {
        let (what, why) = line.split_once('\t').unwrap_or((line, "it says no more"));
        report.not_run(what, why);
    }
    result
}

/// Format and lints, of the workspace and of this package.
pub(crate) fn lint(place: &Place, report: &mut Report) -> Result<(), Failure> {
    let toolchain = report.step("compiler", |_| {
        let toolchain = toolchain::prepare(place)?;
        toolchain::linters(place, &toolchain)?;
        Ok(toolchain)
    })?;
    let package = ["--manifest-path", "tests/xtask/Cargo.toml"];
    let cargo = || -> Run { toolchain.cargo(place) };
    let format = report.step("format", |_| {
        cargo().args(["fmt", "--all", "--check"]).run()?;
        cargo()
            .arg("fmt")
            .args(package)
            .arg("--check")
            .run()
            .map(drop)
    });
    report.step("lints", |_| {
        let deny = ["--", "-D", "warnings"];
        let whole = ["--release", "--locked", "--all-targets"];
        cargo()
            .arg("clippy")
            .args(whole)
            .args(package)
            .args(deny)
            .run()?;
        cargo()
            .arg("clippy")
            .args(whole)
            .arg("--workspace")
            .args(deny)
            .run()
            .map(drop)
    })?;
    format
}

//! The DSH plugin: what is generated for it, its own tests, and the beds in which it meets the real host.

use std::path::Path;

use crate::clients::counted;
use crate::failure::Failure;
use crate::machine;
use crate::needs;
use crate::packages::{self, Node};
use crate::place::Place;
use crate::report::{Report, Totals};
use crate::run::Run;
use crate::toolchain::{self, Toolchain};

/// `cargo xtask dsh`: writes `host/dsh/generated` from today's source.
pub(crate) fn generate(place: &Place, report: &mut Report) -> Result<(), Failure> {
    let toolchain = report.step("wasm target", |_| toolchain::prepare(place))?;
    if let Some(why) = toolchain.deviates(place)? {
        return Err(Failure::own(format!(
            "{why}; it would write other bytes than everybody else's"
        )));
    }
    let component = place.beds().join("guide.component.wasm");
    report.step("build the component", |_| {
        packages::lay_out(&place.root.join("tests/dsh"), &place.beds())?;
        toolchain
            .cargo(place)
            .args([
                "run",
                "--release",
                "--locked",
                "-p",
                "rea-componentize",
                "--",
            ])
            .arg(&component)
            .run()
            .map(drop)
    })?;
    let node = transpiler(place, report)?;
    report.step("transpile it", |_| {
        written(place, &node, &component).run().map(drop)
    })
}

/// `cargo xtask dsh --test`: only what `cargo xtask test` does about the plugin.
pub(crate) fn test(place: &Place, report: &mut Report) -> Result<(), Failure> {
    if !place.rea().is_file() {
        return Err(Failure::own(format!(
            "{} isn't there; build it first: cargo build --release",
            place.short(&place.rea())
        )));
    }
    let toolchain = report.step("wasm target", |_| toolchain::prepare(place))?;
    perform(place, report, &toolchain)
}

/// Runs everything about the plugin. What fails doesn't keep the rest from running.
pub(crate) fn perform(
    place: &Place,
    report: &mut Report,
    toolchain: &Toolchain,
) -> Result<(), Failure> {
    if !needs::met("node") {
        return Ok(());
    }
    let node = transpiler(place, report)?;
    let beds = place.beds();
    report.step("lay out the beds", |_| {
        packages::lay_out(&place.root.join("tests/dsh"), &beds)
    })?;
    let mut first = Ok(());
    first = first.and(generated(place, report, toolchain, &node));
    first = first.and(own_tests(place, report, &node));
    first = first.and(small(place, report, &node));
    first = first.and(counted(report, "one state file, two hosts", || {
        let run = checks(place, &node, "shared");
        Ok(run.arg("--rea").arg(place.rea()))
    }));
    first.and(whole(place, report, &node))
}

/// Node.js with what transpiles the component.
fn transpiler(place: &Place, report: &mut Report) -> Result<Node, Failure> {
    let folder = place.clients();
    packages::lay_out(&place.root.join("tests/clients"), &folder)?;
    let node = report.step("Node.js", |note| packages::node(&folder, note))?;
    report.step("install jco", |note| node.install(&folder, note))?;
    Ok(node)
}

/// The command that writes the generated files.
fn written(place: &Place, node: &Node, component: &Path) -> Run {
    node.node(&place.clients())
        .args(["jco/generate.mjs", "--component"])
        .arg(component)
        .arg("--to")
        .arg(place.plugin().join("generated"))
}

/// What is in the tree must be what today's source builds, byte for byte.
fn generated(
    place: &Place,
    report: &mut Report,
    toolchain: &Toolchain,
    node: &Node,
) -> Result<(), Failure> {
    let name = "the plugin's generated files are today's";
    if let Some(why) = toolchain.deviates(place)? {
        return report.step(name, |note| {
            println!("not compared: {why}");
            note.say(format!("NOT COMPARED: {why}"));
            Ok(())
        });
    }
    let component = place.beds().join("guide.component.wasm");
    counted(report, name, || {
        Run::new(place.rea(), &place.root)
            .args(["component", "--out"])
            .arg(&component)
            .run()?;
        Ok(written(place, node, &component).arg("--check"))
    })
}

/// `npm test` in the plugin's folder.
fn own_tests(place: &Place, report: &mut Report, node: &Node) -> Result<(), Failure> {
    let mut totals = Totals {
        failed: 1,
        ..Totals::default()
    };
    let result = report.step("the plugin's own tests", |note| {
        let folder = place.plugin();
        let mut files: Vec<_> = folder
            .join("test")
            .read_dir()
            .map_err(|error| Failure::own(format!("{}: {error}", folder.display())))?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".test.mjs"))
            .map(|name| format!("test/{name}"))
            .collect();
        files.sort();
        let text = node
            .node(&folder)
            .args(["--test", "--test-reporter=tap"])
            .args(files)
            .quietly()
            .run()?;
        totals = Totals::of_tap(&text);
        note.say(format!(
            "{} passed, {} skipped",
            totals.passed, totals.skipped
        ));
        Ok(())
    });
    report.add(totals);
    result
}

fn small(place: &Place, report: &mut Report, node: &Node) -> Result<(), Failure> {
    let folder = place.beds().join("small");
    report.step("install the small bed of DSH", |note| {
        node.install(&folder, note)
    })?;
    counted(report, "the plugin on DSH's contracts", || {
        Ok(checks(place, node, "small"))
    })
}

fn whole(place: &Place, report: &mut Report, node: &Node) -> Result<(), Failure> {
    if !needs::met("git") {
        return Ok(());
    }
    let folder = place.beds().join("whole");
    report.step("install the whole DSH", |note| {
        node.install(&folder, note)?;
        node.install_with_pnpm(&folder, &folder.join("host"), note)
    })?;
    counted(report, "the plugin in the whole DSH", || {
        let mut run = checks(place, node, "whole");
        if let Some(browser) = machine::find("chromium") {
            let picture = folder.join("pill.png");
            run = run.arg("--browser").arg(browser);
            run = run.arg("--screenshot").arg(picture);
        }
        Ok(run)
    })
}

/// The checks of a bed.
fn checks(place: &Place, node: &Node, bed: &str) -> Run {
    node.node(&place.beds().join(bed))
        .args(["checks.mjs", "--plugin"])
        .arg(place.plugin())
}

//! `cargo xtask try`: from a fresh clone to guided prompts and completions on a real program of this machine.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::machine;
use crate::place::Place;
use crate::report::Report;
use crate::run::Run;
use crate::toolchain::{self, Toolchain};

/// Programs that are worth a look, the best first. They are stripped nearly everywhere, so what shows is what can
/// be known without symbols.
const PROGRAMS: [&str; 6] = [
    "/usr/bin/git",
    "/usr/bin/perl",
    "/usr/bin/openssl",
    "/usr/bin/bash",
    "/bin/bash",
    "/bin/sh",
];

/// Brings, builds, shows.
pub(crate) fn perform(place: &Place, report: &mut Report) -> Result<(), Failure> {
    let toolchain = report.step("wasm target", |_| toolchain::prepare(place))?;
    report.step("linker", |note| {
        if machine::find("cc").is_some() {
            note.say("cc is there");
            return Ok(());
        }
        match machine::apt_refusal() {
            Some(why) => Err(Failure::own(format!(
                "there is no C compiler, which Rust links with (Debian: gcc libc6-dev; can't be installed here: {why})"
            ))),
            None => machine::install(&["gcc", "libc6-dev"], &place.root),
        }
    })?;
    report.step("build rea", |_| build(place, &toolchain))?;
    report.step("show it", |_| show(place))?;
    let rea = place.short(&place.rea());
    // A path that isn't below the clone is whole already.
    let whole = if Path::new(&rea).is_absolute() {
        rea.clone()
    } else {
        format!("$PWD/{rea}")
    };
    report.closing(format!(
        "Give it to an agent (Claude Code; README.md has the others):\n\n  claude mcp add rea -- \"{whole}\" mcp\n\n\
         Or look around yourself:\n\n  {rea} complete investigate_feature procedure \"\" --open FILE\n  {rea} --help\n"
    ));
    Ok(())
}

/// Builds the binary. With `--workspace` cargo chooses the same features of shared crates as for the tests, so
/// that these don't build them again.
fn build(place: &Place, toolchain: &Toolchain) -> Result<(), Failure> {
    println!("the first time this takes some minutes: it compiles a WebAssembly engine");
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
}

fn show(place: &Place) -> Result<(), Failure> {
    let rea = place.rea();
    let stripped = PROGRAMS
        .iter()
        .map(PathBuf::from)
        .find(|file| is_elf(file))
        .unwrap_or_else(|| rea.clone());
    let stripped = place.short(&stripped);
    let named = place.short(&rea);

    say("The guided prompts that an agent's client lists:");
    rea_says(place, &["prompt"], 60)?;
    say("One of them, filled in for a program of this machine:");
    let feature = "feature=where a password is asked for";
    rea_says(
        place,
        &[
            "prompt",
            "investigate_feature",
            feature,
            "--open",
            &stripped,
        ],
        24,
    )?;

    let complete = |argument: &str, value: &str, file: &str, lines: usize| {
        rea_says(
            place,
            &[
                "complete",
                "investigate_feature",
                argument,
                value,
                "--open",
                file,
            ],
            lines,
        )
    };
    say(
        "What its arguments complete with, read from that program. Without symbols a procedure is its address:",
    );
    complete("document", "", &stripped, 5)?;
    let all = complete("procedure", "", &stripped, 8)?;
    if let Some(start) = narrower(&all) {
        say("The same, after a few characters were typed:");
        complete("procedure", start, &stripped, 8)?;
    }
    say(
        "A program that has symbols (rea itself) completes with names, in whatever case they are typed:",
    );
    complete("procedure", "main", &named, 8)?;
    complete("procedure", "RUST_", &named, 8)?;
    Ok(())
}

fn say(text: &str) {
    println!("\n-- {text}");
}

/// Runs `rea`, and prints the beginning and the last line of what it says.
fn rea_says(place: &Place, words: &[&str], lines: usize) -> Result<String, Failure> {
    let run = Run::new(place.rea(), &place.root).args(words);
    println!("$ {}", run.line());
    let text = run.quietly().run()?;
    println!("{}", shortened(&text, lines));
    Ok(text)
}

/// The first lines and the last one.
fn shortened(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.trim_end().lines().collect();
    let (Some(head), Some(last)) = (all.get(..lines), all.last()) else {
        return text.trim_end().to_owned();
    };
    match all.len() - lines {
        0 => head.join("\n"),
        1 => format!("{}\n{last}", head.join("\n")),
        left => format!(
            "{}\n  ... {} lines more ...\n{last}",
            head.join("\n"),
            left - 1
        ),
    }
}

/// The beginning of an address in the middle of what was printed, long enough to leave others out.
fn narrower(text: &str) -> Option<&str> {
    let addresses: Vec<&str> = text
        .split_whitespace()
        .filter(|word| word.starts_with("0x"))
        .collect();
    let middle = addresses.get(addresses.len() / 2)?;
    middle.get(..middle.len().saturating_sub(2).max(3))
}

fn is_elf(file: &Path) -> bool {
    let mut magic = [0; 4];
    std::fs::File::open(file)
        .and_then(|mut file| file.read_exact(&mut magic))
        .is_ok()
        && magic == *b"\x7fELF"
}

#[cfg(test)]
mod unit {
    use super::{narrower, shortened};

    #[test]
    fn long_output_keeps_its_ends() {
        assert_eq!(shortened("a\nb\n", 3), "a\nb");
        assert_eq!(shortened("a\nb\nc\n", 3), "a\nb\nc");
        assert_eq!(shortened("a\nb\nc\nd", 3), "a\nb\nc\nd");
        assert_eq!(
            shortened("a\nb\nc\nd\ne\n", 2),
            "a\nb\n  ... 2 lines more ...\ne"
        );
    }

    #[test]
    fn a_narrower_value_comes_from_what_was_offered() {
        assert_eq!(narrower("0x1000\n0x2040\n0x3000\n3 of 9"), Some("0x20"));
        assert_eq!(narrower("0x1\n"), Some("0x1"));
        assert_eq!(narrower("nothing"), None);
    }
}

//! What the tests use that cargo, pip and npm don't bring, and which Debian package has it.

use std::path::Path;

use crate::failure::Failure;
use crate::machine;
use crate::place::release;
use crate::report::{Note, Report};

/// A program that tests use.
pub(crate) struct Need {
    /// Its name.
    pub(crate) program: &'static str,
    /// What is left out without it.
    use_: &'static str,
    /// The Debian packages that bring it.
    packages: &'static [&'static str],
    /// Says what is wrong with it, if something is.
    wrong: fn() -> Option<String>,
}

/// All of them. A Rust test that misses one passes, and says so in the file that `REA_TESTS_NOT_RUN` names.
pub(crate) const NEEDS: &[Need] = &[
    Need {
        program: "cc",
        use_: "tests on binaries with chosen symbols",
        packages: &["gcc", "libc6-dev"],
        wrong: || absent("cc"),
    },
    Need {
        program: "strip",
        use_: "tests on stripped binaries",
        packages: &["binutils"],
        wrong: || absent("strip"),
    },
    Need {
        program: "llvm-objcopy",
        use_: "tests on binaries without section headers",
        packages: &["llvm"],
        wrong: || absent("llvm-objcopy"),
    },
    Need {
        program: "clang",
        use_: "tests on Mach-O files made by a compiler",
        packages: &["clang"],
        wrong: || absent_all(&["clang-22", "clang"]),
    },
    Need {
        program: "ld64.lld",
        use_: "tests on Mach-O files made by a linker",
        packages: &["lld"],
        wrong: || absent_all(&["ld64.lld-22", "ld64.lld"]),
    },
    Need {
        program: "llvm-lipo",
        use_: "tests on universal Mach-O files",
        packages: &["llvm"],
        wrong: || absent_all(&["llvm-lipo-22", "llvm-lipo"]),
    },
    Need {
        program: "python3",
        use_: "the Python SDK's clients",
        packages: &["python3", "python3-venv"],
        wrong: python,
    },
    Need {
        program: "node",
        use_: "the TypeScript SDKs' clients and the component in JavaScript",
        // With Python there is a way to a Node.js that is recent on every system (see `packages::node`).
        packages: &["python3", "python3-venv"],
        wrong: || node().and_then(|wrong| Some(format!("{wrong}, and {}", python()?))),
    },
    Need {
        program: "chromium",
        use_: "the switch's page in a browser",
        packages: &["chromium"],
        wrong: || absent("chromium"),
    },
];

fn absent(program: &str) -> Option<String> {
    machine::find(program)
        .is_none()
        .then(|| format!("{program} isn't there"))
}

/// For programs that Debian has under a name with a version too.
fn absent_all(programs: &[&str]) -> Option<String> {
    programs
        .iter()
        .all(|program| machine::find(program).is_none())
        .then(|| format!("{} isn't there", programs.join(" or ")))
}

fn python() -> Option<String> {
    absent("python3").or_else(|| {
        let words = "import sys, venv, ensurepip; print(sys.version_info >= (3, 10))";
        match machine::ask("python3", &["-c", words]).as_deref() {
            Some("True") => None,
            Some(_) => Some("python3 is older than 3.10".to_owned()),
            None => Some("python3 can't make virtual environments".to_owned()),
        }
    })
}

/// What is wrong with the machine's Node.js, if something is.
pub(crate) fn node() -> Option<String> {
    absent("node").or_else(|| absent("npm")).or_else(|| {
        let version = machine::ask("node", &["--version"]).unwrap_or_default();
        let major = release(version.trim_start_matches('v')).map_or(0, |(major, _)| major);
        (major < 20).then(|| format!("node is {version}, and the clients want 20 or later"))
    })
}

/// Whether a program of the list is there and good. What is missing has been noted before.
pub(crate) fn met(program: &str) -> bool {
    NEEDS
        .iter()
        .all(|need| need.program != program || (need.wrong)().is_none())
}

/// Looks for all of them; with `all` installs what is missing. What then is still missing is noted as not run.
pub(crate) fn bring(report: &mut Report, folder: &Path, all: bool) -> Result<(), Failure> {
    let missing = || {
        NEEDS
            .iter()
            .filter_map(|need| Some((need, (need.wrong)()?)))
    };
    report.step("system packages", |note: &mut Note| {
        let mut packages: Vec<&str> = missing()
            .flat_map(|(need, _)| need.packages)
            .copied()
            .collect();
        packages.sort_unstable();
        packages.dedup();
        if packages.is_empty() {
            note.say("all there");
            return Ok(());
        }
        for (need, wrong) in missing() {
            println!("{wrong}: {} can't run", need.use_);
        }
        if !all {
            note.say(format!("{} left out", missing().count()));
            return Ok(());
        }
        match machine::apt_refusal() {
            Some(why) => {
                println!(
                    "they would come from the Debian packages {}, but {why}",
                    packages.join(" ")
                );
                note.say(format!("{} missing: {why}", missing().count()));
                Ok(())
            }
            None => machine::install(&packages, folder),
        }
    })?;
    for (need, wrong) in missing() {
        report.not_run(
            need.use_,
            &format!("{wrong}; Debian: {}", need.packages.join(" ")),
        );
    }
    Ok(())
}

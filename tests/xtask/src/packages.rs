//! Brings the clients' packages. All of it goes below `target/`, so that a clone stays clean.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::needs;
use crate::report::Note;
use crate::run::Run;

/// Copies what is new or different, so that what is installed beside it stays.
pub(crate) fn lay_out(from: &Path, to: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(to).map_err(|error| unwritable(to, &error))?;
    let entries = from.read_dir().map_err(|error| unreadable(from, &error))?;
    for entry in entries {
        let name = entry.map_err(|error| unreadable(from, &error))?.file_name();
        let (source, copy) = (from.join(&name), to.join(&name));
        if name == "node_modules" || name == "__pycache__" {
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

/// A virtual environment with the packages of `python/NAME.txt`. Gives the folder of its programs.
pub(crate) fn python(folder: &Path, name: &str, note: &mut Note) -> Result<PathBuf, Failure> {
    let list = folder.join("python").join(format!("{name}.txt"));
    let home = folder.join(name);
    let programs = home.join("bin");
    let python = programs.join("python");
    // The interpreter belongs to what was asked for: an environment breaks when it goes.
    let wanted = read(&list)?
        + &Run::new("python3", folder)
            .arg("--version")
            .quietly()
            .run()?;
    let works = || {
        Run::new(&python, folder)
            .arg("--version")
            .quietly()
            .run()
            .is_ok()
    };
    if is_installed(&home, &wanted) && works() {
        note.say("there already");
        return Ok(programs);
    }
    println!(
        "installing from PyPI into {}: the packages of tests/clients/python/{name}.txt",
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
    installed(&home, &wanted)?;
    Ok(programs)
}

/// A Node.js that is recent enough for the clients.
pub(crate) struct Node {
    /// The folder of its programs, if it isn't the one on the path.
    programs: Option<PathBuf>,
}

/// The Node.js of the machine, or else one from PyPI: that needs no root, and doesn't depend on how old a system is.
pub(crate) fn node(folder: &Path, note: &mut Note) -> Result<Node, Failure> {
    match needs::node() {
        None => {
            note.say("the machine's own");
            Ok(Node { programs: None })
        }
        Some(wrong) => {
            println!("{wrong}: one from PyPI serves");
            Ok(Node {
                programs: Some(python(folder, "node", note)?),
            })
        }
    }
}

impl Node {
    fn run(&self, program: &str, folder: &Path) -> Run {
        let Some(programs) = &self.programs else {
            return Run::new(program, folder);
        };
        // npm looks for node on the path.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(programs.clone()).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(all).unwrap_or(path);
        Run::new(programs.join(program), folder).env("PATH", path)
    }

    /// The program, as another program would start it.
    pub(crate) fn program(&self) -> PathBuf {
        match &self.programs {
            Some(programs) => programs.join("node"),
            None => PathBuf::from("node"),
        }
    }

    /// Runs a script.
    pub(crate) fn node(&self, folder: &Path) -> Run {
        self.run("node", folder)
    }

    /// The packages of the lock file, unless they are there.
    pub(crate) fn install(&self, folder: &Path, note: &mut Note) -> Result<(), Failure> {
        let home = folder.join("node_modules");
        let version = self.node(folder).arg("--version").quietly().run()?;
        let wanted = read(&folder.join("package-lock.json"))? + &version;
        if is_installed(&home, &wanted) {
            note.say("there already");
            return Ok(());
        }
        println!(
            "installing from npm into {}: the packages of its package-lock.json",
            folder.display()
        );
        self.run("npm", folder)
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .run()?;
        installed(&home, &wanted)
    }
}

impl Node {
    /// The packages of a lock file of pnpm, which `tools` brings, unless they are there.
    pub(crate) fn install_with_pnpm(
        &self,
        tools: &Path,
        folder: &Path,
        note: &mut Note,
    ) -> Result<(), Failure> {
        let home = folder.join("node_modules");
        let wanted = read(&folder.join("pnpm-lock.yaml"))? + &read(&folder.join("package.json"))?;
        if is_installed(&home, &wanted) {
            note.say("there already");
            return Ok(());
        }
        println!(
            "installing from npm into {}: the packages of its pnpm-lock.yaml",
            folder.display()
        );
        self.node(folder)
            .arg(tools.join("node_modules/pnpm/bin/pnpm.cjs"))
            .args(["install", "--frozen-lockfile", "--ignore-scripts"])
            .arg("--store-dir")
            .arg(tools.join("store"))
            .run()?;
        installed(&home, &wanted)
    }
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

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::own(format!("{} can't be read: {error}", path.display()))
}

pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::own(format!("{} can't be written: {error}", path.display()))
}

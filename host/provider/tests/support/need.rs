//! Programs that a test wants and a machine may not have.

use std::io::Write;
use std::path::PathBuf;

/// The first of these programs that is there. If none is, the test is noted as not run, and should pass.
pub fn program(test: &str, names: &[&str]) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = names.iter().find_map(|name| {
        std::env::split_paths(&folders)
            .map(|folder| folder.join(name))
            .find(|path| path.is_file())
    });
    if found.is_none() {
        let line = format!("{test}\t{} isn't there\n", names.join(" or "));
        match std::env::var_os("REA_TESTS_NOT_RUN") {
            Some(path) => std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(path)
                .and_then(|mut file| file.write_all(line.as_bytes()))
                .unwrap(),
            None => eprint!("not run: {line}"),
        }
    }
    found
}

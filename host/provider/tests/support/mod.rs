//! What the tests of this crate share: programs built by gcc, ELF files written by hand, and a reader of whole inventories.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise, and each uses a part of this"
)]

pub mod mach;
pub mod need;
pub mod tiny;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use rea_provider::{Binary, Document, NoMonitor, Procedure, ProcedureKind};

/// A folder for the files of one test.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Bench {
        Bench {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Compiles sources (`name`, content) with gcc into `output`.
    pub fn gcc(&self, output: &str, sources: &[(&str, &str)], options: &[&str]) -> PathBuf {
        let output = self.path(output);
        let sources: Vec<PathBuf> = sources
            .iter()
            .map(|(name, content)| self.write(name, content))
            .collect();
        let mut command = Command::new("gcc");
        command
            .current_dir(self.folder.path())
            .arg("-o")
            .arg(&output)
            .args(&sources)
            .args(options);
        run(&mut command);
        output
    }

    /// Runs a tool in the folder and gives what it wrote.
    pub fn tool(&self, name: &str, arguments: &[&str]) -> String {
        run(Command::new(name)
            .current_dir(self.folder.path())
            .args(arguments))
    }
}

pub fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Opens a file and reads its only document.
pub fn document(path: &Path) -> Arc<Document> {
    let binary = Binary::open(path).unwrap_or_else(|error| panic!("{error}"));
    let inventory = binary
        .inventory(&NoMonitor)
        .unwrap_or_else(|error| panic!("{error}"));
    let document = Arc::clone(&inventory.documents()[0]);
    consistent(&document);
    document
}

/// All procedures of a document.
pub fn procedures(document: &Document) -> Vec<Procedure> {
    let mut all = Vec::new();
    loop {
        let page = document.procedures(all.len() as u32, 500).unwrap();
        assert_eq!(page.total, document.extent().places);
        if page.rows.is_empty() {
            return all;
        }
        all.extend(page.rows);
    }
}

/// Every name with its address, as shown.
pub fn names(document: &Document) -> BTreeSet<(u64, String)> {
    procedures(document)
        .into_iter()
        .flat_map(|p| p.names.into_iter().map(move |name| (p.address, name.text)))
        .collect()
}

/// The procedure that a text resolves to.
pub fn resolved(document: &Document, text: &str) -> Procedure {
    document
        .procedure(
            document
                .resolve(text)
                .unwrap_or_else(|error| panic!("{text}: {error}")),
        )
        .unwrap()
}

/// The names of a procedure, as shown.
pub fn texts(procedure: &Procedure) -> Vec<&str> {
    procedure
        .names
        .iter()
        .map(|name| name.text.as_str())
        .collect()
}

/// How many procedures are of a kind.
pub fn count(document: &Document, kind: ProcedureKind) -> usize {
    procedures(document)
        .iter()
        .filter(|procedure| procedure.kind == kind)
        .count()
}

/// All spellings, and all offered names with their places, from the pages of the index.
pub fn pages(document: &Document) -> (Vec<String>, Vec<(String, u32)>) {
    let mut spellings = Vec::new();
    loop {
        let page = document.place_page(spellings.len() as u32);
        if page.ends.is_empty() {
            break;
        }
        spellings.extend(rows(&page.text, &page.ends));
    }
    let mut names = Vec::new();
    loop {
        let page = document.name_page(names.len() as u32).unwrap();
        if page.ends.is_empty() {
            break;
        }
        assert!(page.ends.len() <= 10_000 && (page.text.len() <= 1 << 20 || page.ends.len() == 1));
        assert_eq!(page.places.len(), page.ends.len());
        names.extend(
            rows(&page.text, &page.ends)
                .into_iter()
                .zip(page.places.iter().copied()),
        );
    }
    (spellings, names)
}

fn rows(text: &str, ends: &[u32]) -> Vec<String> {
    let mut start = 0;
    ends.iter()
        .map(|end| text[std::mem::replace(&mut start, *end as usize)..*end as usize].to_owned())
        .collect()
}

/// What must be true of every inventory, whatever the file.
pub fn consistent(document: &Document) {
    let extent = document.extent();
    let (spellings, names) = pages(document);
    assert_eq!(spellings.len(), extent.places as usize, "places");
    assert_eq!(
        spellings.iter().map(String::len).sum::<usize>() as u64,
        extent.place_bytes,
        "bytes of places"
    );
    assert_eq!(names.len(), extent.names as usize, "names");
    assert_eq!(
        names.iter().map(|(name, _)| name.len()).sum::<usize>() as u64,
        extent.name_bytes,
        "bytes of names"
    );
    assert_eq!(
        extent.naming_complete,
        document.coverage().naming.is_complete()
    );
    assert_eq!(
        spellings.iter().collect::<BTreeSet<_>>().len(),
        spellings.len(),
        "spellings repeat"
    );
    assert!(
        names.iter().collect::<BTreeSet<_>>().len() == names.len(),
        "names of a place repeat"
    );
    assert!(names.is_sorted_by_key(|(_, place)| *place));
    for (number, spelling) in spellings
        .iter()
        .enumerate()
        .step_by(spellings.len() / 50 + 1)
    {
        assert_eq!(
            document.resolve(spelling).ok(),
            Some(number as u32),
            "{spelling}"
        );
        assert!(
            spelling.bytes().all(|byte| byte.is_ascii_graphic()),
            "{spelling}"
        );
    }
}

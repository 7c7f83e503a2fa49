//! What these tests share: a folder with a state file, the program, and this test binary as a program of its own.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::Arc,
};

use rea_host::{
    component::{
        Program,
        switch::{Change, Damage, Hosting, Movement, Naming, Policy, Settings, Switch},
    },
    store::Store,
};
use serde_json::Value;

/// A folder with room for a state file.
pub(crate) struct Bed {
    folder: tempfile::TempDir,
}

impl Bed {
    pub(crate) fn new() -> Bed {
        Bed {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path("s.json")
    }

    /// `rea toggle …` on the state file.
    pub(crate) fn rea(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(rea_tests::program());
        command
            .arg("toggle")
            .args(arguments)
            .arg("--state")
            .arg(self.state());
        command
    }

    /// Flips, and says what it is now.
    pub(crate) fn switch(&self, word: &str, conversation: &str) -> String {
        let output = self.rea(&[word, "--conversation", conversation]);
        assert!(output.status.success(), "{}", said(&output));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// The names in the folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Positions and revisions, as the file has them.
    pub(crate) fn positions(&self) -> BTreeMap<String, (bool, u64)> {
        let text = fs::read_to_string(self.state()).unwrap();
        let document: Value = serde_json::from_str(&text).expect("the file is whole");
        let conversations = document["conversations"].as_object().unwrap();
        conversations
            .iter()
            .map(|(id, entry)| {
                let at = (
                    entry["enabled"].as_bool().unwrap(),
                    entry["revision"].as_u64().unwrap(),
                );
                (id.clone(), at)
            })
            .collect()
    }

    pub(crate) async fn store(&self) -> (Store, Option<Damage>) {
        Store::open(self.state(), switch().await).await.unwrap()
    }
}

pub(crate) async fn switch() -> Switch {
    let hosting = Hosting {
        naming: Naming::Gateway,
        state_path: "s.json".into(),
        command: "/rea".into(),
    };
    let settings = Settings {
        servers: vec!["rea".into()],
        default_enabled: false,
    };
    let policy = Policy::start(Program::embedded()).unwrap();
    policy
        .open(settings, hosting, Arc::new(|_, _| {}))
        .await
        .unwrap()
}

pub(crate) fn change(session: &str, to: Movement) -> Change {
    Change {
        session: session.into(),
        to,
    }
}

/// What a program said on stderr.
pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Names the state file and the conversations of a flipper.
pub(crate) const FLIPPER: &str = "REA_TESTS_FLIPPER";

/// This test binary again, as a process that flips one conversation after another of its own and of everybody's, and says each time
/// that it was told it is done. It ends after `count` flips.
pub(crate) fn flipper(state: &Path, name: &str, count: usize) -> Child {
    let order = serde_json::json!({"state": state, "name": name, "count": count});
    Command::new(std::env::current_exe().unwrap())
        .args([
            "flips::flipper_process",
            "--exact",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(FLIPPER, order.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

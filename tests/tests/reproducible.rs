//! The component is the same bytes wherever it is built: hosts can compare what they load with what they read.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at the first surprise"
)]

use std::{fs, path::Path};

use rea_host::component::EMBEDDED;

#[test]
fn the_component_is_the_same_bytes_built_in_another_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let elsewhere = tempfile::TempDir::with_prefix("a folder with another name ").unwrap();
    copy_workspace(root, elsewhere.path());
    let out = elsewhere.path().join("out");
    let again = rea_componentize::build(elsewhere.path(), &out).unwrap();
    assert!(
        again == EMBEDDED,
        "{} bytes there, {} here",
        again.len(),
        EMBEDDED.len()
    );
}

/// Sources and manifests; of the members that the component isn't made of, only what cargo needs to resolve.
fn copy_workspace(from: &Path, to: &Path) {
    for name in ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml"] {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
    for folder in ["guest", "wit", "host", "tests"] {
        copy(&from.join(folder), &to.join(folder));
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if name == "target" || name == "node_modules" {
            continue;
        }
        let (source, copied) = (entry.path(), to.join(&name));
        if entry.file_type().unwrap().is_dir() {
            copy(&source, &copied);
        } else {
            fs::copy(source, copied).unwrap();
        }
    }
}

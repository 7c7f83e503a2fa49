//! What the tests of the whole product share.

use std::path::PathBuf;

pub mod cases;
pub mod defective;
pub mod stdio;

/// The program `rea`, as cargo built it beside the running test or benchmark.
///
/// # Panics
/// If it isn't there: `cargo test --workspace` and `cargo bench` build it first, `cargo test -p rea-tests` alone
/// may not.
#[allow(
    clippy::panic,
    reason = "a test without the program has nothing to test"
)]
pub fn program() -> PathBuf {
    let beside = std::env::current_exe().ok().and_then(|own| {
        // target/release/deps/test-… → target/release/rea
        own.ancestors()
            .skip(1)
            .take(2)
            .map(|folder| folder.join("rea"))
            .find(|path| path.is_file())
    });
    match beside {
        Some(path) => path,
        None => panic!("the program rea isn't built; run: cargo build --release -p rea"),
    }
}

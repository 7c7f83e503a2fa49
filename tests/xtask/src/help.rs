//! What `cargo xtask help` prints.

/// The whole help.
pub(crate) const TEXT: &str = "\
cargo xtask COMMAND

  try           bring what is missing, build rea, and show guided prompts and completions on a real program
  test          bring what the tests need without being root, and run them; what needs a system package that
                isn't there is listed as not run
  test --all    install those packages too (as root, with apt-get), and fail if anything was left out
  lint          check format and lints (cargo fmt --check, cargo clippy -D warnings)
  bench [ARGS]  run the benchmarks (cargo bench -p rea-tests)
  help          this text

Examples
  cargo xtask try
  cargo xtask test
  sudo -E cargo xtask test --all
  cargo xtask bench -- ./a/large/program

All of them may be repeated: what is there already is used as it is. Each says what it installs before it does,
and ends with a table of how long each step took. The exit code is 0, or that of the command that failed; 1 if a
check of the runner itself failed, 2 if the command line was wrong.";

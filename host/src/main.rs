//! The program `rea`. All it does is in the library; here is only the way in and the way out.

use std::process::ExitCode;

fn main() -> ExitCode {
    rea_host::cli::run()
}

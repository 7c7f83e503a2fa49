//! The state file of the switch: one JSON file that several programs share, natives and JavaScript alike.
//!
//! `wit/state.md` describes what is in it, `PROTOCOL.md` beside this file how it is changed. What it means is decided by the
//! component; here bytes are moved. [`Store`] brings both together: a change is written and then adopted, a change of
//! somebody else is noticed and adopted.

mod change;
mod error;
mod file;
mod lock;
mod owner;
mod path;
mod watch;

pub use change::{Changed, Store};
pub use error::StoreError;
pub use path::{PathError, state_path};
pub use watch::{News, Watching};

//! Who holds a lock, and whether he still lives. `PROTOCOL.md`, "Owner".

use std::{
    sync::OnceLock,
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};

/// A lock whose owner can't be looked up counts as abandoned after this time. Held locks are held for milliseconds.
const ABANDONED: Duration = Duration::from_secs(30);

/// Bytes of a lock file at most; what is longer is none of ours.
pub(super) const LONGEST: u64 = 4096;

/// What stands in a lock file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Owner {
    /// The process.
    pub(super) pid: u32,
    /// When it started, in the system's own terms; empty if the system doesn't say.
    pub(super) start: String,
    /// Within what the number of the process means anything: the boot and its namespace of processes.
    pub(super) realm: String,
    /// Different for each taking of a lock.
    pub(super) token: String,
}

/// What is known of the holder of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// He lives.
    Alive,
    /// He is dead, and the lock with him.
    Dead,
    /// He lives elsewhere, or the system doesn't say.
    Unknown,
}

impl Owner {
    /// This process, with a new token.
    pub(super) fn myself() -> Owner {
        static SELF: OnceLock<(String, String)> = OnceLock::new();
        let pid = std::process::id();
        let (start, realm) = SELF.get_or_init(|| {
            let start = match look_up(pid) {
                Process::Running(start) => start,
                Process::Gone | Process::Unknown => String::new(),
            };
            (start, realm())
        });
        Owner {
            pid,
            start: start.clone(),
            realm: realm.clone(),
            token: uuid::Uuid::new_v4().simple().to_string(),
        }
    }

    /// The text of a lock file.
    pub(super) fn text(&self) -> String {
        let mut text = serde_json::json!(self).to_string();
        text.push('\n');
        text
    }

    /// What a lock file says; none if it says nothing of the kind.
    pub(super) fn read(text: &[u8]) -> Option<Owner> {
        let owner: Owner = serde_json::from_slice(text).ok()?;
        // The token becomes part of a file name.
        let sound = (1..=64).contains(&owner.token.len())
            && owner.token.bytes().all(|byte| byte.is_ascii_alphanumeric());
        sound.then_some(owner)
    }

    /// Whether he lives, as far as this process can tell.
    pub(super) fn life(&self) -> Life {
        let own = Owner::myself();
        if own.realm.is_empty() || own.realm != self.realm || self.start.is_empty() {
            return Life::Unknown;
        }
        match look_up(self.pid) {
            Process::Running(start) if start == self.start => Life::Alive,
            // The number belongs to another process by now.
            Process::Running(_) | Process::Gone => Life::Dead,
            Process::Unknown => Life::Unknown,
        }
    }
}

/// Whether a lock is nobody's any more. `touched` is when it was last changed.
pub(super) fn abandoned(owner: Option<&Owner>, touched: SystemTime) -> bool {
    match owner.map_or(Life::Unknown, Owner::life) {
        Life::Alive => false,
        Life::Dead => true,
        // A time in the future is no reason to take it: then its owner's clock is another one.
        Life::Unknown => touched.elapsed().is_ok_and(|age| age > ABANDONED),
    }
}

enum Process {
    Running(String),
    Gone,
    Unknown,
}

#[cfg(target_os = "linux")]
fn look_up(pid: u32) -> Process {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => in_stat(&stat),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // Without /proc nothing is found there.
            if std::fs::exists("/proc/self/stat").unwrap_or(false) {
                Process::Gone
            } else {
                Process::Unknown
            }
        }
        // ESRCH: it ended between open and read.
        Err(error) if error.raw_os_error() == Some(3) => Process::Gone,
        Err(_) => Process::Unknown,
    }
}

/// Reads `/proc/<pid>/stat`: the state is field 3, the start time in clock ticks since the boot field 22. The name in field 2 may
/// hold blanks and parentheses.
#[cfg(target_os = "linux")]
fn in_stat(stat: &str) -> Process {
    let Some((_, rest)) = stat.rsplit_once(')') else {
        return Process::Unknown;
    };
    let mut fields = rest.split_ascii_whitespace();
    match fields.next() {
        // It has ended; only its parent hasn't asked yet.
        Some("Z" | "X" | "x") => return Process::Gone,
        Some(_) => {}
        None => return Process::Unknown,
    }
    match fields.nth(18) {
        Some(start) => Process::Running(start.to_owned()),
        None => Process::Unknown,
    }
}

#[cfg(target_os = "linux")]
fn realm() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    match std::fs::read_link("/proc/self/ns/pid") {
        Ok(namespace) if !boot.trim().is_empty() => {
            format!("{}/{}", boot.trim(), namespace.display())
        }
        _ => String::new(),
    }
}

/// Elsewhere `ps` knows, if anybody does.
#[cfg(not(target_os = "linux"))]
fn look_up(pid: u32) -> Process {
    let asked = std::process::Command::new("ps")
        .args(["-o", "lstart=", "-p", &pid.to_string()])
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .output();
    match asked {
        Ok(answer) => {
            let start = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
            match (start.is_empty(), answer.status.code()) {
                (false, Some(0)) => Process::Running(start),
                (true, Some(1)) => Process::Gone,
                _ => Process::Unknown,
            }
        }
        Err(_) => Process::Unknown,
    }
}

#[cfg(not(target_os = "linux"))]
fn realm() -> String {
    match std::process::Command::new("uname").arg("-n").output() {
        Ok(answer) if answer.status.success() => {
            String::from_utf8_lossy(&answer.stdout).trim().to_owned()
        }
        _ => String::new(),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_process_lives_and_tokens_differ() {
        let own = Owner::myself();
        assert!(!own.start.is_empty() && !own.realm.is_empty());
        assert_eq!(own.life(), Life::Alive);
        assert_ne!(own.token, Owner::myself().token);
        assert_eq!(Owner::read(own.text().as_bytes()), Some(own));
    }

    #[test]
    fn a_number_that_belongs_to_another_process_by_now_is_a_dead_owner() {
        let mut other = Owner::myself();
        other.start.push('1');
        assert_eq!(other.life(), Life::Dead);
        other = Owner::myself();
        other.pid = u32::MAX;
        assert_eq!(other.life(), Life::Dead);
    }

    #[test]
    fn nothing_is_known_of_another_machine_or_container() {
        let mut other = Owner::myself();
        other.realm.push('x');
        assert_eq!(other.life(), Life::Unknown);
        let now = SystemTime::now();
        assert!(!abandoned(Some(&other), now));
        assert!(!abandoned(None, now - ABANDONED / 2));
        assert!(!abandoned(None, now + ABANDONED * 9));
        assert!(abandoned(None, now - ABANDONED * 2));
        assert!(!abandoned(Some(&Owner::myself()), now - ABANDONED * 9));
    }

    #[test]
    fn a_child_that_nobody_asked_about_is_dead() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let Process::Running(start) = look_up(child.id()) else {
            panic!("it runs")
        };
        let owner = Owner {
            pid: child.id(),
            start,
            ..Owner::myself()
        };
        assert_eq!(owner.life(), Life::Alive);
        child.kill().unwrap();
        while owner.life() == Life::Alive {}
        assert_eq!(owner.life(), Life::Dead);
        child.wait().unwrap();
        assert_eq!(owner.life(), Life::Dead);
    }

    #[test]
    fn names_with_blanks_and_parentheses_are_read_over() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 4711 9 9";
        assert!(matches!(in_stat(stat), Process::Running(start) if start == "4711"));
        assert!(matches!(in_stat("7 (a) Z 1"), Process::Gone));
        assert!(matches!(in_stat("7"), Process::Unknown));
    }

    #[test]
    fn a_token_is_safe_in_a_file_name() {
        for token in ["", "../x", "a b", "ä"] {
            let owner = Owner {
                token: token.into(),
                ..Owner::myself()
            };
            assert_eq!(Owner::read(owner.text().as_bytes()), None, "{token}");
        }
        for text in [
            "",
            "{}",
            "null",
            "{\"pid\":1",
            "{\"pid\":-1,\"start\":\"\",\"realm\":\"\",\"token\":\"a\"}",
        ] {
            assert_eq!(Owner::read(text.as_bytes()), None, "{text}");
        }
    }
}

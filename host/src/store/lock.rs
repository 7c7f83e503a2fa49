//! The lock of the state file, shared with hosts in JavaScript. `PROTOCOL.md` says what and why; the names are its.

use std::{
    cell::Cell,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};

use super::{
    error::{StoreError, at},
    file::beside,
    owner::{LONGEST, Owner, abandoned},
};

/// Claims on claims: each level takes a crash within microseconds. Beyond this it is waited.
const DEEPEST: u32 = 3;

/// The first and the longest pause between two attempts.
const PAUSES: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(16));

/// A lock that this process holds; dropping it releases it.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    text: String,
}

impl Lock {
    /// Takes the lock of a state file (with links followed), waiting for at most `wait`. Blocks.
    pub(super) fn take(state: &Path, wait: Duration) -> Result<Lock, StoreError> {
        let path = beside(state, ".lock");
        let candidate = Candidate::make(&path)?;
        let attempt = Attempt {
            state,
            candidate: &candidate,
            deadline: Instant::now() + wait,
            wait,
            took_over: Cell::new(false),
        };
        let lock = attempt.take(&path, 0)?;
        drop_file(&candidate.path);
        if attempt.took_over.get() {
            sweep(&path);
        }
        Ok(lock)
    }

    /// Whether it is still held: nobody takes it away, but a person can delete it.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match Found::at(&self.path)? {
            Some(found) if found.bytes == self.text.as_bytes() => Ok(()),
            _ => Err(StoreError::Lost {
                lock: self.path.clone(),
            }),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.check().is_ok() {
            drop_file(&self.path);
        }
    }
}

/// The file that becomes the lock by being linked to its name: so a lock is never seen half-written.
struct Candidate {
    path: PathBuf,
    text: String,
}

impl Candidate {
    fn make(lock: &Path) -> Result<Candidate, StoreError> {
        let owner = Owner::myself();
        let candidate = Candidate {
            path: beside(lock, &format!("-{}", owner.token)),
            text: owner.text(),
        };
        create(&candidate.path, &candidate.text).map_err(at("create", &candidate.path))?;
        Ok(candidate)
    }
}

impl Drop for Candidate {
    fn drop(&mut self) {
        drop_file(&self.path);
    }
}

struct Attempt<'a> {
    state: &'a Path,
    candidate: &'a Candidate,
    deadline: Instant,
    wait: Duration,
    took_over: Cell<bool>,
}

impl Attempt<'_> {
    fn take(&self, path: &Path, depth: u32) -> Result<Lock, StoreError> {
        let (mut pause, longest) = PAUSES;
        loop {
            if self.create(path)? {
                return Ok(self.held(path));
            }
            let found = Found::at(path)?;
            if let Some(found) = &found {
                if found.bytes == self.candidate.text.as_bytes() {
                    // A network file system did it and lost the answer.
                    return Ok(self.held(path));
                }
                if depth < DEEPEST && found.abandoned() {
                    self.take_over(path, found, depth)?;
                    continue;
                }
            }
            if Instant::now() >= self.deadline {
                return Err(StoreError::Busy {
                    state: self.state.to_owned(),
                    lock: path.to_owned(),
                    owner: found.map_or_else(|| "another process".into(), |found| found.owner()),
                    waited: self.wait,
                });
            }
            thread::sleep(pause);
            pause = (pause * 2).min(longest);
        }
    }

    /// Removes an abandoned lock. Of those who see that it is abandoned only the holder of the claim on it may, and a claim is on
    /// this one lock: so nobody removes the lock that another has taken since.
    fn take_over(&self, path: &Path, abandoned: &Found, depth: u32) -> Result<(), StoreError> {
        let token = abandoned
            .read()
            .map_or_else(|| "unreadable".into(), |owner| owner.token);
        let claim = self.take(&beside(path, &format!(".{token}")), depth + 1)?;
        if let Some(again) = Found::at(path)?
            && again.bytes == abandoned.bytes
            && again.abandoned()
        {
            fs::remove_file(path).map_err(at("remove the abandoned lock", path))?;
            self.took_over.set(true);
        }
        drop(claim);
        Ok(())
    }

    /// Whether it is ours now; not if there is one already.
    fn create(&self, path: &Path) -> Result<bool, StoreError> {
        let taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
        match fs::hard_link(&self.candidate.path, path) {
            Ok(()) => return Ok(true),
            Err(error) if taken(&error) => return Ok(false),
            // No hard links here, or another reason that the next call says better.
            Err(_) => {}
        }
        match create(path, &self.candidate.text) {
            Ok(()) => Ok(true),
            Err(error) if taken(&error) => Ok(false),
            Err(error) => Err(at("create", path)(error)),
        }
    }

    fn held(&self, path: &Path) -> Lock {
        Lock {
            path: path.to_owned(),
            text: self.candidate.text.clone(),
        }
    }
}

/// What is found where a lock should be.
struct Found {
    bytes: Vec<u8>,
    touched: SystemTime,
}

impl Found {
    fn at(path: &Path) -> Result<Option<Found>, StoreError> {
        let read = || -> io::Result<Found> {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            let mut bytes = Vec::new();
            file.take(LONGEST + 1).read_to_end(&mut bytes)?;
            let changed = u64::try_from(metadata.ctime()).unwrap_or_default();
            let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(changed);
            let touched = metadata.modified()?.max(changed);
            Ok(Found { bytes, touched })
        };
        match read() {
            Ok(found) => Ok(Some(found)),
            Err(error) if gone(&error) => Ok(None),
            Err(error) => Err(at("read the lock", path)(error)),
        }
    }

    fn read(&self) -> Option<Owner> {
        Owner::read(&self.bytes)
    }

    fn abandoned(&self) -> bool {
        abandoned(self.read().as_ref(), self.touched)
    }

    fn owner(&self) -> String {
        match self.read() {
            Some(owner) => format!("process {}", owner.pid),
            None => "an unknown process".into(),
        }
    }
}

/// A network file system says ESTALE (116 on Linux) of a file that went while it was open.
fn gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle
    )
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o644)
        .open(path)?;
    let written = file
        // Whoever waits must see for whom, whatever the umask says.
        .set_permissions(fs::Permissions::from_mode(0o644))
        .and_then(|()| file.write_all(text.as_bytes()));
    if written.is_err() {
        drop_file(path);
    }
    written
}

fn drop_file(path: &Path) {
    match fs::remove_file(path) {
        Err(error) if !gone(&error) => {
            tracing::warn!("can't remove {}: {error}", path.display());
        }
        _ => {}
    }
}

/// After a crash: candidates and claims of the dead.
fn sweep(lock: &Path) {
    let (Some(folder), Some(name)) = (lock.parent(), lock.file_name().and_then(|n| n.to_str()))
    else {
        return;
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let other = entry.file_name();
        let rest = other.to_str().and_then(|other| other.strip_prefix(name));
        if !rest.is_some_and(|rest| rest.starts_with(['-', '.'])) {
            continue;
        }
        let path = entry.path();
        if let Ok(Some(found)) = Found::at(&path)
            && found.read().is_some()
            && found.abandoned()
        {
            drop_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("s.json");
        (folder, state)
    }

    fn dead() -> Owner {
        let mut owner = Owner::myself();
        owner.start.push('1');
        owner
    }

    fn left(folder: &tempfile::TempDir) -> Vec<String> {
        let names = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<String> = names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn one_holds_it_and_nothing_is_left() {
        let (folder, state) = folder();
        let lock = Lock::take(&state, Duration::ZERO).unwrap();
        assert_eq!(left(&folder), ["s.json.lock"]);
        let busy = Lock::take(&state, Duration::from_millis(30)).unwrap_err();
        let text = busy.to_string();
        assert!(matches!(busy, StoreError::Busy { .. }), "{text}");
        assert!(
            text.contains(&format!("process {}", std::process::id())),
            "{text}"
        );
        drop(lock);
        assert_eq!(left(&folder), [""; 0]);
    }

    #[test]
    fn an_abandoned_lock_is_taken_over_by_one_at_a_time() {
        for _ in 0..50 {
            let (folder, state) = folder();
            fs::write(beside(&state, ".lock"), dead().text()).unwrap();
            let inside = AtomicU32::new(0);
            thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        let _lock = Lock::take(&state, Duration::from_secs(30)).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                    });
                }
            });
            assert_eq!(left(&folder), [""; 0]);
        }
    }

    #[test]
    fn an_abandoned_claim_is_taken_over_too_and_the_dead_leave_nothing() {
        let (folder, state) = folder();
        let (owner, claimer) = (dead(), dead());
        let lock = beside(&state, ".lock");
        fs::write(&lock, owner.text()).unwrap();
        fs::write(beside(&lock, &format!(".{}", owner.token)), claimer.text()).unwrap();
        fs::write(
            beside(&lock, &format!("-{}", claimer.token)),
            claimer.text(),
        )
        .unwrap();
        fs::write(beside(&lock, "-notes"), "mine").unwrap();
        drop(Lock::take(&state, Duration::ZERO).unwrap());
        assert_eq!(left(&folder), ["s.json.lock-notes"]);
    }

    #[test]
    fn a_half_written_lock_is_waited_for_and_taken_when_it_is_old() {
        for text in ["", "{\"pid\":", "hello"] {
            let (folder, state) = folder();
            let lock = beside(&state, ".lock");
            fs::write(&lock, text).unwrap();
            let busy = Lock::take(&state, Duration::from_millis(30)).unwrap_err();
            assert!(busy.to_string().contains("an unknown process"), "{busy}");
            let found = Found {
                bytes: text.into(),
                touched: SystemTime::now() - Duration::from_secs(31),
            };
            assert!(found.abandoned());
            assert_eq!(left(&folder), ["s.json.lock"]);
        }
    }

    #[test]
    fn whoever_lost_it_is_told_and_leaves_the_other_one_alone() {
        let (folder, state) = folder();
        let lock = Lock::take(&state, Duration::ZERO).unwrap();
        fs::write(beside(&state, ".lock"), Owner::myself().text()).unwrap();
        assert!(matches!(lock.check(), Err(StoreError::Lost { .. })));
        drop(lock);
        assert_eq!(left(&folder), ["s.json.lock"]);
    }

    #[test]
    fn a_lock_that_can_not_be_one_is_an_error_with_its_path() {
        let (folder, state) = folder();
        let lock = beside(&state, ".lock");
        fs::create_dir(&lock).unwrap();
        let error = Lock::take(&state, Duration::ZERO).unwrap_err().to_string();
        assert!(error.contains("s.json.lock: "), "{error}");
        fs::remove_dir(&lock).unwrap();
        std::os::unix::fs::symlink("nowhere", &lock).unwrap();
        let error = Lock::take(&state, Duration::from_millis(5)).unwrap_err();
        assert!(matches!(error, StoreError::Busy { .. }), "{error}");
        assert_eq!(left(&folder), ["s.json.lock"]);
    }
}

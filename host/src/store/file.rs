//! The state file itself: read, replaced as a whole, and kept aside when it is damaged. Everything here blocks.

use std::{
    ffi::OsString,
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown},
    path::{Path, PathBuf},
};

use super::error::{StoreError, at};

/// Damaged files that are kept, at most.
const MOST_DAMAGED: u32 = 1000;

/// By what a file that was changed is told from the one before. A new file is renamed over the old one, so the inode alone would
/// nearly do; but inodes are used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signature([i64; 7]);

impl Signature {
    fn of(metadata: &Metadata) -> Signature {
        Signature([
            metadata.dev().cast_signed(),
            metadata.ino().cast_signed(),
            metadata.size().cast_signed(),
            metadata.mtime(),
            metadata.mtime_nsec(),
            metadata.ctime(),
            metadata.ctime_nsec(),
        ])
    }

    /// That of the file at a path; none if there is none.
    pub(super) fn at(path: &Path) -> Result<Option<Signature>, StoreError> {
        match fs::metadata(path) {
            Ok(metadata) => Ok(Some(Signature::of(&metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(at("look at", path)(error)),
        }
    }
}

/// What was read.
pub(super) struct Content {
    /// The bytes, at most one more than asked for.
    pub(super) bytes: Vec<u8>,
    /// Of the file that they are from.
    pub(super) signature: Signature,
}

/// Reads a file up to `most` bytes and one more; none if there is none.
pub(super) fn read(path: &Path, most: u32) -> Result<Option<Content>, StoreError> {
    // Looked at before it is opened: opening a pipe waits for somebody to write.
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(metadata) => {
            return Err(StoreError::NotAFile {
                path: path.to_owned(),
                what: if metadata.is_dir() {
                    "a folder"
                } else {
                    "something else"
                },
            });
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at("read", path)(error)),
    }
    let read = || -> io::Result<Content> {
        let file = File::open(path)?;
        let signature = Signature::of(&file.metadata()?);
        let mut bytes = Vec::new();
        file.take(u64::from(most) + 1).read_to_end(&mut bytes)?;
        Ok(Content { bytes, signature })
    };
    match read() {
        Ok(read) => Ok(Some(read)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at("read", path)(error)),
    }
}

/// Replaces the file, or makes it. Whatever happens at whatever moment, there is the old file or the new one.
///
/// `last_look` is asked right before the one moment that counts.
pub(super) fn replace(
    path: &Path,
    bytes: &[u8],
    last_look: impl FnOnce() -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    // One name for all: who has the lock is the only one who writes. What is there is of someone who was killed.
    let temporary = beside(path, ".tmp");
    match fs::remove_file(&temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(at("remove", &temporary)(error));
        }
        _ => {}
    }
    let done = write(&temporary, bytes, path)
        .map_err(at("write", &temporary))
        .and_then(|()| last_look())
        .and_then(|()| fs::rename(&temporary, path).map_err(at("replace", path)));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
        return done;
    }
    // The change is made; a power cut could still undo it.
    if let Some(folder) = path.parent()
        && let Err(error) = File::open(folder).and_then(|folder| folder.sync_all())
    {
        tracing::warn!("can't flush {}: {error}", folder.display());
    }
    Ok(())
}

fn write(temporary: &Path, bytes: &[u8], like: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(temporary)?;
    // A umask can only take away.
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    if let Ok(before) = fs::metadata(like) {
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (before.uid(), before.gid()) {
            // An administrator who flips for somebody must not lock him out. Others can't, and needn't.
            let _ = fchown(&file, Some(before.uid()), Some(before.gid()));
        }
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// Keeps a damaged file under a name that isn't taken, and says which. The file stays where it is.
pub(super) fn keep_aside(path: &Path) -> Result<PathBuf, StoreError> {
    for number in 1..=MOST_DAMAGED {
        let aside = beside(path, &format!(".damaged-{number}"));
        let taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
        match fs::hard_link(path, &aside) {
            Ok(()) => return Ok(aside),
            Err(error) if taken(&error) => continue,
            // No hard links here: a copy.
            Err(_) => {}
        }
        match copy(path, &aside) {
            Ok(()) => return Ok(aside),
            Err(error) if taken(&error) => {}
            Err(error) => {
                return Err(at("keep the damaged file as", &aside)(error));
            }
        }
    }
    Err(StoreError::TooManyDamaged {
        path: path.to_owned(),
        count: MOST_DAMAGED,
    })
}

fn copy(path: &Path, aside: &Path) -> io::Result<()> {
    let mut from = File::open(path)?;
    let mut to = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(aside)?;
    let copied = io::copy(&mut from, &mut to).and_then(|_| to.sync_all());
    if copied.is_err() {
        let _ = fs::remove_file(aside);
    }
    copied
}

/// Makes the folder of a file, for its owner alone.
pub(super) fn make_folder(path: &Path) -> Result<(), StoreError> {
    match path.parent() {
        Some(folder) if !folder.exists() => DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(at("create the folder", folder)),
        _ => Ok(()),
    }
}

/// A name in the same folder: the file's, and more.
pub(super) fn beside(path: &Path, more: &str) -> PathBuf {
    let mut name = OsString::from(path.file_name().unwrap_or_default());
    name.push(more);
    path.with_file_name(name)
}

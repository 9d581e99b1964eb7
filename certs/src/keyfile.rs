//! Files that hold a secret: made for the owner alone, refused when others can read them.
//!
//! A file is written beside its place, synced, and linked into place, so that a crash leaves the old state or the new
//! one, and of two programs that make the same key at once both go on with the same.

use std::fs;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::io::Read;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

/// Longest key file in bytes. A P-256 key is 241, a chain of certificates some thousands.
pub const KEY_FILE_MAX: u64 = 64 * 1024;

/// Why a key file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It is not there.
    #[error("{} does not exist", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Reading or writing failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// Others than the owner may read or change it.
    #[error(
        "{} can be read or changed by others than its owner (mode {mode:04o}): run `chmod 600` on it if nobody else can \
         have read it, and make a new key if somebody can", path.display()
    )]
    ReadableByOthers {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// It belongs to somebody else.
    #[error("{} belongs to user {owner}, and this program runs as user {me}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Who owns it.
        owner: u32,
        /// Who runs this.
        me: u32,
    },
    /// Not a file, or far too large for a key.
    #[error("{} is not a key file: {why}", path.display())]
    NotAKey {
        /// The file.
        path: PathBuf,
        /// Why not. Never quotes what is in it.
        why: &'static str,
    },
}

impl KeyFileError {
    fn io(path: &Path, source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::NotFound {
            Self::Missing { path: path.to_owned() }
        } else {
            Self::Io { path: path.to_owned(), source }
        }
    }

    /// For what the bytes of `path` turned out not to be.
    pub(crate) fn not_a_key(path: &Path, why: &'static str) -> Self {
        Self::NotAKey { path: path.to_owned(), why }
    }
}

/// Reads a secret file.
///
/// # Errors
/// If it is missing, readable or writable by others, owned by somebody else (root's files are taken: a service manager
/// may have put them there), not a regular file, or longer than [`KEY_FILE_MAX`].
pub fn read(path: &Path) -> Result<Vec<u8>, KeyFileError> {
    let file = File::open(path).map_err(|e| KeyFileError::io(path, e))?;
    // Asked of the open file, so that nothing can be put in its place between check and reading.
    let meta = file.metadata().map_err(|e| KeyFileError::io(path, e))?;
    if !meta.is_file() {
        return Err(KeyFileError::not_a_key(path, "it is not a regular file"));
    }
    let mode = meta.permissions().mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(KeyFileError::ReadableByOthers { path: path.to_owned(), mode });
    }
    let me = rustix::process::geteuid().as_raw();
    if meta.uid() != me && meta.uid() != 0 {
        return Err(KeyFileError::Foreign { path: path.to_owned(), owner: meta.uid(), me });
    }
    if meta.len() > KEY_FILE_MAX {
        return Err(KeyFileError::not_a_key(path, "it has more than 64 KiB"));
    }
    let mut bytes = Vec::new();
    file.take(KEY_FILE_MAX).read_to_end(&mut bytes).map_err(|e| KeyFileError::io(path, e))?;
    Ok(bytes)
}

/// Reads a secret file as text.
///
/// # Errors
/// As [`read`], and if it is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, KeyFileError> {
    String::from_utf8(read(path)?).map_err(|_| KeyFileError::not_a_key(path, "it is not text"))
}

/// Makes a secret file with mode 0600. Gives `false`, and changes nothing, if there is one already.
///
/// # Errors
/// [`KeyFileError::Io`].
pub fn create(path: &Path, bytes: &[u8]) -> Result<bool, KeyFileError> {
    let temp = write_beside(path, bytes)?;
    // A link fails where the name is taken; a rename would take the place of a key that another has just made.
    let linked = fs::hard_link(&temp, path);
    let _ = fs::remove_file(&temp);
    match linked {
        Ok(()) => sync_folder(path).map(|()| true),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(KeyFileError::io(path, e)),
    }
}

/// Puts a secret file with mode 0600 in the place of whatever is there.
///
/// # Errors
/// [`KeyFileError::Io`].
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), KeyFileError> {
    let temp = write_beside(path, bytes)?;
    if let Err(e) = fs::rename(&temp, path) {
        let _ = fs::remove_file(&temp);
        return Err(KeyFileError::io(path, e));
    }
    sync_folder(path)
}

/// Moves a secret file to another name in the same folder, in the place of whatever is there.
///
/// # Errors
/// [`KeyFileError::Missing`] or [`KeyFileError::Io`].
pub fn rename(from: &Path, to: &Path) -> Result<(), KeyFileError> {
    fs::rename(from, to).map_err(|e| KeyFileError::io(from, e))?;
    sync_folder(to)
}

/// Reads a secret file as text, and makes it first if there is none.
///
/// # Errors
/// As [`read_text`] and [`create`].
pub fn read_or_create(
    path: &Path,
    make: impl FnOnce() -> Result<String, KeyFileError>,
) -> Result<String, KeyFileError> {
    match read_text(path) {
        Err(KeyFileError::Missing { .. }) => {}
        other => return other,
    }
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    create(path, make()?.as_bytes())?;
    // Read again: it may be another program's key that stands there now.
    read_text(path)
}

/// Makes a folder for the owner alone. One that is there is left as it is.
///
/// # Errors
/// [`KeyFileError::Io`].
pub fn make_folder(path: &Path) -> Result<(), KeyFileError> {
    use std::os::unix::fs::DirBuilderExt;
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|e| KeyFileError::io(path, e))
}

fn write_beside(path: &Path, bytes: &[u8]) -> Result<PathBuf, KeyFileError> {
    let name = path.file_name().ok_or_else(|| KeyFileError::not_a_key(path, "it has no name"))?;
    let mut tail = [0; 8];
    ring::rand::SecureRandom::fill(&ring::rand::SystemRandom::new(), &mut tail)
        .map_err(|_| KeyFileError::io(path, io::Error::other("the operating system gives no randomness")))?;
    let mut temp_name = std::ffi::OsString::from(".");
    temp_name.push(name);
    temp_name.push(format!(".{}", data_encoding::HEXLOWER.encode(&tail)));
    let temp = path.with_file_name(temp_name);
    let write = || {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temp)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|e| {
        let _ = fs::remove_file(&temp);
        KeyFileError::io(path, e)
    })?;
    Ok(temp)
}

/// A new name is on disk only when its folder is.
fn sync_folder(path: &Path) -> Result<(), KeyFileError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|f| f.sync_all()).map_err(|e| KeyFileError::io(folder, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_file_is_made_for_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/er/some.key");

        let text = read_or_create(&path, || Ok("secret".into())).unwrap();

        assert_eq!(text, "secret");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_file_that_others_can_read_is_refused_and_says_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("some.key");
        assert!(create(&path, b"secret").unwrap());
        for mode in [0o640, 0o604, 0o660, 0o602, 0o644] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();

            let refused = read(&path).unwrap_err();

            assert!(matches!(refused, KeyFileError::ReadableByOthers { mode: m, .. } if m == mode), "{refused}");
            assert!(refused.to_string().contains("chmod 600"));
            assert!(!refused.to_string().contains("secret"));
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
        assert_eq!(read(&path).unwrap(), b"secret");
    }

    #[test]
    fn a_key_that_is_there_is_never_overwritten_by_a_new_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("some.key");
        assert!(create(&path, b"first").unwrap());
        assert!(!create(&path, b"second").unwrap());
        assert_eq!(read(&path).unwrap(), b"first");

        replace(&path, b"third").unwrap();

        assert_eq!(read(&path).unwrap(), b"third");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_key_file_is_named_as_such() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.key");
        assert!(matches!(read(&path), Err(KeyFileError::Missing { .. })));
        create(&path, &vec![b'x'; 70_000]).unwrap();
        assert!(matches!(read(&path), Err(KeyFileError::NotAKey { .. })));
        assert!(matches!(read(dir.path()), Err(KeyFileError::NotAKey { .. })));
        let binary = dir.path().join("y.key");
        create(&binary, &[0xff, 0xfe]).unwrap();
        assert!(matches!(read_text(&binary), Err(KeyFileError::NotAKey { .. })));
    }

    #[test]
    fn two_who_make_the_same_key_at_once_go_on_with_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.key");
        let barrier = std::sync::Barrier::new(8);
        let seen: Vec<String> = std::thread::scope(|s| {
            let threads: Vec<_> = (0..8)
                .map(|i| {
                    let (path, barrier) = (&path, &barrier);
                    s.spawn(move || {
                        barrier.wait();
                        read_or_create(path, || Ok(format!("key {i}"))).unwrap()
                    })
                })
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(seen.iter().all(|k| *k == seen[0]), "{seen:?}");
    }
}

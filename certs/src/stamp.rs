//! Whether files have changed since they were last read, without reading them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What tells one state of a file from another. A file that is replaced has another number, one that is written another time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    device: u64,
    number: u64,
    len: u64,
    modified: (i64, i64),
}

/// How some files stood at a moment. Links are followed, so one that is turned to another file is a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp(Vec<Option<Seen>>);

impl Stamp {
    /// How these files stand now; one that cannot be seen stands as missing.
    pub fn of<P: AsRef<Path>>(files: &[P]) -> Self {
        let seen = |path: &Path| {
            fs::metadata(path).ok().map(|m| Seen {
                device: m.dev(),
                number: m.ino(),
                len: m.len(),
                modified: (m.mtime(), m.mtime_nsec()),
            })
        };
        Self(files.iter().map(|f| seen(f.as_ref())).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_that_is_written_replaced_turned_or_gone_is_another() {
        let dir = tempfile::tempdir().unwrap();
        let (file, other, link) = (dir.path().join("a"), dir.path().join("b"), dir.path().join("link"));
        fs::write(&file, "one").unwrap();
        fs::write(&other, "one").unwrap();
        symlink(&file, &link).unwrap();
        let stamp = || Stamp::of(&[&file, &link]);

        let first = stamp();
        assert_eq!(stamp(), first);
        fs::write(&file, "three").unwrap();
        let written = stamp();
        assert_ne!(written, first);
        fs::remove_file(&link).unwrap();
        symlink(&other, &link).unwrap();
        let turned = stamp();
        assert_ne!(turned, written);
        fs::rename(&other, &file).unwrap();
        let replaced = stamp();
        assert_ne!(replaced, turned);
        fs::remove_file(&file).unwrap();
        assert_ne!(stamp(), replaced);
    }
}

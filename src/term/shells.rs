//! How each shell is started so that it reports what it runs: arguments, environment and one file of its own.
//!
//! Nothing of the person's is written or changed. bash, zsh and fish read one file more than they would, out of a folder that
//! only the account can enter. With it they get the terminal's nonce, which stands in no environment and no argument, so no
//! child has it. The shell removes the file as the first thing it does; [`Private`] does where it could not.
//!
//! | shell | how it comes to read the file | what it reads besides |
//! |---|---|---|
//! | bash 4.4 or newer | a login shell in POSIX mode reads `$ENV` alone, which leaves that mode | the file reads `/etc/profile`, and the first of `~/.bash_profile`, `~/.bash_login`, `~/.profile` |
//! | zsh | `$ZDOTDIR` is the folder, and the file is its `.zshenv`, which puts `$ZDOTDIR` back | all its own files |
//! | fish | `--init-command` | all its own files, before |
//! | any other | | it is started as a login shell and reports nothing |
//!
//! Each is a login shell (`shopt login_shell`, `[[ -o login ]]`, `status is-login`).

use std::ffi::OsStr;
use std::ffi::OsString;
use std::fs::DirBuilder;
use std::fs::OpenOptions;
use std::io;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::path::PathBuf;

use thiserror::Error;

use crate::rules::term::marks::Nonce;

const BASH: &str = include_str!("shells/vyre.bash");
const ZSH: &str = include_str!("shells/vyre.zsh");
const FISH: &str = include_str!("shells/vyre.fish");

/// Why a shell cannot be started so that it reports.
#[derive(Debug, Error)]
pub enum ShellError {
    /// The folder for its file.
    #[error("cannot write what the shell is to read into {folder}: {source}")]
    Private {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A shell that is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shell {
    /// GNU bash.
    Bash,
    /// Z shell.
    Zsh,
    /// fish.
    Fish,
    /// Some other, which reports nothing.
    Other,
}

impl Shell {
    /// By the name of its program.
    pub fn of(program: &Path) -> Shell {
        match program.file_name().map(OsStr::as_bytes) {
            Some(b"bash") => Shell::Bash,
            Some(b"zsh") => Shell::Zsh,
            Some(b"fish") => Shell::Fish,
            _ => Shell::Other,
        }
    }

    /// Whether it can be made to report. An old bash is not, and says so by never showing a prompt of ours.
    pub const fn reports(self) -> bool {
        !matches!(self, Shell::Other)
    }
}

/// How to start a shell.
#[derive(Debug)]
pub struct Start {
    /// Its program.
    pub program: PathBuf,
    /// The name by which it is called: a dash in front makes a login shell of any.
    pub arg0: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// What is set in its environment beside what it has anyway.
    pub env: Vec<(&'static str, OsString)>,
    /// Whether it reports what it runs.
    pub reports: bool,
    /// What it reads. To be kept until its first prompt or its end.
    pub private: Option<Private>,
}

/// The environment in which a shell starts, as far as it is touched here.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// `ENV`.
    pub env: Option<OsString>,
    /// `ZDOTDIR`.
    pub zdotdir: Option<OsString>,
}

impl Start {
    /// A login shell that reports if it can. `folder` must not exist: it is made where a file is needed, and nobody but the
    /// account may enter the one above it, or rename it.
    pub fn new(program: &Path, nonce: &Nonce, folder: &Path, given: &Given) -> Result<Start, ShellError> {
        let shell = Shell::of(program);
        let mut arg0 = OsString::from("-");
        arg0.push(program.file_name().unwrap_or(program.as_os_str()));
        let mut start = Start {
            program: program.to_owned(),
            arg0,
            args: Vec::new(),
            env: Vec::new(),
            reports: shell.reports(),
            private: None,
        };
        let hex = nonce.hex();
        match shell {
            Shell::Bash => {
                let file = folder.join("vyre.bash");
                let head = format!("__vyre_nonce={hex}\n__vyre_file=${{ENV-}}\n");
                start.private = Some(Private::new(folder, &file, &[&head, BASH])?);
                start.args = vec!["--posix".into(), "--login".into()];
                start.env.extend(given.env.clone().map(|theirs| ("VYRE_ENV", theirs)));
                start.env.push(("ENV", file.into()));
            }
            Shell::Zsh => {
                let file = folder.join(".zshenv");
                start.private = Some(Private::new(folder, &file, &[&format!("__vyre_nonce={hex}\n"), ZSH])?);
                start.env.extend(given.zdotdir.clone().map(|theirs| ("VYRE_ZDOTDIR", theirs)));
                start.env.push(("ZDOTDIR", folder.into()));
            }
            Shell::Fish => {
                let file = folder.join("vyre.fish");
                start.private = Some(Private::new(folder, &file, &[&format!("set -g __vyre_nonce {hex}\n"), FISH])?);
                let mut source = OsString::from("source ");
                source.push(quoted(file.as_os_str()));
                start.args = vec!["--login".into(), "--init-command".into(), source];
            }
            Shell::Other => {}
        }
        Ok(start)
    }
}

/// As one word to fish.
fn quoted(word: &OsStr) -> OsString {
    let mut out = vec![b'\''];
    for byte in word.as_bytes() {
        if matches!(byte, b'\'' | b'\\') {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out.push(b'\'');
    OsStr::from_bytes(&out).to_owned()
}

/// A folder that only the account can enter, with one file. Both are gone when it is dropped.
#[derive(Debug)]
pub struct Private {
    folder: PathBuf,
    file: PathBuf,
}

impl Private {
    fn new(folder: &Path, file: &Path, parts: &[&str]) -> Result<Private, ShellError> {
        let failed = |source| ShellError::Private { folder: folder.to_owned(), source };
        DirBuilder::new().mode(0o700).create(folder).map_err(failed)?;
        // From here on what was made is removed, however this ends.
        let private = Private { folder: folder.to_owned(), file: file.to_owned() };
        let mut to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map_err(failed)?;
        to.write_all(parts.concat().as_bytes()).map_err(failed)?;
        Ok(private)
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        // Most often the shell has done it.
        let _ = std::fs::remove_file(&self.file);
        let _ = std::fs::remove_dir(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn nonce() -> Nonce {
        Nonce::new([0xab; 16])
    }

    #[test]
    fn the_nonce_is_in_the_file_and_nowhere_else() {
        for program in ["/bin/bash", "/usr/bin/zsh", "/opt/fish"] {
            let above = tempfile::tempdir().unwrap();
            let folder = above.path().join("it's a folder");
            let start = Start::new(Path::new(program), &nonce(), &folder, &Given::default()).unwrap();

            assert!(!format!("{start:?}").contains(&nonce().hex()), "{start:?}");
            let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|f| f.unwrap()).collect();
            let [file] = files.as_slice() else { panic!("{files:?}") };
            assert!(std::fs::read_to_string(file.path()).unwrap().contains(&nonce().hex()));
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);

            drop(start);
            assert!(!folder.exists());
        }
    }

    #[test]
    fn a_folder_of_somebody_else_is_not_used() {
        let above = tempfile::tempdir().unwrap();

        let refused = Start::new(Path::new("bash"), &nonce(), above.path(), &Given::default()).unwrap_err();

        assert!(refused.to_string().contains("what the shell is to read"), "{refused}");
        assert!(above.path().exists());
    }

    #[test]
    fn a_shell_that_is_not_known_is_started_plain() {
        let start = Start::new(Path::new("/bin/dash"), &nonce(), Path::new("/nowhere"), &Given::default()).unwrap();

        assert_eq!((start.reports, start.arg0.as_os_str()), (false, OsStr::new("-dash")));
        assert!(start.args.is_empty() && start.env.is_empty() && start.private.is_none());
    }
}

//! The account under which the box runs: which shell its person logs in to.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::process::getuid;

/// Where there is no other.
const PLAIN: &str = "/bin/sh";

/// The login shell: of the settings, else of `/etc/passwd`, else `$SHELL` (where the account is not in that file), else
/// `/bin/sh`. One that cannot be run is passed over, unless the settings name it: then its start says why.
pub fn login_shell(setting: Option<&Path>) -> PathBuf {
    if let Some(shell) = setting {
        return shell.to_owned();
    }
    let listed = fs::read_to_string("/etc/passwd").ok().and_then(|text| shell_of(&text, getuid().as_raw()));
    let told = env::var_os("SHELL").map(PathBuf::from);
    [listed, told].into_iter().flatten().find(|shell| can_run(shell)).unwrap_or_else(|| PathBuf::from(PLAIN))
}

/// The shell of this account in a file of accounts (passwd(5)).
fn shell_of(accounts: &str, uid: u32) -> Option<PathBuf> {
    let of = |line: &str| {
        let mut fields = line.split(':').skip(2);
        let is_theirs = fields.next()?.parse() == Ok(uid);
        fields.nth(3).filter(|shell| is_theirs && !shell.is_empty()).map(PathBuf::from)
    };
    accounts.lines().find_map(of)
}

fn can_run(program: &Path) -> bool {
    program.is_absolute() && fs::metadata(program).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCOUNTS: &str = "root:x:0:0:root:/root:/bin/bash\n\
        broken\n\
        robin:x:1000:1000:Robin,,,:/home/robin:/usr/bin/fish\n\
        nobody:x:65534:65534::/nonexistent:\n";

    #[test]
    fn the_shell_is_the_one_of_the_account() {
        assert_eq!(shell_of(ACCOUNTS, 1000), Some("/usr/bin/fish".into()));
        assert_eq!(shell_of(ACCOUNTS, 0), Some("/bin/bash".into()));
        assert_eq!(shell_of(ACCOUNTS, 65534), None);
        assert_eq!(shell_of(ACCOUNTS, 7), None);
    }

    #[test]
    fn what_the_settings_name_is_taken_and_a_shell_that_is_not_there_never() {
        assert_eq!(login_shell(Some(Path::new("/opt/shell"))), PathBuf::from("/opt/shell"));
        assert!(can_run(&login_shell(None)));
        assert!(!can_run(Path::new("bash")) && !can_run(Path::new("/etc/passwd")) && !can_run(Path::new("/bin")));
    }
}

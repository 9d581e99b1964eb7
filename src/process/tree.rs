//! Which processes came of another one, read from `/proc`.
//!
//! A process that lost its parent belongs to the nearest ancestor that takes in orphans ([`crate::process::guard`] does), so
//! under a guard nothing leaves the tree by forking twice or by making a session of its own.

use std::collections::BTreeSet;
use std::fs;

use rustix::process::Pid;
use rustix::process::PidfdFlags;
use rustix::process::Signal;
use rustix::process::pidfd_open;
use rustix::process::pidfd_send_signal;

/// One process: a number is used again, with its start it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Process {
    /// Its number.
    pub pid: i32,
    /// When it started, in the kernel's ticks.
    pub started: u64,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    process: Process,
    parent: i32,
    group: i32,
    dead: bool,
}

/// The processes that came of this one or are in its group, and live; itself not.
pub fn descendants(root: i32) -> BTreeSet<Process> {
    let all = all();
    let mut of = BTreeSet::from([root]);
    loop {
        let more: Vec<_> = all.iter().filter(|e| of.contains(&e.parent) && !of.contains(&e.process.pid)).collect();
        if more.is_empty() {
            break;
        }
        of.extend(more.iter().map(|e| e.process.pid));
    }
    let in_it = |e: &&Entry| (of.contains(&e.process.pid) || e.group == root) && e.process.pid != root && !e.dead;
    all.iter().filter(in_it).map(|e| e.process).collect()
}

/// The children of this one that have ended and whose end nobody has taken.
pub(crate) fn ended_children(of: i32) -> Vec<i32> {
    all().iter().filter(|e| e.parent == of && e.dead).map(|e| e.process.pid).collect()
}

/// Ends a process at once, if it is still this one.
pub fn kill(process: Process) {
    signal(process, Signal::KILL);
}

/// Signals a process, if it is still this one.
pub(crate) fn signal(process: Process, signal: Signal) {
    let Some(pid) = Pid::from_raw(process.pid) else { return };
    // Held by a descriptor the number cannot be given to another between the look and the signal.
    let Ok(held) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    if entry(process.pid).is_some_and(|e| e.process == process) {
        let _ = pidfd_send_signal(&held, signal);
    }
}

fn all() -> Vec<Entry> {
    let Ok(folder) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = folder.filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok());
    pids.filter_map(entry).collect()
}

fn entry(pid: i32) -> Option<Entry> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    read(pid, &String::from_utf8_lossy(&stat))
}

/// The name in the second field may hold anything: the others begin behind its last bracket.
fn read(pid: i32, stat: &str) -> Option<Entry> {
    let rest = &stat[stat.rfind(')')? + 1..];
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |n: usize| fields.get(n)?.parse().ok();
    Some(Entry {
        process: Process { pid, started: fields.get(19)?.parse().ok()? },
        parent: number(1)?,
        group: number(2)?,
        dead: matches!(fields.first(), Some(&"Z" | &"X")),
    })
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::process::Stdio;

    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_is_read_over() {
        let stat = "7 (a) b (c)) S 3 5 5 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 4711 0 0";

        let e = read(7, stat).unwrap();

        assert_eq!((e.parent, e.group, e.process.started, e.dead), (3, 5, 4711, false));
        assert!(read(7, "").is_none() && read(7, "7 (x) S").is_none());
    }

    #[test]
    fn a_child_is_found_and_is_ended_once() {
        let me = std::process::id() as i32;
        let mut child = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().unwrap();
        let found = descendants(me).into_iter().find(|p| p.pid == child.id() as i32).unwrap();

        kill(Process { started: found.started + 1, ..found });
        assert!(child.try_wait().unwrap().is_none());
        kill(found);

        assert!(!child.wait().unwrap().success());
        assert!(!descendants(me).contains(&found));
    }
}

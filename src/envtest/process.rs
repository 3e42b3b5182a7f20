//! Processes that this one did not start: known by their id *and* their start, since ids are used again.

use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// One process, told apart from every later one with the same id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The process id.
    pub pid: u32,
    /// When it started, in the system's own terms, and in which boot.
    pub started: String,
}

impl Identity {
    /// The process that has this id now. None if there is none, or only one that has ended and was not waited for.
    pub fn of(pid: u32) -> Option<Self> {
        Some(Identity { pid, started: started(pid)? })
    }

    /// This process.
    pub fn of_this_process() -> Self {
        let pid = std::process::id();
        Identity { pid, started: started(pid).unwrap_or_default() }
    }

    /// Whether this very process still runs.
    pub fn alive(&self) -> bool {
        Identity::of(self.pid).as_ref() == Some(self)
    }

    /// Sends a signal, unless the process has ended.
    pub fn signal(&self, signal: Signal) {
        if let (true, Some(pid)) = (self.alive(), i32::try_from(self.pid).ok().and_then(Pid::from_raw)) {
            // One that ended in between is what was wanted.
            let _ = kill_process(pid, signal);
        }
    }

    /// Waits until the process has ended, for `limit` at most; whether it has.
    pub fn wait(&self, limit: Duration) -> bool {
        let begun = Instant::now();
        while self.alive() {
            if begun.elapsed() > limit {
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    }
}

#[cfg(target_os = "linux")]
fn started(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let ticks = start_ticks(&stat)?;
    // Ticks count from the boot, and state outlives it.
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    Some(format!("{ticks}@{}", boot.trim()))
}

/// The 22nd field of `/proc/PID/stat`. The second, the program's name in parentheses, may hold anything.
#[cfg(target_os = "linux")]
fn start_ticks(stat: &str) -> Option<&str> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let ended = matches!(fields.next()?, "Z" | "X" | "x");
    if ended { None } else { fields.nth(18) }
}

#[cfg(not(target_os = "linux"))]
fn started(pid: u32) -> Option<String> {
    let pid = pid.to_string();
    let output = std::process::Command::new("ps").args(["-o", "state=,lstart=", "-p", &pid]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (state, started) = text.trim().split_once(char::is_whitespace)?;
    (!state.starts_with('Z')).then(|| started.trim().to_owned())
}

/// The processes that run with one of `arguments`, such as the servers of a folder whose state is damaged.
#[cfg(target_os = "linux")]
pub(super) fn with_argument(arguments: &[String]) -> Vec<Identity> {
    let runs_with = |pid: &u32| {
        let given = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        given.split(|byte| *byte == 0).any(|given| arguments.iter().any(|argument| argument.as_bytes() == given))
    };
    let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|pid| *pid != std::process::id()).filter(runs_with).filter_map(Identity::of).collect()
}

/// Arguments of other processes are not read on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn with_argument(_arguments: &[String]) -> Vec<Identity> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_alive_and_another_start_is_another_process() {
        let this = Identity::of_this_process();
        assert!(this.alive());
        let earlier = Identity { started: "1@before".to_owned(), ..this };
        assert!(!earlier.alive());
        earlier.signal(Signal::KILL);
        assert!(earlier.wait(Duration::ZERO));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn only_a_whole_argument_counts() {
        let mut child = std::process::Command::new("sleep").arg("61.25").spawn().unwrap();
        let found = |argument: &str| with_argument(&[argument.to_owned()]).iter().any(|one| one.pid == child.id());
        let begun = Instant::now();
        // A process has its arguments a moment after it has begun.
        while !found("61.25") && begun.elapsed() < Duration::from_secs(5) {}
        let (whole, part) = (found("61.25"), found("61"));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(whole && !part);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_start_is_found_behind_any_name() {
        let rest = (4..=30).map(|field| field.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(start_ticks(&format!("7 (a) (b c) S {rest}")), Some("22"));
        assert_eq!(start_ticks(&format!("7 (etcd) Z {rest}")), None);
        assert_eq!(start_ticks("7 (etcd"), None);
    }
}

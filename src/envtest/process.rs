//! Processes that this one did not start: known by their id *and* their start, since ids are used again.

use crate::system::{self, Signal, started};
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

    /// Returns true if this very process still runs.
    pub fn alive(&self) -> bool {
        Identity::of(self.pid).as_ref() == Some(self)
    }

    /// Sends a signal, unless the process has ended.
    pub fn signal(&self, signal: Signal) {
        if self.alive() {
            system::signal(self.pid, signal);
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

/// The processes that run with one of `arguments`, such as the servers of a folder whose state is damaged.
pub(super) fn with_argument(arguments: &[String]) -> Vec<Identity> {
    system::processes_with(arguments).into_iter().filter_map(Identity::of).collect()
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
        earlier.signal(Signal::Kill);
        assert!(earlier.wait(Duration::ZERO));
    }
}

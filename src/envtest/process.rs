//! Processes that may not be children of this one, identified by their id *and* their start, because ids are reused.

use crate::system::{self, Signal, started};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// A process, distinguished from every later process with the same id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The process id.
    pub pid: u32,
    /// The time of its start, in the system's own format, and behind an `@`, on Linux, the boot and the namespace of
    /// process ids in which it started.
    pub started: String,
}

impl Identity {
    /// Returns the process that has this id now. Returns `None` if there is none, or only a zombie.
    pub fn of(pid: u32) -> Option<Self> {
        Some(Identity { pid, started: started(pid)? })
    }

    /// Returns the identity of this process.
    pub fn of_this_process() -> Self {
        let pid = std::process::id();
        Identity { pid, started: started(pid).unwrap_or_default() }
    }

    /// Returns true if this very process still runs.
    pub fn alive(&self) -> bool {
        Identity::of(self.pid).as_ref() == Some(self)
    }

    /// Returns true if the process would be seen from this process: it belongs to this boot of this machine, and not to
    /// another container.
    pub fn is_of_this_system(&self) -> bool {
        let system = |identity: &Self| identity.started.split_once('@').map(|(_, system)| system.to_owned());
        system(self) == system(&Identity::of_this_process())
    }

    /// Sends a signal, unless the process has ended.
    pub fn signal(&self, signal: Signal) {
        if self.alive() {
            system::signal(self.pid, signal);
        }
    }

    /// Waits until the process has ended, for `limit` at most. Returns true if it has ended.
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

/// Returns the processes that run with one of `arguments`, such as the servers of a folder whose state is damaged.
pub(super) fn with_argument(arguments: &[String]) -> Vec<Identity> {
    system::processes_with(arguments).into_iter().filter_map(Identity::of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_alive_and_another_start_is_another_process() {
        let this = Identity::of_this_process();
        assert!(this.alive() && this.is_of_this_system());
        let earlier = Identity { started: "1@before".to_owned(), ..this };
        assert!(!earlier.alive() && !earlier.is_of_this_system());
        earlier.signal(Signal::Kill);
        assert!(earlier.wait(Duration::ZERO));
    }
}

//! Finds, signals and waits for processes, including processes that are not children of this process. A process is
//! identified by its id *and* its start time, because ids are reused.

use crate::system::{self, Signal, start_time};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The identity of a process, which differs from the identity of any later process with the same id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The process id that the system has given to the process.
    pub pid: u32,
    /// The start time of the process, in a format that depends on the operating system. On Linux, the time is followed
    /// by `@`, the id of the boot and the id of the process id namespace.
    pub started: String,
}

impl Identity {
    /// Returns the identity of the process with the id `pid`; `None` if no such process runs, or if it is a zombie.
    pub fn of(pid: u32) -> Option<Self> {
        Some(Identity { pid, started: start_time(pid)? })
    }

    /// Returns the identity of this process.
    pub fn of_this_process() -> Self {
        let pid = std::process::id();
        Identity { pid, started: start_time(pid).unwrap_or_default() }
    }

    /// Returns true if the identified process is running. A later process with the same id does not count.
    pub fn alive(&self) -> bool {
        Identity::of(self.pid).as_ref() == Some(self)
    }

    /// Returns true if the process is visible from this process: both belong to the same boot of one machine and to
    /// the same container.
    pub fn is_of_this_system(&self) -> bool {
        let system = |identity: &Self| identity.started.split_once('@').map(|(_, system)| system.to_owned());
        system(self) == system(&Identity::of_this_process())
    }

    /// Sends a signal to the process, unless it has ended.
    pub fn signal(&self, signal: Signal) {
        if self.alive() {
            system::signal(self.pid, signal);
        }
    }

    /// Waits at most `limit` until the process ends. Returns true if it has ended.
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

/// Returns the processes that have one of `arguments` on their command line, such as the servers of a control plane
/// whose recorded state is missing or damaged.
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

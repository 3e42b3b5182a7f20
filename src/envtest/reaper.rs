//! Removes the control planes that an opctl process left behind when it was killed. Every command can do this,
//! because it takes little time: opctl lists one folder, and for each control plane reads one small file and checks
//! the processes.

use super::foreign::{lacks_rights, runs_elsewhere};
use super::name::Name;
use super::places::Places;
use super::process::Identity;
use super::state::{GONE, NameLock, State, discard, remove_control_plane, state_error};
use crate::Result;
use crate::report::Console;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The prefix of the folders of unnamed control planes; each of these control planes belongs to one opctl process.
pub(super) const OWNED: &str = ".own-";

/// The time that a control plane's folder may exist without a state file, because the process that created the
/// folder may not have written the file yet.
const GRACE: Duration = Duration::from_secs(10);

/// Ends each control plane that has lost one of its processes, and removes its folder. Skips control planes that are
/// being started or stopped, and control planes with a damaged state. Returns the number of removed control planes.
pub fn reap(console: &Console) -> Result<usize> {
    reap_in(&Places::of_this_process()?.state, console)
}

pub(super) fn reap_in(states: &Path, console: &Console) -> Result<usize> {
    let entries = match fs::read_dir(states) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(state_error("read", states, &error)),
    };
    let mut reaped = 0;
    for entry in entries.flatten() {
        let (directory, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let dead = if lacks_rights(&directory) {
            // The next command of root clears it.
            false
        } else if name.starts_with(GONE) {
            // The process that removes the folder was killed, or is still at work.
            emptier(&name).is_none() || is_old(&directory)
        } else if name.starts_with(OWNED) {
            is_stale(&directory)
        } else if name.parse::<Name>().is_err() || !directory.is_dir() {
            // Not a folder of a control plane.
            false
        } else {
            // The lock is held until the folder is gone.
            let lock = NameLock::open(states, &name)?;
            if lock.try_take() && reap_one(&directory)? {
                console.status("Cleared", format_args!("the leftovers of control plane `{name}`"));
                reaped += 1;
            }
            false
        };
        if dead {
            let state = State::read(&directory).unwrap_or_default();
            match state {
                Some(_) => remove_control_plane(&directory, state.as_ref()),
                None => discard(&directory),
            }?;
            reaped += 1;
        }
    }
    Ok(reaped)
}

/// Removes a named control plane if it is neither starting nor running. Returns true if it was removed. The caller
/// must hold the [`NameLock`].
pub(super) fn reap_one(directory: &Path) -> Result<bool> {
    match State::read(directory) {
        Ok(Some(state)) if state.alive() => Ok(false),
        // Nobody is starting a control plane without a state: the starter would hold the lock. But a supervisor of a killed
        // starter may still be coming up, so the processes are found by their arguments.
        Ok(state) if directory.is_dir() && !lacks_rights(directory) && !runs_elsewhere(directory, state.as_ref()) => {
            remove_control_plane(directory, state.as_ref()).map(|()| true)
        }
        // The commands that need the state report the damage.
        Ok(_) | Err(_) => Ok(false),
    }
}

fn is_stale(directory: &Path) -> bool {
    match State::read(directory) {
        Ok(Some(state)) => {
            !state.alive() && !state.owner().is_some_and(Identity::alive) && !runs_elsewhere(directory, Some(&state))
        }
        Ok(None) => is_old(directory),
        Err(_) => false,
    }
}

/// Returns the process that is removing the folder `name`, or `None` if that process has ended. A process renames a
/// folder before it removes the folder, so that the name ends with the process id.
fn emptier(name: &str) -> Option<Identity> {
    Identity::of(name.rsplit_once('-')?.1.parse().ok()?)
}

fn is_old(directory: &Path) -> bool {
    let modified = fs::metadata(directory).and_then(|data| data.modified());
    modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > GRACE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envtest::folder_lock;
    use crate::envtest::state::{Phase, Process};

    fn put(directory: &Path, owner: &Identity) {
        fs::create_dir(directory).unwrap();
        let mut state = State::starting(&[]);
        state.phase = Phase::Ready;
        state.processes = vec![Process { name: "supervisor".to_owned(), identity: owner.clone() }];
        state.write(directory).unwrap();
    }

    #[test]
    fn only_what_is_dead_is_reaped() {
        let root = tempfile::tempdir().unwrap();
        let states = root.path().join("envtest");
        let quiet = Console::silent();
        assert_eq!(reap_in(&states, &quiet).unwrap(), 0);
        fs::create_dir(&states).unwrap();
        let alive = Identity::of_this_process();
        // The id is in use by another process.
        let dead = Identity { started: "1@before".to_owned(), ..alive.clone() };
        put(&states.join("alive"), &alive);
        put(&states.join(".own-alive"), &alive);
        put(&states.join("dead"), &dead);
        put(&states.join(".own-dead"), &dead);
        fs::create_dir(states.join(".own-begun")).unwrap();
        fs::create_dir(states.join(".gone-one-4000000000")).unwrap();
        // Another machine, or another container, runs them.
        let locks = ["elsewhere", ".own-elsewhere"].map(|name| {
            put(&states.join(name), &dead);
            folder_lock::take(&states.join(name)).unwrap()
        });
        assert_eq!(reap_in(&states, &quiet).unwrap(), 3);
        assert_eq!(reap_in(&states, &quiet).unwrap(), 0);
        drop(locks);
        assert_eq!(reap_in(&states, &quiet).unwrap(), 2);
        for (name, there) in
            [("alive", true), (".own-alive", true), ("dead", false), (".own-dead", false), (".own-begun", true)]
        {
            assert_eq!(states.join(name).exists(), there, "{name}");
        }
    }

    #[test]
    fn a_locked_or_damaged_one_is_left_alone() {
        let root = tempfile::tempdir().unwrap();
        let dead = Identity { pid: 1, started: "1@before".to_owned() };
        put(&root.path().join("starting"), &dead);
        put(&root.path().join("damaged"), &dead);
        fs::write(root.path().join("damaged/state.json"), "{").unwrap();
        let lock = NameLock::open(root.path(), "starting").unwrap();
        assert!(lock.try_take());
        assert_eq!(reap_in(root.path(), &Console::silent()).unwrap(), 0);
        drop(lock);
        assert_eq!(reap_in(root.path(), &Console::silent()).unwrap(), 1);
        assert!(root.path().join("damaged").exists());
    }
}

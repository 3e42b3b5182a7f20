//! Programs that die with the process that started them, however it ends.
//!
//! Linux sends a chosen signal to a process whose parent *thread* ends (prctl(2), `PR_SET_PDEATHSIG`), and keeps that
//! choice across an exec. So opctl starts itself as `opctl __exec PARENT PROGRAM ARGS…`, which makes the choice and
//! then becomes the program. Start such programs from a thread that lives as long as the process.

use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The hidden command that [`become_program`] serves.
const COMMAND: &str = "__exec";

/// A command that runs `program` and is killed when this process ends.
pub fn bound_to_this_process(program: impl AsRef<OsStr>) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(COMMAND).arg(std::process::id().to_string()).arg(program);
    Ok(command)
}

/// Replaces this process by `program`, to be killed when `parent` ends. Returns only if it cannot.
pub fn become_program(parent: u32, program: &OsStr, arguments: &[impl AsRef<OsStr>]) -> std::io::Error {
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return error.into();
    }
    // The parent may have ended before the signal was chosen.
    if getppid().map(Pid::as_raw_nonzero).map(|id| id.get().unsigned_abs()) != Some(parent) {
        return std::io::Error::other("the process that asked for it has ended");
    }
    Command::new(program).args(arguments).exec()
}

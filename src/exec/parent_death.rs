//! Programs that die with the process that started them, however it ends.
//!
//! Linux sends a chosen signal to a process whose parent *thread* ends (prctl(2), `PR_SET_PDEATHSIG`), and keeps that
//! choice across an exec. So opctl starts itself as `opctl __exec PARENT PROGRAM ARGS…`, which makes the choice and
//! then becomes the program. Start such programs from a thread that lives as long as the process.

use rustix::process::set_parent_process_death_signal;
use rustix::process::{Pid, Signal, getpgrp, getpid, getppid, kill_process, kill_process_group};
use std::ffi::OsStr;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};

/// The hidden command that [`become_program`] serves.
const COMMAND: &str = "__exec";

/// The hidden command that [`guard`] serves.
const GUARD: &str = "__guard";

/// A command that runs `program` and is killed when this process ends.
pub(super) fn bound_to_this_process(program: impl AsRef<OsStr>) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(COMMAND).arg(std::process::id().to_string()).arg(program);
    Ok(command)
}

/// A command that runs `program` and is killed, with everything that it started, when this process ends: for
/// programs with children of their own, such as cargo. To be the leader of a process group.
pub(super) fn guarded_by_this_process(program: impl AsRef<OsStr>) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(GUARD).arg(std::process::id().to_string()).arg(program);
    Ok(command)
}

/// Runs a program in this process's group to its end, and kills the whole group when `parent` ends.
pub fn guard(parent: u32, program: &OsStr, arguments: &[impl AsRef<OsStr>]) -> std::io::Result<ExitStatus> {
    use tokio::signal::unix::{SignalKind, signal};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut ended = {
        let _context = runtime.enter();
        signal(SignalKind::terminate())?
    };
    std::thread::spawn(move || {
        runtime.block_on(ended.recv());
        // This process is of the group, too.
        let _ = kill_process_group(getpgrp(), Signal::KILL);
    });
    die_with(parent, Signal::TERM)?;
    let status = Command::new(program).args(arguments).status()?;
    if let Some(signal) = status.signal().and_then(Signal::from_named_raw) {
        // What ended the program is to be seen by whoever waits for this process.
        let _ = kill_process(getpid(), signal);
    }
    Ok(status)
}

/// Chooses the signal that this process gets when `parent` ends.
fn die_with(parent: u32, signal: Signal) -> std::io::Result<()> {
    set_parent_process_death_signal(Some(signal))?;
    // The parent may have ended before the signal was chosen.
    if getppid().map(Pid::as_raw_nonzero).map(|id| id.get().unsigned_abs()) != Some(parent) {
        return Err(std::io::Error::other("the process that asked for it has ended"));
    }
    Ok(())
}

/// Replaces this process by `program`, to be killed when `parent` ends. Returns only if it cannot.
pub fn become_program(parent: u32, program: &OsStr, arguments: &[impl AsRef<OsStr>]) -> std::io::Error {
    match die_with(parent, Signal::KILL) {
        Ok(()) => Command::new(program).args(arguments).exec(),
        Err(error) => error,
    }
}

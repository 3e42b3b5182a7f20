//! Starts programs that the kernel kills when the process that started them ends, and reads data about processes
//! from /proc.
//!
//! Linux can send a process a chosen signal when its parent *thread* ends (prctl(2), `PR_SET_PDEATHSIG`), also
//! after an exec. So opctl starts itself as `opctl __exec PARENT PROGRAM ARGS…`, which chooses the signal and then
//! becomes the program. Start such programs from a thread that lives as long as the process.

use super::own_program;
use super::usage::{Process, Usage, total};
use rustix::process::set_parent_process_death_signal;
use rustix::process::{Pid, Signal, getpgrp, getpid, getppid, kill_process, kill_process_group};
use std::ffi::OsStr;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};

/// The hidden command that calls [`become_program`].
const COMMAND: &str = "__exec";

/// The hidden command that calls [`guard`].
const GUARD: &str = "__guard";

/// Returns a command that runs `program`, which is killed when this process ends.
pub fn bound_to_this_process(program: impl AsRef<OsStr>) -> std::io::Result<Command> {
    let mut command = Command::new(own_program()?);
    command.arg(COMMAND).arg(std::process::id().to_string()).arg(program);
    Ok(command)
}

/// Returns a command that runs `program`, which is killed with all its descendants when this process ends. This command
/// is for programs with child processes, such as cargo. The caller must make the command the leader of a process group.
pub fn guarded_by_this_process(program: impl AsRef<OsStr>) -> std::io::Result<Command> {
    let mut command = Command::new(own_program()?);
    command.arg(GUARD).arg(std::process::id().to_string()).arg(program);
    Ok(command)
}

/// Runs a program in this process's group until the program ends. Kills the whole group if `parent` ends first.
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
        // The process that waits for this one sees the signal that ended the program.
        let _ = kill_process(getpid(), signal);
    }
    Ok(status)
}

/// Sets the signal that the kernel sends to this process when `parent` ends. Fails if `parent` has already ended.
fn die_with(parent: u32, signal: Signal) -> std::io::Result<()> {
    set_parent_process_death_signal(Some(signal))?;
    // The parent may have ended before the signal was chosen.
    if getppid().map(Pid::as_raw_nonzero).map(|id| id.get().unsigned_abs()) != Some(parent) {
        return Err(std::io::Error::other("the parent process has already exited"));
    }
    Ok(())
}

/// Replaces this process by `program`, which is killed when `parent` ends. Returns only if the replacement fails.
pub fn become_program(parent: u32, program: &OsStr, arguments: &[impl AsRef<OsStr>]) -> std::io::Error {
    match die_with(parent, Signal::KILL) {
        Ok(()) => Command::new(program).args(arguments).exec(),
        Err(error) => error,
    }
}

/// Returns a text that identifies the start of a process: the start time in ticks since the boot, `@`, the id of the
/// boot, `/`, and the process id namespace of opctl. Returns `None` if the process has ended.
pub fn start_time(process: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let ticks = start_ticks(&stat)?;
    // Ticks count from the boot, and state outlives it. Each container has process ids of its own.
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    Some(format!("{ticks}@{}/{}", boot.trim(), namespace.display()))
}

/// Returns the first running child of a process; `None` if the process has no child.
pub fn first_child(process: u32) -> Option<u32> {
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

/// Returns the start time, field 22 of `/proc/PID/stat`. Field 2, a name in parentheses, may contain any characters.
fn start_ticks(stat: &str) -> Option<&str> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let ended = matches!(fields.next()?, "Z" | "X" | "x");
    if ended { None } else { fields.nth(18) }
}

/// Returns the ids of the other processes that have one of `arguments` on their command line.
pub fn processes_with(arguments: &[String]) -> Vec<u32> {
    let runs_with = |process: &u32| {
        let given = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        given.split(|byte| *byte == 0).any(|given| arguments.iter().any(|argument| argument.as_bytes() == given))
    };
    let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|process| *process != std::process::id()).filter(runs_with).collect()
}

/// Returns the memory and the processor time of a process group; `None` if the group has ended.
pub fn usage_of_group(leader: u32) -> Option<Usage> {
    let ids = std::fs::read_dir("/proc").ok()?.flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let read = |id: u32, file: &str| std::fs::read_to_string(format!("/proc/{id}/{file}")).ok();
    let used = |id: u32| {
        let process = Process::parse(&read(id, "stat")?).filter(|process| process.group == leader)?;
        let usage = process.usage(&read(id, "status")?)?;
        Some((process, usage))
    };
    total(&ids.filter_map(used).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn only_a_whole_argument_counts() {
        let mut child = Command::new("sleep").arg("61.25").spawn().unwrap();
        let found = |argument: &str| processes_with(&[argument.to_owned()]).contains(&child.id());
        let begun = Instant::now();
        // A process has its arguments a moment after it has begun.
        while !found("61.25") && begun.elapsed() < Duration::from_secs(5) {}
        let (whole, part) = (found("61.25"), found("61"));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(whole && !part);
    }

    #[test]
    fn a_group_uses_memory_until_it_ends() {
        let mut child = super::super::lead_group(Command::new("sleep").arg("61.5")).spawn().unwrap();
        let usage = usage_of_group(child.id()).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(usage.resident > 0 && usage.peak >= usage.resident, "{usage:?}");
        assert!(usage.processor < Duration::from_secs(60), "{usage:?}");
        assert_eq!(usage_of_group(child.id()), None);
    }

    #[test]
    fn the_start_is_found_behind_any_name() {
        let rest = (4..=30).map(|field| field.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(start_ticks(&format!("7 (a) (b c) S {rest}")), Some("22"));
        assert_eq!(start_ticks(&format!("7 (etcd) Z {rest}")), None);
        assert_eq!(start_ticks("7 (etcd"), None);
    }
}

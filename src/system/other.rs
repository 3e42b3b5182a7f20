//! The implementation for Windows: it supports every command that runs no servers on this machine.

use super::Signal;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, Result};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Asks a process to end, or kills it for [`Signal::Kill`]. Ignores [`Signal::Suspend`] and [`Signal::Continue`],
/// because opctl suspends no processes on Windows.
pub fn signal(process: u32, signal: Signal) {
    run_taskkill(process, signal, &[]);
}

/// Asks a process and its descendants to end, or kills them for [`Signal::Kill`].
pub fn signal_group(leader: u32, signal: Signal) {
    run_taskkill(leader, signal, &["/T"]);
}

/// Fails: the free space is not read on Windows.
pub fn free_space(_: &Path) -> Result<u64> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Ends a process with `taskkill`. Without `/F`, it ends only programs with a window, and these may refuse to end.
fn run_taskkill(process: u32, signal: Signal, flags: &[&str]) {
    // Nothing is suspended here.
    if matches!(signal, Signal::Suspend | Signal::Continue) {
        return;
    }
    let force: &[&str] = if signal == Signal::Kill { &["/F"] } else { &[] };
    let process = process.to_string();
    let mut taskkill = Command::new("taskkill");
    let _ =
        taskkill.args(["/PID", &process]).args(flags).args(force).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// Returns `command` unchanged. On Unix, this function makes the process the leader of a new process group; on Windows,
/// Ctrl+C reaches all processes of a console in any case.
pub fn lead_group(command: &mut Command) -> &mut Command {
    command
}

/// Does nothing. On Unix, this function detaches the process from its terminal; on Windows, a process cannot leave its
/// console in this way.
pub fn leave_terminal() -> Result<()> {
    Ok(())
}

/// Returns `None`: on Windows, no signal ends a process.
pub fn ended_by(_: ExitStatus) -> Option<i32> {
    None
}

/// Returns true if Ctrl+C ended a process (`STATUS_CONTROL_C_EXIT`, 0xC000013A).
pub fn was_interrupted(status: ExitStatus) -> bool {
    status.code().is_some_and(|code| code.cast_unsigned() == 0xC000_013A)
}

/// A listener for Ctrl+C. From the first call of [`Self::wait`] on, Ctrl+C does not end the process.
pub struct Requests(Runtime);

impl Requests {
    /// Creates a listener. It listens from the first call of [`Self::wait`] on.
    pub fn listen() -> Result<Self> {
        Ok(Requests(tokio::runtime::Builder::new_current_thread().enable_all().build()?))
    }

    /// Waits for the next Ctrl+C.
    pub fn wait(&mut self) {
        let _ = self.0.block_on(tokio::signal::ctrl_c());
    }
}

/// Opens a file for reading. On Windows, pipes get no special handling.
pub fn open_without_waiting(path: &Path) -> Result<File> {
    File::open(path)
}

/// Creates a folder. On Windows, a folder of a user is private by default.
pub fn create_private_folder(path: &Path) -> Result<()> {
    std::fs::create_dir(path)
}

/// Creates a folder and its missing parent folders. On Windows, the folders of a user are private by default.
pub fn create_private_folders(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path)
}

/// Creates a temporary folder in `parent`. On Windows, the folders of a user are private by default.
pub fn create_private_temporary(parent: &Path, prefix: &str) -> Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    builder.tempdir_in(parent)
}

/// Creates or empties a file. On Windows, files have no modes that could make the file private.
pub fn create_private_file(path: &Path) -> Result<File> {
    File::create(path)
}

/// Opens a file for reading and writing, or creates it. On Windows, files have no modes that could make it private.
pub fn open_private(path: &Path) -> Result<File> {
    super::open_or_create(OpenOptions::new().read(true).write(true), path)
}

/// Opens a regular file. Fails if another kind of file, such as a symlink, is at `path`.
pub fn open_regular(options: &mut OpenOptions, path: &Path) -> Result<File> {
    if std::fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(Error::other("it is not a regular file"));
    }
    options.open(path)
}

/// Leaves the owner of a file unchanged: on Windows, opctl does not run as root for another user.
pub fn give_file(_: &File, _: &Path) -> Result<()> {
    Ok(())
}

/// Leaves the owner of a folder unchanged: on Windows, opctl does not run as root for another user.
pub fn give_folder(_: &Path) -> Result<()> {
    Ok(())
}

/// Leaves a temporary folder's owner unchanged: on Windows, opctl does not run as root for another user.
pub fn give_temporary(_: &Path) -> Result<()> {
    Ok(())
}

/// Returns `command` unchanged, so that it runs as the current user: on Windows, opctl does not run as root for another
/// user.
pub fn run_as_served_user<'a>(command: &'a mut Command, _: &[&Path]) -> &'a mut Command {
    command
}

/// Returns true: on Windows, the owner of a file is not checked.
pub fn belongs_to_user(_: &Metadata) -> bool {
    true
}

/// Returns false: on Windows, no user is root.
pub fn is_root() -> bool {
    false
}

/// Returns true: on Windows, the owners of files are not compared.
pub fn have_one_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Returns true: on Windows, files have no modes.
pub fn is_private(_: &Metadata) -> bool {
    true
}

/// Returns the creation time, which distinguishes a folder from an earlier folder at the same path.
pub fn identity(metadata: &Metadata) -> String {
    format!("{:?}", metadata.created().ok())
}

/// Does nothing: on Windows, files have no modes.
pub fn set_mode(_: &Path, _: u32) -> Result<()> {
    Ok(())
}

/// Returns true if `path` exists. An open file cannot be removed on Windows, so the caller's open file is still the
/// file at `path`.
pub fn is_same_file(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Returns `None`, because opctl does not read the start times of processes on Windows. Therefore it cannot identify a
/// control plane that another process has started.
pub fn start_time(_: u32) -> Option<String> {
    None
}

/// Returns no processes: on Windows, the arguments of other processes are not read.
pub fn processes_with(_: &[String]) -> Vec<u32> {
    Vec::new()
}

/// Fails: on Windows, two folders cannot be exchanged in one step.
pub fn exchange(_: &Path, _: &Path) -> Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

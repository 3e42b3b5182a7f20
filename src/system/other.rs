//! Windows: enough for every command that works without servers on this machine.

use super::Signal;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, Result};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Tells a process: there is only the end.
pub fn signal(process: u32, signal: Signal) {
    end(process, signal, &[]);
}

/// Tells a process and what it started.
pub fn signal_group(leader: u32, signal: Signal) {
    end(leader, signal, &["/T"]);
}

/// Fails: only the Unix implementation reads the free space.
pub fn free_space(_: &Path) -> Result<u64> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Without `/F` a program with a window may refuse, and one without is not reached.
fn end(process: u32, signal: Signal, flags: &[&str]) {
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

/// Ctrl+C reaches all processes of a console here.
pub fn lead_group(command: &mut Command) -> &mut Command {
    command
}

/// A process stays with its console here.
pub fn leave_terminal() -> Result<()> {
    Ok(())
}

/// No signal ends a process here.
pub fn ended_by(_: ExitStatus) -> Option<i32> {
    None
}

/// Returns true if Ctrl+C ended a process (`STATUS_CONTROL_C_EXIT`, 0xC000013A).
pub fn was_interrupted(status: ExitStatus) -> bool {
    status.code().is_some_and(|code| code.cast_unsigned() == 0xC000_013A)
}

/// The requests to end that this process gets, which do nothing else from now on.
pub struct Requests(Runtime);

impl Requests {
    /// Listens from the first wait on.
    pub fn listen() -> Result<Self> {
        Ok(Requests(tokio::runtime::Builder::new_current_thread().enable_all().build()?))
    }

    /// Waits for the next Ctrl+C.
    pub fn wait(&mut self) {
        let _ = self.0.block_on(tokio::signal::ctrl_c());
    }
}

/// Opens a file for reading.
pub fn open_without_waiting(path: &Path) -> Result<File> {
    File::open(path)
}

/// Makes a folder; that of a user is private here.
pub fn create_private_folder(path: &Path) -> Result<()> {
    std::fs::create_dir(path)
}

/// Makes a folder, and those above it that are missing.
pub fn create_private_folders(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path)
}

/// Makes a temporary folder in `parent`.
pub fn create_private_temporary(parent: &Path, prefix: &str) -> Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    builder.tempdir_in(parent)
}

/// Makes, or empties, a file.
pub fn create_private_file(path: &Path) -> Result<File> {
    File::create(path)
}

/// Opens a file to read and to write, which is made if it is not there.
pub fn open_private(path: &Path) -> Result<File> {
    super::open_or_create(OpenOptions::new().read(true).write(true), path)
}

/// Opens a regular file, and nothing else.
pub fn open_regular(options: &mut OpenOptions, path: &Path) -> Result<File> {
    if std::fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(Error::other("it is not a regular file"));
    }
    options.open(path)
}

/// No user is root here.
pub fn give_file(_: &File, _: &Path) -> Result<()> {
    Ok(())
}

/// No user is root here.
pub fn give_folder(_: &Path) -> Result<()> {
    Ok(())
}

/// No user is root here.
pub fn give_temporary(_: &Path) -> Result<()> {
    Ok(())
}

/// No user is root here.
pub fn run_as_served_user<'a>(command: &'a mut Command, _: &[&Path]) -> &'a mut Command {
    command
}

/// Owners are not asked for here.
pub fn belongs_to_user(_: &Metadata) -> bool {
    true
}

/// No user is root here.
pub fn is_root() -> bool {
    false
}

/// Owners are not asked for here.
pub fn have_one_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Files have no modes here.
pub fn is_private(_: &Metadata) -> bool {
    true
}

/// The path alone tells folders apart here, and the time when one was made.
pub fn identity(metadata: &Metadata) -> String {
    format!("{:?}", metadata.created().ok())
}

/// Files have no modes here.
pub fn set_mode(_: &Path, _: u32) -> Result<()> {
    Ok(())
}

/// An open file cannot be removed here.
pub fn is_same_file(_: &File, path: &Path) -> bool {
    path.exists()
}

/// When a process started is not asked here, so that a control plane of another process is never found.
pub fn started(_: u32) -> Option<String> {
    None
}

/// Arguments of other processes are not read on this system.
pub fn processes_with(_: &[String]) -> Vec<u32> {
    Vec::new()
}

/// Two folders do not take each other's place in one step here.
pub fn exchange(_: &Path, _: &Path) -> Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

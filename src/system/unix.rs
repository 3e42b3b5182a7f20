//! The implementation for Linux, macOS and other Unix systems.

use super::files::{create_missing, create_or_empty};
use super::{Signal, give_folder, give_temporary, open_or_create};
use rustix::fs::OFlags;
use rustix::process::{Pid, geteuid, kill_process, kill_process_group};
use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{Error, Result};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::signal::unix::{self, SignalKind};

impl From<Signal> for rustix::process::Signal {
    fn from(signal: Signal) -> Self {
        match signal {
            Signal::Interrupt => Self::INT,
            Signal::Terminate => Self::TERM,
            Signal::Kill => Self::KILL,
            Signal::Suspend => Self::STOP,
            Signal::Continue => Self::CONT,
        }
    }
}

/// Sends a signal to a process. Ignores an error, because the process may have ended.
pub fn signal(process: u32, signal: Signal) {
    if let Some(process) = id(process) {
        let _ = kill_process(process, signal.into());
    }
}

/// Sends a signal to all processes of the group with the id `leader`.
pub fn signal_group(leader: u32, signal: Signal) {
    if let Some(group) = id(leader) {
        let _ = kill_process_group(group, signal.into());
    }
}

/// Returns the number of bytes that this user can still write to the file system of `path`.
pub fn free_space(path: &Path) -> Result<u64> {
    let found = rustix::fs::statvfs(path)?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}

fn id(process: u32) -> Option<Pid> {
    i32::try_from(process).ok().and_then(Pid::from_raw)
}

/// Makes the process of the command the leader of a new process group.
pub fn lead_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Detaches this process from its terminal, so that neither Ctrl+C nor the end of the terminal affects this process.
pub fn leave_terminal() -> Result<()> {
    Ok(rustix::process::setsid().map(drop)?)
}

/// Returns the number of the signal that ended a process; `None` if no signal did.
pub fn ended_by(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Returns true if Ctrl+C ended a process.
pub fn was_interrupted(status: ExitStatus) -> bool {
    ended_by(status) == Some(rustix::process::Signal::INT.as_raw())
}

/// A listener for SIGINT, SIGTERM and SIGHUP. Once the listener exists, these signals do not end the process.
pub struct Requests {
    runtime: Runtime,
    signals: [unix::Signal; 3],
}

impl Requests {
    /// Starts to listen for SIGINT, SIGTERM and SIGHUP.
    pub fn listen() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let signals = {
            let _context = runtime.enter();
            [
                unix::signal(SignalKind::interrupt())?,
                unix::signal(SignalKind::terminate())?,
                unix::signal(SignalKind::hangup())?,
            ]
        };
        Ok(Requests { runtime, signals })
    }

    /// Waits for the next SIGINT, SIGTERM or SIGHUP.
    pub fn wait(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.signals;
        self.runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
        });
    }
}

/// Opens a file for reading. If the file is a pipe, does not wait for a writer.
pub fn open_without_waiting(path: &Path) -> Result<File> {
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Creates a folder that only this user can access.
pub fn create_private_folder(path: &Path) -> Result<()> {
    DirBuilder::new().mode(0o700).create(path)?;
    give_folder(path)
}

/// Creates a folder and its missing parent folders. Only this user can access the new folders.
pub fn create_private_folders(path: &Path) -> Result<()> {
    create_missing(path, create_private_folder)
}

/// Creates a temporary folder in `parent` that only this user can access.
pub fn create_private_temporary(parent: &Path, prefix: &str) -> Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).permissions(Permissions::from_mode(0o700));
    let folder = builder.tempdir_in(parent)?;
    give_temporary(folder.path())?;
    Ok(folder)
}

/// Creates or empties a file. Only this user can read a new file.
pub fn create_private_file(path: &Path) -> Result<File> {
    create_or_empty(path, OpenOptions::new().mode(0o600))
}

/// Opens a regular file for reading and writing, or creates one that only this user can read. Does not follow symlinks.
pub fn open_private(path: &Path) -> Result<File> {
    open_or_create(OpenOptions::new().read(true).write(true).mode(0o600), path)
}

/// Opens a regular file. Fails for any other kind of file, does not follow symlinks and does not block.
pub fn open_regular(options: &mut OpenOptions, path: &Path) -> Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = options.custom_flags(flags.bits().cast_signed()).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(Error::other("it is not a regular file")) }
}

/// Returns true if this process runs as root.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// Returns true if both files belong to the same user.
pub fn have_one_owner(one: &Metadata, other: &Metadata) -> bool {
    one.uid() == other.uid()
}

/// Returns true if only the owner can access the file.
pub fn is_private(metadata: &Metadata) -> bool {
    metadata.mode().trailing_zeros() >= 6
}

/// Returns the device and inode numbers, which distinguish a file or folder from all others on this machine.
pub fn identity(metadata: &Metadata) -> String {
    format!("{}:{}", metadata.dev(), metadata.ino())
}

/// Sets the permission bits of a file or folder.
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Exchanges two files or folders of one file system in one step.
///
/// # Errors
/// Fails if the system or the file system does not support the exchange.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub fn exchange(one: &Path, other: &Path) -> Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// Fails: this system cannot exchange two files or folders in one step.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub fn exchange(_: &Path, _: &Path) -> Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Returns true if `file` is the file that is now at `path`.
pub fn is_same_file(file: &File, path: &Path) -> bool {
    let (Ok(held), Ok(there)) = (file.metadata(), std::fs::metadata(path)) else { return false };
    (held.dev(), held.ino()) == (there.dev(), there.ino())
}

#[cfg(target_os = "linux")]
pub use super::linux::{processes_with, start_time};

/// Returns the start time of a process as `ps` prints it; `None` if the process has ended.
#[cfg(not(target_os = "linux"))]
pub fn start_time(process: u32) -> Option<String> {
    let process = process.to_string();
    let output = Command::new("ps").args(["-o", "state=,lstart=", "-p", &process]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (state, started) = text.trim().split_once(char::is_whitespace)?;
    (!state.starts_with('Z')).then(|| started.trim().to_owned())
}

/// Returns no processes: on this system, the arguments of other processes are not read.
#[cfg(not(target_os = "linux"))]
pub fn processes_with(_: &[String]) -> Vec<u32> {
    Vec::new()
}

//! Linux, macOS and their like.

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

/// Tells a process; one that has ended is what was wanted.
pub fn signal(process: u32, signal: Signal) {
    if let Some(process) = id(process) {
        let _ = kill_process(process, signal.into());
    }
}

/// Tells a whole process group, by the id of its leader.
pub fn signal_group(leader: u32, signal: Signal) {
    if let Some(group) = id(leader) {
        let _ = kill_process_group(group, signal.into());
    }
}

/// The bytes that this user may still write where `path` is.
pub fn free_space(path: &Path) -> Result<u64> {
    let found = rustix::fs::statvfs(path)?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}

fn id(process: u32) -> Option<Pid> {
    i32::try_from(process).ok().and_then(Pid::from_raw)
}

/// Lets the command lead a process group of its own.
pub fn lead_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Takes this process out of the terminal's reach: neither its Ctrl+C nor its end is meant for it any more.
pub fn leave_terminal() -> Result<()> {
    Ok(rustix::process::setsid().map(drop)?)
}

/// The number of the signal that ended a process.
pub fn ended_by(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Returns true if Ctrl+C ended a process.
pub fn was_interrupted(status: ExitStatus) -> bool {
    ended_by(status) == Some(rustix::process::Signal::INT.as_raw())
}

/// The requests to end that this process gets, which do nothing else from now on.
pub struct Requests {
    runtime: Runtime,
    signals: [unix::Signal; 3],
}

impl Requests {
    /// Listens from now on.
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

    /// Waits for the next one.
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

/// Opens a file for reading, without waiting for a writer where a pipe is in its place.
pub fn open_without_waiting(path: &Path) -> Result<File> {
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// Makes a folder that only this user can look into.
pub fn create_private_folder(path: &Path) -> Result<()> {
    DirBuilder::new().mode(0o700).create(path)?;
    give_folder(path)
}

/// Makes a folder, and those above it that are missing, so that only this user can look into them.
pub fn create_private_folders(path: &Path) -> Result<()> {
    create_missing(path, create_private_folder)
}

/// Makes a temporary folder that only this user can look into, in `parent`.
pub fn create_private_temporary(parent: &Path, prefix: &str) -> Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).permissions(Permissions::from_mode(0o700));
    let folder = builder.tempdir_in(parent)?;
    give_temporary(folder.path())?;
    Ok(folder)
}

/// Makes, or empties, a file that only this user can read.
pub fn create_private_file(path: &Path) -> Result<File> {
    create_or_empty(path, OpenOptions::new().mode(0o600))
}

/// Opens a file to read and to write, which is made for this user alone if it is not there, and is no symlink.
pub fn open_private(path: &Path) -> Result<File> {
    open_or_create(OpenOptions::new().read(true).write(true).mode(0o600), path)
}

/// Opens a regular file, and nothing else: follows no symlink, and waits for no other process.
pub fn open_regular(options: &mut OpenOptions, path: &Path) -> Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = options.custom_flags(flags.bits().cast_signed()).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(Error::other("it is not a regular file")) }
}

/// Returns true if this user may do everything on this machine.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// Returns true if both belong to the same user.
pub fn have_one_owner(one: &Metadata, other: &Metadata) -> bool {
    one.uid() == other.uid()
}

/// Returns true if only the owner can read the file.
pub fn is_private(metadata: &Metadata) -> bool {
    metadata.mode().trailing_zeros() >= 6
}

/// Tells a file or folder from every other one on this machine.
pub fn identity(metadata: &Metadata) -> String {
    format!("{}:{}", metadata.dev(), metadata.ino())
}

/// Sets the permissions of the file.
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Lets two files or folders of one file system take each other's place in one step.
///
/// # Errors
/// Not every system and not every file system can do this.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub fn exchange(one: &Path, other: &Path) -> Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// Lets two files or folders take each other's place in one step, which this system cannot do.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub fn exchange(_: &Path, _: &Path) -> Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Returns true if the open file is the one at `path`.
pub fn is_same_file(file: &File, path: &Path) -> bool {
    let (Ok(held), Ok(there)) = (file.metadata(), std::fs::metadata(path)) else { return false };
    (held.dev(), held.ino()) == (there.dev(), there.ino())
}

#[cfg(target_os = "linux")]
pub use super::linux::{processes_with, started};

/// When a process started, in the system's own terms; none if it has ended.
#[cfg(not(target_os = "linux"))]
pub fn started(process: u32) -> Option<String> {
    let process = process.to_string();
    let output = Command::new("ps").args(["-o", "state=,lstart=", "-p", &process]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (state, started) = text.trim().split_once(char::is_whitespace)?;
    (!state.starts_with('Z')).then(|| started.trim().to_owned())
}

/// Arguments of other processes are not read on this system.
#[cfg(not(target_os = "linux"))]
pub fn processes_with(_: &[String]) -> Vec<u32> {
    Vec::new()
}

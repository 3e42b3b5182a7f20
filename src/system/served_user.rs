//! Makes the user who called sudo the owner of new files, and runs programs as this user. With sudo, opctl runs as
//! root, but uses this user's home folder.

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::process::geteuid;
use std::fs::{File, Metadata};
use std::io::Result;
use std::os::unix::fs::{MetadataExt, fchown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The ids of a user and of the user's group.
type Ids = (u32, u32);

/// Returns the user who called sudo, if this process runs as root and the home folder belongs to that user.
fn served_user() -> Option<Ids> {
    static SERVED: OnceLock<Option<Ids>> = OnceLock::new();
    let id = |name| std::env::var(name).ok()?.parse::<u32>().ok();
    *SERVED.get_or_init(|| {
        let (user, group) = geteuid().is_root().then(|| Some((id("SUDO_UID")?, id("SUDO_GID")?))).flatten()?;
        let home = std::fs::metadata(std::env::var_os("HOME").map(PathBuf::from)?).ok()?;
        (user != 0 && home.uid() == user).then_some((user, group))
    })
}

/// Gives a file that this process has just created at `path` to the user who called sudo, if the file's folder belongs
/// to that user. Does nothing without sudo.
pub fn give_file(file: &File, path: &Path) -> Result<()> {
    let is_in_own_folder = |user| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::metadata(folder).is_ok_and(|folder| folder.uid() == user)
    };
    match served_user() {
        Some((user, group)) if is_in_own_folder(user) => fchown(file, Some(user), Some(group)),
        _ => Ok(()),
    }
}

/// Gives a folder that this process has just created at `path` to the user who called sudo, like [`give_file`].
pub(super) fn give_folder(path: &Path) -> Result<()> {
    if served_user().is_none() { Ok(()) } else { give_file(&open_folder(path)?, path) }
}

/// Gives a temporary folder that this process has just created to the user who called sudo. The parent folder may
/// belong to another user.
pub(super) fn give_temporary(path: &Path) -> Result<()> {
    let Some((user, group)) = served_user() else { return Ok(()) };
    fchown(open_folder(path)?, Some(user), Some(group))
}

/// Opens a folder. Fails if a symlink is at `path`.
fn open_folder(path: &Path) -> Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(CWD, path, flags, Mode::empty())?.into())
}

/// Makes a program run as the user who called sudo, so that its files belong to this user. If this user does not own
/// one of `folders`, to which the program writes, the program runs as root.
pub fn run_as_served_user<'a>(command: &'a mut Command, folders: &[&Path]) -> &'a mut Command {
    let belongs = |folder: &&Path, user| std::fs::metadata(folder).map_or(true, |folder| folder.uid() == user);
    match served_user() {
        Some((user, group)) if folders.iter().all(|folder| belongs(folder, user)) => command.uid(user).gid(group),
        _ => command,
    }
}

/// Returns true if the file or folder belongs to this user, or to the user who called sudo.
pub fn belongs_to_user(metadata: &Metadata) -> bool {
    metadata.uid() == geteuid().as_raw() || served_user().is_some_and(|(user, _)| metadata.uid() == user)
}

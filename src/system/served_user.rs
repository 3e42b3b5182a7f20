//! The user for whom opctl works as root.

use rustix::process::geteuid;
use std::fs::Metadata;
use std::io::Result;
use std::os::unix::fs::{MetadataExt, lchown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The ids of a user and of the user's group.
type Ids = (u32, u32);

/// Returns the owner of the home folder if this process is root and the owner is not.
fn served_user() -> Option<Ids> {
    static SERVED: OnceLock<Option<Ids>> = OnceLock::new();
    let home = || std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    *SERVED.get_or_init(|| {
        let owner = geteuid().is_root().then(|| std::fs::metadata(home()?).ok()).flatten()?;
        (owner.uid() != 0).then_some((owner.uid(), owner.gid()))
    })
}

/// Gives a file or folder of root's to the user for whom this process works as root. Follows no symlink.
pub fn give_to_served_user(path: &Path) -> Result<()> {
    match served_user() {
        Some((user, group)) if std::fs::symlink_metadata(path)?.uid() == 0 => lchown(path, Some(user), Some(group)),
        _ => Ok(()),
    }
}

/// Lets a program run as the user for whom this process works as root: what it writes is the user's.
pub fn run_as_served_user(command: &mut Command) -> &mut Command {
    match served_user() {
        Some((user, group)) => command.uid(user).gid(group),
        None => command,
    }
}

/// Returns true if the file or folder is this user's, or that of the user for whom this process works as root.
pub fn belongs_to_user(metadata: &Metadata) -> bool {
    metadata.uid() == geteuid().as_raw() || served_user().is_some_and(|(user, _)| metadata.uid() == user)
}

//! Files and folders that opctl makes. By sudo with the user's own home folder (`sudo env "HOME=$HOME" opctl …`), they are
//! the user's and not root's, so that later commands without sudo can replace them.

use super::give_to_served_user as give;
use std::fs::{self, File};
use std::io::{ErrorKind, Result};
use std::path::Path;
use tempfile::TempDir;

/// Makes, or empties, a file.
pub fn create_file(path: impl AsRef<Path>) -> Result<File> {
    let path = path.as_ref();
    let file = File::create(path)?;
    give(path)?;
    Ok(file)
}

/// Writes a file.
pub fn write_file(path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Result<()> {
    let path = path.as_ref();
    fs::write(path, content)?;
    give(path)
}

/// Makes a folder.
pub fn create_folder(path: &Path) -> Result<()> {
    fs::create_dir(path)?;
    give(path)
}

/// Makes a folder, and those above it that are missing.
pub fn create_folders(path: impl AsRef<Path>) -> Result<()> {
    create_missing(path.as_ref(), create_folder)
}

/// Makes a temporary folder in `parent`.
pub fn create_temporary(parent: &Path, prefix: &str) -> Result<TempDir> {
    let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
    give(folder.path())?;
    Ok(folder)
}

/// Makes a folder and those above it that are missing, each by `create`.
pub(super) fn create_missing(path: &Path, create: fn(&Path) -> Result<()>) -> Result<()> {
    let mut made = create(path);
    if let (Err(error), Some(parent)) = (&made, path.parent())
        && error.kind() == ErrorKind::NotFound
    {
        create_missing(parent, create)?;
        made = create(path);
    }
    match made {
        // Another command may make the same folder.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_folders_are_made_and_a_file_is_in_the_way() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a/b/c");
        create_folders(&folder).unwrap();
        create_folders(&folder).unwrap();
        write_file(folder.join("d"), "text").unwrap();
        assert_eq!(create_folders(folder.join("d")).unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert!(create_folders(folder.join("d/e")).is_err());
        assert_eq!(create_folders(Path::new("")).unwrap_err().kind(), ErrorKind::NotFound);
    }
}

//! Creates files and folders. If opctl runs by sudo with the user's own home folder
//! (`sudo env "HOME=$HOME" opctl …`), new files and folders belong to the user and not to root, so that later
//! commands without sudo can replace them. opctl never changes the owner of an existing file: a symlink at its path
//! could lead to any other file.

use super::{give_file, give_folder, give_temporary, open_regular};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Result, Write};
use std::path::Path;
use tempfile::TempDir;

/// Creates or empties a file.
pub fn create_file(path: impl AsRef<Path>) -> Result<File> {
    create_or_empty(path.as_ref(), &mut File::options())
}

/// Creates or empties a file with these options.
pub(super) fn create_or_empty(path: &Path, options: &mut OpenOptions) -> Result<File> {
    match create_new(path, options) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            options.create_new(false).create(true).truncate(true).write(true).open(path)
        }
        made => made,
    }
}

/// Creates a file with these options. Fails if the file exists.
pub(super) fn create_new(path: &Path, options: &mut OpenOptions) -> Result<File> {
    let file = options.write(true).create_new(true).open(path)?;
    give_file(&file, path)?;
    Ok(file)
}

/// Opens a regular file with these options, or creates it. Does not follow symlinks.
pub fn open_or_create(options: &OpenOptions, path: &Path) -> Result<File> {
    let open = || open_regular(&mut options.clone(), path);
    match open() {
        Err(error) if error.kind() == ErrorKind::NotFound => match create_new(path, &mut options.clone()) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => open(),
            made => made,
        },
        opened => opened,
    }
}

/// Creates a file. Fails if the file exists.
pub fn create_new_file(path: &Path) -> Result<File> {
    create_new(path, &mut File::options())
}

/// Writes a file with this content, and replaces an existing file's content.
pub fn write_file(path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Result<()> {
    create_file(path)?.write_all(content.as_ref())
}

/// Copies a regular file with its permissions.
pub fn copy_file(from: &Path, to: &Path) -> Result<()> {
    let (mut source, mut target) = (open_regular(File::options().read(true), from)?, create_file(to)?);
    std::io::copy(&mut source, &mut target)?;
    target.set_permissions(source.metadata()?.permissions())
}

/// Creates a folder.
pub fn create_folder(path: &Path) -> Result<()> {
    fs::create_dir(path)?;
    give_folder(path)
}

/// Creates a folder and its missing parent folders.
pub fn create_folders(path: impl AsRef<Path>) -> Result<()> {
    create_missing(path.as_ref(), create_folder)
}

/// Creates a temporary folder in `parent`.
pub fn create_temporary(parent: &Path, prefix: &str) -> Result<TempDir> {
    let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
    give_temporary(folder.path())?;
    Ok(folder)
}

/// Creates a folder and its missing parent folders with the function `create`.
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

    #[test]
    fn a_file_is_emptied_copied_and_made_once() {
        let root = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| root.path().join(name));
        write_file(&one, "long").unwrap();
        write_file(&one, "new").unwrap();
        copy_file(&one, &other).unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "new");
        assert_eq!(create_new_file(&one).unwrap_err().kind(), ErrorKind::AlreadyExists);
    }
}

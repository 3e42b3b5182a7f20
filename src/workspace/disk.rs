//! The operations that change files, as a trait, so that tests can make each of them fail.

use crate::system;
use std::io::Result;
use std::path::Path;

/// The file system operations of a commit.
pub trait Disk {
    /// Creates one folder.
    fn create_folder(&self, path: &Path) -> Result<()>;
    /// Creates a file with this content. If `like` is given, the file gets the permissions of the file at `like`.
    fn write(&self, path: &Path, content: &str, like: Option<&Path>) -> Result<()>;
    /// Makes the file at `from` also available at `to`, as a hard link or a copy.
    fn keep(&self, from: &Path, to: &Path) -> Result<()>;
    /// Renames a file or a folder, and replaces an existing file at `to`.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;
    /// Removes a file.
    fn remove_file(&self, path: &Path) -> Result<()>;
    /// Removes an empty folder.
    fn remove_folder(&self, path: &Path) -> Result<()>;
}

/// The real file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn create_folder(&self, path: &Path) -> Result<()> {
        system::create_folder(path)
    }

    fn write(&self, path: &Path, content: &str, like: Option<&Path>) -> Result<()> {
        system::write_file(path, content)?;
        match like.map(std::fs::metadata) {
            Some(Ok(metadata)) => std::fs::set_permissions(path, metadata.permissions()),
            _ => Ok(()),
        }
    }

    fn keep(&self, from: &Path, to: &Path) -> Result<()> {
        // Not every file system has hard links.
        std::fs::hard_link(from, to).or_else(|_| system::copy_file(from, to))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        std::fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        std::fs::remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> Result<()> {
        std::fs::remove_dir(path)
    }
}

//! A disk that fails.

use opctl::test_api::workspace::{Disk, RealDisk};
use std::cell::Cell;
use std::fs;
use std::io::{Error, Result};
use std::path::Path;

/// The ways in which the operations of a disk fail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// Only the k-th operation fails.
    Once,
    /// The k-th and all later operations fail, as if the disk or the process were gone.
    FromThenOn,
    /// The k-th operation does half of its work before it fails, and all later ones fail.
    Half,
}

/// A disk whose k-th operation fails, and, depending on `fault`, also all later operations.
pub(crate) struct FailingDisk {
    left: Cell<usize>,
    fault: Fault,
    /// True once an operation has failed.
    pub(crate) failed: Cell<bool>,
}

impl FailingDisk {
    /// Returns a disk on which the first `operations` operations succeed, and the next one fails.
    pub(crate) fn new(operations: usize, fault: Fault) -> Self {
        FailingDisk { left: Cell::new(operations), fault, failed: Cell::new(false) }
    }

    fn step(&self, half: impl FnOnce()) -> Result<()> {
        if self.left.get() > 0 {
            self.left.set(self.left.get() - 1);
            return Ok(());
        }
        if self.failed.replace(true) && self.fault == Fault::Once {
            return Ok(());
        }
        if self.fault == Fault::Half {
            half();
        }
        Err(Error::other("the disk failed"))
    }
}

impl Disk for FailingDisk {
    fn create_folder(&self, path: &Path) -> Result<()> {
        self.step(|| ())?;
        RealDisk.create_folder(path)
    }
    fn write(&self, path: &Path, content: &str, like: Option<&Path>) -> Result<()> {
        self.step(|| drop(fs::write(path, &content[..content.len() / 2])))?;
        RealDisk.write(path, content, like)
    }
    fn keep(&self, from: &Path, to: &Path) -> Result<()> {
        self.step(|| drop(fs::write(to, "")))?;
        RealDisk.keep(from, to)
    }
    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.step(|| ())?;
        RealDisk.rename(from, to)
    }
    fn remove_file(&self, path: &Path) -> Result<()> {
        self.step(|| ())?;
        RealDisk.remove_file(path)
    }
    fn remove_folder(&self, path: &Path) -> Result<()> {
        self.step(|| ())?;
        RealDisk.remove_folder(path)
    }
}

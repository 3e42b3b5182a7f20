//! Partial downloads. If a download is interrupted, the received bytes are kept in a file, and the next download of
//! the same program continues from the end of the file.
//!
//! The file name contains the expected checksum, so that parts of different programs are never combined.

use super::checksum::Checksum;
use crate::error::file_error;
use crate::{Result, system};
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// A folder of partial downloads. Only one process at a time may use a file in the folder.
#[derive(Clone, Debug)]
pub(super) struct Partials {
    folder: PathBuf,
}

impl Partials {
    /// Returns the collection of partial downloads in `folder`, which need not exist.
    pub(super) fn in_folder(folder: PathBuf) -> Self {
        Partials { folder }
    }

    /// Opens the partial download of `name`, or creates an empty one, and computes the digest of the existing bytes.
    pub(super) fn open(&self, name: &str, checksum: &Checksum) -> Result<Partial> {
        system::create_folders(&self.folder).map_err(|error| file_error("make the folder", &self.folder, &error))?;
        let path = self.folder.join(format!("{}-{name}", checksum.beginning()));
        let file = system::open_private(&path).map_err(|error| file_error("write", &path, &error))?;
        let mut partial = Partial { file, path, checksum: checksum.clone(), done: 0 };
        partial.read()?;
        Ok(partial)
    }

    /// Removes the folder and all files in it.
    pub(super) fn prune(&self) {
        // What cannot be removed now is removed after the next setup.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A partially downloaded file. Dropping the value keeps the file.
#[derive(Debug)]
pub(super) struct Partial {
    file: File,
    path: PathBuf,
    checksum: Checksum,
    /// The number of bytes in the file.
    pub(super) done: u64,
}

impl Partial {
    fn read(&mut self) -> Result<()> {
        let mut buffer = vec![0; 128 * 1024];
        loop {
            match self.file.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(count) => {
                    self.checksum.update(&buffer[..count]);
                    self.done += count as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(file_error("read", &self.path, &error)),
            }
        }
    }

    /// Appends bytes to the file.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(|error| file_error("write", &self.path, &error))?;
        self.checksum.update(bytes);
        self.done += bytes.len() as u64;
        Ok(())
    }

    /// Empties the partial file, so that the download starts again.
    pub(super) fn begin_again(&mut self) -> Result<()> {
        use std::io::Seek;
        let emptied = self.file.set_len(0).and_then(|()| self.file.rewind());
        emptied.map_err(|error| file_error("write", &self.path, &error))?;
        self.checksum.reset();
        self.done = 0;
        Ok(())
    }

    /// Returns the checksum of the file if it differs from the expected checksum.
    pub(super) fn wrong_checksum(&self) -> Option<String> {
        self.checksum.wrong_digest()
    }

    /// Moves the file to `target`, which must be on the same file system.
    pub(super) fn finish(self, target: &Path) -> Result<()> {
        let settled = self.file.sync_all().and_then(|()| fs::rename(&self.path, target));
        settled.map_err(|error| file_error("write", target, &error))?;
        self.remove_folder();
        Ok(())
    }

    /// Removes the partial file.
    pub(super) fn remove(self) {
        let _ = fs::remove_file(&self.path);
        self.remove_folder();
    }

    /// Removes the folder if it is empty.
    fn remove_folder(&self) {
        if let Some(folder) = self.path.parent() {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_file_goes_on_where_it_ended_and_begins_again_when_asked() {
        let folder = tempfile::tempdir().unwrap();
        let partials = Partials::in_folder(folder.path().join("partial"));
        let checksum = Checksum::sha256(ABC).unwrap();
        let open = || partials.open("kubelet", &checksum).unwrap();
        open().append(b"ab").unwrap();
        let mut second = open();
        assert_eq!(second.done, 2);
        assert!(second.wrong_checksum().is_some());
        second.append(b"c").unwrap();
        assert_eq!(second.wrong_checksum(), None);
        second.begin_again().unwrap();
        assert_eq!(second.done, 0);
        second.append(b"abc").unwrap();
        assert_eq!(second.wrong_checksum(), None);
        let target = folder.path().join("kubelet");
        second.finish(&target).unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "abc");
        assert_eq!(open().done, 0);
        partials.prune();
        assert!(!folder.path().join("partial").exists());
    }

    #[test]
    fn a_link_in_the_place_of_the_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (partials, checksum) = (Partials::in_folder(folder.path().to_owned()), Checksum::sha256(ABC).unwrap());
        let elsewhere = folder.path().join("elsewhere");
        fs::write(&elsewhere, "kept").unwrap();
        std::os::unix::fs::symlink(&elsewhere, folder.path().join(format!("{}-a", checksum.beginning()))).unwrap();
        partials.open("a", &checksum).unwrap_err();
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "kept");
    }
}

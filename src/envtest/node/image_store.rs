//! Loads images into the container runtime of a node and names them. Refuses images that would fill the disk.

use super::commands::disk_full;
use super::{containerd, crio};
use crate::envtest::container_runtime::ContainerRuntime;
use crate::envtest::failure::size;
use crate::envtest::state::State;
use crate::system;
use crate::{Error, Result};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The number of bytes that must stay free for the control plane when an image is loaded.
const OF_CONTROL_PLANE: u64 = 16_000_000;

/// The number of bytes to read from an archive between two checks of the free space.
const CHECK_INTERVAL: u64 = 1_000_000;

/// The image store of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::envtest) struct ImageStore {
    /// The process id of the first process in the namespaces of the node.
    pub(super) init: u32,
    pub(super) runtime: ContainerRuntime,
    /// The folder of the control plane.
    pub(super) directory: PathBuf,
}

impl ImageStore {
    /// Returns the image store of the node of the control plane in `directory`; `None` if `state` has no node.
    pub(in crate::envtest) fn of(state: &State, directory: &Path) -> Option<Self> {
        let (runtime, directory) = (state.container_runtime, directory.to_owned());
        state.node.map(|init| ImageStore { init, runtime, directory })
    }

    /// Fails if the disk has too little free space for an archive of `archive` bytes: container runtimes store each
    /// layer both as an archive and unpacked. The control plane is on the same disk, and etcd ends if a write fails.
    pub(in crate::envtest) fn check_has_room_for(&self, archive: u64) -> Result<()> {
        self.check_is_free(archive.saturating_mul(2).saturating_add(OF_CONTROL_PLANE))
    }

    fn check_is_free(&self, needed: u64) -> Result<()> {
        match system::free_space(&self.directory) {
            Ok(free) if free < needed => {
                let (more, free) = (size(needed - free), size(free));
                let why = format!("the image and the control plane need {more} more than the {free} of free space");
                Err(disk_full().caused_by(why))
            }
            _ => Ok(()),
        }
    }

    /// Loads the images of an archive in the format of `docker save`. Returns the names of the images.
    ///
    /// # Errors
    /// Fails if the archive would fill the disk, or if the container runtime rejects the archive.
    pub(in crate::envtest) fn import(&self, archive: &mut dyn Read) -> Result<Vec<String>> {
        let mut archive = WithRoom { archive, store: self, read: 0, checked: None, refusal: None };
        let images = match self.runtime {
            ContainerRuntime::Containerd => containerd::import(self.init, &mut archive),
            ContainerRuntime::CriO => crio::import(self.init, &self.directory, &mut archive),
        };
        archive.refusal.map_or(images, Err)
    }

    /// Adds another name to an image.
    pub(in crate::envtest) fn tag(&self, image: &str, name: &str) -> Result<()> {
        match self.runtime {
            ContainerRuntime::Containerd => containerd::tag(self.init, image, name),
            ContainerRuntime::CriO => crio::tag(self.init, &self.directory, image, name),
        }
    }
}

/// A reader of an image archive that fails before the archive fills the disk. The free space is checked during the
/// read, because the length of an archive from a pipe is unknown.
struct WithRoom<'a> {
    archive: &'a mut dyn Read,
    store: &'a ImageStore,
    read: u64,
    /// The number of bytes read at the last check of the free space; `None` before the first check.
    checked: Option<u64>,
    refusal: Option<Error>,
}

impl Read for WithRoom<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.checked.is_none_or(|checked| self.read - checked >= CHECK_INTERVAL) {
            self.checked = Some(self.read);
            // What was read is on the disk, and is unpacked at the end.
            if let Err(error) = self.store.check_is_free(self.read.saturating_add(OF_CONTROL_PLANE)) {
                self.refusal = Some(error);
                return Err(ErrorKind::StorageFull.into());
            }
        }
        let read = self.archive.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_without_room_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().to_owned();
        let store = ImageStore { init: 1, runtime: ContainerRuntime::Containerd, directory };
        store.check_has_room_for(0).unwrap();
        let error = store.check_has_room_for(u64::MAX).unwrap_err();
        assert_eq!(error.message(), "the disk of the node is full");
    }

    #[test]
    fn an_archive_of_unknown_length_ends_where_its_layers_would_fill_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().to_owned();
        let store = ImageStore { init: 1, runtime: ContainerRuntime::Containerd, directory };
        let mut zeros = std::io::repeat(0);
        let mut archive = WithRoom { archive: &mut zeros, store: &store, read: 0, checked: None, refusal: None };
        archive.read_exact(&mut [0; 4096]).unwrap();
        archive.read = u64::MAX / 2;
        let refused = archive.read(&mut [0; 4096]).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::StorageFull);
        assert_eq!(archive.refusal.unwrap().message(), "the disk of the node is full");
    }
}

//! Writes an output file outside of the project, such as the page of `opctl explore --html`. The path is checked early,
//! because the work that produces the content takes minutes.

use crate::Result;
use crate::error::file_error;
use crate::system::create_new_file;
use std::fs::File;
use std::io::{Error, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// A path at which a file can be written.
pub(super) struct OutputFile {
    path: PathBuf,
}

impl OutputFile {
    /// Returns the output file at the path; fails if no file can be written there.
    pub(super) fn at(path: &Path) -> Result<Self> {
        let file = OutputFile { path: path.to_owned() };
        if path.is_dir() {
            return Err(file_error("write", path, &Error::from(ErrorKind::IsADirectory)));
        }
        file.temporary().map(|_| file)
    }

    /// Returns the path that was given to [`OutputFile::at`].
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a temporary file in the output file's folder. The temporary file is removed when the returned value is
    /// dropped.
    fn temporary(&self) -> Result<NamedTempFile<File>> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // The umask decides who may read it, as for any file.
        let made = Builder::new().make_in(folder, create_new_file);
        made.map_err(|error| file_error("write", &self.path, &error))
    }

    /// Writes the file atomically: either all bytes, or nothing.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<()> {
        let failed = |error: Error| file_error("write", &self.path, &error);
        let mut file = self.temporary()?;
        file.write_all(bytes).map_err(failed)?;
        file.persist(&self.path).map(drop).map_err(|error| failed(error.error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_place_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("found.html");
        let file = OutputFile::at(&path).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        file.write(b"found").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"found");
        for path in [folder.path().to_owned(), folder.path().join("missing/found.html")] {
            let error = OutputFile::at(&path).err().unwrap();
            assert!(error.message().starts_with("cannot write `"), "{error}");
        }
    }
}

//! The page of `--html`. Its place is checked before the exploration, which takes minutes.

use crate::Result;
use crate::cli::context::Context;
use crate::error::file_error;
use crate::explore::{Summary, page};
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// A place where a page can be written.
pub(super) struct Page {
    path: PathBuf,
}

impl Page {
    /// Fails if no page can be written at the path.
    pub(super) fn at(path: &Path) -> Result<Page> {
        let page = Page { path: path.to_owned() };
        if path.is_dir() {
            let error = std::io::Error::from(std::io::ErrorKind::IsADirectory);
            return Err(file_error("write", path, &error));
        }
        page.temporary().map(|_| page)
    }

    /// Creates a temporary file beside the page, which is removed when the returned value is dropped.
    fn temporary(&self) -> Result<NamedTempFile<File>> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // The umask decides who may read the page, as for any file.
        let made = Builder::new().make_in(folder, |path| File::create_new(path));
        made.map_err(|error| file_error("write", &self.path, &error))
    }

    /// Writes the page: all of it or nothing.
    pub(super) fn write(&self, summary: &Summary, context: &Context) -> Result<()> {
        let folder = std::path::absolute(&context.directory).unwrap_or_else(|_| context.directory.clone());
        let operator = folder.file_name().unwrap_or_default().to_string_lossy();
        let failed = |error: std::io::Error| file_error("write", &self.path, &error);
        let mut file = self.temporary()?;
        file.write_all(page(summary, &operator).as_bytes()).map_err(failed)?;
        file.persist(&self.path).map_err(|error| failed(error.error))?;
        context.console.status("Wrote", self.path.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_a_place_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Page::at(&folder.path().join("found.html")).is_ok());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        for path in [folder.path().to_owned(), folder.path().join("missing/found.html")] {
            let error = Page::at(&path).err().unwrap();
            assert!(error.message().starts_with("cannot write `"), "{error}");
        }
    }
}

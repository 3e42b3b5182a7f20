//! A snapshot of the files that an operator is built from.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A snapshot of all input files: the path of each file, with its modification time (if known) and its size. opctl
/// compares snapshots instead of waiting for events of the file system, because a comparison is fast, and works on
/// every file system and with every editor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inputs(BTreeMap<PathBuf, (Option<SystemTime>, u64)>);

impl Inputs {
    /// Takes a snapshot of the files below `root` and of `others`, the paths of further source files that cargo names.
    pub(super) fn now(root: &Path, others: &[PathBuf]) -> Self {
        let mut inputs = Inputs::default();
        inputs.collect(root);
        for file in others {
            inputs.add(file.clone());
        }
        inputs
    }

    /// Returns the path of the first input that was added, removed or changed since `before`; `None` if the snapshots
    /// are equal.
    pub(super) fn first_changed_file<'a>(&'a self, before: &'a Inputs) -> Option<&'a Path> {
        let differs = |path: &&PathBuf| self.0.get(*path) != before.0.get(*path);
        self.0.keys().chain(before.0.keys()).find(differs).map(PathBuf::as_path)
    }

    /// Adds the files of the snapshot `others` that this snapshot lacks, and returns the result.
    pub(super) fn with_new(mut self, others: &Inputs) -> Self {
        for (path, state) in &others.0 {
            self.0.entry(path.clone()).or_insert(*state);
        }
        self
    }

    fn collect(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            // Cargo marks its target folders by this file (https://bford.info/cachedir/).
            let built = is_folder && path.join("CACHEDIR.TAG").exists();
            let own = name == ".cargo" || !name.starts_with('.');
            if is_folder && own && !built {
                self.collect(&path);
            } else if !is_folder && (is_source(&path) || name.starts_with("rust-toolchain")) {
                self.add(path);
            }
        }
    }

    fn add(&mut self, path: PathBuf) {
        let Ok(metadata) = fs::metadata(&path) else { return };
        self.0.insert(path, (metadata.modified().ok(), metadata.len()));
    }
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["rs", "toml", "lock"].iter().any(|known| extension == *known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_count_and_what_is_built_does_not() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for path in ["src/main.rs", "Cargo.toml", ".cargo/config.toml", "target/debug/x.rs", "target/CACHEDIR.TAG"] {
            write(path, "");
        }
        let before = Inputs::now(root.path(), &[]);
        for path in ["target/debug/y.rs", ".git/z.rs", "config/crd/bases/a.yaml", "README.md"] {
            write(path, "");
        }
        assert_eq!(Inputs::now(root.path(), &[]), before);
        for path in ["src/main.rs", ".cargo/config.toml", "api/src/lib.rs"] {
            write(path, "changed");
            let after = Inputs::now(root.path(), &[]);
            assert!(after.first_changed_file(&before).is_some(), "{path}");
            assert_eq!(before.first_changed_file(&after), after.first_changed_file(&before));
            write(path, "");
        }
        fs::remove_file(root.path().join("Cargo.toml")).unwrap();
        assert!(Inputs::now(root.path(), &[]).first_changed_file(&before).is_some());
    }

    #[test]
    fn a_changed_file_that_the_program_includes_is_noticed() {
        let root = tempfile::tempdir().unwrap();
        let included = root.path().join("page.html");
        fs::write(&included, "").unwrap();
        let before = Inputs::now(root.path(), std::slice::from_ref(&included));
        fs::write(&included, "changed").unwrap();
        let after = Inputs::now(root.path(), std::slice::from_ref(&included));
        assert_eq!(after.first_changed_file(&before), Some(included.as_path()));
    }
}

//! Creates, recognizes and removes opctl's cache folder, a subfolder of cargo's target folder in which opctl compiles
//! programs. A marker file distinguishes the cache folder from other folders of the same name.

use crate::reading::{self, Limit};
use crate::system;
use std::fs;
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

/// The file that marks opctl's cache folder and tells backup programs to skip it (<https://bford.info/cachedir/>).
pub const CACHE_MARK: &str = "CACHEDIR.TAG";

/// The content of the file [`CACHE_MARK`], which differs from the content that other programs write.
const TEXT: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# opctl compiles here; `opctl cache clean` removes the folder.\n";

/// Returns the path of opctl's cache folder below cargo's target folder.
pub fn cache_folder(target: &Path) -> PathBuf {
    target.join("opctl")
}

/// Creates the cache folder and writes the marker file into it. Writes no marker file if the folder already
/// contains files that do not belong to opctl, because opctl did not create such a folder.
pub fn make_cache_folder(folder: &Path) -> Result<()> {
    system::create_folders(folder)?;
    if is_marked(folder) || !foreign_names(folder)?.is_empty() {
        return Ok(());
    }
    system::write_file(folder.join(CACHE_MARK), TEXT)
}

/// Returns true if the folder contains opctl's marker file, which shows that opctl created the folder.
pub fn is_cache_folder(folder: &Path) -> bool {
    fs::symlink_metadata(folder).is_ok_and(|there| there.is_dir()) && is_marked(folder)
}

/// Removes the files of opctl from the folder, and then the folder if no other file is in it. Follows no symlink.
pub fn remove_cache_folder(folder: &Path) -> Result<()> {
    for name in names(folder)?.iter().filter(|name| is_own(name)) {
        let path = folder.join(name);
        if fs::symlink_metadata(&path)?.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
    }
    match fs::remove_dir(folder) {
        Err(error) if error.kind() != ErrorKind::DirectoryNotEmpty => Err(error),
        _ => Ok(()),
    }
}

fn is_marked(folder: &Path) -> bool {
    let mark = folder.join(CACHE_MARK);
    fs::symlink_metadata(&mark).is_ok_and(|there| there.is_file() && there.len() == TEXT.len() as u64)
        && reading::content(&mark, Limit::Settings).is_ok_and(|text| text == TEXT.as_bytes())
}

fn foreign_names(folder: &Path) -> Result<Vec<String>> {
    Ok(names(folder)?.into_iter().filter(|name| !is_own(name)).collect())
}

fn names(folder: &Path) -> Result<Vec<String>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

fn is_own(name: &str) -> bool {
    name == "target" || name == "from" || name == CACHE_MARK || name.starts_with("opctl-shim-")
}

#[cfg(test)]
mod tests {
    use super::{CACHE_MARK, cache_folder, is_cache_folder, make_cache_folder, remove_cache_folder};
    use std::fs;

    #[test]
    fn only_what_opctl_made_is_removed() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = cache_folder(place.path());
        assert!(!is_cache_folder(&folder));
        for _ in 0..2 {
            make_cache_folder(&folder).expect("made");
            assert!(is_cache_folder(&folder));
        }
        fs::create_dir_all(folder.join("target/debug")).expect("made");
        fs::create_dir_all(folder.join("opctl-shim-0123")).expect("made");
        fs::write(folder.join("mine"), "").expect("written");
        remove_cache_folder(&folder).expect("removed");
        assert_eq!(super::names(&folder).expect("listed"), ["mine"]);
        // It is not opctl's any more.
        make_cache_folder(&folder).expect("there");
        assert!(!is_cache_folder(&folder));
        fs::write(folder.join(CACHE_MARK), "Signature: 8a477f597d28d172789f06886806bc55\n# cargo\n").expect("written");
        assert!(!is_cache_folder(&folder));
        fs::remove_file(folder.join(CACHE_MARK)).expect("removed");
        fs::remove_file(folder.join("mine")).expect("removed");
        // A folder of an earlier opctl, which knew no mark.
        fs::create_dir(folder.join("target")).expect("made");
        make_cache_folder(&folder).expect("marked");
        remove_cache_folder(&folder).expect("removed");
        assert!(!folder.exists());
    }
}

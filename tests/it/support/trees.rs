//! The tree below a folder as a value that can be compared and copied.

use super::text;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Entries by path: the content of files, `→ target` for symlinks, and an empty value for folders.
pub(crate) type Tree = BTreeMap<String, Vec<u8>>;

/// Returns everything below `root`.
pub(crate) fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    collect(root, root, &mut tree);
    tree
}

/// Returns everything below `root` except the file `.opctl/lock`. If `.opctl` contains only this file, `.opctl` is also
/// left out.
pub(crate) fn content(root: &Path) -> Tree {
    let mut tree = tree(root);
    tree.remove(".opctl/lock");
    if !tree.keys().any(|path| path.starts_with(".opctl/") && path != ".opctl/") {
        tree.remove(".opctl/");
    }
    tree
}

fn collect(root: &Path, folder: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.is_symlink() {
            tree.insert(name, format!("→ {}", fs::read_link(&path).unwrap().display()).into_bytes());
        } else if metadata.is_dir() {
            tree.insert(format!("{name}/"), Vec::new());
            collect(root, &path, tree);
        } else if metadata.is_file() {
            tree.insert(name, fs::read(&path).unwrap());
        } else {
            tree.insert(name, b"neither a file nor a folder".into());
        }
    }
}

/// Fails if two trees differ. The message shows only the differences.
#[track_caller]
pub(crate) fn assert_same(left: &Tree, right: &Tree, what: &str) {
    let differences = differences(left, right);
    assert!(differences.is_empty(), "{what}:\n{}", differences.join("\n"));
}

/// Returns an entry for each path at which two trees differ.
pub(crate) fn differences(left: &Tree, right: &Tree) -> Vec<String> {
    let paths: std::collections::BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    let differ = paths.into_iter().filter(|path| left.get(*path) != right.get(*path));
    differ
        .map(|path| match (left.get(path), right.get(path)) {
            (Some(left), Some(right)) => {
                let (left, right) = (text(left), text(right));
                let diff = similar::TextDiff::from_lines(&left, &right).unified_diff().context_radius(1).to_string();
                format!("~ {path}\n{diff}")
            }
            (Some(_), None) => format!("- {path}"),
            _ => format!("+ {path}"),
        })
        .collect()
}

/// Copies everything below `from` to `to`, and symlinks as symlinks.
pub(crate) fn lay(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.is_dir() {
            lay(&path, &target);
            continue;
        }
        let _ = fs::remove_file(&target);
        let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        let source = fs::canonicalize(&path).ok().filter(|source| source.starts_with(&templates));
        if let Some(runtime) = source.filter(|_| metadata.is_symlink()) {
            lay(&runtime, &target); // that of a golden project
            continue;
        }
        if metadata.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&path).unwrap(), &target).unwrap();
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Replaces text in a file, which must contain it.
#[track_caller]
pub(crate) fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(text.contains(from), "{from:?} is not in {}", path.display());
    fs::write(path, text.replace(from, to)).unwrap();
}

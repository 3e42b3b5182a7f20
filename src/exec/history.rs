//! Earlier versions of files, from the history of a git repository.

use super::git_objects::{Git, Objects};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Searches the git history of the files at `paths`, newest version first, and returns for each file the newest
/// version that `is_it` accepts. Stops as soon as such a version of each file is found. Returns an empty map
/// without git or without a repository.
pub fn earlier_versions(
    root: &Path,
    paths: &BTreeSet<String>,
    is_it: &dyn Fn(&str, &str) -> bool,
) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    if !paths.is_empty() {
        // A failure of git only ends the search.
        let _ = search(root, paths, is_it, &mut found);
    }
    found
}

fn search(
    root: &Path,
    paths: &BTreeSet<String>,
    is_it: &dyn Fn(&str, &str) -> bool,
    found: &mut BTreeMap<String, String>,
) -> std::io::Result<()> {
    let log = [
        "log",
        "--full-history",
        "-m",
        "--format=",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--relative",
        "HEAD",
        "--",
    ];
    let mut log = Git::start(root, &log, paths)?;
    let mut objects = Objects::open(root)?;
    let mut seen = BTreeSet::new();
    for line in BufReader::new(log.output()?).lines() {
        let line = line?;
        // A line has two modes, two objects and a letter, then the path.
        let Some((head, path)) = line.split_once('\t') else { continue };
        let Some(object) = head.split(' ').nth(3) else { continue };
        let is_new =
            paths.contains(path) && !found.contains_key(path) && seen.insert((path.to_owned(), object.to_owned()));
        if !is_new || object.bytes().all(|digit| digit == b'0') {
            continue;
        }
        if let Some(text) = objects.text(object)?.filter(|text| is_it(path, text)) {
            found.insert(path.to_owned(), text);
            if found.len() == paths.len() {
                break;
            }
        }
    }
    Ok(())
}

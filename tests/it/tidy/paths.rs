//! Paths in comments lead to files: of this repository, or of a project that opctl made.

use regex::Regex;
use std::path::Path;

/// Folders with projects. A comment may name a file in one of these projects by its path relative to the project.
const PROJECTS: [&str; 3] = ["testdata/golden", "testdata/earlier", "testdata/explore"];

#[test]
fn comments_name_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let projects: Vec<_> = PROJECTS.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap()).collect();
    let projects: Vec<_> = projects.into_iter().map(|entry| entry.unwrap().path()).collect();
    let exists = |path: &str| root.join(path).exists() || projects.iter().any(|project| project.join(path).exists());
    let path =
        Regex::new(r"`((?:src|templates|testdata|tests/(?:figures|fuzz|it|runtime))/[\w./-]+\.[a-z]+)`").unwrap();
    let mut missing = Vec::new();
    for (file, text) in super::files("src").into_iter().chain(super::files("tests")) {
        for line in text.lines().filter(|line| line.trim_start().starts_with("//")) {
            let named = path.captures_iter(line).map(|found| found.get(1).unwrap().as_str());
            missing.extend(named.filter(|named| !exists(named)).map(|named| format!("{file}: `{named}`")));
        }
    }
    assert_eq!(missing, [""; 0], "rename these paths in the comments");
}

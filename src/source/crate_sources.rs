//! Reads the Rust sources of all crates of a project.

use super::cargo_manifest::read_manifest;
use super::test_code;
use crate::reading;
use crate::syntax;
use crate::{Result, conflict, error::file_error};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item};

/// A Rust source file.
pub(crate) struct Source {
    /// The path of the file, relative to the project.
    pub(crate) file: PathBuf,
    pub(crate) text: String,
    /// The syntax tree; `None` if the file is not valid Rust, which the compiler reports.
    pub(crate) syntax: Option<syn::File>,
}

impl Source {
    /// Returns the text with spaces in place of test code.
    pub(crate) fn without_tests(&self) -> Cow<'_, str> {
        match &self.syntax {
            Some(syntax) => test_code::blank_out_tests(&self.text, syntax),
            None => Cow::Borrowed(&self.text),
        }
    }
}

/// The texts of the files that opctl generated. A crate whose files all have these texts was not edited by the user.
#[derive(Default)]
pub(crate) struct GeneratedFiles {
    /// The generated texts, by path relative to the project.
    pub(crate) texts: BTreeMap<&'static Path, &'static str>,
    /// The files that opctl reads even if the user did not edit the crate that contains them.
    pub(crate) read: &'static [&'static str],
}

impl GeneratedFiles {
    /// Returns true if opctl generated all of these files and the user edited no file.
    fn is_unedited(&self, files: &[(PathBuf, String)]) -> bool {
        files.iter().all(|(file, text)| self.texts.get(file.as_path()) == Some(&text.as_str()))
    }
}

/// Reads the files below `src` of the root package, of the crates at `apis`, and of all other workspace members,
/// without the files of `#[cfg(test)]` modules. If the user did not edit a crate that opctl generated, only the files
/// in `made.read` are read. The files of a crate are sorted by path.
pub(crate) fn read_sources(root: &Path, apis: &[&Path], made: &GeneratedFiles) -> Result<Vec<Source>> {
    let mut crates = vec![PathBuf::new()];
    for member in apis.iter().map(|api| (*api).to_owned()).chain(members(root)?) {
        if !crates.contains(&member) {
            crates.push(member);
        }
    }
    let mut sources: Vec<Source> = Vec::new();
    for member in crates {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        for file in rust_files(root, &member.join("src"))? {
            let text = reading::rust_within(root, &file);
            let text = text.map_err(|error| file_error("read", &root.join(&file), &error))?;
            files.push((file, text));
        }
        if made.is_unedited(&files) {
            files.retain(|(file, _)| made.read.iter().any(|read| file == Path::new(read)));
        }
        for (file, text) in files {
            let syntax = syntax::parse_file(&text).ok();
            if syntax.is_none() {
                conflict::check(&file.display().to_string(), &text)?;
            }
            sources.push(Source { file, text, syntax });
        }
    }
    let mut for_tests = BTreeSet::new();
    for source in &sources {
        if let Some(syntax) = &source.syntax {
            for_tests.extend(test_code::modules(&source.file, syntax));
        }
    }
    sources.retain(|source| !for_tests.iter().any(|place| source.file.starts_with(place)));
    Ok(sources)
}

/// Returns the workspace members at `root` other than the root package (The Cargo Book, "Workspaces"): the entries of
/// `members`, which may have `*` in the last part, and the root package's path dependencies below the root. Omits the
/// entries of `exclude`.
fn members(root: &Path) -> Result<Vec<PathBuf>> {
    if !root.join("Cargo.toml").is_file() {
        return Ok(Vec::new());
    }
    let manifest = read_manifest(&root.join("Cargo.toml"))?;
    let workspace = |key: &str| texts(manifest.get("workspace").and_then(|workspace| workspace.get(key)));
    let mut members = Vec::new();
    for pattern in workspace("members").into_iter().chain(paths_of_dependencies(&manifest)) {
        let pattern = PathBuf::from(pattern.trim_start_matches("./").trim_end_matches('/'));
        let (folder, last) = (pattern.parent().unwrap_or(Path::new("")), pattern.file_name().unwrap_or_default());
        let Some((before, after)) = last.to_str().and_then(|last| last.split_once('*')) else {
            members.push(pattern);
            continue;
        };
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = entries
            .filter(|entry| {
                entry.file_name().to_str().is_some_and(|name| name.starts_with(before) && name.ends_with(after))
            })
            .map(|entry| folder.join(entry.file_name()))
            .filter(|member| root.join(member).join("Cargo.toml").is_file())
            .collect();
        found.sort();
        members.extend(found);
    }
    let excluded = workspace("exclude");
    members.retain(|member| !excluded.iter().any(|excluded| member.starts_with(excluded)));
    // Folders above the project belong to another project.
    members.retain(|member| member.components().all(|part| matches!(part, std::path::Component::Normal(_))));
    Ok(members)
}

fn texts(item: Option<&Item>) -> Vec<String> {
    let array = item.and_then(Item::as_array);
    array.into_iter().flatten().filter_map(|value| value.as_str()).map(str::to_owned).collect()
}

fn paths_of_dependencies(manifest: &DocumentMut) -> Vec<String> {
    let dependencies = manifest.get("dependencies").and_then(Item::as_table_like);
    let each = dependencies.into_iter().flat_map(|table| table.iter());
    each.filter_map(|(_, dependency)| dependency.get("path")?.as_str().map(str::to_owned)).collect()
}

/// Returns the paths of all Rust files below a folder, relative to the project and sorted.
pub(crate) fn rust_files(root: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut next = vec![folder.to_owned()];
    while let Some(folder) = next.pop() {
        let entries = match fs::read_dir(root.join(&folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(file_error("read", &folder, &error)),
        };
        for entry in entries.flatten() {
            let path = folder.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => next.push(path),
                Ok(_) if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_that_nobody_edited_is_read_where_it_is_needed() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            fs::write(path, text).expect("writable");
        };
        write("Cargo.toml", "[workspace]\nmembers = [\"runtime\"]\n");
        write("src/main.rs", "fn main() {}");
        write("runtime/src/lib.rs", "mod lease;\n");
        write("runtime/src/lease.rs", "");
        let made = GeneratedFiles {
            texts: BTreeMap::from([
                (Path::new("runtime/src/lib.rs"), "mod lease;\n"),
                (Path::new("runtime/src/lease.rs"), ""),
            ]),
            read: &["runtime/src/lease.rs"],
        };
        let read = || {
            let sources = read_sources(root.path(), &[Path::new("api")], &made).expect("readable");
            sources.iter().map(|source| source.file.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(read(), ["src/main.rs", "runtime/src/lease.rs"]);
        write("runtime/src/lib.rs", "mod lease;\npub fn mine() {}\n");
        assert_eq!(read(), ["src/main.rs", "runtime/src/lease.rs", "runtime/src/lib.rs"]);
        write("runtime/src/lib.rs", "mod lease;\n");
        write("runtime/src/mine.rs", "");
        assert_eq!(read(), ["src/main.rs", "runtime/src/lease.rs", "runtime/src/lib.rs", "runtime/src/mine.rs"]);
    }
}

//! Writes the files of a commit into a folder.
//!
//! `git worktree` and `git archive` run the programs that a repository's configuration names: filters, hooks, file
//! system monitors. So opctl only reads the names and contents of the files with git, and writes the files itself.

use super::git_command;
use super::git_objects::Objects;
use crate::error::{file_error, hint};
use crate::{Error, Result, system};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The maximum number of files in a commit; `BYTES` is the maximum of their total size.
const FILES: usize = 100_000;
const BYTES: u64 = 1 << 30;
/// The git mode of an executable file.
const PROGRAM: &str = "100755";
const FILE: &str = "100644";

/// A file of a commit.
struct Entry {
    is_program: bool,
    object: String,
    path: PathBuf,
}

/// Writes the files of a commit into the folder `place/<commit>`, unless the folder exists. `reference` names the
/// commit, in the git repository that contains `root`. Omits symlinks and submodules. Returns the path in the written
/// folder that corresponds to `root` in the repository.
///
/// # Errors
/// Fails if git, the repository or the reference is missing, the commit is too large, or a file cannot be written.
pub fn checkout(root: &Path, reference: &str, place: &Path) -> Result<PathBuf> {
    let wanted = format!("{reference}^{{commit}}");
    let commit =
        if reference.starts_with('-') { None } else { git(root, &["rev-parse", "--verify", "--quiet", &wanted])? };
    let Some(commit) = commit else { return Err(unknown_reference_error(root, reference)?) };
    let prefix = git(root, &["rev-parse", "--show-prefix"])?.unwrap_or_default();
    let (commit, prefix) = (commit.trim(), prefix.trim_end());
    let folder = place.join(commit);
    if !folder.is_dir() {
        let listed = git(root, &["ls-tree", "-r", "-z", "-l", "--full-tree", commit])?.unwrap_or_default();
        let entries = entries(&listed, reference)?;
        system::create_folders(place).map_err(|error| file_error("write", place, &error))?;
        let partial = system::create_temporary(place, "partial-");
        let partial = partial.map_err(|error| file_error("write", place, &error))?;
        write(root, reference, &entries, partial.path())?;
        // Another opctl may have been faster.
        if let Err(error) = fs::rename(partial.path(), &folder)
            && !folder.is_dir()
        {
            return Err(file_error("write", &folder, &error));
        }
    }
    Ok(folder.join(prefix))
}

/// Returns the files in the output of `git ls-tree`.
fn entries(listed: &str, reference: &str) -> Result<Vec<Entry>> {
    let (mut entries, mut bytes) = (Vec::new(), 0);
    for line in listed.split('\0').filter(|line| !line.is_empty()) {
        // Mode, kind, object and size, then the path.
        let Some((head, path)) = line.split_once('\t') else { continue };
        let fields: Vec<&str> = head.split_whitespace().collect();
        let [mode, _, object, size] = fields[..] else { continue };
        if ![FILE, PROGRAM].contains(&mode) {
            continue;
        }
        if !is_safe(Path::new(path)) {
            return Err(Error::user(format!("`{reference}` has a file that cannot be checked out: `{path}`"))
                .caused_by("the file would be outside of the checkout folder, or in a `.git` folder"));
        }
        bytes += size.parse::<u64>().unwrap_or(BYTES);
        entries.push(Entry { is_program: mode == PROGRAM, object: object.to_owned(), path: path.into() });
        if entries.len() > FILES || bytes > BYTES {
            return Err(Error::user(format!("`{reference}` is too large to check out"))
                .caused_by(format!("the limits are {FILES} files and {} MiB", BYTES >> 20)));
        }
    }
    Ok(entries)
}

/// Returns true for a path that stays within its folder and has no component `.git`.
fn is_safe(path: &Path) -> bool {
    let is_plain = |part: Component<'_>| match part {
        Component::Normal(name) => !name.eq_ignore_ascii_case(".git"),
        _ => false,
    };
    path.components().all(is_plain)
}

fn write(root: &Path, reference: &str, entries: &[Entry], folder: &Path) -> Result<()> {
    let unreadable = |why: &str| {
        Error::environment(format!("git cannot show the files at `{reference}`")).caused_by(why).hint(
            "git fsck    # checks the repository for damage; in a partial clone, run `git fetch` to get missing \
                   files",
        )
    };
    let mut objects = Objects::open(root).map_err(|error| unreadable(&error.to_string()))?;
    for Entry { is_program, object, path } in entries {
        let content = objects.bytes(object).map_err(|error| unreadable(&error.to_string()))?;
        let content = content.ok_or_else(|| unreadable(&format!("`{}` is missing, or too large", path.display())))?;
        let path = folder.join(path);
        let failed = |error: std::io::Error| file_error("write", &path, &error);
        system::create_folders(path.parent().unwrap_or(folder)).map_err(failed)?;
        system::write_file(&path, content).map_err(failed)?;
        if *is_program {
            system::set_mode(&path, 0o755).map_err(failed)?;
        }
    }
    Ok(())
}

fn unknown_reference_error(root: &Path, reference: &str) -> Result<Error> {
    if git(root, &["rev-parse", "--git-dir"])?.is_none() {
        return Ok(Error::user(format!(
            "`--from {reference}` names a git reference, but the project folder `{}` is not in a git repository",
            root.display()
        ))
        .hint("opctl explore --from-command ./old --from-crds old/crds    # for a version that is already built"));
    }
    let name = reference.strip_prefix("origin/").unwrap_or(reference);
    Ok(Error::user(format!("`{reference}` is not a commit, branch or tag that git knows here")).hint(hint!(
        "git fetch --tags origin {name}    # fetches the branch or tag from the remote; `git tag` lists \
                     the local tags",
        name
    )))
}

/// Runs git and returns its output; `None` if git fails.
fn git(root: &Path, arguments: &[&str]) -> Result<Option<String>> {
    let output = git_command::git(root).args(arguments).output().map_err(|error| {
        Error::environment("cannot start `git`").source(&error).hint(
            "git --version    # must succeed; if it fails, \
             reinstall git",
        )
    })?;
    Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leaves_the_folder_is_refused() {
        for (path, safe) in
            [("src/main.rs", true), ("../x", false), ("/x", false), ("a/../b", false), (".GIT/config", false)]
        {
            let listed =
                format!("100644 blob 0123 12\t{path}\0120000 blob 0123 12\tlink\0160000 commit 0123 -\tmodule\0");
            let found = entries(&listed, "v1");
            match found {
                // The link and the module are left out.
                Ok(found) => assert!(safe && found.len() == 1, "{path}"),
                Err(error) => {
                    assert!(!safe, "{path}");
                    assert_eq!(error.message(), format!("`v1` has a file that cannot be checked out: `{path}`"));
                }
            }
        }
        let large = format!("100644 blob 0123 {}\ta\0", BYTES + 1);
        assert_eq!(entries(&large, "v1").err().unwrap().message(), "`v1` is too large to check out");
    }
}

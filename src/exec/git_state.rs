//! The state of git in a working tree: an unfinished operation, such as a merge, and the files in conflict.

use super::git_command;
use crate::error::{Hint, hint};
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

/// The operation that git has begun and not finished in a working tree, if any, such as a merge, rebase,
/// cherry-pick or revert, and the files in conflict.
#[derive(Debug)]
pub struct GitState {
    root: PathBuf,
    /// The stages that git's index contains for each file in conflict, by path below the root. Stage 1 is the base, 2
    /// is ours, 3 is theirs.
    unmerged: BTreeMap<String, Vec<u8>>,
    operation: Option<Operation>,
}

/// An unfinished operation of git, such as a merge.
#[derive(Clone, Copy, Debug)]
struct Operation {
    /// The file or folder in git's folder that exists while the operation is unfinished.
    sign: &'static str,
    /// The name of the commit on the side `theirs` of a conflict, such as `MERGE_HEAD`: its changes are applied.
    theirs: &'static str,
    /// The name of the commit with which `theirs` is compared to get the changes; `None` if git has to look for a merge
    /// base.
    base: Option<&'static str>,
    /// The command that continues the operation.
    next: &'static str,
}

const OPERATIONS: [Operation; 5] = [
    operation("rebase-merge", "REBASE_HEAD", Some("REBASE_HEAD^"), "git rebase --continue"),
    operation("rebase-apply", "REBASE_HEAD", Some("REBASE_HEAD^"), "git rebase --continue"),
    operation("MERGE_HEAD", "MERGE_HEAD", None, "git commit --no-edit"),
    operation("CHERRY_PICK_HEAD", "CHERRY_PICK_HEAD", Some("CHERRY_PICK_HEAD^"), "git cherry-pick --continue"),
    operation("REVERT_HEAD", "REVERT_HEAD^", Some("REVERT_HEAD"), "git revert --continue"),
];

const fn operation(
    sign: &'static str,
    theirs: &'static str,
    base: Option<&'static str>,
    next: &'static str,
) -> Operation {
    Operation { sign, theirs, base, next }
}

impl GitState {
    /// Reads the state of the repository that contains `root`; returns `None` without a repository or without git.
    pub fn of(root: &Path) -> Option<Self> {
        let folder = stdout_of_success(git(root, &["rev-parse", "--git-dir"])?)?;
        let folder = root.join(folder.trim_end());
        let listed = stdout_of_success(git(root, &["ls-files", "--unmerged", "-z"])?)?;
        let mut unmerged: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for entry in listed.split('\0') {
            // An entry has a mode, an object and a stage, then the path.
            let Some((head, path)) = entry.split_once('\t') else { continue };
            let side = head.rsplit(' ').next().and_then(|side| side.parse::<u8>().ok());
            unmerged.entry(path.to_owned()).or_default().extend(side);
        }
        let operation = OPERATIONS.into_iter().find(|operation| folder.join(operation.sign).exists());
        Some(GitState { root: root.to_owned(), unmerged, operation })
    }

    /// Returns true if an operation of git is unfinished, or a file is in conflict.
    pub fn is_open(&self) -> bool {
        self.operation.is_some() || !self.unmerged.is_empty()
    }

    /// Returns the files in conflict, by path below the root.
    pub fn unmerged_files(&self) -> impl Iterator<Item = &str> {
        self.unmerged.keys().map(String::as_str)
    }

    /// Returns true if git says that the file is in conflict.
    pub fn is_unmerged(&self, path: &str) -> bool {
        self.unmerged.contains_key(path)
    }

    /// Returns true if one of the two sides has removed the file in conflict.
    pub fn is_removed(&self, path: &str) -> bool {
        self.unmerged.get(path).is_some_and(|sides| sides.len() < 3 && sides.contains(&1))
    }

    /// Returns the text that a file in conflict has in the common ancestor.
    pub fn base(&self, path: &str) -> Option<String> {
        self.unmerged.get(path)?.contains(&1).then(|| self.text(&format!(":1:./{path}"))).flatten()
    }

    /// Returns the text that a file, in conflict or not, has in the common ancestor.
    pub fn common_ancestor_text(&self, path: &str) -> Option<String> {
        let operation = self.operation?;
        let base = match operation.base {
            Some(base) => base.to_owned(),
            None => stdout_of_success(git(&self.root, &["merge-base", "HEAD", operation.theirs])?)?,
        };
        self.text(&format!("{}:./{path}", base.trim_end()))
    }

    /// Returns the text that a file has on the checked-out side.
    pub fn ours(&self, path: &str) -> Option<String> {
        if self.is_unmerged(path) { self.text(&format!(":2:./{path}")) } else { self.text(&format!("HEAD:./{path}")) }
    }

    /// Returns the text that a file has on the side whose changes the operation applies.
    pub fn theirs(&self, path: &str) -> Option<String> {
        if self.is_unmerged(path) {
            return self.text(&format!(":3:./{path}"));
        }
        self.text(&format!("{}:./{path}", self.operation?.theirs))
    }

    /// Marks the files as resolved in git.
    ///
    /// # Errors
    /// Fails if git refuses to add the files, or if `git add` would run a program from the repository's configuration.
    pub fn add(&self, paths: &[&str]) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        if let Some(runs) = self.programs_of_add(paths) {
            return Err(Error::user("opctl did not mark the files as resolved in git")
                .caused_by(format!(
                    "`git add` would run a program that the configuration of the repository defines: \
                                    {runs}"
                ))
                .hint(hint!("git add {}", Hint::join(paths, " "))));
        }
        let output = git(&self.root, &[&["add", "--all", "--"], paths].concat());
        match output {
            Some(output) if output.status.success() => Ok(()),
            output => {
                let said = output.map(|output| String::from_utf8_lossy(&output.stderr).trim().to_owned());
                Err(Error::environment("`git add` fails")
                    .caused_by(said.unwrap_or_else(|| "git cannot be started".to_owned()))
                    .hint(hint!("git add {}", Hint::join(paths, " "))))
            }
        }
    }

    /// Returns the first program that `git add` would run in addition to git: a filter of one of the files, or a hook.
    fn programs_of_add(&self, paths: &[&str]) -> Option<String> {
        let told = stdout_of_success(git(&self.root, &[&["check-attr", "-z", "filter", "--"], paths].concat())?)?;
        // For each file: its path, `filter`, and the filter's name.
        let fields: Vec<&str> = told.split('\0').collect();
        let named = fields.chunks_exact(3).find(|field| !["unspecified", "unset", "set"].contains(&field[2]));
        if let Some([path, _, filter]) = named {
            return Some(format!("the filter `{filter}` on `{path}`"));
        }
        let hooks =
            stdout_of_success(git(&self.root, &["config", "--name-only", "--get-regexp", r"^hook\..*\.command$"])?)?;
        hooks.lines().next().map(|hook| format!("`{hook}`"))
    }

    /// Returns the command that continues git's operation.
    pub fn next(&self) -> &'static str {
        self.operation.map_or("git commit", |operation| operation.next)
    }

    fn text(&self, object: &str) -> Option<String> {
        stdout_of_success(git(&self.root, &["cat-file", "blob", object])?)
    }
}

/// Runs git; returns `None` if git cannot be started.
fn git(root: &Path, arguments: &[&str]) -> Option<Output> {
    git_command::git(root).args(arguments).output().ok()
}

fn stdout_of_success(output: Output) -> Option<String> {
    output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
}

//! Reads files from a git repository, with git.

use super::git_command;
use crate::error::hint;
use crate::{Error, Result};
use std::path::Path;

/// Returns the files below `folder` in the commit that `reference` names. `folder` is a path relative to `root`. Each
/// file is returned as a pair: the path relative to `root`, and the text.
///
/// # Errors
/// Fails if git, the repository or the reference is missing.
pub fn files_at(root: &Path, reference: &str, folder: &str) -> Result<Vec<(String, String)>> {
    let commit = format!("{reference}^{{commit}}");
    if reference.starts_with('-') || git(root, &["rev-parse", "--verify", "--quiet", &commit])?.is_none() {
        return Err(unknown_reference_error(root, reference)?);
    }
    let listed = git(root, &["ls-tree", "-r", "-z", "--name-only", reference, "--", folder])?.unwrap_or_default();
    let mut files = Vec::new();
    for path in listed.split('\0').filter(|path| !path.is_empty()) {
        // `./` makes the path relative to the folder that git runs in.
        let text = git(root, &["cat-file", "blob", &format!("{reference}:./{path}")])?;
        let text = text.ok_or_else(|| {
            Error::environment(format!("git cannot show `{path}` at `{reference}`")).hint(hint!(
                "git show {}    # fetches the file in a partial clone; otherwise, check the repository for damage \
                 with `git fsck`",
                format!("{reference}:./{path}")
            ))
        })?;
        files.push((path.to_owned(), text));
    }
    Ok(files)
}

fn unknown_reference_error(root: &Path, reference: &str) -> Result<Error> {
    if git(root, &["rev-parse", "--git-dir"])?.is_none() {
        return Ok(Error::user(format!(
            "`{reference}` is not a file, and cannot be a git reference, because the folder `{}` is not in a git \
             repository",
            root.display()
        ))
        .hint("name a file or folder of CRDs, or `cluster` for the CRDs in the current context"));
    }
    let name = reference.strip_prefix("origin/").unwrap_or(reference);
    Ok(Error::user(format!("`{reference}` is neither a file, nor a commit, branch or tag that git knows here")).hint(
        hint!(
            "git fetch --depth=1 origin {name} && opctl manifests --against FETCH_HEAD    # fetches the branch or tag \
             for the comparison; `git branch -a` lists the known branches",
            name
        ),
    ))
}

/// Runs git and returns its output; `None` if git fails.
fn git(root: &Path, arguments: &[&str]) -> Result<Option<String>> {
    let output = git_command::git(root).args(arguments).output().map_err(|error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            Error::environment("`git` is not installed, or not on PATH")
                .hint("install git from https://git-scm.com/downloads; or compare with a file, `--against FILE`")
        } else {
            Error::environment("cannot start `git`").caused_by(error).hint(
                "git --version    # must succeed; if it \
                 fails, reinstall git",
            )
        }
    })?;
    Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
}

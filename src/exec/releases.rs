//! Finds the releases of a git repository, which are tags with a version as their name.

use super::git_command::git;
use std::path::Path;

/// Returns the release tag with the highest version among the tags of earlier commits that the checked-out commit
/// is based on; `None` without git, or if no such tag exists.
pub fn newest_release(root: &Path) -> Option<String> {
    let arguments = ["tag", "--list", "--merged", "HEAD", "--no-contains", "HEAD", "--sort=-version:refname"];
    let output = git(root).args(arguments).output().ok()?;
    let listed = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    listed.lines().find(|tag| is_release(tag)).map(str::to_owned)
}

/// Returns true if `tag` is a version without a pre-release, such as `v1.2.0` or `1.2.0`.
fn is_release(tag: &str) -> bool {
    let numbers: Vec<&str> = tag.strip_prefix('v').unwrap_or(tag).split('.').collect();
    numbers.len() == 3 && numbers.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::is_release;

    #[test]
    fn a_release_has_three_numbers() {
        for (tag, expected) in
            [("v1.2.0", true), ("1.2.0", true), ("v1.2", false), ("v1.2.0-rc.1", false), ("nightly", false)]
        {
            assert_eq!(is_release(tag), expected, "{tag}");
        }
    }
}

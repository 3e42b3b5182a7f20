//! A path within a project.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::borrow::{Borrow, Cow};
use std::ffi::OsStr;
use std::fmt::{Display, Formatter};
use std::ops::Deref;
use std::path::Path;

/// The path of a file or folder of a project: relative to the project's root, with `/` between names. The path
/// never leads out of the project or into git's own folder.
///
/// Text from outside of opctl becomes a [`ProjectPath`] only through [`ProjectPath::parse`]; paths in opctl's own
/// source come from a `&'static str`. Code that accesses the disk checks for symlinks that lead out of the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProjectPath(Cow<'static, str>);

impl ProjectPath {
    /// Checks that the text is a path within a project.
    ///
    /// # Errors
    /// Fails if the text is not a path within a project. The error's first cause is the reason.
    pub fn parse(text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        match refusal(&text) {
            None => Ok(ProjectPath(Cow::Owned(text))),
            Some(reason) => Err(Error::user(format!("`{text}` is not a path within the project"))
                .caused_by(format!("`{text}` {reason}"))
                .hint("write the path relative to the project's folder, with `/` between names: config/samples")),
        }
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path of `name` below this folder. `name` may contain folders.
    ///
    /// # Errors
    /// Fails if the result is not a path within a project.
    pub fn join(&self, name: &str) -> Result<Self> {
        ProjectPath::parse(format!("{}/{name}", self.0))
    }

    /// Returns the folders that contain the path, innermost first, without the project's root.
    pub fn folders(&self) -> impl Iterator<Item = ProjectPath> {
        let ends = self.0.rmatch_indices('/').map(|(end, _)| end);
        ends.map(|end| ProjectPath(Cow::Owned(self.0[..end].to_owned())))
    }
}

/// Returns the reason why `text` is not a path within a project, worded to follow `text` in a sentence.
fn refusal(text: &str) -> Option<&'static str> {
    if text.starts_with('/') || text.contains('\\') || has_drive(text) {
        return Some("leads outside of the project");
    }
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return Some("has a control character in it");
    }
    text.split('/').find_map(|name| match name {
        "" => Some("has an empty path component"),
        "." => Some("has a `.` in it"),
        ".." => Some("leads outside of the project"),
        name if is_gits(name) => Some("is in git's own folder"),
        _ => None,
    })
}

fn has_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Returns true for `.git`, and for other spellings of `.git` that some file systems accept.
fn is_gits(name: &str) -> bool {
    if !matches!(name.as_bytes(), [b'.' | b'g' | b'G', ..]) {
        return false;
    }
    // Windows drops dots and spaces at the end, and has a short name for it.
    let name = name.trim_end_matches(['.', ' ']);
    name.eq_ignore_ascii_case(".git") || name.eq_ignore_ascii_case("git~1")
}

/// Converts a path in opctl's own source. Panics if the path is invalid, which is a defect in opctl.
impl From<&'static str> for ProjectPath {
    fn from(text: &'static str) -> Self {
        assert!(refusal(text).is_none(), "`{text}` is not a path within a project");
        ProjectPath(Cow::Borrowed(text))
    }
}

impl From<&ProjectPath> for ProjectPath {
    fn from(path: &ProjectPath) -> Self {
        path.clone()
    }
}

impl TryFrom<String> for ProjectPath {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        ProjectPath::parse(text)
    }
}

impl From<ProjectPath> for String {
    fn from(path: ProjectPath) -> Self {
        path.0.into_owned()
    }
}

impl Deref for ProjectPath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ProjectPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for ProjectPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl AsRef<Path> for ProjectPath {
    fn as_ref(&self) -> &Path {
        Path::new(self.as_str())
    }
}

impl AsRef<OsStr> for ProjectPath {
    fn as_ref(&self) -> &OsStr {
        OsStr::new(self.as_str())
    }
}

impl PartialEq<String> for ProjectPath {
    fn eq(&self, other: &String) -> bool {
        self.0 == *other
    }
}

impl PartialEq<str> for ProjectPath {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for ProjectPath {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl Display for ProjectPath {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::ProjectPath;

    #[test]
    fn a_path_stays_within_the_project() {
        for path in
            ["PROJECT", "src/main.rs", ".opctl/files.yaml", ".gitignore", ".github/a", "a/..b/c..", "git", "a b/ü", "~"]
        {
            assert_eq!(ProjectPath::parse(path).expect("valid"), path);
        }
        for (path, reason) in [
            ("", "has an empty path component"),
            ("a//b", "has an empty path component"),
            ("a/", "has an empty path component"),
            ("./a", "has a `.` in it"),
            ("a/.", "has a `.` in it"),
            ("..", "leads outside of the project"),
            ("../a", "leads outside of the project"),
            ("a/../../b", "leads outside of the project"),
            ("a/..", "leads outside of the project"),
            ("/etc/passwd", "leads outside of the project"),
            ("//host/share", "leads outside of the project"),
            (r"..\a", "leads outside of the project"),
            (r"a\..\..\b", "leads outside of the project"),
            ("C:", "leads outside of the project"),
            ("c:a", "leads outside of the project"),
            ("C:/a", "leads outside of the project"),
            (".git", "is in git's own folder"),
            (".git/hooks/pre-commit", "is in git's own folder"),
            ("a/.GIT/config", "is in git's own folder"),
            (".git./config", "is in git's own folder"),
            (".Git ./config", "is in git's own folder"),
            ("GIT~1/config", "is in git's own folder"),
            ("a\0b", "has a control character in it"),
            ("a\nb", "has a control character in it"),
        ] {
            let error = ProjectPath::parse(path).expect_err(path);
            assert_eq!(error.message(), format!("`{path}` is not a path within the project"));
            assert_eq!(error.causes(), [format!("`{path}` {reason}")], "{path:?}");
        }
    }

    #[test]
    fn folders_are_those_above() {
        let folders: Vec<String> = ProjectPath::from("a/b/c.rs").folders().map(String::from).collect();
        assert_eq!(folders, ["a/b", "a"]);
        assert_eq!(ProjectPath::from("PROJECT").folders().count(), 0);
    }

    #[test]
    fn a_path_is_read_with_the_same_check() {
        assert_eq!(serde_json::from_str::<ProjectPath>("\"a/b\"").expect("valid"), "a/b");
        assert!(serde_json::from_str::<ProjectPath>("\"../b\"").is_err());
    }
}

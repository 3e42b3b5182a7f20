//! Texts of `PROJECT` that opctl copies into generated files: into TOML, YAML, Rust comments and a Dockerfile. The
//! checks ensure that a text cannot end the string or the comment that contains it.

use super::entries::{damaged, text_of};
use crate::Result;
use crate::model::{is_one_line, repository_url};
use serde_json::{Map, Value};

/// Returns the repository's URL; `None` if `PROJECT` has no URL. Fails if the URL does not have the form that `opctl
/// init` writes.
pub(super) fn repository(document: &Map<String, Value>) -> Result<Option<String>> {
    match document.get("repo").and_then(Value::as_str) {
        Some(url) if repository_url(url).as_deref() != Ok(url) => {
            Err(damaged("`repo` is not the URL of a repository, such as `https://github.com/acme/operator`"))
        }
        url => Ok(url.map(str::to_owned)),
    }
}

/// Returns the version of the opctl that created the project or updated the project last.
pub(super) fn version(document: &Map<String, Value>) -> Result<String> {
    let version = document.get("cliVersion").and_then(Value::as_str).unwrap_or_default();
    let stands = |letter: char| letter.is_ascii_alphanumeric() || ".+-()".contains(letter);
    if version.len() > 100 || !version.chars().all(stands) {
        return Err(damaged("`cliVersion` is not a version"));
    }
    Ok(version.to_owned())
}

/// Returns the text at `key`; `None` if there is no text. Fails if the text is not a single line that can be written in
/// a comment.
pub(super) fn line(ours: &Value, key: &str) -> Result<Option<String>> {
    match text_of(ours, key) {
        Some(text) if !is_one_line(text) => {
            Err(damaged(&format!("`{key}` is empty, longer than 200 bytes or not one line of text")))
        }
        text => Ok(text.map(str::to_owned)),
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Project;

    #[test]
    fn no_text_ends_the_string_or_the_comment_in_which_it_stands() {
        let project = |lines: &str| {
            Project::parse(&format!(
                "version: '3'\nlayout: [rust.opctl.dev/v1]\nprojectName: web\ndomain: example.com\n{lines}\n"
            ))
        };
        let ours = "plugins: {rust.opctl.dev/v1: {license: mit, ";
        for (key, text) in [
            ("repo", "repo: \"https://githu\\\"b.com/acme/x\""),
            ("repo", "repo: \"https://github.com/acme/x\\n[patch]\""),
            ("repo", "repo: https://user:secret@github.com/acme/x"),
            ("cliVersion", "cliVersion: \"0.1.0\\nrun: x\""),
            ("cliVersion", "cliVersion: 0.1.0 && x"),
            ("owner", &format!("{ours}owner: \"A\\npub fn x() {{}}\"}}}}")),
            ("headerYear", &format!("{ours}headerYear: \"2026\\r# x\"}}}}")),
            ("owner", &format!("{ours}owner: ' '}}}}")),
        ] {
            let refused = project(text).unwrap_err();
            assert!(refused.causes().iter().any(|cause| cause.contains(&format!("`{key}`"))), "{text}: {refused:?}");
        }
        let taken = "repo: https://github.com/acme/x\ncliVersion: 0.1.0-rc.1+a\nplugins: {rust.opctl.dev/v1: {owner: Ünïcode & Co}}";
        assert_eq!(project(taken).unwrap().owner.as_deref(), Some("Ünïcode & Co"));
    }
}

//! Finds the remote resources of a kustomization, before kubectl fetches them.

use super::documents::parse;
use crate::error::{file_error, hint};
use crate::reading::{self, Limit};
use crate::{Error, Result};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The handling of a resource that a kustomization names by a URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remote {
    /// The resource is refused.
    #[default]
    Refused,
    /// kubectl fetches the resource.
    Fetched,
}

/// The file names that a kustomization may have.
const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
/// Keys of kustomizations, in lower case, whose values are plain data: kustomize reads no string in them as a URL.
const TEXTS: [&str; 9] = [
    "apiversion",
    "commonannotations",
    "commonlabels",
    "images",
    "labels",
    "literals",
    "patch",
    "vars",
    "buildmetadata",
];

/// Checks the kustomization in `folder`, and the kustomizations in all folders that this kustomization names directly
/// or indirectly, for remote resources.
///
/// # Errors
/// Fails if a kustomization names a resource by a URL or from a git repository, or if a kustomization cannot be read.
pub fn refuse_remote(folder: &Path) -> Result<()> {
    let mut seen = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let real = std::fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        if !seen.insert(real) {
            continue;
        }
        for file in NAMES.map(|name| folder.join(name)) {
            for document in documents(&file)? {
                check(&document, &file, &folder, &mut open)?;
            }
        }
    }
    Ok(())
}

fn documents(file: &Path) -> Result<Vec<Value>> {
    match reading::text(file, Limit::Source) {
        Ok(text) => parse(&text, file),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(file_error("read", file, &error)),
    }
}

/// Fails if a string in `value`, a part of the kustomization `file`, names a remote resource. If a string is the path
/// of a folder below `folder`, adds that folder to `open`, the list of folders that are still to be checked.
fn check(value: &Value, file: &Path, folder: &Path, open: &mut Vec<PathBuf>) -> Result<()> {
    match value {
        Value::Object(entries) => {
            let is_read = |key: &str| !TEXTS.contains(&key.to_ascii_lowercase().as_str());
            entries.iter().filter(|(key, _)| is_read(key)).try_for_each(|(_, value)| check(value, file, folder, open))
        }
        Value::Array(values) => values.iter().try_for_each(|value| check(value, file, folder, open)),
        // The configuration of a plugin, or a patch, may stand in the kustomization itself.
        Value::String(text) if text.contains('\n') => {
            let inner = parse(text, file).unwrap_or_default();
            inner.iter().filter(|inner| !inner.is_string()).try_for_each(|inner| check(inner, file, folder, open))
        }
        Value::String(text) => {
            // A generator may name a file by `key=path`.
            let path = text.split_once('=').map_or(text.as_str(), |(_, path)| path);
            if is_remote(text, folder) || is_remote(path, folder) {
                return Err(remote_resource_error(text, file));
            }
            let path = folder.join(path);
            if path.is_dir() {
                open.push(path);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Returns true if kustomize would fetch `text`: kustomize checks if a text is a URL before it looks for a file.
fn is_remote(text: &str, folder: &Path) -> bool {
    let lower = text.to_ascii_lowercase();
    let begins = ["github.com/", "github.com:", "gh:", "git@", "git::"].iter().any(|start| lower.starts_with(start));
    let holds = ["://", ".git/", ".git?", "?ref=", "?version=", "_git/"].iter().any(|part| lower.contains(part));
    let first = text.split('/').next().unwrap_or_default();
    // Older kustomizes take other hosts without a scheme.
    let is_host =
        text.contains('/') && first.contains('.') && !first.trim_matches('.').is_empty() && !first.starts_with('.');
    begins
        || holds
        || lower.strip_suffix(".git").is_some()
        || (is_host && !folder.join(text).exists() && !folder.join(first).exists())
}

fn remote_resource_error(text: &str, file: &Path) -> Error {
    Error::user(format!("`{text}` in `{}` is a remote resource", file.display()))
        .caused_by("kubectl would fetch the remote resource, whose content can change at any time")
        .hint(hint!(
            "copy the remote resource into the project and list the copy in `{}`; or let `deploy`, `undeploy`, \
             `build-installer` or `bundle` fetch the remote resource with --allow-remote",
            file.display()
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(texts: &[(&str, &str)]) -> Result<()> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in texts {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        refuse_remote(&root.path().join("config/default"))
    }

    #[test]
    fn kustomizations_with_local_resources_are_accepted() {
        for text in [
            "namespace: web\nresources:\n- ../crd\n- ../manager/\n- a.b/c.yaml\n",
            "patches:\n- path: patch.yaml\n  target: {kind: Deployment}\n- patch: |-\n    - op: add\n      path: /a\n      value: https://example.com\n",
            "configMapGenerator:\n- name: a\n  literals: [url=https://example.com]\n  files: [key=a.txt]\n",
            "images:\n- name: controller\n  newName: registry.example.com/web\n",
            "replacements:\n- source: {kind: Service, fieldPath: metadata.name, options: {delimiter: '.'}}\n",
        ] {
            let files = [("config/default/kustomization.yaml", text), ("config/default/a.b/c.yaml", "")];
            checked(&files).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }

    #[test]
    fn remote_resources_of_a_kustomization_are_refused_by_name() {
        for entry in [
            "https://example.com/a.yaml",
            "HTTP://example.com/a.yaml",
            "github.com/example/repository//config?ref=v1",
            "git@github.com:example/repository.git",
            "ssh://git@example.com/repository",
            "git::https://example.com/repository",
            "example.com/repository.git",
            "gitlab.com/example/repository",
            "file:///etc/other",
        ] {
            for text in [
                format!("resources:\n- ../crd\n- {entry}\n"),
                format!("Resources: ['{entry}']\n"),
                format!("components:\n- {entry}\n"),
                format!("patches:\n- path: '{entry}'\n"),
                format!("configMapGenerator:\n- name: a\n  files: ['key={entry}']\n"),
                format!("generators:\n- |-\n  kind: ConfigMapGenerator\n  files: ['{entry}']\n"),
            ] {
                let error = checked(&[("config/default/kustomization.yaml", &text)]).unwrap_err();
                assert!(error.message().contains(entry), "{text}: {error}");
                assert!(error.message().contains("config/default/kustomization.yaml` is a remote resource"), "{error}");
            }
            let text = format!("bases: ['{entry}']\n");
            let default = ("config/default/kustomization.yaml", "resources: [../a]\n");
            let error = checked(&[default, ("config/a/Kustomization", &text)]).unwrap_err();
            assert!(error.message().contains("Kustomization"), "{error}");
        }
    }
}

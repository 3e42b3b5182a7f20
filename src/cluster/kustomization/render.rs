//! Renders kustomizations: simple kustomizations in process, and all others with `kubectl kustomize`.

use super::documents::parse;
use super::remote::{Remote, refuse_remote};
use crate::error::{file_error, hint};
use crate::exec::{NO_KUBECONFIG, kubectl, was_interrupted};
use crate::reading::{self, Limit};
use crate::yaml::characters;
use crate::{Error, Result, conflict, yaml};
use serde_json::{Map, Value};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Returns the objects that `kubectl kustomize` would render from `folder`; refuses resources on other machines.
///
/// # Errors
/// Fails if a file cannot be read or is not YAML, if a resource is on another machine, or if kubectl is needed and is
/// missing or fails.
pub fn objects(folder: &Path) -> Result<Vec<Value>> {
    objects_with(folder, Remote::Refused)
}

/// Returns the objects of `folder` like [`objects`]; `remote` decides about resources on other machines.
///
/// # Errors
/// Fails like [`objects`]; resources on other machines are an error only with [`Remote::Refused`].
pub fn objects_with(folder: &Path, remote: Remote) -> Result<Vec<Value>> {
    let file = folder.join("kustomization.yaml");
    let text = reading::text(&file, Limit::Bundle).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::user(format!("`{}` does not exist", file.display()))
            .caused_by("opctl reads the list of resources to apply from this kustomization file")
            .hint(
                "git checkout config    # or write a kustomization.yaml that lists the manifest files under \
                   `resources:`",
            ),
        _ => file_error("read", &file, &error),
    })?;
    let kustomization = parse(&text, &file)?.into_iter().next().unwrap_or_default();
    let Some(Simple { files, labels }) = Simple::of(&kustomization, folder) else {
        let mut objects = parse(&render_with_kubectl(folder, remote)?, folder)?;
        objects.iter_mut().for_each(without_wrong_namespace);
        return Ok(objects);
    };
    let mut objects = Vec::new();
    for path in files {
        let text = reading::text(&path, Limit::Bundle).map_err(|error| match error.kind() {
            ErrorKind::NotFound => Error::user(format!("`{}` does not exist", path.display()))
                .caused_by(format!("`{}` lists it", file.display()))
                .hint("opctl manifests"),
            _ => file_error("read", &path, &error),
        })?;
        objects.extend(parse(&text, &path)?);
    }
    for object in objects.iter_mut().filter_map(Value::as_object_mut).filter(|_| !labels.is_empty()) {
        let metadata = object.entry("metadata").or_insert_with(|| Map::new().into());
        let Some(metadata) = metadata.as_object_mut() else { continue };
        let own = metadata.entry("labels").or_insert_with(|| Map::new().into());
        if let Some(own) = own.as_object_mut() {
            own.extend(labels.clone());
        }
    }
    Ok(objects)
}

/// Removes the namespace of an admission policy, which is cluster-scoped, but which kustomize treats as namespaced.
fn without_wrong_namespace(object: &mut Value) {
    let is_policy = object["kind"].as_str().is_some_and(|kind| kind.contains("AdmissionPolicy"));
    if is_policy && let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("namespace");
    }
}

/// A kustomization that only lists files and adds labels to the objects in these files, such as the kustomization that
/// `opctl init` creates.
struct Simple {
    files: Vec<PathBuf>,
    labels: Map<String, Value>,
}

impl Simple {
    /// Parses a simple kustomization; returns `None` for any other kustomization.
    fn of(kustomization: &Value, folder: &Path) -> Option<Self> {
        let mut simple = Simple { files: Vec::new(), labels: Map::new() };
        let keys = match kustomization {
            Value::Null => return Some(simple),
            other => other.as_object()?,
        };
        for (key, value) in keys {
            match (key.as_str(), value) {
                // `configurations` says how kustomize changes names and labels; a simple kustomization changes none.
                ("apiVersion" | "kind" | "configurations", _) | ("resources" | "labels", Value::Null) => {}
                ("resources", Value::Array(paths)) => {
                    for path in paths {
                        let path = folder.join(path.as_str()?);
                        // kubectl renders a folder or a URL; the caller reports a missing file.
                        let is_file = path.is_file() || (is_manifest(&path) && !path.exists());
                        simple.files.push(Some(path).filter(|_| is_file)?);
                    }
                }
                ("labels", Value::Array(entries)) => {
                    for entry in entries {
                        let entry = entry.as_object()?;
                        // `includeSelectors` and `includeTemplates` concern other kinds; CRDs have no selectors and
                        // templates.
                        let known = ["pairs", "includeSelectors", "includeTemplates"];
                        if entry.keys().any(|key| !known.contains(&key.as_str())) {
                            return None;
                        }
                        simple.labels.extend(entry.get("pairs")?.as_object()?.clone());
                    }
                }
                _ => return None,
            }
        }
        simple.labels.values().all(Value::is_string).then_some(simple)
    }
}

fn is_manifest(path: &Path) -> bool {
    let url = path.to_string_lossy().contains("://");
    !url && path.extension().is_some_and(|extension| ["yaml", "yml", "json"].iter().any(|own| extension == *own))
}

/// Returns true if opctl renders the kustomization with the content `text` itself, without kubectl.
///
/// # Errors
/// Fails if the text is not YAML, or has conflict markers.
pub fn is_simple_kustomization(text: &str) -> Result<bool> {
    let folder = Path::new("config");
    let kustomization = parse(text, &folder.join("kustomization.yaml"))?.into_iter().next().unwrap_or_default();
    Ok(Simple::of(&kustomization, folder).is_some())
}

fn render_with_kubectl(folder: &Path, remote: Remote) -> Result<String> {
    if remote == Remote::Refused {
        refuse_remote(folder)?;
    }
    let file = folder.join("kustomization.yaml");
    let output = kubectl().arg("kustomize").arg(folder).env("KUBECONFIG", NO_KUBECONFIG).output();
    let output = output.map_err(|error| {
        let error = match error.kind() {
            ErrorKind::NotFound => Error::environment("`kubectl` is not installed, or not on PATH"),
            _ => Error::environment("`kubectl` cannot be run").caused_by(error),
        };
        error
            .caused_by(format!(
                "`{}` does more than list files and set labels, so kubectl has to render it",
                file.display()
            ))
            .hint("install kubectl: https://kubernetes.io/docs/tasks/tools/")
    })?;
    if was_interrupted(output.status) {
        return Err(Error::interrupted("interrupted"));
    }
    if !output.status.success() {
        if let Some(parts) = folder.parent() {
            check_below(parts)?;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim();
        return Err(Error::user(format!("`kubectl kustomize {}` fails", folder.display()))
            .caused_by(said.strip_prefix("error: ").unwrap_or(said))
            .hint(hint!("fix `{}`", file.display())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Fails if a file below `folder` has conflict markers, or a character that kubectl refuses. The check runs after
/// kubectl has failed, because such a file may be the cause, and kubectl's error would only report bad YAML, or print
/// the whole object.
fn check_below(folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            check_below(&path)?;
        } else if let Ok(text) = reading::text(&path, Limit::Bundle) {
            conflict::check(&path.display().to_string(), &text)?;
            check_characters(&path, &text)?;
        }
    }
    Ok(())
}

/// Fails if `text` contains a character that kustomize refuses, written directly or as an escape.
fn check_characters(path: &Path, text: &str) -> Result<()> {
    if !is_manifest(path) {
        return Ok(());
    }
    let values: Vec<Value> = yaml::read(text).unwrap_or_default();
    let written = values.iter().find_map(characters::refused_character);
    let Some(one) = text.chars().find(|one| characters::is_refused(*one)).or(written) else { return Ok(()) };
    let shown = characters::code_point(one);
    Err(Error::user(format!("`{}` contains the character {shown}", path.display()))
        .caused_by("kustomize and kubectl reject or change this character, even if it is written as a YAML escape")
        .hint("remove the character"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses `text` as the kustomization of a test folder that contains only the file `a.yaml`. Returns the number of
    /// listed files and the labels, or `None` if opctl leaves the kustomization to kubectl.
    fn simple(text: &str) -> Option<(usize, String)> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.yaml"), "kind: A\n").unwrap();
        let kustomization = parse(text, folder.path()).unwrap().into_iter().next().unwrap_or_default();
        let simple = Simple::of(&kustomization, folder.path())?;
        Some((simple.files.len(), Value::Object(simple.labels).to_string()))
    }

    #[test]
    fn kustomizations_that_opctl_generates_are_rendered_without_kubectl() {
        for (text, files, labels) in [
            ("", 0, "{}"),
            ("resources:\n# a comment\n", 0, "{}"),
            ("resources:\n- a.yaml\n", 1, "{}"),
            ("resources:\n- missing.yaml\n", 1, "{}"),
            ("resources:\n- a.yaml\nconfigurations:\n- names.yaml\n", 1, "{}"),
            ("kind: Kustomization\nlabels:\n- pairs:\n    a: b\nresources:\n- a.yaml\n", 1, r#"{"a":"b"}"#),
            ("labels:\n- pairs: {a: b}\n- pairs: {c: d}\n  includeSelectors: false\n", 0, r#"{"a":"b","c":"d"}"#),
        ] {
            assert_eq!(simple(text), Some((files, labels.to_owned())), "{text}");
        }
    }

    #[test]
    fn kustomizations_with_other_features_are_left_to_kubectl() {
        for text in [
            "resources:\n- a.yaml\npatches:\n- path: p.yaml\n",
            "resources:\n- ../base\n",
            "resources:\n- https://example.com/a.yaml\n",
            "namePrefix: x-\n",
            "labels:\n- pairs: {a: b}\n  fields: [{path: spec/x}]\n",
            "labels: {a: b}\n",
            "labels:\n- pairs: {a: 1}\n",
        ] {
            assert_eq!(simple(text), None, "{text}");
        }
    }

    #[test]
    fn a_missing_file_is_named_with_the_fix() {
        let folder = tempfile::tempdir().unwrap();
        let error = objects(folder.path()).unwrap_err();
        assert!(error.message().ends_with("kustomization.yaml` does not exist"), "{error}");
        std::fs::write(folder.path().join("kustomization.yaml"), "resources:\n- bases/a.yaml\n").unwrap();
        let error = objects(folder.path()).unwrap_err();
        assert!(error.message().ends_with("bases/a.yaml` does not exist"), "{error}");
        assert_eq!(error.hint_text(), Some("opctl manifests"));
    }

    #[test]
    fn conflict_markers_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let text = "resources:\n<<<<<<< HEAD\n- a.yaml\n=======\n- b.yaml\n>>>>>>> branch\n";
        std::fs::write(folder.path().join("kustomization.yaml"), text).unwrap();
        let error = objects(folder.path()).unwrap_err();
        assert!(error.message().ends_with("kustomization.yaml` has git conflict markers at line 2"), "{error}");
        assert!(check_below(folder.path()).is_err());
    }

    #[test]
    fn a_character_that_kustomize_refuses_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text, shown) in [
            ("a.yaml", "a: b\u{7f}\n", Some("U+007F")),
            ("a.yaml", "a: \"b\\x9f\"\n", Some("U+009F")),
            ("a.yaml", "a:\n- \"\\uFFFE\"\n---\nb: 1\n", Some("U+FFFE")),
            ("a.yaml", "a: \"b\\x1b\"\n", None),
            ("a.md", "a: b\u{7f}\n", None),
        ] {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            let found = check_below(folder.path()).err().map(|error| error.message().to_owned());
            let expected = shown.map(|shown| format!("`{}` contains the character {shown}", file.display()));
            assert_eq!(found, expected, "{text:?}");
            std::fs::remove_file(file).unwrap();
        }
    }

    #[test]
    fn labels_are_added_to_those_that_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("a.yaml", "kind: A\nmetadata:\n  name: a\n  labels:\n    own: mine\n---\nkind: B\n");
        write("kustomization.yaml", "labels:\n- pairs:\n    app: web\nresources:\n- a.yaml\n");
        let objects = Value::Array(objects(folder.path()).unwrap());
        let expected = serde_json::json!([
            {"kind": "A", "metadata": {"name": "a", "labels": {"own": "mine", "app": "web"}}},
            {"kind": "B", "metadata": {"labels": {"app": "web"}}},
        ]);
        assert_eq!(objects, expected);
    }
}

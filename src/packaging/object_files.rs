//! Chooses unique file names for Kubernetes objects, because several objects may have the same name.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum length of an object's name within a file name. The file name also contains the kind and the namespace,
/// and can have at most 255 bytes.
const LONGEST: usize = 120;

/// Returns a path without extension for each object. The paths are unique, also on a file system that ignores case.
/// `place` returns the folder and the short name of an object. The file name is the short name, followed, as far as
/// necessary for a unique path, by the kind, then the namespace, and then a number. If `with_kind` is true, the file
/// name always contains the kind.
pub(super) fn object_files(
    objects: &[&Value],
    place: impl Fn(&Value) -> (String, String),
    with_kind: bool,
) -> Vec<String> {
    let choices: Vec<Vec<String>> = objects
        .iter()
        .map(|object| {
            let (folder, name) = place(object);
            let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
            let kind = file_name_part(text("/kind")).to_lowercase();
            let name = file_name_part(&name);
            let name = if name.is_empty() { kind.clone() } else { name };
            let of_kind = format!("{folder}{name}_{kind}");
            let of_namespace = format!("{of_kind}_{}", file_name_part(text("/metadata/namespace")));
            let short = (!with_kind).then(|| format!("{folder}{name}"));
            short.into_iter().chain([of_kind, of_namespace]).collect()
        })
        .collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for choice in choices.iter().flatten() {
        *counts.entry(choice.to_lowercase()).or_default() += 1;
    }
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut files = Vec::new();
    for choices in &choices {
        let single = choices.iter().find(|choice| counts.get(&choice.to_lowercase()) == Some(&1)).cloned();
        let last = choices.last().cloned().unwrap_or_default();
        let numbered = (2..).map(|number| format!("{last}_{number}"));
        let mut possible = single.into_iter().chain([last.clone()]).chain(numbered);
        files.extend(possible.find(|file| taken.insert(file.to_lowercase())));
    }
    files
}

/// Returns the text with `-` in place of characters that are unsafe in a file name, and without `.`, `_` and `-` at its
/// start: Helm renders no file whose name begins with `.` or `_`.
fn file_name_part(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-._".contains(character);
    let text = text.chars().map(|character| if is_plain(character) { character } else { '-' });
    let text: String = text.take(LONGEST).collect();
    text.trim_start_matches(['.', '_', '-']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_two_objects_have_one_file() {
        let object = |kind: &str, namespace: &str, name: &str| json!({"kind": kind, "metadata": {"name": name, "namespace": namespace}});
        let objects = [
            object("Role", "a", "x:y"),
            object("Role", "a", "x-y"),
            object("Role", "b", "x-y"),
            object("RoleBinding", "a", "X-y"),
            object("Role", "a", "x-y_rolebinding"),
            object("Secret", "a", "_"),
            object("Secret", "a", "z"),
            object("Secret", "a", &"s".repeat(253)),
        ];
        let objects: Vec<&Value> = objects.iter().collect();
        let place = |object: &Value| ("f/".to_owned(), object["metadata"]["name"].as_str().unwrap().to_owned());
        let files = object_files(&objects, place, false);
        let long = format!("f/{}", "s".repeat(120));
        let expected = [
            "f/x-y_role_a",
            "f/x-y_role_a_2",
            "f/x-y_role_b",
            "f/X-y_rolebinding_a",
            "f/x-y_rolebinding_role",
            "f/secret",
            "f/z",
            &long,
        ];
        assert_eq!(files, expected);
        assert_eq!(object_files(&objects[6..7], place, true), ["f/z_secret"]);
    }
}

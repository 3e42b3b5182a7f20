//! A three-way merge of the file `PROJECT` of two branches, key by key instead of line by line.

use super::project::{PROJECT_FILE, Project};
use super::{Child, Controller, Origin, Part, Resource, is_newer};
use crate::error::hint;
use crate::{Error, Result, yaml};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The JSON pointer to opctl's own keys in `PROJECT`.
const OURS: &str = "/plugins/rust.opctl.dev~1v1";

/// Merges two texts of the file `PROJECT`. Keeps the changes that either side made since `base` or, without a base, all
/// entries of both sides. Sorts the resources of the result if the resources of `ours` are sorted. Otherwise keeps the
/// order of `ours`, and appends the resources that are only in `theirs`. Merges unknown keys like all other keys.
///
/// # Errors
/// Fails if a side is not a valid project, or if both sides changed the same value in different ways.
pub fn merge_projects(base: Option<&str>, ours: &str, theirs: &str) -> Result<String> {
    let (our_project, their_project) = (Project::parse(ours)?, Project::parse(theirs)?);
    let base = base.filter(|base| Project::parse(base).is_ok());
    let base_project = base.map(Project::parse).transpose()?;
    let base = base.map(document).transpose()?;
    let (ours, theirs) = (document(ours)?, document(theirs)?);
    let merged = values("", base.as_ref(), Some(&ours), Some(&theirs)).map_err(|key| {
        let what = if key.is_empty() { "everything".to_owned() } else { format!("`{}`", key.trim_start_matches('.')) };
        disagree(format!("{what} has different values on the two sides"))
    })?;
    // The parser of YAML also reads JSON.
    let mut project = Project::parse(&merged.unwrap_or_default().to_string())?;
    for resource in &mut project.resources {
        let of = |project: &Project| project.resource(&resource.key).map(named_controllers).unwrap_or_default();
        let base = base_project.as_ref().map(of).unwrap_or_default();
        resource.controllers = controllers(&base, &of(&our_project), &of(&their_project));
    }
    check_storage(&project)?;
    project.sort_like(&our_project);
    Ok(project.to_text())
}

fn disagree(cause: String) -> Error {
    Error::conflict(format!("both sides of the merge changed the same part of `{PROJECT_FILE}`"))
        .caused_by(cause)
        .hint(hint!("resolve the conflict markers in `{PROJECT_FILE}`, then run:\nopctl resolve", PROJECT_FILE))
}

type Named = Vec<(String, Controller)>;

fn named_controllers(resource: &Resource) -> Named {
    let named = |controller: &Controller| (resource.controller_name(controller), controller.clone());
    resource.controllers.iter().map(named).collect()
}

/// Merges the controllers of a kind by name. A merge by key would not work: `PROJECT` has one key for a single
/// controller, and another key for several controllers.
fn controllers(base: &Named, ours: &Named, theirs: &Named) -> Vec<Controller> {
    let find =
        |list: &Named, name: &str| list.iter().find(|(own, _)| own == name).map(|(_, controller)| controller.clone());
    let mut names: Vec<&String> = ours.iter().map(|(name, _)| name).collect();
    names.extend(theirs.iter().map(|(name, _)| name).filter(|name| find(ours, name).is_none()));
    let merged = names.into_iter().filter_map(|name| match [base, ours, theirs].map(|list| find(list, name)) {
        [_, Some(ours), Some(theirs)] if ours == theirs => Some(ours),
        [base, Some(ours), Some(theirs)] => {
            let base = base.unwrap_or_default();
            let stays = |child: &Child| {
                let both = ours.owns.contains(child) && theirs.owns.contains(child);
                both || !base.owns.contains(child)
            };
            let further = theirs.owns.iter().filter(|child| !ours.owns.contains(child));
            let owns = ours.owns.iter().chain(further).filter(|child| stays(child)).copied().collect();
            let finalizer = if ours.finalizer == base.finalizer { theirs.finalizer } else { ours.finalizer };
            Some(Controller { name: ours.name, owns, finalizer })
        }
        // Added on one side, or removed on one side. A removal counts only if the other side left the controller as it
        // was.
        [base, ours, theirs] => ours.or(theirs).filter(|left| base.as_ref() != Some(left)),
    });
    merged.collect()
}

/// Parses a `PROJECT`, adds the default parts if the key `parts` is missing, and removes the controllers, which are
/// merged separately.
fn document(text: &str) -> Result<Value> {
    let mut document: Value = serde_yaml::from_str(text)
        .map_err(|error| Error::user(format!("`{PROJECT_FILE}` is damaged")).caused_by(yaml::cause(&error)))?;
    if let Some(ours) = document.pointer_mut(OURS).and_then(Value::as_object_mut) {
        ours.entry("parts").or_insert_with(|| Part::defaults().into_iter().map(Part::name).collect());
    }
    for (list, keys) in [
        ("/resources".to_owned(), &["controller", "controllers"][..]),
        (format!("{OURS}/resources"), &["controllers", "finalizer", "owns"]),
    ] {
        let entries = document.pointer_mut(&list).and_then(Value::as_array_mut);
        for entry in entries.into_iter().flatten().filter_map(Value::as_object_mut) {
            entry.retain(|key, _| !keys.contains(&key.as_str()));
        }
    }
    Ok(document)
}

/// Merges the values that `base`, `ours` and `theirs` have at `key`; `None` means that there is no value at `key`.
///
/// # Errors
/// Fails with the key of the value if both sides changed the value in different ways.
fn values(
    key: &str,
    base: Option<&Value>,
    ours: Option<&Value>,
    theirs: Option<&Value>,
) -> Result<Option<Value>, String> {
    if ours == theirs || base == theirs {
        return Ok(ours.cloned());
    }
    if base == ours {
        return Ok(theirs.cloned());
    }
    match (ours, theirs) {
        (Some(Value::Object(ours)), Some(Value::Object(theirs))) => {
            let base = base.and_then(Value::as_object);
            let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
            let mut merged = Map::new();
            for name in keys {
                let path = format!("{key}.{name}");
                let value = values(&path, base.and_then(|base| base.get(name)), ours.get(name), theirs.get(name))?;
                merged.extend(value.map(|value| (name.clone(), value)));
            }
            Ok(Some(Value::Object(merged)))
        }
        (Some(Value::Array(_)) | None, Some(Value::Array(_))) | (Some(Value::Array(_)), None) => {
            let [base, ours, theirs] = [base, ours, theirs].map(items);
            let list = lists(key, base, ours, theirs)?;
            Ok((!list.is_empty()).then_some(Value::Array(list)))
        }
        (Some(ours), Some(theirs)) if key == ".cliVersion" => Ok(Some(newer(ours, theirs).clone())),
        _ => Err(key.to_owned()),
    }
}

fn items(list: Option<&Value>) -> &[Value] {
    list.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Merges lists, matching items by their [`subject`].
fn lists(key: &str, base: &[Value], ours: &[Value], theirs: &[Value]) -> Result<Vec<Value>, String> {
    let find = |list: &[Value], name: &str| list.iter().find(|item| subject(key, item) == name).cloned();
    let mut merged = Vec::new();
    let names: Vec<String> = ours.iter().chain(theirs).map(|item| subject(key, item)).collect();
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            continue;
        }
        let [base, ours, theirs] = [base, ours, theirs].map(|list| find(list, name));
        merged.extend(values(&format!("{key}.{name}"), base.as_ref(), ours.as_ref(), theirs.as_ref())?);
    }
    Ok(merged)
}

/// Returns the identity of an item: the group, version and kind of a resource, the name of a controller or of a field,
/// or else the item itself.
fn subject(key: &str, item: &Value) -> String {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    match (text("kind"), text("name"), item.as_str()) {
        (Some(kind), _, _) => [text("group"), text("version"), Some(kind)].map(Option::unwrap_or_default).join("/"),
        (None, Some(name), _) => name.to_owned(),
        (None, None, Some(field)) if key.ends_with(".fields") => field.split(':').next().unwrap_or_default().to_owned(),
        _ => item.to_string(),
    }
}

fn newer<'a>(one: &'a Value, other: &'a Value) -> &'a Value {
    let text = |version: &'a Value| version.as_str().unwrap_or_default();
    if is_newer(text(other), text(one)) { other } else { one }
}

/// Fails if a kind has two storage versions because each branch chose a different version.
fn check_storage(project: &Project) -> Result<()> {
    for (index, resource) in project.resources.iter().enumerate() {
        let stored = |other: &&Resource| {
            other.storage && other.api && other.origin == Origin::Own && other.is_of_kind_of(resource)
        };
        if !stored(&resource) {
            continue;
        }
        if let Some(other) = project.resources[..index].iter().find(stored) {
            let (kind, one, two) = (&resource.key.kind, &other.key.version, &resource.key.version);
            return Err(disagree(format!(
                "`{one}` of `{kind}` is the stored version on one side and `{two}` on the other"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::LAYOUT;
    use super::*;
    use serde_json::json;

    fn project(more: &Value) -> String {
        let mut document = json!({
            "version": "3", "layout": [LAYOUT], "projectName": "shop", "domain": "example.com", "cliVersion": "0.1.0",
            "plugins": { LAYOUT: { "license": "none" } },
        });
        for (pointer, value) in more.as_object().expect("an object") {
            let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
            let parent = document.pointer_mut(parent).and_then(Value::as_object_mut).expect("a parent");
            parent.insert(key.replace("~1", "/"), value.clone());
        }
        document.to_string()
    }

    fn resource(kind: &str) -> Value {
        json!({ "kind": kind, "version": "v1", "domain": "example.com", "api": { "namespaced": true }, "controller": true })
    }

    const PARTS: &str = "/plugins/rust.opctl.dev~1v1/parts";

    #[test]
    fn both_sides_add() {
        let base = project(&json!({ "/resources": [resource("A")] }));
        let ours = project(&json!({ "/resources": [resource("A"), resource("C")], PARTS: ["metrics", "prometheus"] }));
        let theirs =
            project(&json!({ "/resources": [resource("A"), resource("B")], PARTS: ["metrics", "network-policy"] }));
        let merged = Project::parse(&merge_projects(Some(&base), &ours, &theirs).expect("no conflict")).expect("valid");
        let kinds: Vec<&str> = merged.resources.iter().map(|resource| resource.key.kind.as_str()).collect();
        assert_eq!(kinds, ["A", "B", "C"]);
        assert_eq!(merged.parts.len(), 3);
    }

    #[test]
    fn entries_removed_on_one_side_stay_removed() {
        let base = project(&json!({ "/resources": [resource("A")], "/x": 1 }));
        let ours = project(&json!({ "/resources": [resource("A"), resource("B")], "/x": 1 }));
        let theirs = project(&json!({ PARTS: [] }));
        let text = merge_projects(Some(&base), &ours, &theirs);
        let merged = Project::parse(&text.expect("no conflict")).expect("valid");
        assert_eq!(merged.resources.len(), 1, "A was taken out on one side");
        assert!(merged.parts.is_empty() && !merged.to_text().contains("x: 1"));
    }

    #[test]
    fn unknown_keys_and_further_controllers_survive() {
        let several = |names: &[&str]| {
            let mut resource = resource("A");
            let object = resource.as_object_mut().expect("an object");
            object.remove("controller");
            object.insert("controllers".to_owned(), names.iter().map(|name| json!({ "name": name })).collect());
            resource
        };
        let base = project(&json!({ "/resources": [resource("A")] }));
        let ours = project(&json!({ "/resources": [several(&["a", "x"])], "/own": { "a": 1 } }));
        let theirs = project(&json!({ "/resources": [several(&["a", "y"])], "/own": { "b": 2 } }));
        let text = merge_projects(Some(&base), &ours, &theirs).expect("no conflict");
        let merged = Project::parse(&text).expect("valid");
        assert_eq!(merged.resources[0].controllers.len(), 3);
        assert!(text.contains("own:\n  a: 1\n  b: 2\n"), "{text}");
    }

    #[test]
    fn the_newer_opctl_counts() {
        let side = |version: &str| project(&json!({ "/cliVersion": version }));
        let text = merge_projects(Some(&side("0.1.0")), &side("0.9.0"), &side("0.10.0")).expect("no conflict");
        assert!(text.contains("cliVersion: 0.10.0\n"), "{text}");
    }

    #[test]
    fn values_that_differ_on_both_sides_are_named_as_conflicts() {
        let side = |domain: &str| project(&json!({ "/domain": domain }));
        let error = merge_projects(Some(&side("a.com")), &side("b.com"), &side("c.com")).expect_err("a conflict");
        assert_eq!(error.message(), "both sides of the merge changed the same part of `PROJECT`");
        assert_eq!(error.causes(), ["`domain` has different values on the two sides"]);
        let stored = |version: &str| {
            let resource = json!({ "kind": "A", "version": version, "domain": "example.com", "api": {} });
            project(&json!({ "/resources": [resource] }))
        };
        let error = merge_projects(None, &stored("v1"), &stored("v2")).expect_err("two are stored");
        assert_eq!(error.causes(), ["`v1` of `A` is the stored version on one side and `v2` on the other"]);
    }
}

//! The JSON schemas of the kinds: stores their folder in `PROJECT`, and plans the operations on their files.

use crate::api_reference::json_schemas;
use crate::commands::manifest_files::is_json_schema;
use crate::manifest::GeneratedDefinition;
use crate::model::{Project, ProjectPath};
use crate::plan::{Ledger, Operation};
use crate::{Error, Result};
use std::collections::BTreeMap;

/// Stores the folder of `--json-schema` in `project`. An empty text removes the stored folder.
///
/// # Errors
/// Fails if the folder is not below the project's root.
pub(super) fn choose(project: &mut Project, folder: Option<&str>) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    let plain = folder.trim_start_matches("./").trim_end_matches('/');
    project.json_schema = match plain {
        "" => None,
        plain => Some(ProjectPath::parse(plain).map_err(|wrong| {
            let error =
                Error::usage(format!("the folder `{folder}` for JSON schemas is not a path below the project's root"));
            wrong
                .causes()
                .iter()
                .fold(error, Error::caused_by)
                .hint("opctl manifests --json-schema schemas    # a path from the project's root; '' for no schemas")
        })?),
    };
    Ok(())
}

/// Returns operations that write a JSON schema for each kind and version, and remove stale schemas. `before` is the
/// schema folder that `PROJECT` named before the current command.
pub(super) fn operations(
    definitions: &[GeneratedDefinition],
    project: &Project,
    before: Option<&str>,
    ledger: &Ledger,
    force: bool,
) -> Result<Vec<Operation>> {
    let mut files = BTreeMap::new();
    if let Some(folder) = &project.json_schema {
        for (path, schema) in definitions.iter().flat_map(|made| json_schemas(&made.object)) {
            files.insert(ProjectPath::parse(format!("{folder}/{path}"))?, schema);
        }
    }
    let ours = |path: &&ProjectPath| {
        let folders = before.into_iter().chain(project.json_schema.as_deref());
        folders.into_iter().any(|folder| is_json_schema(folder, path))
    };
    let left = ledger.files.keys().filter(ours).filter(|path| !files.contains_key(*path));
    let removed: Vec<Operation> = left.map(|path| Operation::remove(path, force)).collect();
    Ok(files.into_iter().map(|(path, schema)| Operation::generate(path, schema, force)).chain(removed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Step;
    use serde_json::json;

    fn project(folder: Option<&str>) -> Project {
        let text = "cliVersion: 0.1.0\ndomain: example.com\nprojectName: web\n\
            layout:\n- rust.opctl.dev/v1\nplugins:\n  rust.opctl.dev/v1: {}\nversion: \"3\"\n";
        let mut project = Project::parse(text).unwrap();
        choose(&mut project, folder).unwrap();
        project
    }

    fn shop() -> GeneratedDefinition {
        let version = json!({"name": "v1", "schema": {"openAPIV3Schema": {"type": "object"}}});
        let object = json!({"spec": {"group": "a.example", "names": {"kind": "Shop"}, "scope": "Cluster", "versions": [version]}});
        GeneratedDefinition { file: "config/crd/bases/a.example_shops.yaml".into(), object, types: Vec::new() }
    }

    /// Calls `operations` with a ledger (the record of the files that opctl generated) that contains the paths `known`.
    /// Returns the paths that the resulting operations write, and the paths that they remove.
    fn planned(project: &Project, before: Option<&str>, known: &[&'static str]) -> (Vec<String>, Vec<String>) {
        let mut ledger = Ledger::default();
        for path in known {
            ledger.record(*path, "");
        }
        let operations = operations(&[shop()], project, before, &ledger, false).unwrap();
        let (removed, written): (Vec<_>, Vec<_>) =
            operations.into_iter().partition(|operation| matches!(operation.step, Step::Remove { .. }));
        let paths =
            |operations: Vec<Operation>| operations.into_iter().map(|operation| operation.path.to_string()).collect();
        (paths(written), paths(removed))
    }

    #[test]
    fn schemas_follow_their_kinds_and_their_folder() {
        let (shop, gone) = ("schemas/a.example/shop_v1.json", "schemas/a.example/gone_v1.json");
        let others = ["schemas/own.json", "schemas/a/b/c.json", "config/crd/bases/a.example_shops.yaml"];
        let known: Vec<&str> = [shop, gone].into_iter().chain(others).collect();
        let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
        for (folder, before, written, removed) in [
            (Some("schemas"), Some("schemas"), &[shop][..], &[gone][..]),
            (Some("./schemas/"), None, &[shop], &[gone]),
            (Some("api/schemas"), Some("schemas"), &["api/schemas/a.example/shop_v1.json"], &[gone, shop]),
            (Some(""), Some("schemas"), &[], &[gone, shop]),
            (None, None, &[], &[]),
        ] {
            assert_eq!(planned(&project(folder), before, &known), (owned(written), owned(removed)), "{folder:?}");
        }
    }
}

//! Converts the manifest of a crate into the manifest of a program that prints the schemas of the crate's types.

use super::program_files;
use std::path::Path;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table};

/// Turns the manifest of the api crate into the manifest of a program, whose root module is at `entry` below the
/// program's folder. Returns `None` if the crate lacks a dependency that the program needs, or uses the name of such a
/// dependency for another crate.
pub(super) fn program_manifest(
    name: &str,
    entry: &str,
    features: &[String],
    (root, root_manifest): (&Path, &DocumentMut),
    (api, mut manifest): (&Path, DocumentMut),
) -> Option<DocumentMut> {
    for key in ["lib", "bin", "example", "test", "bench", "dev-dependencies", "build-dependencies", "workspace"] {
        manifest.remove(key);
    }
    let dependencies = manifest.get_mut("dependencies")?.as_table_like_mut()?;
    // `main` needs these crates by these names, and `support` must be the shim's.
    if dependencies.contains_key("support") || !["kube", "schemars"].iter().all(|name| dependencies.contains_key(name))
    {
        return None;
    }
    program_files::absolute_paths(manifest.get_mut("dependencies")?, api);
    manifest["dependencies"]["support"]["package"] = Item::Value("opctl-shim-support".into());
    manifest["dependencies"]["support"]["path"] = Item::Value("../support".into());
    manifest["package"]["name"] = Item::Value(name.into());
    if let Some(package) = manifest["package"].as_table_like_mut() {
        // `default-run` names a program of the crate.
        package.remove("default-run");
    }
    let mut program = Table::new();
    program["name"] = Item::Value(name.into());
    program["path"] = Item::Value(entry.into());
    let mut programs = ArrayOfTables::new();
    programs.push(program);
    manifest["bin"] = Item::ArrayOfTables(programs);
    if !features.is_empty() {
        let usual = manifest.get("features").and_then(|features| features.get("default")).and_then(Item::as_array);
        let usual: Vec<&str> = usual.into_iter().flatten().filter_map(toml_edit::Value::as_str).collect();
        let all: toml_edit::Array = usual.into_iter().chain(features.iter().map(String::as_str)).collect();
        manifest["features"]["default"] = Item::Value(all.into());
    }
    program_files::settings(&mut manifest, root_manifest, root);
    // The program inherits the entries that the crate inherits.
    let mut workspace = Table::new();
    for key in ["dependencies", "package", "lints"] {
        if let Some(item) = root_manifest.get("workspace").and_then(|workspace| workspace.get(key)) {
            workspace.insert(key, item.clone());
        }
    }
    program_files::absolute_paths(workspace.get_mut("dependencies").unwrap_or(&mut Item::None), root);
    manifest["workspace"] = Item::Table(workspace);
    Some(manifest)
}

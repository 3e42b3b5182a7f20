//! The bill of materials of a program in the format `CycloneDX` (<https://cyclonedx.org/docs/1.6/json/>), which
//! scanners compare with databases of vulnerabilities.

use crate::exec::Metadata;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the bill of materials of the package with the manifest `root`: the packages in `metadata` that its program
/// depends on. Dependencies of tests and of build scripts are omitted.
pub fn bill_of_materials(metadata: &Metadata, root: &Path) -> Option<String> {
    let program = metadata.packages.iter().find(|package| package.manifest_path == root)?;
    let nodes = &metadata.resolve.as_ref()?.nodes;
    let mut linked = BTreeSet::new();
    let mut left = vec![program.id.as_str()];
    while let Some(id) = left.pop() {
        if linked.insert(id) {
            let dependencies = nodes.iter().find(|node| node.id == id).map_or(&[][..], |node| &node.deps);
            let is_linked = |dependency: &&crate::exec::ResolvedDependency| dependency.is_normal();
            left.extend(dependencies.iter().filter(is_linked).map(|dependency| dependency.pkg.as_str()));
        }
    }
    let component = |package: &crate::exec::Package| {
        let mut component = json!({ "type": "library", "name": package.name, "version": package.version });
        if package.source.is_some() {
            component["purl"] = json!(format!("pkg:cargo/{}@{}", package.name, package.version));
        }
        if let Some(licence) = &package.license {
            component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
        }
        component
    };
    let packages = metadata.packages.iter().filter(|package| linked.contains(package.id.as_str()));
    let components: Vec<Value> = packages.filter(|package| package.id != program.id).map(component).collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": { "type": "application", "name": program.name, "version": program.version },
        },
        "components": components,
    });
    Some(bill.to_string())
}

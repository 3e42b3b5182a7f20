//! Warns about missing parts of the operator that later commands of opctl need, such as a dependency or a sample.

use super::adopted_samples::{Sample, file_name};
use super::definer::Definer;
use crate::model::Project;
use crate::source::discover::ApiType;
use std::path::Path;

/// Returns a warning for each part that the operator lacks and that later commands of opctl need: a program, a
/// Dockerfile, a dependency or a sample.
pub(super) fn lacks(
    root: &Path,
    project: &Project,
    definers: &[Definer<'_>],
    samples: &[(&ApiType, Option<Sample>)],
) -> Vec<String> {
    let mut warnings = Vec::new();
    if !has_operator(project) {
        warnings.push("the workspace has types, and no program: there is nothing to run, explore or deploy".to_owned());
    } else if !root.join("Dockerfile").is_file() {
        warnings.push("there is no `Dockerfile`, which `opctl build` builds".to_owned());
    }
    for definer in definers {
        let package = &definer.package.name;
        let has = |name: &str| definer.package.dependencies.iter().any(|one| one.name == name && one.kind.is_none());
        for name in ["kube", "schemars", "k8s-openapi"].into_iter().filter(|name| !has(name)) {
            warnings.push(format!(
                "`{package}` does not depend on `{name}`, which `opctl manifests` needs to generate CRDs from the \
                 types: cargo add --package {package} {name}"
            ));
        }
    }
    for (found, _) in samples.iter().filter(|(_, sample)| sample.is_none()) {
        let (kind, file) = (&found.resource.kind, file_name(found));
        warnings.push(format!(
            "no YAML file here contains a `{kind}`: write config/samples/{file}, from which `opctl explore` starts"
        ));
    }
    warnings
}

/// Returns true if the workspace has a program that is the operator.
pub(super) fn has_operator(project: &Project) -> bool {
    project.adopted.as_ref().is_some_and(|adopted| adopted.operator.is_some())
}

//! The options that control the generation of manifests.

use super::against::Older;
use super::oldest::OldestKubernetes;
use crate::model::{Domain, Origin, Project, TypesPlace};
use crate::permissions::ExternalType;
use crate::source::api_crate::ApiCrate;
use std::path::PathBuf;

/// The options for the generation of manifests.
#[derive(Clone, Debug)]
pub struct Options {
    /// The crates that define the API types.
    pub apis: Vec<ApiCrate>,
    /// The domain of the API groups that the project defines. Types of groups outside this domain are left out, because
    /// they are copies of types of another project. `None` if the project defines the groups of all types.
    pub domain: Option<Domain>,
    /// True if the types are compiled even if nothing changed.
    pub force: bool,
    /// True if opctl may compile the types; if false, opctl uses the stored output of the last compilation, provided
    /// that the output is still valid.
    pub compile: bool,
    /// The maximum length of a description in bytes; 0 removes all descriptions.
    pub max_description_length: Option<usize>,
    /// The comments at the top of every generated file.
    pub header: String,
    /// True if the default role is a Role in the manager's namespace instead of a `ClusterRole`.
    pub namespaced: bool,
    /// The older CRDs that the generated CRDs are compared with.
    pub against: Option<Older>,
    /// The oldest Kubernetes version that the operator supports; `None` if the code is not checked for types and fields
    /// that this version lacks.
    pub oldest: Option<OldestKubernetes>,
    /// The types of other crates that the operator has controllers for.
    pub external: Vec<ExternalType>,
}

impl Options {
    /// Returns the options of a project, with `header` at the top of every file.
    pub fn of(project: &Project, header: String) -> Self {
        let (adopted, usual) = (project.adopted.as_ref(), Options::default());
        Options {
            apis: adopted.map_or(usual.apis, |adopted| adopted.types.iter().map(api_crate).collect()),
            domain: adopted.map(|_| project.domain.clone()),
            max_description_length: project.max_description_length,
            namespaced: project.namespaced,
            header,
            external: external(project),
            ..usual
        }
    }
}

fn api_crate(place: &TypesPlace) -> ApiCrate {
    ApiCrate {
        folder: place.folder().to_owned(),
        program: place.program.as_ref().map(PathBuf::from),
        features: place.features.clone(),
    }
}

/// Returns the project's kinds whose types other crates define.
fn external(project: &Project) -> Vec<ExternalType> {
    let external = project.resources.iter().filter(|resource| matches!(resource.origin, Origin::External(_)));
    let known = external.map(|resource| ExternalType {
        path: format!("{}::{}", resource.type_module(), resource.key.kind.rust_name()),
        kind: resource.key.kind.to_string(),
        group: resource.api_group(&project.domain),
        plural: resource.plural.to_string(),
    });
    known.collect()
}

impl Default for Options {
    fn default() -> Self {
        Options {
            apis: vec![ApiCrate::library("api")],
            domain: None,
            force: false,
            compile: true,
            max_description_length: None,
            header: String::new(),
            namespaced: false,
            against: None,
            oldest: None,
            external: Vec::new(),
        }
    }
}

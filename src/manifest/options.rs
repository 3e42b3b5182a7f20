//! The options that control the generation of manifests.

use super::against::Older;
use super::oldest::OldestKubernetes;
use crate::access::ExternalType;
use crate::model::Domain;
use crate::source::api_crate::ApiCrate;

/// The options of a generation.
#[derive(Clone, Debug)]
pub struct Options {
    /// The crates that define the types.
    pub apis: Vec<ApiCrate>,
    /// The domain of the groups that the project defines; types of other groups are copies of another project's types.
    /// `None` if all types are the project's own.
    pub domain: Option<Domain>,
    /// Compiles the types even if nothing changed.
    pub force: bool,
    /// Compiles the types. If false, the answers of the last compilation are used, and only if nothing changed since.
    pub compile: bool,
    /// The maximum length of a description in bytes; 0 leaves descriptions out.
    pub max_description_length: Option<usize>,
    /// The comments above every file.
    pub header: String,
    /// Makes a Role in the manager's namespace instead of a `ClusterRole`.
    pub namespaced: bool,
    /// The older CRDs to compare the new ones with.
    pub against: Option<Older>,
    /// The oldest Kubernetes that the operator runs on, if the code is compared with its types.
    pub oldest: Option<OldestKubernetes>,
    /// The types of other crates that the operator has controllers for.
    pub external: Vec<ExternalType>,
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

//! The rules of kube that opctl applies without calling kube. Each new major version of kube must be compared with this
//! page.
//!
//! | file | rule of kube | where it comes from |
//! |---|---|---|
//! | `derive`, `kube_attributes` | the attributes of `#[derive(CustomResource)]`, and their defaults | kube-derive `custom_resource/mod.rs` |
//! | `stated` | the CRD that these attributes state, without its schema | the same |
//! | `openapi_types` | the types and fields of one version of Kubernetes, in the sources of k8s-openapi | k8s-openapi `src/v1_*` |
//! | `requests` | the verbs that each method of `kube::Api` and each function of `kube::runtime` needs | kube-client `api`, kube-runtime |
//!
//! The following files also depend on the interface of kube. If that interface changes, these files do not compile, or
//! a test of a golden project (`testdata/golden`) fails:
//!
//! - `src/type_program/support.rs.in` and `src/type_program/program_files.rs`: the program that gets the CRDs of types
//!   from `CustomResourceExt::crd` and `Resource::plural`
//! - `src/crd_to_rust/kind.rs`, `src/edit/storage.rs` and `templates/resource/api`: the attributes that opctl writes in
//!   `#[kube(..)]`, and their order
//! - `src/manifest/lint/attributes.rs`: attributes of serde, garde and schemars that kube-derive does not pass on
//! - `templates/project`: the versions, the lock file and the runtime; `templates/resource`: calls of `kube::Api` in
//!   controllers and tests

mod derive;
mod kube_attributes;
mod openapi_types;
mod requests;
mod stated;

pub(crate) use derive::{custom_resource, derives_custom_resource, states_identity};
pub use kube_attributes::KubeAttributes;
pub(crate) use openapi_types::{KubernetesTypes, NewerTypes};
pub(crate) use requests::{CLIENT_REQUESTS, FUNCTIONS, REQUESTS, is_apply, named_subresource};
pub(crate) use stated::{NAME_LISTS, SHORT_NAME};

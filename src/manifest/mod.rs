//! Generates manifests: custom resource definitions, the role, and webhook configurations.
//!
//! [`generate()`] runs five steps: it reads the sources, finds the types, compiles and runs the program that prints the
//! schemas of the types, generates the CRDs, and generates all files. Each step is a function that returns a result
//! with the findings of the step. [`generate()`] writes only below cargo's target folder. The checks in `lint` and
//! `against` only read values.

mod against;
mod answers;
mod compatibility;
pub mod definition;
mod description;
mod difference;
mod find_types;
mod findings;
mod generate;
mod generate_crds;
mod generated_files;
mod header;
mod inputs;
mod judged;
mod lint;
mod lints;
mod manifests;
mod oldest;
mod options;
mod sources;
mod verified;

pub use against::Older;
pub use compatibility::compatibility;
pub use difference::{KeywordDifference, keyword_differences};
pub use generate::generate;
pub use header::header;
pub use inputs::{INPUTS_FILE, Inputs};
pub use judged::{is_unjudged, memory, remember_judged};
pub use lint::Cause;
pub use lints::{find_lint, lints};
pub use manifests::{DEFINITIONS, GeneratedDefinition, Manifests, ROLE_FILE, ROLE_NAMESPACES_FILE, WEBHOOKS_FILE};
pub use oldest::OldestKubernetes;
pub use options::Options;
pub use verified::Verification;

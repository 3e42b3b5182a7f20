//! Packages of an operator, from the objects that `config/default` renders: a bundle for the Operator Lifecycle Manager,
//! a Helm chart, and a single file for `kubectl apply`.

mod bundle;
mod chart;
mod object_files;
mod operator_objects;
mod read_strings;
mod selector;

pub use bundle::{BUNDLE, Bundle, BundleOptions, bundle, is_of_bundle};
pub use chart::{chart, installer};

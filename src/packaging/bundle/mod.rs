//! The command `opctl bundle`: generates a bundle of the operator for catalogs of the Operator Lifecycle Manager. The
//! format is documented at <https://olm.operatorframework.io/docs/tasks/creating-operator-bundle/>.

mod accepted;
mod accounts;
mod base;
mod certificates;
mod labels;
mod operations;
mod options;
mod owned;
mod paths;

mod service_version;
mod webhook_definitions;

pub use operations::{Bundle, bundle};
pub use options::BundleOptions;
pub use paths::{BUNDLE, is_of_bundle};

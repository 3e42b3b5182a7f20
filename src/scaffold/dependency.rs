//! The crate of a kind that the project does not define.

use crate::model::{Dependency, Origin, Resource};
use crate::plan::{Edit, Operation, has_dependency, no_toml};
use crate::{Error, Result};

const MANIFEST: &str = "Cargo.toml";

/// A package in a folder.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name, as dependencies name it.
    pub name: String,
    /// Its library's name, as code names it.
    pub library: String,
}

/// Returns the edits of Cargo.toml, whose text is `manifest`, that let the operator name the type of `resource`. `package` is what
/// is in the folder that the dependency names.
///
/// # Errors
/// A crate that is neither there nor said where to find, and one that is not that of the type.
pub fn dependency(
    resource: &Resource,
    manifest: &str,
    package: Option<Package>,
    force: bool,
) -> Result<Option<Operation>> {
    let Origin::External(external) = &resource.origin else { return Ok(None) };
    let wanted = external.path.crate_name();
    let there = has_dependency(manifest, wanted).map_err(|error| no_toml(MANIFEST, manifest, &error))?;
    let (package, value) = match (&external.dependency, package) {
        (Some(Dependency::Registry { package, requirement }), _) => {
            let package = Package { name: package.clone(), library: package.replace('-', "_") };
            (package, toml_string(requirement))
        }
        (Some(Dependency::Path(path)), Some(package)) => (package, format!("{{ path = {} }}", toml_string(path))),
        _ if there => return Ok(None),
        _ => {
            return Err(Error::user(format!("`{wanted}` is not among the dependencies in `{MANIFEST}`"))
                .caused_by(format!("the operator names the type `{}::{}`", external.path, resource.key.kind))
                .hint(format!(
                    "--external-api-module {}@VERSION    # or a path, such as ../{wanted}",
                    wanted.replace('_', "-")
                )));
        }
    };
    if package.library != wanted {
        return Err(Error::usage(format!("`{}` is not in the crate `{}`", external.path, package.library))
            .caused_by(format!("it begins with `{wanted}`, and the package is `{}`", package.name))
            .hint(format!("--external-api-path {}", external.path.to_string().replacen(wanted, &package.library, 1))));
    }
    Ok(Some(Operation::edit(MANIFEST, Edit::Dependency { name: package.name, value, force })))
}

/// Neither has a quote in it.
fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "/"))
}

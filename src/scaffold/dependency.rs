//! Adds the crate that defines a kind's type to the dependencies of a project that does not define the kind itself.

use crate::error::hint;
use crate::model::{Dependency, Origin, Resource};
use crate::plan::{Edit, Operation, has_dependency, no_toml};
use crate::{Error, Result};

const MANIFEST: &str = "Cargo.toml";

/// The names of a cargo package in a folder.
#[derive(Clone, Debug)]
pub struct Package {
    /// The package's name, as dependencies use it.
    pub name: String,
    /// The library's name, as code uses it.
    pub library: String,
}

/// Returns the operation that adds the crate of the resource's type to `Cargo.toml`; `None` if no edit is needed.
/// `manifest` is the text of `Cargo.toml`, and `package` is the package in the folder of a path dependency.
///
/// # Errors
/// Fails if the crate is not a dependency and has no source, or if the package is not the crate of the type.
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
                .caused_by(format!(
                    "the operator uses the type `{}::{}` of this crate",
                    external.path,
                    resource.key.kind.rust_name()
                ))
                .hint(hint!(
                    "--external-api-module {}@VERSION    # or a path, such as ../{wanted}",
                    wanted.replace('_', "-"),
                    wanted
                )));
        }
    };
    if package.library != wanted {
        return Err(Error::usage(format!("`{}` is not in the crate `{}`", external.path, package.library))
            .caused_by(format!(
                "`--external-api-path` begins with `{wanted}`, but the package of the dependency is \
                                `{}`",
                package.name
            ))
            .hint(hint!("--external-api-path {}", external.path.to_string().replacen(wanted, &package.library, 1))));
    }
    Ok(Some(Operation::edit(MANIFEST, Edit::Dependency { name: package.name, value, force })))
}

/// Renders a version requirement or a path, which cannot contain quotes, as a TOML string.
fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "/"))
}

//! Reads the name of a package from the package's Cargo.toml, for a project that has this package as a path dependency.

use crate::model::{Dependency, Origin, Resource};
use crate::reading::{self, Limit};
use crate::scaffold::Package;
use crate::{Error, Result};
use std::path::Path;
use toml_edit::{DocumentMut, Item};

/// Returns the package that defines the type of `resource`, if this type is external and the project names the package
/// by the path of its folder, relative to `root`. Returns `None` for all other resources.
pub(super) fn package(root: &Path, resource: &Resource) -> Result<Option<Package>> {
    let Origin::External(external) = &resource.origin else { return Ok(None) };
    let Some(Dependency::Path(path)) = &external.dependency else { return Ok(None) };
    let refuse = |why: &dyn std::fmt::Display| {
        Error::user(format!("`{path}` is not the folder of a package")).caused_by(why).hint(
            "--external-api-module ../certs    # a folder with a Cargo.toml, relative to the project's root; or NAME@VERSION",
        )
    };
    let text = reading::text(root.join(path).join("Cargo.toml"), Limit::Settings).map_err(|error| refuse(&error))?;
    let manifest: DocumentMut = text.parse().map_err(|error| refuse(&error))?;
    let name = |table: &str| manifest.get(table).and_then(|table| table.get("name")).and_then(Item::as_str);
    let Some(package) = name("package") else { return Err(refuse(&"its Cargo.toml has no `package.name`")) };
    let library = name("lib").unwrap_or(package).replace('-', "_");
    Ok(Some(Package { name: package.to_owned(), library }))
}

//! Compares the kinds of `PROJECT` with the types of the api crate.

use crate::error::hint;
use crate::model::{PROJECT_FILE, Project, Resource};
use crate::source::discover::ApiType;
use crate::{Error, Result};

/// Checks that each kind that the project defines has a type: without its type, the CRD of a kind would be removed.
///
/// # Errors
/// Fails with one error that names all kinds without a type.
pub(super) fn all_have_types(project: &Project, types: &[ApiType]) -> Result<()> {
    let has_type = |resource: &Resource| {
        types.iter().any(|found| {
            found.resource.group == resource.api_group(&project.domain)
                && found.resource.version == resource.key.version.as_str()
                && found.resource.kind == resource.key.kind.as_str()
        })
    };
    let own = project.resources.iter().filter(|resource| resource.has_types());
    let missing: Vec<String> = own
        .filter(|resource| !has_type(resource))
        .map(|resource| format!("`{}` of `{}`", resource.key.kind, resource.api_version(&project.domain)))
        .collect();
    let Some((first, others)) = missing.split_first() else { return Ok(()) };
    let error = Error::user(format!("`{PROJECT_FILE}` lists the kind {first}, but the api crate has no type for it"));
    let error = others.iter().fold(error, |error, other| error.caused_by(format!("nor a type for {other}")));
    let error = error.caused_by(
        "without the type, opctl would remove the kind's CRD, and a cluster that loses the \
                                 CRD deletes all objects of the kind",
    );
    Err(if project.adopted.is_some() {
        error.hint(hint!(
            "opctl adopt    # removes the kind from `{PROJECT_FILE}` for good; to keep the kind, restore its Rust \
             type instead",
            PROJECT_FILE
        ))
    } else {
        error.hint(hint!("git checkout api    # brings the type back; to remove the kind for good, take it out of `resources` in `{PROJECT_FILE}`", PROJECT_FILE))
    })
}

//! Checks a resource with an image.

use crate::model::Resource;
use crate::{Error, Result};

/// Checks that the resource can have the children of an image.
pub(super) fn check_image(resource: &Resource) -> Result<()> {
    if resource.image.is_none() {
        return Ok(());
    }
    let kind = &resource.key.kind;
    if !resource.namespaced {
        return Err(Error::usage(format!("`--image` needs objects of `{kind}` to live in namespaces"))
            .caused_by("each object owns a Deployment and a Service, which live in its namespace")
            .hint("--namespaced=true"));
    }
    let name = resource.controllers.first().map_or_else(String::new, |first| resource.controller_name(first));
    if name.len() > 63 {
        return Err(Error::usage(format!("`{name}` is too long a name"))
            .caused_by("it is the value of a label, which has at most 63 characters")
            .hint("choose a shorter `--group`"));
    }
    Ok(())
}

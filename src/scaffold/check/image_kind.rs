//! Checks a resource that was created with `--image`.

use crate::model::Resource;
use crate::{Error, Result};

/// Checks that the resource can have the children that `--image` creates, such as a `Deployment`.
pub(super) fn check_image(resource: &Resource) -> Result<()> {
    if resource.image.is_none() {
        return Ok(());
    }
    let kind = &resource.key.kind;
    if !resource.namespaced {
        return Err(Error::usage(format!("`--image` needs a namespaced kind, but `{kind}` is cluster-scoped"))
            .caused_by(
                "each object of the kind owns a Deployment and a Service, which must be in the same namespace \
                        as the object",
            )
            .hint("--namespaced=true"));
    }
    let name = resource.controllers.first().map_or_else(String::new, |first| resource.controller_name(first));
    if name.len() > 63 {
        return Err(Error::usage(format!("the controller name `{name}` is too long"))
            .caused_by("the name is used as a label value, which can have at most 63 characters")
            .hint("choose a shorter `--group`"));
    }
    Ok(())
}

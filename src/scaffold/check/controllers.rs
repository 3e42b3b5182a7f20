//! Adds the controller that the user requests to a resource, and checks that the request fits the resource's existing
//! controllers.

use super::super::controlled::ControllerOfKind;
use super::super::{ApiIntent, children, flags};
use crate::error::hint;
use crate::model::{Child, Controller, Project, Resource};
use crate::{Error, Result};

/// Adds the requested controller to `resource`, or adds the requested options to an existing controller. `--force`
/// replaces the controller's children. If the controllers of the kind belong to another version, `controlled` is the
/// resource of that version.
pub(super) fn set(resource: &mut Resource, intent: &ApiIntent, controlled: Option<&Resource>) -> Result<()> {
    let name = intent.controller_name.as_ref();
    let known = resource.controller(name).cloned();
    if known.is_none() && (!intent.controller || (controlled.is_some() && name.is_none())) {
        return refuse_without_controller(resource, intent, controlled);
    }
    if let (None, Some(name), Some(other)) = (&known, name, controlled) {
        let (kind, mut there) = (&resource.key.kind, intent.clone());
        there.key = other.key.clone();
        there.api = false;
        return Err(Error::usage(format!(
            "the controller `{name}` cannot be for another version of `{kind}` than the existing controllers"
        ))
        .caused_by(format!(
            "all controllers of a kind must be for the same version, and the controllers of \
                                `{kind}` are for version `{}`",
            other.key.version
        ))
        .hint(hint!("opctl create api{}", flags(&there))));
    }
    let first = resource.controllers.first().is_none_or(|first| known.as_ref() == Some(first));
    let of_image =
        |child: &Child| first && resource.image.is_some() && Child::of_image().any(|of_image| of_image == *child);
    let before = known.clone().unwrap_or_else(|| Controller {
        name: name.filter(|name| name.as_str() != resource.usual_controller_name()).cloned(),
        ..Controller::default()
    });
    let wanted = Controller {
        owns: match &intent.owns {
            // `--image` stands for these children already.
            Some(owns) => {
                let mut all = if intent.force { Vec::new() } else { before.owns };
                let new = owns.iter().copied().filter(|child| !of_image(child) && !all.contains(child));
                all.extend(new.collect::<Vec<_>>());
                all
            }
            None => before.owns,
        },
        finalizer: intent.finalizer || before.finalizer,
        name: before.name,
    };
    match resource.controllers.iter_mut().find(|other| known.as_ref() == Some(other)) {
        Some(other) => *other = wanted,
        None => resource.controllers.push(wanted),
    }
    Ok(())
}

fn refuse_without_controller(resource: &Resource, intent: &ApiIntent, controlled: Option<&Resource>) -> Result<()> {
    let kind = &resource.key.kind;
    let flag = match intent {
        ApiIntent { controller_name: Some(_), .. } => "controller-name",
        ApiIntent { finalizer: true, .. } => "finalizer",
        ApiIntent { owns: Some(_), .. } => "owns",
        _ => return Ok(()),
    };
    let error = Error::usage(format!("`--{flag}` needs a controller"));
    Err(match controlled {
        Some(other) => error
            .caused_by(format!(
                "the controller of `{kind}` is for version `{}`, and opctl creates no controller for \
                                another version",
                other.key.version
            ))
            .hint(if flag == "finalizer" {
                ".finalizer(FINALIZER, cleanup)    // in the function `controller`; also add a function `cleanup` \
                 like `reconcile`"
            } else {
                ".owns::<Kind>()    // in the function `controller`, and `ctx.apply(..)` in the function `reconcile`"
            }),
        None => error.caused_by(format!("`{kind}` has no controller")).hint("--controller=true"),
    })
}

/// Checks the name of a controller's finalizer, and the kinds of the controller's children.
pub(super) fn check(controlled: ControllerOfKind<'_>, project: &Project) -> Result<()> {
    let kind = &controlled.resource.key.kind;
    if controlled.controller.finalizer {
        let finalizer = controlled.finalizer(project);
        // Finalizers have names like those of labels:
        // <https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/>.
        let name = finalizer.rsplit('/').next().unwrap_or_default();
        if name.len() > 63 && controlled.controller.name.is_some() {
            return Err(Error::usage(format!("`{finalizer}` is too long for a finalizer"))
                .caused_by(format!("the part after the `/` has {} characters, 63 are allowed", name.len()))
                .hint("choose a shorter `--controller-name`"));
        }
    }
    let Some((child, why)) = children::unownable_child(controlled) else { return Ok(()) };
    let error = Error::usage(format!("`{kind}` cannot own a `{child}`")).caused_by(why);
    let built_in = child.built_in();
    let endless = controlled.built_in().is_some_and(|owner| child.leads_to(owner));
    Err(if endless {
        error.hint("--owns ConfigMap    # or another kind; or omit `--owns` and write the code for the child by hand")
    } else if built_in.namespaced {
        error.hint("choose a shorter `--group`")
    } else {
        error.hint(
            "--namespaced=false    # or omit `--owns` and add `.owns_across_namespaces(..)` by hand: \
                     `opctl help controllers`",
        )
    })
}

//! Renders the objects of a deployment with the operator's image, sorted by dependency.

use crate::cluster::kustomization::render;
use crate::cluster::{Remote, Target};
use crate::error::{Hint, hint};
use crate::model::{check_image, is_placeholder, manager, operator_deployment};
use crate::{Error, Result};
use serde_json::Value;
use std::path::Path;

const FOLDER: &str = "config/default";

/// The order in which opctl applies the kinds: each kind follows the kinds on which it depends. Kinds that are neither
/// here nor in [`LAST`] come next. The kinds in [`LAST`] are webhook configurations, and come last, because the API
/// server calls the webhooks as soon as their configurations exist.
const ORDER: &[&[&str]] = &[
    &["Namespace"],
    &["CustomResourceDefinition"],
    &["ServiceAccount"],
    &["ClusterRole", "Role"],
    &["ClusterRoleBinding", "RoleBinding"],
    &["ConfigMap", "Secret"],
    &["Service"],
    &["Issuer", "Certificate"],
    &["Deployment"],
];
const LAST: &[&str] = &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/// Returns the objects that `config/default` of the project at `root` renders, with `image` as the operator's image;
/// changes no file. `remote` determines if `config/default` may refer to resources on other machines.
///
/// # Errors
/// Fails if the manifests cannot be rendered, if they contain no container whose image is to be set, or if `image` is
/// `None` and a container has the placeholder image. The error for the placeholder image has a hint with a command
/// line: the opctl command `command`, an example image and the flags of `target`.
pub fn rendered_objects(
    root: &Path,
    image: Option<&str>,
    command: &str,
    target: &Target,
    remote: Remote,
) -> Result<Vec<Value>> {
    let mut objects = render::objects_with(&root.join(FOLDER), remote)?;
    objects.retain(|object| !object.is_null());
    let chosen = target.opctl(hint!("{command} --image registry.example.com/my-operator:0.1.0", command));
    set_image(&mut objects, image, &chosen)?;
    objects.sort_by_key(|object| rank(object["kind"].as_str().unwrap_or_default()));
    Ok(objects)
}

fn rank(kind: &str) -> usize {
    let known = ORDER.iter().position(|kinds| kinds.contains(&kind));
    known.unwrap_or(ORDER.len() + usize::from(LAST.contains(&kind)))
}

/// Sets `image` as the image of the operator's container, which is named `manager`, and of each container that has the
/// placeholder image. If `image` is `None`, changes no image, but fails with the hint `chosen` if a container has the
/// placeholder image.
fn set_image(objects: &mut [Value], image: Option<&str>, chosen: &Hint) -> Result<()> {
    let operator = operator_deployment(objects).map(|deployment| deployment["metadata"].clone());
    if let Some(image) = image {
        check_image(image)?;
    }
    let mut found = false;
    for object in objects.iter_mut().filter(|object| object["kind"] == "Deployment") {
        let is_operator = operator.as_ref() == Some(&object["metadata"]);
        let containers = object.pointer_mut("/spec/template/spec/containers").and_then(Value::as_array_mut);
        for container in containers.into_iter().flatten() {
            let current = container["image"].as_str().unwrap_or_default();
            let is_placeholder = is_placeholder(current);
            let is_manager = is_operator && container["name"] == "manager";
            if !is_placeholder && !is_manager {
                continue;
            }
            found = true;
            match image {
                Some(image) => container["image"] = image.into(),
                None if is_placeholder => {
                    return Err(Error::user("no image is chosen")
                        .caused_by(format!("`{current}` in `config/manager/kustomization.yaml` is only a placeholder"))
                        .hint(chosen));
                }
                None => {}
            }
        }
    }
    if found {
        return Ok(());
    }
    Err(Error::user(format!("`{FOLDER}` has no container of the operator"))
        .caused_by(
            "opctl sets the image of the container `manager` in the operator's Deployment, and found no such \
                    container",
        )
        .hint("name the container `manager` in `config/manager/manager.yaml`"))
}

/// Returns the image of the operator in `objects`, the rendered objects of a deployment; `None` if `objects` contain no
/// Deployment of the operator.
pub fn manager_image(objects: &[Value]) -> Option<&str> {
    manager(operator_deployment(objects)?)["image"].as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_image_goes_to_the_manager_alone() {
        let deployment = |manager: &str, side: &str| {
            let containers = json!([{"name": "side", "image": side}, {"name": "manager", "image": manager}]);
            json!({"kind": "Deployment", "spec": {"template": {"spec": {"containers": containers}}}})
        };
        let mut objects = [json!({"kind": "Service"}), deployment("controller:latest", "envoy:1")];
        assert_eq!(set_image(&mut objects, None, &"choose".into()).unwrap_err().hint_text(), Some("choose"));
        set_image(&mut objects, Some("r.example.com/web:1"), &"".into()).unwrap();
        assert_eq!(objects[1], deployment("r.example.com/web:1", "envoy:1"));
        assert_eq!(manager_image(&objects), Some("r.example.com/web:1"));
        set_image(&mut objects, None, &"".into()).unwrap();
        let mut two = [deployment("redis:7", "envoy:1"), deployment("controller:latest", "envoy:1")];
        two[1]["spec"]["template"]["metadata"] = json!({"labels": {"control-plane": "controller-manager"}});
        two[0]["metadata"] = json!({"name": "cache"});
        let cache = two[0].clone();
        set_image(&mut two, Some("web:1"), &"".into()).unwrap();
        assert_eq!((&two[0], manager_image(&two)), (&cache, Some("web:1")));
        let without = set_image(&mut objects[..1], Some("a"), &"".into()).unwrap_err();
        assert_eq!(without.message(), format!("`{FOLDER}` has no container of the operator"));
    }

    #[test]
    fn kinds_that_others_depend_on_come_first() {
        let mut kinds = ["ValidatingWebhookConfiguration", "NetworkPolicy", "Deployment", "Role", "Namespace"];
        kinds.sort_by_key(|kind| rank(kind));
        assert_eq!(kinds, ["Namespace", "Role", "Deployment", "NetworkPolicy", "ValidatingWebhookConfiguration"]);
    }
}

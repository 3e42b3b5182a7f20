//! Renders the objects of a deployment with the operator's image, sorted by dependency.

use crate::cluster::{Remote, Target, kustomize};
use crate::error::{Hint, hint};
use crate::model::{IMAGE_PLACEHOLDER, reference_parts};
use crate::{Error, Result};
use serde_json::Value;
use std::path::Path;

const FOLDER: &str = "config/default";

/// Kinds in the order in which they depend on each other. Kinds that are not listed come after these, and [`LAST`] at
/// the end. Webhook configurations come last: as soon as they exist, the API server calls the webhooks.
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

/// Renders `config/default` of the project at `root` and sets `image` in the objects; changes no file. `remote` says what
/// is done about resources that are not on this machine.
///
/// # Errors
/// Fails if the manifests cannot be rendered, or if no image is chosen; the hint then is `command` for `target` with an
/// image.
pub fn rendered_objects(
    root: &Path,
    image: Option<&str>,
    command: &str,
    target: &Target,
    remote: Remote,
) -> Result<Vec<Value>> {
    let mut objects = kustomize::objects_with(&root.join(FOLDER), remote)?;
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

/// Sets the image of each container that is named `manager` or has the placeholder image.
fn set_image(objects: &mut [Value], image: Option<&str>, chosen: &Hint) -> Result<()> {
    if let Some(image) = image {
        check_image(image)?;
    }
    let mut found = false;
    for object in objects.iter_mut().filter(|object| object["kind"] == "Deployment") {
        let containers = object.pointer_mut("/spec/template/spec/containers").and_then(Value::as_array_mut);
        for container in containers.into_iter().flatten() {
            let current = container["image"].as_str().unwrap_or_default();
            let is_placeholder = repository(current) == IMAGE_PLACEHOLDER;
            if !is_placeholder && container["name"] != "manager" {
                continue;
            }
            found = true;
            match image {
                Some(image) => container["image"] = image.into(),
                None if is_placeholder => {
                    return Err(Error::user("no image is chosen")
                        .caused_by(format!("`{current}` in `config/manager/kustomization.yaml` stands for one"))
                        .hint(chosen));
                }
                None => {}
            }
        }
    }
    if found {
        return Ok(());
    }
    Err(Error::user(format!("`{FOLDER}` has no container for the image"))
        .caused_by("the operator's container is named `manager`, in a Deployment")
        .hint("name it so in `config/manager/manager.yaml`"))
}

/// Returns the image without tag and digest.
pub(in crate::cluster) fn repository(image: &str) -> &str {
    reference_parts(image).0
}

/// Checks that `image` has the form of a reference (`distribution/reference`: `[host[:port]/]path[:tag][@digest]`).
///
/// # Errors
/// Fails if `image` is not a valid reference.
pub fn check_image(image: &str) -> Result<()> {
    let (rest, digest) = image.split_once('@').map_or((image, None), |(rest, digest)| (rest, Some(digest)));
    let repository = repository(rest);
    let tag = rest.strip_prefix(repository).unwrap_or_default();
    let word = |text: &str, allowed: &str| {
        text.chars().all(|character| character.is_ascii_alphanumeric() || allowed.contains(character))
    };
    let mut parts = repository.split('/');
    let host = repository.contains('/').then(|| parts.next()).flatten();
    let is_host = |host: &str| host == "localhost" || host.contains(['.', ':']);
    let is_part = |part: &str| {
        !part.is_empty()
            && word(part, "._-")
            && !part.chars().any(|character| character.is_ascii_uppercase())
            && part.starts_with(|first: char| first.is_ascii_alphanumeric())
            && part.ends_with(|last: char| last.is_ascii_alphanumeric())
    };
    let valid = host.is_none_or(|host| is_part(host) || (is_host(host) && word(host, ".:-[]")))
        && parts.all(is_part)
        && (tag.is_empty() || (tag.len() > 1 && tag.len() <= 129 && word(&tag[1..], "._-")))
        && digest.is_none_or(|digest| {
            digest
                .strip_prefix("sha256:")
                .is_some_and(|hex| hex.len() == 64 && hex.chars().all(|digit| matches!(digit, '0'..='9' | 'a'..='f')))
        });
    if valid {
        return Ok(());
    }
    Err(Error::usage(format!("`{image}` is not the reference of an image"))
        .caused_by("it is a lower-case repository, with a tag or a digest behind it")
        .hint("--image registry.example.com/my-operator:0.1.0"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_are_judged_as_registries_judge_them() {
        let digest = format!("a@sha256:{}", "0".repeat(64));
        for good in
            ["a", "a/b:1", "localhost:5000/a", "localhost:5000/a/b:v1.2", "r.example.com/a-b/c_d@sha256", &digest]
        {
            let good = good.trim_end_matches("@sha256");
            assert!(check_image(good).is_ok(), "{good}");
        }
        for bad in ["", "A", "a b", "a:", "a/", "/a", "a@sha256:12", "-a", "a:b:c d", "$(x)", "a//b", "a:\u{e9}"] {
            assert!(check_image(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_tag_is_not_the_port() {
        for (image, expected) in [("a:1", "a"), ("h:5/a", "h:5/a"), ("h:5/a:1", "h:5/a"), ("a:1@sha256:0", "a")] {
            assert_eq!(repository(image), expected, "{image}");
        }
    }

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
        set_image(&mut objects, None, &"".into()).unwrap();
        let without = set_image(&mut objects[..1], Some("a"), &"".into()).unwrap_err();
        assert_eq!(without.message(), format!("`{FOLDER}` has no container for the image"));
    }

    #[test]
    fn what_others_need_comes_first() {
        let mut kinds = ["ValidatingWebhookConfiguration", "NetworkPolicy", "Deployment", "Role", "Namespace"];
        kinds.sort_by_key(|kind| rank(kind));
        assert_eq!(kinds, ["Namespace", "Role", "Deployment", "NetworkPolicy", "ValidatingWebhookConfiguration"]);
    }
}

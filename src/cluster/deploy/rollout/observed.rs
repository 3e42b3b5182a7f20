//! One observation of a Deployment, its `ReplicaSets` and its pods.

use super::super::member::Member;
use crate::Result;
use crate::cluster::{Attempt, Connection, request_error};
use kube::Api;
use kube::api::{ApiResource, DynamicObject, ListParams};
use kube::core::GroupVersionKind;
use serde_json::Value;

/// The Deployment, `ReplicaSets` and pods of a rollout in one poll. opctl reads the Deployment first, so that the
/// `ReplicaSets` and pods that the Deployment's status reports already exist when opctl reads them.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    pub(super) deployment: DynamicObject,
    pub(super) sets: Vec<DynamicObject>,
    pub(super) pods: Vec<DynamicObject>,
}

/// Returns the label selector of the Deployment's pods.
pub(in crate::cluster::deploy) fn selector(deployment: &DynamicObject) -> String {
    let labels = deployment.data["spec"]["selector"]["matchLabels"].as_object().into_iter().flatten();
    let labels = labels.filter_map(|(name, value)| Some(format!("{name}={}", value.as_str()?)));
    labels.collect::<Vec<_>>().join(",")
}

impl Observed {
    /// Reads the Deployment `member` with its `ReplicaSets` and pods; returns `None` if the Deployment does not exist.
    pub(super) async fn look(connection: &Connection, member: &Member) -> Result<Option<Self>> {
        let Some(deployment) = member.read_live_object(connection).await? else { return Ok(None) };
        let selector = selector(&deployment);
        let namespace = deployment.metadata.namespace.as_deref().unwrap_or_default();
        let sets = list(connection, namespace, ("apps", "ReplicaSet", "replicasets"), &selector).await?;
        let pods = list(connection, namespace, ("", "Pod", "pods"), &selector).await?;
        Ok(Some(Observed { deployment, sets, pods }))
    }

    /// Returns the `ReplicaSet` of the Deployment's current template. Like the Deployment controller, finds the
    /// `ReplicaSet` by comparing pod templates, and not by age or revision: after a rollback, an old `ReplicaSet` is
    /// the current one again, and its revision is updated only later.
    pub(super) fn set(&self) -> Option<&DynamicObject> {
        let wanted = template(&self.deployment);
        let own = self.sets.iter().filter(|set| is_of(set, &self.deployment) && template(set) == wanted);
        own.min_by_key(|set| set.metadata.creation_timestamp.as_ref().map(|time| time.0))
    }

    /// Returns the pods of the current `ReplicaSet` that are not being deleted. The state of pods of an earlier
    /// template
    /// does not show if the current template works.
    pub(super) fn pods(&self) -> impl Iterator<Item = &DynamicObject> {
        let set = self.set();
        self.pods.iter().filter(move |pod| set.is_some_and(|set| is_of(pod, set)) && !is_going(pod))
    }

    /// Returns the Deployment's pods that have not ended and that do not belong to the current template.
    pub(super) fn old_pods(&self) -> impl Iterator<Item = &DynamicObject> {
        let set = self.set();
        let is_old = move |pod: &DynamicObject| {
            let mut own = self.sets.iter().filter(|own| is_of(own, &self.deployment) && is_of(pod, own));
            own.any(|own| set.is_none_or(|set| set.metadata.uid != own.metadata.uid))
        };
        self.pods.iter().filter(move |pod| !has_ended(pod) && is_old(pod))
    }

    /// Returns true if pods of the Deployment are being deleted, which will free resources such as quota.
    pub(super) fn frees_something(&self) -> bool {
        self.pods.iter().any(|pod| is_going(pod) && self.sets.iter().any(|set| is_of(pod, set)))
    }
}

/// Returns the pod template of `object` without `pod-template-hash`, the label that distinguishes the `ReplicaSets` of
/// a Deployment.
fn template(object: &DynamicObject) -> Value {
    let mut template = object.data["spec"]["template"].clone();
    if let Some(labels) = template.pointer_mut("/metadata/labels").and_then(Value::as_object_mut) {
        labels.remove("pod-template-hash");
    }
    template
}

fn is_of(object: &DynamicObject, owner: &DynamicObject) -> bool {
    let mut owners = object.metadata.owner_references.iter().flatten();
    owners.any(|reference| reference.controller == Some(true) && Some(&reference.uid) == owner.metadata.uid.as_ref())
}

fn has_ended(pod: &DynamicObject) -> bool {
    ["Succeeded", "Failed"].iter().any(|phase| pod.data["status"]["phase"] == *phase)
}

fn is_going(pod: &DynamicObject) -> bool {
    pod.metadata.deletion_timestamp.is_some()
}

async fn list(
    connection: &Connection,
    namespace: &str,
    (group, kind, plural): (&str, &str, &str),
    selector: &str,
) -> Result<Vec<DynamicObject>> {
    let resource = ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, "v1", kind), plural);
    let api: Api<DynamicObject> = Api::namespaced_with(connection.client.clone(), namespace, &resource);
    let list = api.list(&ListParams::default().labels(selector)).await;
    let attempt = Attempt { verb: "list", resource: plural, name: plural, namespace: Some(namespace) };
    Ok(list.map_err(|error| request_error(&error, connection, attempt))?.items)
}

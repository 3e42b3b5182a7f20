//! The objects of a namespace after the operator has stopped changing them: normalized for comparisons, and as the API
//! server returns them.

use crate::Result;
use crate::explore::record::state::State;
use crate::explore::server::shared_server::World;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The built-in kinds whose objects contain a template for other objects, as pairs of an API version and a kind.
const WITH_TEMPLATES: [(&str, &str); 6] = [
    ("apps/v1", "DaemonSet"),
    ("apps/v1", "Deployment"),
    ("apps/v1", "ReplicaSet"),
    ("apps/v1", "StatefulSet"),
    ("batch/v1", "CronJob"),
    ("batch/v1", "Job"),
];

/// The objects of a namespace, in two forms: `state` is normalized for comparisons, and `raw` is unchanged.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    pub(super) state: State,
    /// The objects as the API server returns them, by name, such as `services/web`.
    pub(super) raw: BTreeMap<String, Value>,
}

/// Returns true if a built-in controller made the object, such as a pod, from a template. The template is compared
/// instead of the object.
fn is_of_a_template(object: &Value) -> bool {
    let mut owners = object["metadata"]["ownerReferences"].as_array().into_iter().flatten();
    owners.any(|owner| {
        let [kind, version] = ["kind", "apiVersion"].map(|key| owner[key].as_str().unwrap_or_default());
        owner["controller"] == true && WITH_TEMPLATES.contains(&(version, kind))
    })
}

impl Picture {
    /// Reads the objects of `resources` in `namespace`, except for objects that built-in controllers made from
    /// templates.
    pub(super) async fn take(world: &World, namespace: &str, resources: &BTreeSet<String>) -> Result<Picture> {
        let (mut lists, mut raw) = (Vec::new(), BTreeMap::new());
        for resource in resources.iter().filter(|resource| world.is_namespaced(resource)) {
            let mut list = world.send("GET", &world.path(namespace, resource)?, &Value::Null).await?;
            let mut items = list["items"].as_array_mut().map(std::mem::take).unwrap_or_default();
            items.retain(|object| !is_of_a_template(object));
            for object in &items {
                let name = object["metadata"]["name"].as_str().unwrap_or_default();
                raw.insert(format!("{resource}/{name}"), object.clone());
            }
            if world.is_kept_by_controllers(resource) {
                for status in items.iter_mut().filter_map(|object| object.get_mut("status")) {
                    status.take();
                }
            }
            lists.push((resource.clone(), items));
        }
        Ok(Picture { state: State::of(namespace, &lists), raw })
    }

    /// Returns the names of all objects that are compared: `services/web`, or `pods/web-*` for a generated name.
    pub(super) fn objects(&self) -> BTreeSet<String> {
        let of = |resource: &String| -> Vec<String> {
            self.state.names(resource).map(|name| format!("{resource}/{name}")).collect()
        };
        self.state.resources().flat_map(of).collect()
    }

    /// Returns the finalizers of an object that is being deleted; `None` if the object does not exist or is not being
    /// deleted.
    pub(super) fn blocking_finalizers(&self, object: &str) -> Option<Vec<String>> {
        let metadata = &self.raw.get(object)?["metadata"];
        metadata.get("deletionTimestamp")?;
        let list = metadata["finalizers"].as_array().into_iter().flatten();
        Some(list.filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// Returns the finalizers of an object.
    pub(super) fn finalizers(&self, object: &str) -> BTreeSet<String> {
        let list = self.raw.get(object).and_then(|object| object["metadata"]["finalizers"].as_array());
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

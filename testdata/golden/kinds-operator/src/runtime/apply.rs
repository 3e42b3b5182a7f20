//! Server-side apply that sends nothing where nothing would change.
use super::children::MANAGED_BY;
use super::{Context, NAME, children};
use anyhow::Context as _;
use kube::api::{DynamicObject, Patch, PatchParams};
use kube::core::Request;
use kube::core::object::HasStatus;
use kube::{Resource, ResourceExt};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The hash of what a child should be. With it, a field that is no longer wanted makes a difference,
/// which would otherwise be there and in nobody's way.
const HASH: &str = "opctl.dev/desired-hash";

impl Context {
    /// Makes `desired` a child of `owner`, and gives it as the cluster has it, with its status.
    ///
    /// Sends nothing if the child that was last seen holds every field of `desired`. So a child
    /// that somebody changed or deleted is put right, and all others cost no request.
    pub async fn apply<O, K>(&self, owner: &O, mut desired: K) -> anyhow::Result<K>
    where
        O: Resource<DynamicType = ()>,
        K: Resource<DynamicType = ()> + Serialize + DeserializeOwned,
    {
        let kind = K::kind(&());
        let mut kinds = self.children.iter();
        let children = kinds
            .find(|children| children.is_of::<K>())
            .with_context(|| format!("{kind} is not watched: add `.owns::<{kind}>()`"))?;
        let owned = owner
            .controller_owner_ref(&())
            .context("the owner has no uid")?;
        desired.owner_references_mut().push(owned);
        desired.labels_mut().insert(MANAGED_BY.into(), NAME.into());
        if children.is_namespaced() && desired.namespace().is_none() {
            desired.meta_mut().namespace = owner.meta().namespace.clone();
        }
        let key = children::key(&desired);
        let hash = hash(&serde_json::to_vec(&desired)?);
        desired.annotations_mut().insert(HASH.into(), hash);

        let desired = serde_json::to_value(desired)?;
        if let Some(observed) = children.get(&key)
            && difference(&desired, Some(&observed)).is_none()
        {
            return Ok(serde_json::from_value(observed)?);
        }
        let stored = self
            .patch(K::url_path(&(), key.0.as_deref()), None, &key.1, &desired)
            .await;
        let stored = stored.with_context(|| format!("{kind} {} cannot be applied", key.1))?;
        tracing::info!(%kind, name = key.1, "applied");
        if let Some(field) = difference(&desired, Some(&stored)) {
            // Such as a quantity of `1000m`, which is stored as `1`.
            tracing::warn!(%kind, field, "stored unlike it was written, so every pass applies it");
        }
        children.put(DynamicObject::deserialize(&stored)?);
        Ok(serde_json::from_value(stored)?)
    }

    /// Applies `status`, unless `obj` has it already.
    pub async fn apply_status<K>(&self, obj: &K, status: K::Status) -> anyhow::Result<()>
    where
        K: Resource<DynamicType = ()> + HasStatus,
        K::Status: PartialEq + Serialize,
    {
        if obj.status() == Some(&status) {
            return Ok(());
        }
        let patch = json!({
            "apiVersion": K::api_version(&()),
            "kind": K::kind(&()),
            "status": status,
        });
        let url = K::url_path(&(), obj.namespace().as_deref());
        let stored = self
            .patch(url, Some("status"), &obj.name_any(), &patch)
            .await;
        let stored = stored.context("the status cannot be applied")?;
        tracing::debug!("status applied");
        let stored = DynamicObject::deserialize(&stored)?;
        self.wrote(children::key(obj), children::version(&stored));
        Ok(())
    }

    async fn patch(
        &self,
        url: String,
        subresource: Option<&str>,
        name: &str,
        object: &Value,
    ) -> kube::Result<Value> {
        // Whoever else wrote these fields, they are for the controller to say.
        let params = PatchParams::apply(&self.field_manager).force();
        let (request, patch) = (Request::new(url), Patch::Apply(object));
        let request = match subresource {
            Some(subresource) => request.patch_subresource(subresource, name, &params, &patch),
            None => request.patch(name, &params, &patch),
        };
        self.client
            .request(request.map_err(kube::Error::BuildRequest)?)
            .await
    }
}

/// The first field of `desired` that `observed` lacks. What `observed` has besides is not compared:
/// defaults, and what others added.
fn difference(desired: &Value, observed: Option<&Value>) -> Option<String> {
    match (desired, observed) {
        (Value::Object(desired), Some(Value::Object(observed))) => {
            desired.iter().find_map(|(name, value)| {
                let below = difference(value, observed.get(name))?;
                Some(format!(".{name}{below}"))
            })
        }
        // Such as containers: the API server merges them by name, and others may have added theirs.
        (Value::Array(desired), Some(Value::Array(observed)))
            if desired.iter().all(Value::is_object) =>
        {
            let lacks = |one: &Value| {
                observed
                    .iter()
                    .all(|other| difference(one, Some(other)).is_some())
            };
            desired
                .iter()
                .position(lacks)
                .map(|index| format!("[{index}]"))
        }
        (desired, None) => (!is_empty(desired)).then(String::new),
        (desired, Some(observed)) => (desired != observed).then(String::new),
    }
}

/// What the API server leaves out when it stores an object.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(fields) => fields.values().all(is_empty),
        Value::Bool(true) => false,
    }
}

/// FNV-1a: short, and the same in every build, unlike the hashes of the standard library.
fn hash(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_desired_is_compared() {
        let observed = json!({
            "spec": {
                "replicas": 2,
                "strategy": { "type": "RollingUpdate" },
                "containers": [{ "name": "sidecar" }, { "name": "a", "args": ["x", "y"] }],
            },
        });
        let same = |desired: Value| difference(&desired, Some(&observed)).is_none();
        assert!(same(
            json!({ "spec": { "replicas": 2, "paused": false, "labels": {} } })
        ));
        assert!(same(
            json!({ "spec": { "containers": [{ "name": "a", "args": ["x", "y"] }] } })
        ));
        assert!(!same(json!({ "spec": { "replicas": 3 } })));
        assert!(!same(json!({ "spec": { "paused": true } })));
        assert!(!same(
            json!({ "spec": { "containers": [{ "name": "a", "args": ["x"] }] } })
        ));
        let desired = json!({ "spec": { "containers": [{ "name": "sidecar" }, { "name": "b" }] } });
        let expected = Some(".spec.containers[1]".to_owned());
        assert_eq!(difference(&desired, Some(&observed)), expected);
    }
}

//! Server-side apply that sends nothing where nothing would change.
use super::children::MANAGED_BY;
use super::{Context, NAME, children};
use anyhow::Context as _;
use axum::http::Request as HttpRequest;
use kube::api::{DynamicObject, Patch, PatchParams, PostParams, ValidationDirective};
use kube::core::{Request, object::HasStatus, request::Error as RequestError};
use kube::{Resource, ResourceExt, Result};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
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
        let children = self.children.iter().find(|children| children.is_of::<K>());
        let children =
            children.with_context(|| format!("{kind} is not watched: add `.owns::<{kind}>()`"))?;
        let owned = owner.controller_owner_ref(&());
        let owned = owned.context("the owner has no uid")?;
        desired.owner_references_mut().push(owned);
        desired.labels_mut().insert(MANAGED_BY.into(), NAME.into());
        if children.namespaced && desired.namespace().is_none() {
            desired.meta_mut().namespace = owner.meta().namespace.clone();
        }
        let key = children::key(&desired);
        let hash = hash(&serde_json::to_vec(&desired)?);
        desired.annotations_mut().insert(HASH.into(), hash);

        let desired = serde_json::to_value(desired)?;
        let at = Request::new(K::url_path(&(), key.0.as_deref()));
        let stored = match children.get(&key) {
            Some(observed) if difference(&desired, &observed).is_none() => {
                return Ok(serde_json::from_value(observed)?);
            }
            Some(observed) => self.update(&at, &key.1, desired.clone(), &observed).await,
            None => self.create(&at, &key.1, &desired).await,
        };
        let stored = stored.with_context(|| format!("{kind} {} cannot be applied", key.1))?;
        tracing::info!(%kind, name = key.1, "applied");
        if let Some(field) = difference(&desired, &stored) {
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
        let (key, version, kind) = (children::key(obj), K::api_version(&()), K::kind(&()));
        let patch = json!({ "apiVersion": version, "kind": kind, "status": status });
        let at = Request::new(K::url_path(&(), key.0.as_deref()));
        let (params, patch) = (self.params(), Patch::Apply(patch));
        let request = at.patch_subresource("status", &key.1, &params, &patch);
        let stored = self.send(request).await;
        let stored = stored.context("the status cannot be applied")?;
        tracing::debug!("status applied");
        let version = children::version(&DynamicObject::deserialize(&stored)?);
        self.written.lock().insert(key, version);
        Ok(())
    }

    /// To apply what is not there yet would cost the API server more.
    async fn create(&self, at: &Request, name: &str, desired: &Value) -> Result<Value> {
        let params = PostParams {
            field_manager: Some(self.field_manager.clone()),
            ..Default::default()
        };
        let json = serde_json::to_vec(desired).map_err(kube::Error::SerdeError)?;
        match self.send(at.create(&params, json)).await {
            // It has lost its label, or somebody else has made it.
            Err(kube::Error::Api(status)) if status.is_already_exists() => {
                self.update(at, name, desired.clone(), &Value::Null).await
            }
            stored => stored,
        }
    }

    async fn update(&self, at: &Request, name: &str, mut new: Value, old: &Value) -> Result<Value> {
        // An apply removes only what was applied before it: so the creation is made to count as one.
        let entries = old["metadata"]["managedFields"].as_array();
        let creation = entries.into_iter().flatten().position(|entry| {
            entry["manager"] == *self.field_manager && entry["operation"] == "Update"
        });
        if let Some(index) = creation {
            let entry = format!("/metadata/managedFields/{index}");
            let patch = json!([
                { "op": "test", "path": format!("{entry}/manager"), "value": self.field_manager },
                { "op": "replace", "path": format!("{entry}/operation"), "value": "Apply" },
            ]);
            let patch = serde_json::from_value(patch).map_err(kube::Error::SerdeError)?;
            let (params, patch) = (PatchParams::default(), Patch::Json::<()>(patch));
            let taken = self.send(at.patch(name, &params, &patch)).await?;
            if new["kind"] == "Service" {
                // Where its cache is behind, the API server would lose a node port that it allocates.
                new["metadata"]["resourceVersion"] = taken["metadata"]["resourceVersion"].clone();
            }
        }
        let (params, patch) = (self.params(), Patch::Apply(new));
        self.send(at.patch(name, &params, &patch)).await
    }

    fn params(&self) -> PatchParams {
        // Whoever else wrote these fields, they are for the controller to say.
        let mut params = PatchParams::apply(&self.field_manager).force();
        // An apply fails with unknown fields anyway. To look for them would cost another parse.
        params.field_validation = Some(ValidationDirective::Ignore);
        params
    }

    async fn send(&self, request: Result<HttpRequest<Vec<u8>>, RequestError>) -> Result<Value> {
        let request = request.map_err(kube::Error::BuildRequest)?;
        let mut stored: Value = self.client.request(request).await?;
        let entries = stored["metadata"]["managedFields"].as_array_mut();
        for entry in entries.into_iter().flatten() {
            entry["fieldsV1"].take(); // half of the object, and nobody here reads them
        }
        Ok(stored)
    }
}

/// The first field of `desired` that `observed` lacks. What `observed` has besides is not compared:
/// defaults, and what others added.
fn difference(desired: &Value, observed: &Value) -> Option<String> {
    match desired {
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            let below = difference(value, &observed[name])?;
            Some(format!(".{name}{below}"))
        }),
        // Such as containers: the API server merges them by name, and others may have added theirs.
        Value::Array(items) if items.iter().all(Value::is_object) => {
            let observed = observed.as_array().map_or(&[][..], Vec::as_slice);
            let lacks = |item| {
                observed
                    .iter()
                    .all(|other| difference(item, other).is_some())
            };
            let missing = items.iter().position(lacks);
            missing.map(|index| format!("[{index}]"))
        }
        // What the API server leaves out when it stores an object.
        value if observed.is_null() && (*value == false || *value == 0 || *value == "") => None,
        value => (value != observed).then(String::new),
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
        let same = |desired: Value| difference(&desired, &observed).is_none();
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
        assert_eq!(difference(&desired, &observed), expected);
    }
}

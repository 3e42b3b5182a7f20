//! Finds the changes of a sample that the API server accepts, by trying them on an object that no operator watches.
//!
//! A dry run of a creation is not enough: the rules of a CRD may compare a value with the earlier value.

use crate::Result;
use crate::explore::plan::change::{candidates, merge};
use crate::explore::plan::field_values::other_values;
use crate::explore::server::shared_server::World;
use serde_json::Value;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/// The name of the trial object, which is changed and then deleted.
const NAME: &str = "opctl-explore";

/// A trial object, on which possible changes of a sample are tested.
struct Trial<'w> {
    world: &'w World,
    objects: String,
    object: String,
    manifest: Value,
}

impl Trial<'_> {
    /// Deletes the trial object and creates it again; returns false if the API server refuses the creation.
    async fn recreate_object(&self) -> Result<bool> {
        self.world.remove(&self.object).await?;
        Ok(self.world.request("POST", &self.objects, &self.manifest).await.is_ok())
    }

    /// Returns true if the API server accepts two patches of the trial object, one after the other: `there`, which
    /// changes the object, and `back`, which undoes the change.
    async fn can(&self, there: &Value, back: &Value) -> Result<bool> {
        if self.world.request("PATCH", &self.object, there).await.is_err() {
            return Ok(false);
        }
        let returns = self.world.request("PATCH", &self.object, back).await.is_ok();
        if !returns {
            self.recreate_object().await?;
        }
        Ok(returns)
    }

    /// Returns true if the API server accepts, in a dry run, a new object that consists of the sample and the changes
    /// of the merge patch `patch`.
    async fn can_begin_with(&self, patch: &Value) -> bool {
        let mut changed = self.manifest.clone();
        merge(&mut changed, patch);
        changed["metadata"]["name"] = format!("{NAME}-2").into();
        self.world.request("POST", &format!("{}?dryRun=All", self.objects), &changed).await.is_ok()
    }
}

impl World {
    /// Returns changes of the sample that the API server accepts: first one change below `spec`, if any, as two merge
    /// patches that make and undo the change; then a list of other possible values of the sample's fields, in the
    /// notation of plans.
    pub async fn choose(&self, sample: &Value) -> Result<(Option<[Value; 2]>, Vec<String>)> {
        let resource = self.collection_of(sample)?.to_owned();
        let objects = self.path("default", &resource)?;
        let mut manifest = sample.clone();
        manifest["metadata"]["name"] = NAME.into();
        let trial = Trial { world: self, object: format!("{objects}/{NAME}"), objects, manifest };
        if !trial.recreate_object().await? {
            return Ok((None, Vec::new()));
        }
        let mut change = None;
        for [there, back] in candidates(sample) {
            if trial.can(&there, &back).await? {
                change = Some([there, back]);
                break;
            }
        }
        let (mut fields, name) = (Vec::new(), sample["metadata"]["name"].as_str().unwrap_or_default());
        for field in other_values(&self.schema(sample, &resource).await, sample) {
            let (there, back) = (field.patch(&field.value), field.patch(field.of(sample)));
            if trial.can_begin_with(&there).await && trial.can(&there, &back).await? {
                fields.push(format!("{resource}/{name}/{}", field.text()));
            }
        }
        self.remove(&trial.object).await?;
        Ok((change, fields))
    }

    /// Returns the schema of the sample's API version from its CRD; null for a built-in kind, which has no CRD.
    async fn schema(&self, sample: &Value, resource: &str) -> Value {
        let definition = self.request("GET", &format!("{DEFINITIONS}/{resource}"), &Value::Null).await;
        let definition = definition.unwrap_or_default();
        let version = sample["apiVersion"].as_str().and_then(|version| version.rsplit('/').next());
        let mut versions = definition["spec"]["versions"].as_array().into_iter().flatten();
        let found = versions.find(|found| found["name"].as_str() == version);
        found.map(|found| found["schema"]["openAPIV3Schema"].clone()).unwrap_or_default()
    }
}

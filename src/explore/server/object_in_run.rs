//! The samples as a run creates and changes them: a cluster-scoped sample has another name in each run.

use super::shared_server::World;
use crate::Result;
use crate::explore::record::run_scope::RunScope;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

impl World {
    /// Returns the scope of the run with this namespace.
    pub fn scope_of_run(&self, namespace: &str) -> RunScope {
        RunScope::new(namespace, !self.cluster_scoped.is_empty())
    }

    /// Returns the sample as the run of `scope` creates it.
    pub fn object_in_run<'s>(&self, sample: &'s Value, scope: &RunScope) -> Result<Cow<'s, Value>> {
        let mut object = self.change_in_run(sample, scope);
        if scope.is_cluster_wide() && !self.is_namespaced(self.collection_of(sample)?) {
            let name = sample["metadata"]["name"].as_str().unwrap_or_default();
            object.to_mut()["metadata"]["name"] = scope.name_in_run(name).into();
        }
        Ok(object)
    }

    /// Returns a sample or a patch of a sample, in which the names of cluster-scoped samples are the names of the run.
    ///
    /// A text is taken as such a name if its field is named as in Kubernetes' own kinds: `name`, or with the ending
    /// `Name` or `Ref`.
    pub fn change_in_run<'c>(&self, change: &'c Value, scope: &RunScope) -> Cow<'c, Value> {
        if !scope.is_cluster_wide() {
            return Cow::Borrowed(change);
        }
        let mut changed = change.clone();
        if let Some(fields) = changed.as_object_mut() {
            let fields = fields.iter_mut().filter(|(key, _)| *key != "metadata");
            fields.for_each(|(key, value)| rename(key, value, &self.cluster_scoped, scope));
        }
        Cow::Owned(changed)
    }
}

/// Replaces the names in `samples` with their names in the run of `scope`, in the value of the field `key`.
fn rename(key: &str, value: &mut Value, samples: &BTreeSet<String>, scope: &RunScope) {
    let is_name = key == "name" || key.ends_with("Name") || key.ends_with("Ref");
    match value {
        Value::String(text) if is_name && samples.contains(text) => *text = scope.name_in_run(text).into_owned(),
        Value::Array(items) => items.iter_mut().for_each(|item| rename(key, item, samples, scope)),
        Value::Object(fields) => fields.iter_mut().for_each(|(key, value)| rename(key, value, samples, scope)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_reference_to_a_cluster_scoped_sample_is_renamed() {
        let (samples, scope) = (BTreeSet::from(["gold".to_owned()]), RunScope::new("explore-1", true));
        let mut spec = json!({
            "className": "gold", "classRef": {"name": "gold", "kind": "gold"}, "message": "gold", "name": "silver",
            "poolRef": "gold", "parts": [{"name": "gold"}, "gold"], "hostNames": ["gold"],
        });
        rename("spec", &mut spec, &samples, &scope);
        let renamed = "gold-explore-1";
        let expected = json!({
            "className": renamed, "classRef": {"name": renamed, "kind": "gold"}, "message": "gold", "name": "silver",
            "poolRef": renamed, "parts": [{"name": renamed}, "gold"], "hostNames": ["gold"],
        });
        assert_eq!(spec, expected);
    }
}

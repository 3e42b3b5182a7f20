//! The objects that samples need: cluster-scoped objects, and Secrets and other built-in objects in the same folder
//! as the samples. These objects are created, and no step of a run changes or deletes them.

use super::explored_samples::{ClusterScoped, Samples, is_built_in, is_same_kind};
use super::shared_server::World;
use crate::error::hint;
use crate::{Error, Result};
use serde_json::Value;

impl World {
    /// Creates the cluster-scoped objects among `samples` that are not explored, and stores the objects that each run's
    /// namespace needs. Returns the explored samples, and the resources of the samples that are not explored because
    /// they are cluster-scoped.
    pub async fn provide(&mut self, samples: Samples) -> Result<(Vec<Value>, Vec<String>)> {
        let (mut explored, mut left_out, mut once) = (Vec::new(), Vec::new(), Vec::new());
        let has_namespace = |object: &Value| Ok(self.is_namespaced(self.collection_of(object)?));
        let with_namespace = samples.explored.iter().map(has_namespace).collect::<Result<Vec<_>>>()?;
        let explores_all = match samples.cluster_scoped {
            ClusterScoped::Alone => !with_namespace.contains(&true),
            ClusterScoped::Chosen => true,
            ClusterScoped::Never => false,
        };
        for (object, has_namespace) in samples.explored.into_iter().zip(with_namespace) {
            if !has_namespace && !explores_all {
                left_out.push(self.collection_of(&object)?.to_owned());
                once.push(object);
                continue;
            }
            if !has_namespace {
                self.cluster_scoped.extend(object["metadata"]["name"].as_str().map(str::to_owned));
            }
            explored.push(object);
        }
        for object in samples.others {
            let is_explored = explored.iter().any(|sample| is_same_kind(sample, &object));
            if !self.collection_of(&object).is_ok_and(|collection| self.is_namespaced(collection)) {
                once.extend((!is_explored).then_some(object));
            } else if is_built_in(&object) && !is_explored {
                self.needed.push(object);
            }
        }
        for object in &once {
            self.make(object, "default", "").await?;
        }
        // A cluster-scoped sample may name the namespace of its children, and this namespace exists in each cluster.
        let query = if self.cluster_scoped.is_empty() { "?dryRun=All" } else { "" };
        for object in &self.needed {
            self.make(object, "default", query).await?;
        }
        Ok((explored, left_out))
    }

    /// Creates an object that samples need in `namespace`, unless an object with the same name exists. `query` is
    /// appended to the URL, such as `?dryRun=All` for a dry run.
    pub async fn make(&self, object: &Value, namespace: &str, query: &str) -> Result<()> {
        let collection = self.collection_of(object)?;
        let path = format!("{}{query}", self.path_of_kind(namespace, object)?);
        match self.request("POST", &path, object).await {
            Ok(_) => Ok(()),
            Err(kube::Error::Api(status)) if status.code == 409 => Ok(()),
            Err(error) => {
                let name = object["metadata"]["name"].as_str().unwrap_or_default();
                let error = Error::user(format!(
                    "the API server refuses the object `{collection}/{name}` in the \
                                                 samples"
                ))
                .source(&error)
                .hint(hint!("{again}    # after you have fixed the file", again = &self.launch.again));
                Err(error)
            }
        }
    }
}

//! The objects that samples need: cluster-scoped objects, and Secrets and other built-in objects in the same folder
//! as the samples. These objects are created, and no step of a run changes or deletes them.

use super::explored_samples::{Samples, is_built_in, is_same_kind};
use super::shared_server::World;
use crate::error::hint;
use crate::{Error, Result};
use serde_json::Value;

impl World {
    /// Creates the cluster-scoped objects among `samples`, and stores the objects that each run's namespace needs.
    /// Returns the samples that have a namespace, and the resources of the samples without a namespace.
    pub async fn provide(&mut self, samples: Samples) -> Result<(Vec<Value>, Vec<String>)> {
        let (mut explored, mut cluster_wide, mut once) = (Vec::new(), Vec::new(), Vec::new());
        for object in samples.explored {
            let collection = self.collection_of(&object)?.to_owned();
            if self.is_namespaced(&collection) {
                explored.push(object);
            } else {
                cluster_wide.push(collection);
                once.push(object);
            }
        }
        for object in samples.others {
            let is_explored = explored.iter().any(|sample| is_same_kind(sample, &object));
            if !self.collection_of(&object).is_ok_and(|collection| self.is_namespaced(collection)) {
                once.push(object);
            } else if is_built_in(&object) && !is_explored {
                self.needed.push(object);
            }
        }
        for object in &once {
            self.make(object, "default", "").await?;
        }
        for object in &self.needed {
            self.make(object, "default", "?dryRun=All").await?;
        }
        Ok((explored, cluster_wide))
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

//! Turns off the conversion webhooks of an operator that is being removed, after its pods have ended.

use super::member::Member;
use super::rollout::selector;
use super::steps::Steps;
use crate::Result;
use crate::cluster::Connection;
use crate::cluster::crd::{conversion, converted};
use k8s_openapi::api::core::v1::Pod;
use kube::Api;
use kube::api::{DynamicObject, ListParams};
use serde_json::Value;
use std::time::{Duration, Instant};

/// The time that the operator's pods may take to end. The kubelet kills a pod after 30 seconds.
const PATIENCE: Duration = Duration::from_secs(35);

/// The CRDs whose objects the operator converts, and the pods of the operator.
pub(super) struct Conversions {
    definitions: Vec<DynamicObject>,
    pods: Vec<(Api<Pod>, ListParams)>,
}

impl Conversions {
    /// Finds the live CRDs of `definitions` that have a conversion webhook; returns `None` if no CRD has a webhook.
    ///
    /// # Errors
    /// Fails if the server refuses a request.
    pub(super) async fn of<'a>(
        definitions: impl Iterator<Item = &'a Member>,
        targets: &[Member],
        connection: &Connection,
    ) -> Result<Option<Self>> {
        let mut live = Vec::new();
        for definition in definitions {
            live.extend(definition.read_live_object(connection).await?.filter(converted::is_converted));
        }
        if live.is_empty() {
            return Ok(None);
        }
        let mut pods = Vec::new();
        for member in targets.iter().filter(|member| member.group_kind() == "Deployment.apps") {
            let Some(deployment) = member.read_live_object(connection).await? else { continue };
            let api = Api::namespaced(connection.client.clone(), member.namespace().unwrap_or_default());
            pods.push((api, ListParams::default().labels(&selector(&deployment))));
        }
        Ok(Some(Conversions { definitions: live, pods }))
    }

    /// Waits until the operator's pods are gone, and then turns off the conversion webhooks. Without the wait, a pod
    /// that still runs could read unconverted objects, which lack the fields that only the stored version has, and
    /// would lose these fields by writing the objects back. Returns a warning for each CRD whose objects are stored in
    /// several versions.
    ///
    /// # Errors
    /// Fails if the server refuses a request.
    pub(super) async fn end(
        self,
        connection: &Connection,
        steps: &Steps<'_>,
        deadline: Instant,
    ) -> Result<Vec<String>> {
        let deadline = deadline.min(Instant::now() + PATIENCE);
        let mut is_said = false;
        for (api, parameters) in &self.pods {
            // Without the right to list pods there is nothing to wait for.
            while api.list_metadata(parameters).await.is_ok_and(|pods| !pods.items.is_empty())
                && Instant::now() < deadline
            {
                if !is_said {
                    steps.say("Waiting", "for the operator to stop");
                    is_said = true;
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
        for definition in &self.definitions {
            conversion::stop(connection, definition.metadata.name.as_deref().unwrap_or_default()).await?;
        }
        Ok(self.definitions.iter().filter_map(still_stored).collect())
    }
}

/// Returns the warning for a CRD whose objects are stored in more than one version: without the operator, no
/// webhook converts these objects.
fn still_stored(definition: &DynamicObject) -> Option<String> {
    let stored = definition.data.pointer("/status/storedVersions")?.as_array()?;
    let versions: Vec<&str> = stored.iter().filter_map(Value::as_str).collect();
    let name = definition.metadata.name.as_deref().unwrap_or_default();
    (versions.len() > 1).then(|| {
        format!(
            "`{name}` has objects that are stored as {}: without the operator no webhook converts these objects, so \
             do not change them; `opctl deploy && opctl migrate` stores all objects in one version",
            versions.join(" or ")
        )
    })
}

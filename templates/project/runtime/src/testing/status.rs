//! Sets a random status of an object, for tests.

use super::random::Random;
use crate::webhook::Version;
use kube::api::{Api, Patch, PatchParams};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::fmt::Debug;

/// The number of random statuses to generate: the API server may refuse some of them.
const STATUSES: u64 = 200;

/// Sets a random status that the schema of the object's kind allows, and returns the object. The
/// status is the same in each run. An object of a kind without a status stays unchanged.
///
/// ```no_run
/// use kube::api::Api;
/// use runtime::testing;
/// # use kube::CustomResource;
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// #
/// # #[derive(CustomResource, Serialize, Deserialize, JsonSchema, Clone, Debug)]
/// # #[kube(group = "example.com", version = "v1", kind = "Site", namespaced)]
/// # pub struct SiteSpec {
/// #     pub replicas: i32,
/// # }
/// # async fn example() {
/// let (client, namespace) = testing::namespace().await;
/// let sites: Api<Site> = Api::namespaced(client, &namespace);
/// let site = testing::with_status(&sites, "sample").await;
/// # }
/// ```
///
/// # Panics
/// Panics if the object does not exist, or if the API server refuses all tried statuses.
pub async fn with_status<K: Version + Clone + Debug>(api: &Api<K>, name: &str) -> K {
    let Some(schema) = schema::<K>() else {
        return api.get(name).await.expect("the object exists");
    };
    let mut statuses: Vec<Value> = (0..STATUSES)
        .map(|seed| Random::new(seed).value(&schema))
        .collect();
    statuses.sort_by_key(|status| Reverse(status.to_string().len()));
    let mut refused = None;
    for status in statuses {
        let patch = Patch::Merge(json!({ "status": status }));
        match api
            .patch_status(name, &PatchParams::default(), &patch)
            .await
        {
            Ok(object) => return object,
            // For example by a pattern or a rule, which random values do not follow.
            Err(kube::Error::Api(status)) => refused = Some(status.message),
            Err(error) => panic!("the status of {name}: {error}"),
        }
    }
    panic!(
        "the API server refuses all statuses that were tried for {name}: {}",
        refused.unwrap_or_default()
    );
}

/// Returns the schema of the status, if the kind has one.
fn schema<K: Version>() -> Option<Value> {
    let version = K::crd().spec.versions.into_iter().next()?;
    version.subresources?.status?;
    let schema = serde_json::to_value(version.schema?.open_api_v3_schema?).ok()?;
    schema.pointer("/properties/status").cloned()
}

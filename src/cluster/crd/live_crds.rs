//! Reads the CRDs of a cluster.

use super::crd_api::{RESOURCE, api_resource};
use crate::cluster::request::list_metadata::each_page;
use crate::cluster::{Attempt, Connection, Target, request_error, run};
use crate::report::Console;
use crate::{Error, Result};
use kube::Api;
use kube::api::{DynamicObject, ListParams};
use serde_json::Value;
use std::time::Duration;

/// The number of CRDs in one page of a list. The pages are small because a single CRD may have a megabyte.
const PAGE: u32 = 50;

/// Returns all CRDs of the cluster, including the CRDs of other projects.
///
/// # Errors
/// Fails if the cluster cannot be reached, or if the server refuses a request.
pub fn live_definitions(target: &Target, timeout: Duration, console: &Console) -> Result<Vec<Value>> {
    run(target, timeout, async {
        let connection = Connection::open(target, console).await?;
        connection.show(console);
        let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &api_resource());
        let attempt = Attempt { verb: "list", resource: RESOURCE, name: RESOURCE, namespace: None };
        let mut objects = Vec::new();
        let read = each_page(&api, Api::list, ListParams::default().limit(PAGE), |page| {
            objects.extend(page.items);
            true
        });
        read.await.map_err(|error| request_error(&error, &connection, attempt))?;
        let definitions = objects.into_iter().map(serde_json::to_value).collect::<Result<_, _>>();
        definitions.map_err(|error| Error::bug("a CRD cannot be converted to JSON").source(&error))
    })
}

//! Tests that the operator's webhooks answer the API server.

use super::place::Place;
use crate::cluster::deploy::{create_dry, samples};
use crate::cluster::{Attempt, Connection, read_definitions, request_error, run_until_interrupted};
use crate::model::Resource;
use crate::report::Console;
use crate::{Error, Result};
use kube::api::{Api, DynamicObject, ListParams};
use kube::core::GroupVersionKind;
use kube::discovery::ApiResource;
use serde_json::Value;

/// Returns true if `objects`, the objects of `config/default`, include webhooks.
pub fn has_webhooks(objects: &[Value]) -> bool {
    objects.iter().any(|object| match object["kind"].as_str() {
        Some("MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration") => true,
        Some("CustomResourceDefinition") => {
            object.pointer("/spec/conversion/strategy").is_some_and(|strategy| strategy == "Webhook")
        }
        _ => false,
    })
}

/// Creates a copy of each sample under another name in a dry run, and reads the objects of each kind in each version.
/// The server refuses these requests if a webhook does not answer.
///
/// # Errors
/// Fails if the server refuses a request.
pub fn webhooks_answer(place: &Place, console: &Console) -> Result<()> {
    run_until_interrupted(&place.target, place.timeout, async {
        let connection = Connection::open(&place.target, console).await?;
        for sample in samples(place.project, place.root, &[], &connection).await? {
            let created = create_dry(&sample, &connection).await;
            created.map_err(|error| request_error(&error, &connection, sample.attempt("create")))?;
        }
        if place.project.resources.iter().any(Resource::has_types) {
            for definition in read_definitions(place.root)? {
                for version in &definition.served {
                    let kind = GroupVersionKind::gvk(&definition.group, version, &definition.kind);
                    let resource = ApiResource::from_gvk_with_plural(&kind, &definition.plural);
                    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &resource);
                    let name = definition.name.as_str();
                    let attempt = Attempt { verb: "list", resource: name, name, namespace: None };
                    let listed = api.list(&ListParams::default()).await;
                    listed.map_err(|error| request_error(&error, &connection, attempt))?;
                }
            }
        }
        Ok::<(), Error>(())
    })
}

//! What an API server says to definitions, each on its own.

use super::crds::api_resource;
use super::install::{RESOURCE, until_served};
use super::{Attempt, Connection, Definition, FIELD_MANAGER, request_error};
use crate::Result;
use kube::Api;
use kube::api::{DynamicObject, Patch, PatchParams, ValidationDirective};
use serde_json::Value;

/// What is refused: where, as the server names it, and why.
pub type Refused = (String, String);

/// Applies a definition with strict validation and waits until it is served. Empty if all is well.
///
/// # Errors
/// A server that cannot be asked.
pub async fn judge(connection: &Connection, definition: &Definition) -> Result<Vec<Refused>> {
    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &api_resource());
    let parameters = PatchParams {
        dry_run: false,
        force: true,
        field_manager: Some(FIELD_MANAGER.to_owned()),
        field_validation: Some(ValidationDirective::Strict),
    };
    let attempt = |verb| Attempt { verb, resource: RESOURCE, name: &definition.name };
    let applied = match api.patch(&definition.name, &parameters, &Patch::Apply(&definition.object)).await {
        Ok(applied) => applied,
        Err(kube::Error::Api(status)) if [400, 422, 500].contains(&status.code) => {
            let causes = status.details.iter().flat_map(|details| &details.causes);
            // Beside the causes with a place there are some that only repeat them.
            let said: Vec<Refused> = causes
                .filter(|cause| !cause.field.is_empty())
                .map(|cause| (cause.field.clone(), cause.message.clone()))
                .collect();
            return Ok(if said.is_empty() { vec![(String::new(), status.message.clone())] } else { said });
        }
        Err(error) => return Err(request_error(&error, connection, attempt("patch"))),
    };
    if let Some(refused) = condition(&applied, "NamesAccepted", "False") {
        return Ok(vec![("spec.names".to_owned(), refused)]);
    }
    until_served(connection, definition).await?;
    let served = api.get(&definition.name).await.map_err(|error| request_error(&error, connection, attempt("get")))?;
    Ok(condition(&served, "NonStructuralSchema", "True").map(|said| (String::new(), said)).into_iter().collect())
}

/// The message of a condition that has this status.
fn condition(object: &DynamicObject, name: &str, status: &str) -> Option<String> {
    let conditions = object.data.pointer("/status/conditions").and_then(Value::as_array);
    let mut conditions = conditions.into_iter().flatten();
    let found = conditions.find(|condition| condition["type"] == name && condition["status"] == status)?;
    Some(found["message"].as_str().unwrap_or_default().to_owned())
}

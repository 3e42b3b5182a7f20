//! Applies the CRDs of a version, and tests in dry runs if the API server accepts objects.

use crate::explore::server::shared_server::World;
use crate::{Error, Result};
use kube::Client;
use kube::core::Status;
use serde_json::Value;
use std::time::{Duration, Instant};

const PATH: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/// The time limit for a CRD to be served.
const SERVED_WITHIN: Duration = Duration::from_secs(20);
/// The time after which the API server uses a new schema that it has accepted.
pub(super) const SETTLES: Duration = Duration::from_millis(700);

/// Applies the CRDs. Returns the name of the first CRD that the server refuses, with the message of the server.
pub(super) async fn apply(world: &World, definitions: &[Value]) -> Result<Option<(String, String)>> {
    for definition in definitions {
        let name = definition["metadata"]["name"].as_str().unwrap_or_default();
        if let Some(message) = apply_object(&world.admin, &format!("{PATH}/{name}"), definition).await? {
            return Ok(Some((name.to_owned(), message)));
        }
    }
    for definition in definitions {
        until_served(world, definition).await?;
    }
    tokio::time::sleep(SETTLES).await;
    Ok(None)
}

/// Applies an object. Returns the message of the server if it refuses the object.
pub(super) async fn apply_object(admin: &Client, path: &str, object: &Value) -> Result<Option<String>> {
    let request = http::Request::patch(format!("{path}?fieldManager=opctl&force=true&fieldValidation=Strict"))
        .header("Content-Type", "application/apply-patch+yaml")
        .body(object.to_string().into_bytes())
        .map_err(|error| Error::bug("cannot build a request").source(&error))?;
    match admin.request::<Value>(request).await {
        Ok(_) => Ok(None),
        Err(kube::Error::Api(status)) if [400, 409, 422].contains(&status.code) => Ok(Some(status.message.clone())),
        Err(error) => {
            let name = object["metadata"]["name"].as_str().unwrap_or_default();
            Err(Error::cluster(format!("cannot apply `{name}`")).source(&error))
        }
    }
}

async fn until_served(world: &World, definition: &Value) -> Result<()> {
    let text = |pointer: &str| definition.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (name, group, plural) = (text("/metadata/name"), text("/spec/group"), text("/spec/names/plural"));
    let versions = definition["spec"]["versions"].as_array().into_iter().flatten();
    let served = versions.filter(|version| version["served"] == true).filter_map(|version| version["name"].as_str());
    for version in served {
        let begun = Instant::now();
        loop {
            let list =
                world.request("GET", &format!("/apis/{group}/{version}"), &Value::Null).await.unwrap_or_default();
            let mut resources = list["resources"].as_array().into_iter().flatten();
            if resources.any(|resource| resource["name"] == plural) {
                break;
            }
            if begun.elapsed() > SERVED_WITHIN {
                return Err(Error::cluster(format!(
                    "the API server does not serve the CRD `{name}` in version \
                                                   `{version}`"
                )));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    Ok(())
}

/// The answer of the API server to the creation of an object in a dry run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    /// The object as it would be stored.
    Accepted(Value),
    /// The message with which the API server refuses the object.
    Refused(String),
}

/// Returns true if the API server refuses an object: because of the schema, because a webhook denies the object, or
/// because a conversion fails, which is an internal error.
fn refuses(status: &Status) -> bool {
    [400, 403, 404, 422].contains(&status.code) || status.message.contains("conversion webhook for ")
}

/// Asks the API server in a dry run if it would create the object. The returned object has been converted to the stored
/// version and back.
pub(super) async fn ask(world: &World, object: &Value) -> Result<Answer> {
    let place = world.path_of_kind("default", object)?;
    match world.request("POST", &format!("{place}?dryRun=All"), object).await {
        Ok(stored) => Ok(Answer::Accepted(stored)),
        Err(kube::Error::Api(status)) if refuses(&status) => Ok(Answer::Refused(status.message.clone())),
        Err(error) => Err(Error::cluster("the API server does not answer").source(&error)),
    }
}

/// Returns true if a webhook converts the objects of the kind of `object`.
pub(super) fn is_converted(definitions: &[Value], object: &Value) -> bool {
    definition_of(definitions, object).is_some_and(|(definition, _)| has_webhook(definition))
}

/// Returns the names of the CRDs with a conversion webhook in the new version, but not in the old version.
pub(super) fn newly_converted<'d>(old: &[Value], new: &'d [Value]) -> impl Iterator<Item = &'d str> {
    let name = |definition: &'d Value| definition["metadata"]["name"].as_str();
    let names: Vec<_> = old.iter().filter(|old| has_webhook(old)).map(|old| old["metadata"]["name"].clone()).collect();
    let converted = new.iter().filter(|definition| has_webhook(definition)).filter_map(name);
    converted.filter(move |name| !names.iter().any(|old| old == name))
}

fn has_webhook(definition: &Value) -> bool {
    definition.pointer("/spec/conversion/strategy").is_some_and(|strategy| strategy == "Webhook")
}

/// Returns the CRD of an object, and the version of the object.
pub(super) fn definition_of<'d, 'o>(definitions: &'d [Value], object: &'o Value) -> Option<(&'d Value, &'o str)> {
    let (group, version) = object["apiVersion"].as_str()?.split_once('/')?;
    let is_of = |definition: &&Value| {
        definition["spec"]["group"] == group && definition["spec"]["names"]["kind"] == object["kind"]
    };
    Some((definitions.iter().find(is_of)?, version))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn conversions_that_the_old_version_lacks_are_named() {
        let definition = |name: &str, strategy: &str| json!({"metadata": {"name": name}, "spec": {"conversion": {"strategy": strategy}}});
        let old = [definition("a.e.com", "Webhook"), definition("b.e.com", "None")];
        let new = ["a.e.com", "b.e.com", "c.e.com"].map(|name| definition(name, "Webhook"));
        assert_eq!(newly_converted(&old, &new).collect::<Vec<_>>(), ["b.e.com", "c.e.com"]);
        assert_eq!(newly_converted(&new, &old).count(), 0);
    }
}

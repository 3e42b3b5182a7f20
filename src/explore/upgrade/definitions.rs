//! Applies the CRDs of a version, and asks the API server what it makes of objects, without storing them.

use crate::explore::change::merge;
use crate::explore::world::World;
use crate::{Error, Result};
use kube::Client;
use kube::core::Status;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const PATH: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/// The time limit for a CRD to be served.
const SERVED_WITHIN: Duration = Duration::from_secs(20);
/// The API server takes a new schema into use a moment after it has accepted it.
pub(super) const SETTLES: Duration = Duration::from_millis(700);

/// Applies the CRDs. Returns the name and the message of the first one that the server refuses.
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
        .map_err(|error| Error::bug("a request cannot be made").source(&error))?;
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
                return Err(Error::cluster(format!("`{name}` is not served in `{version}`")));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    Ok(())
}

/// The answer to an object that is not stored.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    /// The object as it would be stored.
    Accepted(Value),
    /// The message of the API server.
    Refused(String),
}

/// Returns true if the API server refuses an object: by its schema, because a webhook denies it, or because a conversion
/// fails, which is an internal error.
fn refuses(status: &Status) -> bool {
    [400, 403, 404, 422].contains(&status.code) || status.message.contains("conversion webhook for ")
}

/// An object that a version may have stored: a sample with one field changed.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// The field, such as `spec.replicas`; empty for the sample itself.
    pub(super) path: String,
    pub(super) object: Value,
}

/// Asks the API server if it would create the object. Also in a dry run, the answer has been converted to the stored version
/// and back.
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
    let definition = definition_of(definitions, object).map(|(definition, _)| definition);
    let strategy = definition.and_then(|definition| definition.pointer("/spec/conversion/strategy"));
    strategy.is_some_and(|strategy| strategy == "Webhook")
}

/// The numbers of variants of a sample, and of the words of an enum.
const MOST: usize = 160;
const WORDS: usize = 24;
/// The maximum depth of a field below `spec`.
const DEPTH: usize = 4;
/// The length of a text without a bound, and the greatest length of one.
const LONG: u64 = 300;
const LONGEST: u64 = 4096;

/// Returns the sample, and one object for each value at the border of what the schema permits.
pub(super) fn variants(definitions: &[Value], sample: &Value) -> Vec<Variant> {
    let mut found = vec![Variant { path: String::new(), object: sample.clone() }];
    if let Some(schema) = schema(definitions, sample) {
        let mut patches = Vec::new();
        collect(&schema["properties"]["spec"], &sample["spec"], "spec", DEPTH, &mut patches);
        found.extend(patches.into_iter().take(MOST).map(|(path, value)| {
            let mut object = sample.clone();
            merge(&mut object, &path.rsplit('.').fold(value, |value, key| json!({ key: value })));
            Variant { path, object }
        }));
    }
    found
}

fn schema<'d>(definitions: &'d [Value], sample: &Value) -> Option<&'d Value> {
    let (definition, version) = definition_of(definitions, sample)?;
    let versions = definition["spec"]["versions"].as_array()?;
    versions.iter().find(|one| one["name"] == version)?.pointer("/schema/openAPIV3Schema")
}

/// Returns the CRD of an object, and the version of the object.
fn definition_of<'d, 'o>(definitions: &'d [Value], object: &'o Value) -> Option<(&'d Value, &'o str)> {
    let (group, version) = object["apiVersion"].as_str()?.split_once('/')?;
    let is_of = |definition: &&Value| {
        definition["spec"]["group"] == group && definition["spec"]["names"]["kind"] == object["kind"]
    };
    Some((definitions.iter().find(is_of)?, version))
}

fn collect(schema: &Value, value: &Value, path: &str, depth: usize, found: &mut Vec<(String, Value)>) {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if name.contains('.') || depth == 0 {
            continue;
        }
        let (path, now) = (format!("{path}.{name}"), &value[name]);
        let mut values = borders(field);
        if !required.contains(&name.as_str()) && !now.is_null() {
            values.push(Value::Null);
        }
        values.retain(|value| value != now);
        found.extend(values.into_iter().map(|value| (path.clone(), value)));
        if now.is_object() {
            collect(field, now, &path, depth - 1, found);
        }
    }
}

/// Returns the values at the border of what a schema permits.
fn borders(schema: &Value) -> Vec<Value> {
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().filter(|word| !word.is_null()).take(WORDS).cloned().collect();
    }
    let bound = |name: &str| schema[name].as_u64();
    match schema["type"].as_str() {
        Some("boolean") => vec![true.into(), false.into()],
        Some("integer") => {
            let (least, most) = (schema["minimum"].as_i64(), schema["maximum"].as_i64());
            let near = [-1, 0, 1, 2, 10, 100, 1000].map(|near| near + least.unwrap_or_default());
            least.into_iter().chain(most).chain(near).map(Value::from).collect()
        }
        Some("string") if schema.get("format").is_none() && schema.get("pattern").is_none() => {
            let shortest = "x".repeat(usize::try_from(bound("minLength").unwrap_or(0).min(LONGEST)).unwrap_or(0));
            let most = bound("maxLength").unwrap_or(LONG).min(LONGEST);
            vec![shortest.into(), "x".repeat(usize::try_from(most).unwrap_or(0)).into()]
        }
        Some("array") if bound("minItems").unwrap_or(0) == 0 => vec![json!([])],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_lie_at_the_border() {
        let definition = serde_json::json!({"spec": {"group": "e.com", "names": {"kind": "Web"}, "versions": [{"name": "v1", "schema": {
            "openAPIV3Schema": {"properties": {"spec": {"required": ["size"], "properties": {
                "size": {"type": "integer", "minimum": 1, "maximum": 50},
                "mode": {"enum": ["a", "b"]},
                "text": {"type": "string", "maxLength": 3},
            }}}},
        }}]}});
        let sample = json!({"apiVersion": "e.com/v1", "kind": "Web", "spec": {"size": 2, "mode": "a"}});
        let found = variants(&[definition], &sample);
        let shown: Vec<String> = found.iter().map(|one| format!("{}: {}", one.path, one.object["spec"])).collect();
        assert_eq!(found[0].object, sample);
        for part in [
            r#"spec.size: {"mode":"a","size":50}"#,
            r#"spec.mode: {"mode":"b","size":2}"#,
            r#"spec.mode: {"size":2}"#,
            r#"spec.text: {"mode":"a","size":2,"text":"xxx"}"#,
        ] {
            assert!(shown.iter().any(|one| one == part), "{part}\n{shown:#?}");
        }
        assert!(!shown.contains(&r#"spec.size: {"mode":"a"}"#.to_owned()));
    }
}

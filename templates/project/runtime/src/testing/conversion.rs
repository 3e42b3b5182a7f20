//! A test of conversions with random objects.

use super::random::Random;
use crate::webhook::{Conversion, Version};
use serde_json::{Value, json};

/// The number of objects of each version that are converted to each other version.
const OBJECTS: u64 = 200;

/// Converts random objects of each version to each other version and back, and checks that the
/// objects are unchanged. The objects fit the schema of their version, and are the same in each
/// run. Objects that a Rust type or a `TryFrom` refuses are left out. A second round converts
/// without the annotation in which the runtime keeps fields, which reveals fields that are mixed
/// up.
///
/// ```
/// use kube::CustomResource;
/// use runtime::{testing, webhook};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(CustomResource, Serialize, Deserialize, JsonSchema, Clone, Debug)]
/// #[kube(group = "example.com", version = "v1", kind = "Site")]
/// pub struct SiteSpec {
///     pub replicas: i32,
/// }
///
/// // With a version of its own for `spoke`: see `webhook::conversion`.
/// testing::conversion_loses_nothing(&webhook::conversion::<Site>());
/// ```
///
/// # Panics
/// Panics if an object cannot be converted back or comes back changed, or if the types refuse
/// almost every object.
pub fn conversion_loses_nothing<H: Version>(conversion: &Conversion<H>) {
    for (version, schema) in conversion.schemas() {
        let mut taken = 0;
        for seed in 0..OBJECTS {
            let mut object = Random::new(seed).value(schema);
            object["apiVersion"] = format!("{}/{version}", H::group(&())).into();
            object["kind"] = H::kind(&()).into();
            let Some(object) = conversion.written(&plain(object), version) else {
                continue;
            };
            let others = conversion.schemas().map(|(other, _)| other);
            let mut others = others.filter(|other| *other != version);
            taken += u64::from(others.all(|other| check(conversion, &object, version, other)));
        }
        assert!(
            taken > OBJECTS / 20,
            "only {taken} of {OBJECTS} random objects that the schema of {version} allows can be converted: test the \
             conversion with your own objects"
        );
    }
}

/// Converts the object to the version `other` and back. Returns false if `other` does not accept
/// the object. Panics if the object comes back changed.
fn check<H: Version>(
    conversion: &Conversion<H>,
    object: &Value,
    version: &str,
    other: &str,
) -> bool {
    let Ok(there) = convert(conversion, object, other) else {
        return false;
    };
    let back = convert(conversion, &there, version);
    let back = back.unwrap_or_else(|error| {
        panic!("an object is converted from {version} to {other}, but not back: {error:#}\nin {other}: {there:#}")
    });
    let back = plain(conversion.written(&back, version).unwrap_or(back));
    if let Some(path) = difference(object, &back, String::new()) {
        let at = |object: &Value| object.pointer(&path).cloned().unwrap_or_default();
        let (field, before, after) = (shown(&path), at(object), at(&back));
        panic!(
            "{version} to {other} and back: {field} was {before} and is {after}\n\
             in {version}: {object:#}\nin {other}: {there:#}"
        );
    }
    // Without the annotation, a second round must lose no more than the first.
    let round = |object: Value| {
        let back = plain(convert(conversion, &plain(object), version).ok()?);
        conversion.written(&convert(conversion, &back, other).ok()?, other)
    };
    if let Some(once) = round(there).map(plain)
        && let Some(twice) = round(once.clone()).map(plain)
        && let Some(path) = difference(&once, &twice, String::new())
    {
        let field = shown(&path);
        panic!(
            "{other} to {version} and back, twice: {field} changes on each round trip: the two \
             directions do not fit together\nonce: {once:#}\ntwice: {twice:#}"
        );
    }
    true
}

fn convert<H: Version>(
    conversion: &Conversion<H>,
    object: &Value,
    version: &str,
) -> anyhow::Result<Value> {
    conversion.convert(object, &format!("{}/{version}", H::group(&())))
}

/// Returns the object with fixed metadata and without annotations.
fn plain(mut object: Value) -> Value {
    object["metadata"] = json!({ "name": "sample", "namespace": "default" });
    object
}

fn shown(path: &str) -> String {
    path.trim_start_matches('/').replace('/', ".")
}

/// Returns the path of the first value that differs, if any.
fn difference(one: &Value, other: &Value, path: String) -> Option<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let keys = one.keys().chain(other.keys());
            let mut paths = keys.filter_map(|key| {
                let path = format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
                match (one.get(key), other.get(key)) {
                    (Some(one), Some(other)) => difference(one, other, path),
                    _ => Some(path),
                }
            });
            paths.next()
        }
        _ => (one != other).then_some(path),
    }
}

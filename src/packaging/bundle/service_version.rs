//! The `ClusterServiceVersion`: the description of an operator in a catalog, and the objects that the Operator
//! Lifecycle Manager installs.

use super::accounts::Accounts;
use super::options::BundleOptions;
use super::webhook_definitions;
use super::{certificates, owned};
use crate::model::manager;
use crate::packaging::operator_objects::OperatorObjects;
use crate::packaging::read_strings::text;
use crate::{Error, Result};
use serde_json::{Map, Value, json};

/// Returns `base`, a `ClusterServiceVersion`, completed with the deployments, permissions, CRDs and webhooks of
/// `objects`.
pub(super) fn service_version(
    base: Value,
    objects: &[Value],
    samples: &[Value],
    options: &BundleOptions,
) -> Result<Value> {
    let OperatorObjects { deployment, .. } = OperatorObjects::find(objects).ok_or_else(|| {
        Error::user("`config/default` has no Deployment of the operator")
            .hint("git checkout config/default config/manager")
    })?;
    let mut version = base;
    version["metadata"]["name"] = format!("{}.v{}", options.package, options.version).into();
    version["metadata"]["namespace"] = "placeholder".into();
    let image = manager(deployment)["image"].clone();
    let annotations = entry(&mut version["metadata"], "annotations");
    let examples = serde_json::to_string_pretty(samples)
        .map_err(|error| Error::bug("a sample cannot be written as JSON").source(&error))?;
    annotations.insert("alm-examples".to_owned(), examples.into());
    annotations.insert("containerImage".to_owned(), image);
    annotations.insert(
        "operators.operatorframework.io/builder".to_owned(),
        concat!("opctl-", env!("CARGO_PKG_VERSION")).into(),
    );

    let webhooks = webhook_definitions::webhooks(objects);
    let accounts = Accounts::of(objects);
    let mut install = Map::new();
    for (key, binding) in [("clusterPermissions", "ClusterRoleBinding"), ("permissions", "RoleBinding")] {
        let found = accounts.permissions(binding);
        if !found.is_empty() {
            install.insert(key.to_owned(), found.into());
        }
    }
    let others = objects.iter().filter(|object| object["kind"] == "Deployment" && *object != deployment);
    let unfilled = certificates::unfilled_secrets(objects);
    let deployments = std::iter::once(deployment).chain(others).map(|one| {
        let mut one = one.clone();
        certificates::take_certificate(&mut one, &unfilled);
        json!({"name": one["metadata"]["name"], "label": one["metadata"]["labels"], "spec": one["spec"]})
    });
    install.insert("deployments".to_owned(), deployments.collect());
    let modes = install_modes(deployment);
    let spec = &mut version["spec"];
    spec["version"] = options.version.as_str().into();
    spec["install"] = json!({"strategy": "deployment", "spec": install});
    spec["customresourcedefinitions"] = definitions(&spec["customresourcedefinitions"], objects);
    if spec.get("installModes").is_none() {
        spec["installModes"] = modes;
    }
    if !webhooks.is_empty() {
        spec["webhookdefinitions"] = webhooks.into();
    }
    if spec["icon"].as_array().is_some_and(Vec::is_empty)
        && let Some(spec) = spec.as_object_mut()
    {
        spec.remove("icon");
    }
    Ok(version)
}

/// Returns true if the `ClusterServiceVersion` contains the object, or if the Operator Lifecycle Manager creates it.
pub(super) fn is_object_covered(object: &Value, objects: &[Value]) -> bool {
    match text(object, "/kind") {
        "Namespace" => OperatorObjects::find(objects).is_some_and(|operator| operator.is_namespace(object)),
        "Deployment" | "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => true,
        "Service" => webhook_definitions::is_service(object, objects),
        "Issuer" | "Certificate" | "Secret" => certificates::replaces(object, objects),
        _ => Accounts::of(objects).have(object),
    }
}

/// Returns descriptions of the annotations and fields of `objects` that a `ClusterServiceVersion` cannot hold.
pub(super) fn left_out(objects: &[Value]) -> Vec<String> {
    let of = |object: &Value, what: &str| {
        format!("{what} of {}/{}", text(object, "/kind").to_lowercase(), text(object, "/metadata/name"))
    };
    let metadata = objects.iter().filter(|object| {
        let is_kept = object["kind"] == "Deployment" || object["kind"] == "ServiceAccount";
        is_kept
            && is_object_covered(object, objects)
            && object["metadata"]["annotations"].as_object().is_some_and(|all| !all.is_empty())
    });
    let accounts =
        objects.iter().filter(|object| object["kind"] == "ServiceAccount" && is_object_covered(object, objects));
    let fields = accounts.flat_map(|account| {
        let fields = account.as_object().into_iter().flatten().map(|(field, _)| field);
        let fields = fields.filter(|field| !["apiVersion", "kind", "metadata"].contains(&field.as_str()));
        fields.map(move |field| (field.clone(), account))
    });
    metadata.map(|object| of(object, "annotations")).chain(fields.map(|(field, account)| of(account, &field))).collect()
}

/// Returns the install modes: only `OwnNamespace` if the operator has the environment variable `WATCH_NAMESPACE`,
/// otherwise only `AllNamespaces`.
fn install_modes(deployment: &Value) -> Value {
    let containers = deployment["spec"]["template"]["spec"]["containers"].as_array().into_iter().flatten();
    let mut variables = containers.flat_map(|container| container["env"].as_array().into_iter().flatten());
    let own = variables.any(|variable| variable["name"] == "WATCH_NAMESPACE");
    let modes = [("OwnNamespace", own), ("SingleNamespace", false), ("MultiNamespace", false), ("AllNamespaces", !own)];
    modes.map(|(mode, supported)| json!({"type": mode, "supported": supported})).to_vec().into()
}

/// Returns the value of `customresourcedefinitions`. Entries in `base` override the entries from the CRDs.
fn definitions(base: &Value, objects: &[Value]) -> Value {
    let mut definitions = base.as_object().cloned().unwrap_or_default();
    let theirs = base["owned"].as_array().cloned().unwrap_or_default();
    let is_same = |one: &Value, other: &Value| one["name"] == other["name"] && one["version"] == other["version"];
    let owned = owned::owned_entries(objects).into_iter().map(|mut ours| {
        let own = theirs.iter().find(|entry| is_same(entry, &ours)).and_then(Value::as_object);
        if let (Some(own), Some(ours)) = (own, ours.as_object_mut()) {
            ours.extend(own.clone());
        }
        ours
    });
    definitions.insert("owned".to_owned(), owned.collect());
    definitions.into()
}

/// Returns the mapping at `key`; inserts an empty mapping first if `key` holds no mapping.
fn entry<'a>(value: &'a mut Value, key: &str) -> &'a mut Map<String, Value> {
    if !value[key].is_object() {
        value[key] = Map::new().into();
    }
    match &mut value[key] {
        Value::Object(map) => map,
        _ => unreachable!("the value was just made an object"),
    }
}

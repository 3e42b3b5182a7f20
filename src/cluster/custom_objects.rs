//! Applies objects of the project's own kinds, waits for their conditions, and shows them as tables.

use super::apply::Apply;
use super::{Attempt, Connection, Definition, request_error};
use crate::report::columns;
use crate::{Error, Result};
use kube::Api;
use kube::api::{ApiResource, DynamicObject};
use kube::core::GroupVersionKind;
use serde_json::Value;
use std::time::Duration;

/// Applies `object` of the kind that `definition` defines. A namespaced object without a namespace is applied to
/// `default`.
///
/// # Errors
/// Fails if the server refuses the request.
pub async fn apply_object(
    connection: &Connection,
    definition: &Definition,
    object: &DynamicObject,
) -> Result<DynamicObject> {
    let name = object.metadata.name.clone().unwrap_or_default();
    let attempt = Attempt {
        verb: "patch",
        resource: &definition.plural,
        name: &name,
        namespace: object.metadata.namespace.as_deref(),
    };
    let api = api_of(connection, definition, object);
    let apply = Apply { force_conflicts: false, dry_run: false, keeps_run: false };
    let applied = apply.onto(None, &api, object, connection, attempt).await?;
    applied.map(|applied| applied.after).map_err(|error| request_error(&error, connection, attempt))
}

/// Reads `object` from the cluster again and again until `is_reached` returns true, and returns the live object.
/// `is_reached` gets the live object without its metadata.
///
/// # Errors
/// Fails if the server refuses the request. There is no time limit.
pub async fn wait_for_condition(
    connection: &Connection,
    definition: &Definition,
    object: &DynamicObject,
    is_reached: impl Fn(&Value) -> bool,
) -> Result<DynamicObject> {
    let name = object.metadata.name.clone().unwrap_or_default();
    let attempt = Attempt {
        verb: "get",
        resource: &definition.plural,
        name: &name,
        namespace: object.metadata.namespace.as_deref(),
    };
    let api = api_of(connection, definition, object);
    loop {
        let current = api.get(&name).await.map_err(|error| request_error(&error, connection, attempt))?;
        if is_reached(&current.data) {
            return Ok(current);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Returns the list at `path`, for example `/api/v1/namespaces/default/pods`, as a table that looks like the output of
/// `kubectl get`. The server makes the table.
///
/// # Errors
/// Fails if the server refuses the request.
pub async fn table(connection: &Connection, path: &str) -> Result<String> {
    let request = http::Request::get(path)
        .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
        .body(Vec::new())
        .map_err(|error| Error::bug("cannot build a request").source(&error))?;
    let resource = path.rsplit('/').next().unwrap_or_default();
    let attempt = Attempt { verb: "list", resource, name: resource, namespace: None };
    let table: Value =
        connection.client.request(request).await.map_err(|error| request_error(&error, connection, attempt))?;
    Ok(columns(&rows(&table)))
}

fn rows(table: &Value) -> Vec<Vec<String>> {
    let list = |key: &str| table[key].as_array().cloned().unwrap_or_default();
    // kubectl shows the columns of priority 0 unless `-o wide` is given.
    let shown: Vec<(usize, String)> = list("columnDefinitions")
        .iter()
        .enumerate()
        .filter(|(_, column)| column["priority"].as_i64().unwrap_or_default() == 0)
        .map(|(index, column)| (index, column["name"].as_str().unwrap_or_default().to_uppercase()))
        .collect();
    let mut rows = vec![shown.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>()];
    for row in list("rows") {
        let cell = |index: usize| match &row["cells"][index] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        rows.push(shown.iter().map(|(index, _)| cell(*index)).collect());
    }
    rows
}

fn api_of(connection: &Connection, definition: &Definition, object: &DynamicObject) -> Api<DynamicObject> {
    let version = object.types.as_ref().and_then(|types| types.api_version.rsplit('/').next()).unwrap_or_default();
    let kind = GroupVersionKind::gvk(&definition.group, version, &definition.kind);
    let resource = ApiResource::from_gvk_with_plural(&kind, &definition.plural);
    let scope = definition.object.data.pointer("/spec/scope").and_then(Value::as_str);
    if scope == Some("Cluster") {
        return Api::all_with(connection.client.clone(), &resource);
    }
    let namespace = object.metadata.namespace.as_deref().unwrap_or("default");
    Api::namespaced_with(connection.client.clone(), namespace, &resource)
}

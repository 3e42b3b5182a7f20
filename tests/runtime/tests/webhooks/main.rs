//! Webhooks over TLS: the requests of the API server, and bad requests.

mod attacks;
mod authority;
mod bad_input;
mod client;
mod client_certificates;
mod cluster;
mod conversion;
mod served;
mod server;

use client::{map, review};
use serde_json::{Value, json};
use served::Served;

const MUTATE: &str = "/mutate--v1-configmap";
const VALIDATE: &str = "/validate--v1-configmap";

fn decoded(response: &Value) -> Value {
    assert_eq!(response["patchType"], "JSONPatch");
    let patch: k8s_openapi::ByteString = serde_json::from_value(response["patch"].clone()).unwrap();
    serde_json::from_slice(&patch.0).unwrap()
}

#[test]
fn a_default_is_patched_in_and_nothing_else_changes() {
    let served = Served::start();
    let response = served.asked(MUTATE, &review("CREATE", &map(&Value::Null), &Value::Null));
    assert_eq!(response["allowed"], true);
    assert_eq!(decoded(&response), json!([{"op": "replace", "path": "/data", "value": {"size": "1"}}]));

    let response = served.asked(MUTATE, &review("UPDATE", &map(&json!({"size": "2"})), &Value::Null));
    assert_eq!((&response["allowed"], response.get("patch")), (&json!(true), None));
    // An object that does not fit the type is passed on: the API server explains what is wrong with it.
    let response = served.asked(MUTATE, &review("CREATE", &map(&json!(["many"])), &Value::Null));
    assert_eq!((&response["allowed"], response.get("patch")), (&json!(true), None));
    let response = served.asked(MUTATE, &review("DELETE", &Value::Null, &map(&json!({}))));
    assert_eq!((&response["allowed"], response.get("patch")), (&json!(true), None));
    served.stop();
}

#[test]
fn a_defaulting_function_must_not_rename() {
    let served = Served::start();
    let asked = review("CREATE", &map(&json!({"do": "rename"})), &Value::Null).to_string();
    let refused = "the defaulting function changes metadata.name, which it must not";
    assert_eq!(served.ask(MUTATE, asked.as_bytes()), (500, refused.into()));
    served.stop();
}

#[test]
fn a_validation_denies_with_what_kubectl_shows_of_schemas() {
    let served = Served::start();
    let response = served.asked(VALIDATE, &review("CREATE", &map(&json!({})), &Value::Null));
    let cause = json!({
        "reason": "FieldValueRequired",
        "message": "Required value: nothing can be made without",
        "field": "data.size",
    });
    let status = json!({
        "status": "Failure",
        "code": 422,
        "reason": "Invalid",
        "message": "ConfigMap \"a\" is invalid: data.size: Required value: nothing can be made without",
        "details": {"name": "a", "kind": "ConfigMap", "causes": [cause]},
    });
    assert_eq!(response, json!({"uid": "7", "allowed": false, "status": status}));

    let warned = review("UPDATE", &map(&json!({"do": "warn", "size": "1"})), &map(&json!({})));
    let response = served.asked(VALIDATE, &warned);
    assert_eq!((&response["allowed"], &response["warnings"]), (&json!(true), &json!(["mind the size"])));
    served.stop();
}

#[test]
fn unreadable_objects_are_refused_but_can_be_repaired_and_deleted() {
    let served = Served::start();
    let (bad, good) = (map(&json!(["many"])), map(&json!({"size": "1"})));
    let mut going = bad.clone();
    going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
    for (operation, object, old, allowed, warnings) in [
        ("CREATE", &bad, &Value::Null, false, 0),
        ("UPDATE", &bad, &good, false, 0),
        ("UPDATE", &bad, &bad, false, 0),
        ("UPDATE", &good, &bad, true, 1),
        ("DELETE", &Value::Null, &bad, true, 1),
        ("UPDATE", &going, &going, true, 2),
    ] {
        let response = served.asked(VALIDATE, &review(operation, object, old));
        let warned = response["warnings"].as_array().map_or(0, Vec::len);
        assert_eq!((response["allowed"].as_bool(), warned), (Some(allowed), warnings), "{operation}: {response}");
        if !allowed {
            let message = response["status"]["message"].as_str().unwrap();
            assert!(
                message.starts_with("the operator cannot read the object: data: invalid type: sequence"),
                "{message}"
            );
        }
    }
    served.stop();
}

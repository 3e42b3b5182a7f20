//! Random operations, such as operators and their users send.

use crate::schedule::Random;
use serde_json::{Value, json};

const NAMES: [&str; 2] = ["one", "two"];
const MANAGERS: [&str; 2] = ["m1", "m2"];

/// An operation for the model and the real server. In the body, `$version` and `$old` stand for the last and the
/// last but one resource version that was seen of the object, and `$uid` for its uid.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub method: &'static str,
    pub name: &'static str,
    pub subresource: &'static str,
    pub query: String,
    pub content: &'static str,
    pub body: Value,
    /// The seen version of the object into which the body is merged: 0 for the last version, 1 for the one before
    /// it. `None` if the body is not merged.
    pub onto: Option<usize>,
    /// True for a JSON patch that changes the manager's entry in managedFields from `Update` to `Apply`, as the
    /// runtime does after it has created an object.
    pub takes_over: bool,
}

pub(crate) fn operation(random: &mut Random, plural: &str) -> Operation {
    let name = NAMES[random.below(10) / 7];
    let manager = MANAGERS[random.below(10) / 6];
    let mut operation = Operation {
        method: "PATCH",
        name,
        subresource: "",
        query: format!("fieldManager={manager}"),
        content: "merge-patch+json",
        body: Value::Null,
        onto: None,
        takes_over: false,
    };
    let status = plural == "webs" && random.below(4) == 0;
    match random.below(100) {
        0..14 => {
            operation.method = "POST";
            operation.content = "json";
            operation.body = owned(with_name(content(random, plural, status), name), manager);
        }
        14..50 => {
            operation.content = "apply-patch+yaml";
            operation.body = with_name(content(random, plural, status), name);
            if !status {
                operation.body = owned(operation.body, manager);
            }
            // The runtime always forces. If a status comes with metadata, the time of its manager changes though
            // nothing else does, and with it the order of managers, which depends on the clock.
            operation.query.push_str("&force=true");
            precondition(random, &mut operation.body);
            if status {
                operation.subresource = "status";
            }
        }
        50..66 => {
            operation.body = content(random, plural, status);
            precondition(random, &mut operation.body);
            if status {
                operation.subresource = "status";
            }
        }
        66..72 => operation.body = dropped(random, plural),
        72..74 => {
            operation.query = "fieldManager=m3".to_owned();
            let names = &["example.com/f", "example.com/g"][..=random.below(2)];
            operation.body = json!({ "metadata": { "finalizers": names } });
        }
        74..76 => {
            operation.content = "json-patch+json";
            operation.body = json_patch(random, plural);
        }
        76..80 => {
            operation.content = "json-patch+json";
            operation.takes_over = true;
        }
        80..88 => {
            operation.method = "PUT";
            operation.content = "json";
            operation.body = with_name(content(random, plural, status), name);
            operation.onto = Some(random.below(5) / 4);
            if status {
                operation.subresource = "status";
            }
        }
        88..94 => {
            operation.method = "DELETE";
            operation.content = "json";
            operation.query = String::new();
            operation.body = match random.below(6) {
                0 => json!({ "propagationPolicy": "Orphan" }),
                1 => json!({ "propagationPolicy": "Foreground" }),
                2 => json!({ "propagationPolicy": "Background" }),
                3 => json!({ "preconditions": { "uid": "$uid", "resourceVersion": "$old" } }),
                4 => json!({ "preconditions": { "uid": "$uid" } }),
                _ => json!({}),
            };
        }
        94..97 => {
            operation.method = "GET";
            operation.query = String::new();
        }
        _ => {
            operation.method = "LIST";
            operation.query = ["", "labelSelector=l1%3Dx", "fieldSelector=metadata.name%3Done", "limit=1"]
                [random.below(4)]
            .to_owned();
        }
    }
    operation
}

fn with_name(mut body: Value, name: &str) -> Value {
    body["metadata"]["name"] = name.into();
    body
}

/// Adds the owner references that a manager always gives to its children.
fn owned(mut body: Value, manager: &str) -> Value {
    let controller = manager == MANAGERS[0];
    let uid = if controller { "u1" } else { "u2" };
    let owner = json!({ "apiVersion": "v1", "kind": "Thing", "name": "o", "uid": uid, "controller": controller });
    body["metadata"]["ownerReferences"] = json!([owner]);
    body
}

fn precondition(random: &mut Random, body: &mut Value) {
    match random.below(12) {
        0 => body["metadata"]["resourceVersion"] = "$version".into(),
        1 => body["metadata"]["resourceVersion"] = "$old".into(),
        2 => body["metadata"]["uid"] = "$uid".into(),
        _ => {}
    }
}

fn content(random: &mut Random, plural: &str, status: bool) -> Value {
    let mut metadata = json!({});
    for label in ["l1", "l2"] {
        if random.below(3) == 0 {
            metadata["labels"][label] = ["x", "y"][random.below(2)].into();
        }
    }
    if random.below(3) == 0 {
        metadata["annotations"]["note"] = ["x", "y"][random.below(2)].into();
    }
    let mut object = match (plural, status) {
        (_, true) => {
            let condition = |type_: &str, status: &str| json!({ "type": type_, "status": status });
            let state = ["True", "False"][random.below(2)];
            let type_ = ["Ready", "Other"][random.below(2)];
            json!({ "status": { "value": state, "conditions": [condition(type_, state)] } })
        }
        ("webs", _) => {
            let mut spec = json!({ "value": random.below(3) });
            if random.below(2) == 0 {
                spec["extra"] = (random.below(2) == 0).into();
            }
            // Never empty: a server refuses its own null once an apply has dropped all items of such a list.
            let ports = ["p", "q", "r"].into_iter().filter(|name| *name == "p" || random.below(2) == 0);
            let ports = ports.collect::<Vec<_>>().into_iter().map(|name| {
                let mut port = json!({ "name": name, "number": random.below(2) });
                if random.below(2) == 0 {
                    port["note"] = "n".into();
                }
                port
            });
            spec["ports"] = ports.collect();
            json!({ "spec": spec })
        }
        ("configmaps", _) => {
            let first = ["1", "2"][random.below(2)];
            let mut data = json!({ "a": first });
            for key in ["b", "c"] {
                if random.below(2) == 0 {
                    data[key] = ["1", "2"][random.below(2)].into();
                }
            }
            json!({ "data": data })
        }
        ("roles", _) => {
            let rule = |resource: &str| json!({ "apiGroups": [""], "resources": [resource], "verbs": ["get"] });
            json!({ "rules": (0..=random.below(2)).map(|index| rule(["pods", "services"][index])).collect::<Vec<_>>() })
        }
        _ => {
            let holder = ["", "a", "b"][random.below(3)];
            json!({ "spec": { "holderIdentity": holder, "leaseTransitions": random.below(3) } })
        }
    };
    object["metadata"] = if status { json!({}) } else { metadata };
    object
}

/// Returns a random merge patch that removes a field.
fn dropped(random: &mut Random, plural: &str) -> Value {
    match random.below(5) {
        0 | 1 => json!({ "metadata": { "finalizers": null } }),
        2 => json!({ "metadata": { "ownerReferences": null } }),
        3 => json!({ "metadata": { "labels": { "l1": null } } }),
        _ if plural == "configmaps" => json!({ "data": { "a": null } }),
        _ => json!({ "metadata": { "annotations": null } }),
    }
}

fn json_patch(random: &mut Random, plural: &str) -> Value {
    let path = if plural == "configmaps" { "/data/a" } else { "/metadata/labels/l1" };
    match random.below(6) {
        4 | 5 => {
            let version = ["$version", "$old"][random.below(2)];
            json!([
                { "op": "replace", "path": "/metadata/resourceVersion", "value": version },
                { "op": "add", "path": "/metadata/annotations", "value": { "note": "z" } },
            ])
        }
        0 => json!([{ "op": "test", "path": path, "value": "1" }, { "op": "replace", "path": path, "value": "2" }]),
        1 => json!([{ "op": "remove", "path": path }]),
        2 => json!([{ "op": "replace", "path": path, "value": "1" }]),
        _ => json!([{ "op": "add", "path": path, "value": "2" }]),
    }
}

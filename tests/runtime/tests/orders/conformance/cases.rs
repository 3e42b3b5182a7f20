//! Operations for which the model of the API server once gave another answer than a real server.

use super::operations::Operation;
use serde_json::{Value, json};

const CREATE: Operation = Operation {
    method: "POST",
    name: "one",
    subresource: "",
    query: String::new(),
    content: "json",
    body: Value::Null,
    onto: None,
    takes_over: false,
};

fn create(manager: &str, body: Value) -> Operation {
    Operation { query: format!("fieldManager={manager}"), body, ..CREATE }
}

fn merge(manager: &str, body: Value) -> Operation {
    Operation { method: "PATCH", content: "merge-patch+json", ..create(manager, body) }
}

fn apply(manager: &str, body: Value) -> Operation {
    let query = format!("fieldManager={manager}&force=true");
    Operation { content: "apply-patch+yaml", query, ..merge(manager, body) }
}

/// Returns cases: a kind, and operations on an object of this kind.
pub(crate) fn cases() -> Vec<(&'static str, Vec<Operation>)> {
    let noted = |note: Value| json!({ "metadata": { "name": "one", "annotations": note } });
    let nothing = || merge("m1", json!({ "metadata": { "finalizers": null } }));
    // The creator keeps the map, and an apply takes over its item and then removes it: for a custom object, a null is
    // stored, which the next write drops.
    let emptied = || {
        vec![
            create("m1", noted(json!({ "note": "x" }))),
            apply("m2", noted(json!({ "note": "y" }))),
            apply("m2", noted(Value::Null)),
            nothing(),
            nothing(),
        ]
    };
    // Created without any field, it has no managers until the first apply.
    let web = |spec: Value| json!({ "metadata": { "name": "one" }, "spec": spec });
    let unmanaged = vec![
        create("m1", web(Value::Null)),
        merge("m2", json!({ "metadata": { "labels": { "l1": "x" } }, "spec": { "value": 1 } })),
        apply("m1", web(json!({ "value": 2, "extra": true }))),
    ];
    let status = |type_: &str| {
        let condition = json!({ "type": type_, "status": "True" });
        json!({ "metadata": { "name": "one" }, "status": { "value": "True", "conditions": [condition] } })
    };
    let of_status = |operation: Operation| Operation { subresource: "status", ..operation };
    let unmanaged_status = vec![
        create("m1", web(Value::Null)),
        of_status(merge("m2", status("Ready"))),
        of_status(apply("m1", status("Other"))),
    ];
    vec![("webs", emptied()), ("configmaps", emptied()), ("webs", unmanaged), ("webs", unmanaged_status)]
}

//! The actions of users, one request each.

use crate::model::Request;
use crate::world::World;
use serde_json::{Value, json};

pub(crate) const NAMES: [&str; 2] = ["a", "b"];
const HASH: &str = "opctl.dev/desired-hash";

/// Carries out one of sixteen actions on the object of this name or on its children, if the action is possible.
pub(crate) fn act(world: &mut World, name: &str, number: u8) {
    let namespace = |plural: &str| if plural == "roles" { world.roles } else { "ns" };
    let at = |plural: &'static str| (plural, namespace(plural).to_owned(), name.to_owned());
    let [web, map, role] = ["webs", "configmaps", "roles"].map(|plural| world.server.get(&at(plural)));
    let request = |method: &str, plural: &str, body: Value| {
        let namespace = Some(namespace(plural).to_owned());
        Some(Request { namespace, ..Request::new(method, plural, name, body) })
    };
    let patch = |plural: &str, body: Value| request("PATCH", plural, body);
    let delete = |plural: &str, policy: &str| request("DELETE", plural, json!({ "propagationPolicy": policy }));
    let request = match (number, web, map, role) {
        (0, None, ..) => {
            let metadata = json!({ "name": name });
            request("POST", "webs", json!({ "metadata": metadata, "spec": { "value": 1, "extra": true } }))
        }
        (0 | 1, Some(web), ..) => {
            patch("webs", json!({ "spec": { "value": web["spec"]["value"].as_i64().unwrap_or(0) + 1 } }))
        }
        (2, Some(web), ..) => patch("webs", json!({ "spec": { "extra": web["spec"]["extra"] != true } })),
        (3, Some(_), ..) => delete("webs", "Background"),
        (4, Some(_), ..) => delete("webs", "Foreground"),
        (5, Some(_), ..) => delete("webs", "Orphan"),
        (6, _, Some(_), _) => delete("configmaps", "Background"),
        (7, _, Some(_), _) => patch("configmaps", json!({ "data": { "value": "drifted", "theirs": "x" } })),
        (8, _, Some(_), _) => {
            patch("configmaps", json!({ "metadata": { "labels": { "app.kubernetes.io/managed-by": null } } }))
        }
        (9, .., Some(role)) => {
            let mut rules = role["rules"].as_array().cloned().unwrap_or_default();
            rules.push(json!({ "apiGroups": ["*"], "resources": ["*"], "verbs": ["*"] }));
            patch("roles", json!({ "rules": rules }))
        }
        (10, _, Some(_), _) => patch("configmaps", json!({ "metadata": { "annotations": { HASH: null } } })),
        (11, _, Some(_), _) => patch("configmaps", json!({ "metadata": { "ownerReferences": null } })),
        (12, _, None, _) => {
            request("POST", "configmaps", json!({ "metadata": { "name": name }, "data": { "mine": "yes" } }))
        }
        (12, _, Some(map), _) if !is_ours(&map) => delete("configmaps", "Background"),
        (13, Some(web), ..) => {
            let seen = web["metadata"]["annotations"]["touched"].as_str().map_or(0, str::len);
            patch("webs", json!({ "metadata": { "annotations": { "touched": "x".repeat(seen + 1) } } }))
        }
        (14, .., Some(_)) => delete("roles", "Background"),
        (15, .., Some(_)) => patch("roles", json!({ "metadata": { "labels": { "note": "theirs" } } })),
        _ => None,
    };
    if let Some(request) = request {
        world.trace.push(format!("user {} {}", request.line(), request.body));
        let answer = world.server.answer(&request);
        if request.method == "POST" && request.kind.plural == "configmaps" {
            world.rules.made(&answer.body);
        }
    }
}

/// Carries out one of five actions on the `Page` of this name, if the action is possible.
pub(crate) fn act_on_page(world: &mut World, name: &str, number: u8) {
    let page = world.server.get(&("pages", "ns".to_owned(), name.to_owned()));
    let value = |page: &Value| page["spec"]["value"].as_i64().unwrap_or(0);
    let (method, body) = match (number, page) {
        (0, None) => ("POST", json!({ "metadata": { "name": name }, "spec": { "value": 1 } })),
        (0, Some(page)) => ("PATCH", json!({ "spec": { "value": value(&page) + 1 } })),
        (1, Some(_)) => ("DELETE", json!({ "propagationPolicy": "Background" })),
        (2, Some(_)) => ("DELETE", json!({ "propagationPolicy": "Foreground" })),
        (3, Some(_)) => ("DELETE", json!({ "propagationPolicy": "Orphan" })),
        (4, Some(page)) => {
            let seen = page["metadata"]["annotations"]["touched"].as_str().map_or(0, str::len);
            ("PATCH", json!({ "metadata": { "annotations": { "touched": "x".repeat(seen + 1) } } }))
        }
        _ => return,
    };
    let request = Request::new(method, "pages", name, body);
    world.trace.push(format!("user {} {}", request.line(), request.body));
    world.server.answer(&request);
}

/// Returns true if the object has the operator's annotation or an owner.
pub(crate) fn is_ours(object: &Value) -> bool {
    let metadata = &object["metadata"];
    !metadata["annotations"][HASH].is_null() || !metadata["ownerReferences"].is_null()
}

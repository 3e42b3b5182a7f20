//! Compares a desired object with the object that the API server has stored.

use serde_json::Value;

/// The names of lists that the API server merges by a key, with the fields of each key: other
/// clients may add items to these lists. All other lists are compared as a whole: the operator
/// removes an item that another client adds, such as a rule of a `Role`. The source is
/// `x-kubernetes-list-type: map` in Kubernetes' OpenAPI document, for built-in kinds only: in a
/// custom resource, a list with such a name is replaced as a whole, unless its CRD says otherwise.
const MERGED: [(&[&str], &[&str]); 11] = [
    (&["conditions"], &["type"]),
    (
        &["containers", "ephemeralContainers", "initContainers"],
        &["name"],
    ),
    (&["env", "volumes", "resourceClaims"], &["name"]),
    (&["imagePullSecrets", "secrets", "webhooks"], &["name"]),
    (&["hostAliases"], &["ip"]),
    (&["ownerReferences"], &["uid"]),
    // The ports of a container or of a Service. The ports in a rule of a NetworkPolicy are not
    // merged: see `merged`.
    (&["ports"], &["containerPort", "port", "protocol"]),
    (
        &["topologySpreadConstraints"],
        &["topologyKey", "whenUnsatisfiable"],
    ),
    (&["volumeDevices"], &["devicePath"]),
    (&["volumeMounts"], &["mountPath"]),
    (&["finalizers"], &[]),
];

/// Returns the path of the first field of `desired` that `observed` lacks or has with another
/// value. Ignores other fields of `observed`, which are defaults or were added by other clients.
pub fn difference(desired: &Value, observed: &Value) -> Option<String> {
    compare(desired, observed, merges(desired))
}

/// Returns true if the API server merges the lists of [`MERGED`] in objects of this kind.
pub fn merges(object: &Value) -> bool {
    let version = object["apiVersion"].as_str().unwrap_or_default();
    let group = version.rsplit_once('/').map_or("", |(group, _)| group);
    let is_own = !group.contains('.') || group.ends_with(".k8s.io");
    is_own && object["kind"] != "EndpointSlice"
}

/// Returns the path of a difference. Matches list items by key only in metadata or with `merges`.
pub fn compare(desired: &Value, observed: &Value, merges: bool) -> Option<String> {
    match desired {
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            let (observed, merges) = (&observed[name], merges || name == "metadata");
            let below = match (value, merged(name, value).filter(|_| merges)) {
                (Value::Array(items), Some(key)) => lacking(items, key, observed),
                _ => compare(value, observed, merges),
            };
            Some(format!(".{name}{}", below?))
        }),
        Value::Array(items) => {
            let observed = observed.as_array().map_or(&[][..], Vec::as_slice);
            let mut pairs = items.iter().zip(observed).enumerate();
            let unlike = pairs.find_map(|(index, (item, observed))| {
                compare(item, observed, merges).map(|below| format!("[{index}]{below}"))
            });
            unlike.or_else(|| (items.len() != observed.len()).then(String::new))
        }
        // Left out when the API server stores an object.
        value if observed.is_null() && (*value == false || *value == 0 || *value == "") => None,
        value => (value != observed).then(String::new),
    }
}

/// Returns the fields of the key by which the list `name` is merged; `None` if it is not merged.
pub fn merged(name: &str, list: &Value) -> Option<&'static [&'static str]> {
    let items = list.as_array()?;
    let (_, key) = MERGED.iter().find(|(known, _)| known.contains(&name))?;
    // The ports in a rule of a NetworkPolicy have neither a name nor the port of a container or of
    // a target.
    let opened = |item: &Value| {
        let mut fields = ["name", "containerPort", "targetPort"].iter();
        fields.any(|field| !item[field].is_null())
    };
    let is_merged = name != "ports" || (!items.is_empty() && items.iter().all(opened));
    is_merged.then_some(*key)
}

/// Returns the outline of `desired`: the names of its fields, the lengths of its lists and the keys
/// of list items, without values. A stored hash of the outline shows if the set of fields has
/// changed; a comparison of values cannot find a field that `desired` no longer has.
pub fn outline(desired: &Value) -> Vec<u8> {
    let mut outline = Vec::new();
    draw(&mut outline, desired, None);
    outline
}

/// Appends `desired` to the outline. If it is a merged list, `list_key` is the key of its items.
fn draw(outline: &mut Vec<u8>, desired: &Value, list_key: Option<&[&str]>) {
    match desired {
        Value::Object(fields) => {
            for (name, value) in fields {
                outline.push(b'{');
                outline.extend(name.as_bytes());
                outline.push(b':');
                draw(outline, value, merged(name, value));
            }
            outline.push(b'}');
        }
        Value::Array(items) => {
            for item in items {
                outline.push(b'[');
                match list_key {
                    Some([]) => outline.extend(item.to_string().into_bytes()),
                    key => key.into_iter().flatten().for_each(|field| {
                        outline.extend(item[*field].to_string().into_bytes());
                    }),
                }
                draw(outline, item, None);
            }
            outline.push(b']');
        }
        _ => {}
    }
}

fn lacking(items: &[Value], key: &[&str], observed: &Value) -> Option<String> {
    let observed = observed.as_array().map_or(&[][..], Vec::as_slice);
    let mut items = items.iter().enumerate();
    items.find_map(|(index, item)| {
        let mut same = observed.iter().filter(|other| is_same(key, item, other));
        let lacks = same.all(|other| compare(item, other, true).is_some());
        lacks.then(|| format!("[{index}]"))
    })
}

/// Returns true if `desired` and `other`, two items of a merged list, have the same `key`.
pub fn is_same(key: &[&str], desired: &Value, other: &Value) -> bool {
    match desired {
        // If `desired` leaves out a field of the key, the field has a default.
        Value::Object(fields) => key.iter().all(|field| {
            let field = fields.get(*field).map(|value| (value, &other[field]));
            field.is_none_or(|(value, other)| value.is_null() || value == other)
        }),
        desired => desired == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_is_desired_is_compared() {
        let observed = json!({
            "replicas": 2,
            "strategy": { "type": "RollingUpdate" },
            "containers": [
                { "name": "sidecar" },
                {
                    "name": "a",
                    "args": ["x", "y"],
                    "ports": [{ "containerPort": 80, "protocol": "TCP" }],
                },
            ],
            "ingress": [{ "ports": [{ "port": 80, "protocol": "TCP" }] }],
            "rules": [{ "verbs": ["get"], "apiGroups": ["*"] }],
            "finalizers": ["ours", "theirs"],
        });
        for (desired, expected) in [
            (
                json!({ "replicas": 2, "paused": false, "labels": {} }),
                None,
            ),
            (json!({ "replicas": 3 }), Some(".replicas")),
            (json!({ "paused": true }), Some(".paused")),
            (
                json!({ "containers": [{ "name": "a", "args": ["x", "y"] }] }),
                None,
            ),
            (
                json!({ "containers": [{ "name": "a", "args": ["x"] }] }),
                Some(".containers[0]"),
            ),
            (
                json!({ "containers": [{ "name": "sidecar" }, { "name": "b" }] }),
                Some(".containers[1]"),
            ),
            (
                json!({ "containers": [{ "name": "a", "ports": [{ "containerPort": 80 }] }] }),
                None,
            ),
            (json!({ "ingress": [{ "ports": [{ "port": 80 }] }] }), None),
            // Others have added an item to a list that is not merged.
            (
                json!({ "ingress": [{ "ports": [] }] }),
                Some(".ingress[0].ports"),
            ),
            (json!({ "ingress": [] }), Some(".ingress")),
            (json!({ "rules": [{ "verbs": ["get"] }] }), None),
            (
                json!({ "rules": [{ "verbs": ["get", "list"] }] }),
                Some(".rules[0].verbs"),
            ),
            (json!({ "rules": [] }), Some(".rules")),
            (json!({ "finalizers": ["ours"] }), None),
            (json!({ "finalizers": ["mine"] }), Some(".finalizers[0]")),
        ] {
            assert_eq!(
                difference(&desired, &observed).as_deref(),
                expected,
                "{desired}"
            );
        }
    }

    #[test]
    fn an_item_that_is_added_to_a_list_of_a_custom_resource_is_a_difference() {
        let object = |of: &str, kind: &str, ports: Value, finalizers: Value| {
            json!({
                "apiVersion": of, "kind": kind, "metadata": { "finalizers": finalizers },
                "spec": { "ports": ports, "volumes": [{ "name": "a", "emptyDir": {} }] },
            })
        };
        let https = || json!([{ "number": 443, "name": "https" }]);
        let and_ssh =
            || json!([{ "number": 443, "name": "https" }, { "number": 22, "name": "ssh" }]);
        for (of, kind, expected) in [
            ("v1", "Service", None),
            ("apps/v1", "Deployment", None),
            ("networking.k8s.io/v1", "Ingress", None),
            ("discovery.k8s.io/v1", "EndpointSlice", Some(".spec.ports")),
            (
                "networking.istio.io/v1",
                "ServiceEntry",
                Some(".spec.ports"),
            ),
        ] {
            let desired = object(of, kind, https(), json!(["ours"]));
            let observed = object(of, kind, and_ssh(), json!(["theirs", "ours"]));
            assert_eq!(
                difference(&desired, &observed).as_deref(),
                expected,
                "{kind}"
            );
            let same = object(of, kind, https(), json!(["ours"]));
            assert_eq!(difference(&desired, &same), None, "{kind}");
        }
    }

    #[test]
    fn an_outline_has_fields_and_keys_of_items_and_no_values() {
        let object = |value: &str, second: &str, ours: &str| {
            json!({
                "data": { "pin": value },
                "containers": [{ "name": "a", "env": [{ "name": second, "value": value }] }],
                "args": [value, "x"],
                "finalizers": [ours],
            })
        };
        let before = outline(&object("4711", "PIN", "f"));
        assert_eq!(before, outline(&object("0815", "PIN", "f")));
        let text = String::from_utf8_lossy(&before);
        assert!(text.contains("PIN") && !text.contains("4711"), "{text}");
        // What is no longer desired shows.
        assert_ne!(before, outline(&object("4711", "OTHER", "f")));
        assert_ne!(before, outline(&object("4711", "PIN", "g")));
        for path in ["/data", "/containers/0/env/0", "/containers/0"] {
            let mut without = object("4711", "PIN", "f");
            let fields = without.pointer_mut(path).unwrap();
            let last = fields
                .as_object()
                .unwrap()
                .keys()
                .next_back()
                .unwrap()
                .clone();
            fields.as_object_mut().unwrap().remove(&last);
            assert_ne!(before, outline(&without), "{path}");
        }
    }
}

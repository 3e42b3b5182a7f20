//! Random objects that users add to `config/`.

use super::texts::{random_labels, random_name, random_role_name, random_text};
use crate::support::Random;
use serde_json::{Map, Value, json};

/// Returns an object of a random kind.
pub(super) fn further_object(random: &mut Random, project: &str) -> Value {
    let (api_version, kind, is_namespaced) = KINDS[random.below(KINDS.len())];
    let is_rbac = api_version.starts_with("rbac");
    let name = if is_rbac { random_role_name(random, project) } else { random_name(random, project) };
    let mut metadata = json!({"name": name});
    if is_namespaced {
        metadata["namespace"] = (*random.pick(&["system", "system", "system", "users"])).into();
    }
    if random.below(4) == 0 {
        let labels: Map<String, Value> =
            random_labels(random).into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
        metadata["labels"] = labels.into();
    }
    if random.below(4) == 0 {
        metadata["annotations"] =
            json!({"zzzz.example.com/z": random_text(random, project), "b": random_text(random, project)});
    }
    let mut object = json!({"apiVersion": api_version, "kind": kind, "metadata": metadata});
    for (key, value) in content(random, kind, project).as_object().unwrap() {
        object[key] = value.clone();
    }
    object
}

const KINDS: [(&str, &str, bool); 24] = [
    ("apps/v1", "Deployment", true),
    ("apps/v1", "Deployment", true),
    ("apps/v1", "StatefulSet", true),
    ("v1", "Service", true),
    ("v1", "ServiceAccount", true),
    ("v1", "ConfigMap", true),
    ("v1", "ConfigMap", true),
    ("v1", "Secret", true),
    ("policy/v1", "PodDisruptionBudget", true),
    ("networking.k8s.io/v1", "NetworkPolicy", true),
    ("rbac.authorization.k8s.io/v1", "Role", true),
    ("rbac.authorization.k8s.io/v1", "RoleBinding", true),
    ("rbac.authorization.k8s.io/v1", "ClusterRole", false),
    ("rbac.authorization.k8s.io/v1", "ClusterRole", false),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", false),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", false),
    ("monitoring.coreos.com/v1", "ServiceMonitor", true),
    ("cert-manager.io/v1", "Certificate", true),
    ("cert-manager.io/v1", "Issuer", true),
    ("other.example.com/v1", "Certificate", true),
    ("scheduling.k8s.io/v1", "PriorityClass", false),
    ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", false),
    ("v1", "Namespace", false),
    ("other.example.com/v1", "Widget", true),
];

/// Returns random content for an object of `kind`, such as its spec or its data.
fn content(random: &mut Random, kind: &str, project: &str) -> Value {
    let mut text = || random_text(random, project);
    match kind {
        "Deployment" | "StatefulSet" => {
            let (argument, other) = (text(), text());
            let name = random.pick(&["redis", "manager"]);
            let account = random.pick(&["cache", "controller-manager", "default"]);
            json!({"spec": {
                "selector": {"matchLabels": {"app": "cache"}},
                "template": {
                    "metadata": {"labels": {"app": "cache"}},
                    "spec": {"serviceAccountName": account, "containers": [
                        {"name": name, "image": "redis:7", "args": [argument, "--metrics-x"], "env": [{"name": "METRICS_Z", "value": other}]}
                    ]},
                },
            }})
        }
        "Service" => {
            let labels =
                [json!({"app": "cache"}), json!({"control-plane": "controller-manager"})][random.below(2)].clone();
            let port = [json!(9443), json!("webhook-server"), json!(6379)][random.below(3)].clone();
            json!({"spec": {"selector": labels, "ports": [{"name": "a", "port": 443, "targetPort": port}]}})
        }
        "ServiceAccount" => match random.below(3) {
            0 => json!({"imagePullSecrets": [{"name": "key"}]}),
            _ => json!({}),
        },
        "ConfigMap" => {
            json!({"data": {"a": text(), "b": text(), "namespace": format!("{project}-system"), "{{ key }}": text()}})
        }
        "Secret" => json!({"stringData": {"a": text()}, "type": "Opaque"}),
        "PodDisruptionBudget" | "NetworkPolicy" => {
            let selectors = [
                json!({}),
                json!({"matchLabels": {"app": "cache"}}),
                json!({"matchLabels": {"control-plane": "controller-manager"}}),
                json!({"matchExpressions": [{"key": "control-plane", "operator": "DoesNotExist"}]}),
            ];
            let selector = &selectors[random.below(4)];
            let share = [json!(2), json!("50%"), json!(0)][random.below(3)].clone();
            match kind {
                "NetworkPolicy" => json!({"spec": {"podSelector": selector, "policyTypes": ["Ingress"]}}),
                _ if random.below(3) == 0 => json!({"spec": {"minAvailable": share, "selector": selector}}),
                _ => json!({"spec": {"maxUnavailable": share, "selector": selector}}),
            }
        }
        "Role" | "ClusterRole" => {
            let aggregation = json!({"clusterRoleSelectors": [{"matchLabels": {"a": "b"}}]});
            let rules =
                json!([{"apiGroups": [""], "resources": ["pods"], "resourceNames": [text()], "verbs": ["get"]}]);
            match random.below(4) {
                0 if kind == "ClusterRole" => json!({"aggregationRule": aggregation, "rules": []}),
                _ => json!({"rules": rules}),
            }
        }
        "RoleBinding" | "ClusterRoleBinding" => binding(random, kind, project),
        "ServiceMonitor" => {
            json!({"spec": {"selector": {}, "endpoints": [{"port": "a", "tlsConfig": {"serverName": text(), "ca": {"secret": {"name": "metrics-server-cert", "key": "ca.crt"}}}}]}})
        }
        "Certificate" => {
            let secret = random.pick(&["webhook-server-tls", "metrics-server-cert", "other"]);
            json!({"spec": {"secretName": secret, "issuerRef": {"kind": "Issuer", "name": "cache"}}})
        }
        "PriorityClass" => json!({"value": 7, "description": text()}),
        "ValidatingWebhookConfiguration" => {
            let client = [
                json!({"url": "https://hooks.example.com/a"}),
                json!({"service": {"name": "cache", "namespace": "system", "path": "/a"}}),
                json!({"service": {"name": "other", "namespace": "users", "path": "/b"}}),
            ][random.below(3)]
            .clone();
            json!({"webhooks": [{"name": "a.example.com", "clientConfig": client, "admissionReviewVersions": ["v1"], "sideEffects": "None"}]})
        }
        "Widget" => {
            json!({"spec": {"text": text(), "list": [text(), text()], "number": 1e21, "big": 9_007_199_254_740_993_i64, "empty": {}, "none": null}})
        }
        _ => json!({"spec": {}}),
    }
}

fn binding(random: &mut Random, kind: &str, project: &str) -> Value {
    let of = if kind == "RoleBinding" && random.below(2) == 0 { "Role" } else { "ClusterRole" };
    let role = if random.below(3) == 0 { "view".to_owned() } else { random_role_name(random, project) };
    let account = |name: &str, namespace: &str| json!({"kind": "ServiceAccount", "name": name, "namespace": namespace});
    let subjects = [
        json!([account("cache", "system")]),
        json!([account("controller-manager", "system")]),
        json!([account("controller-manager", "system"), account("cache", "system")]),
        json!([account("controller-manager", "elsewhere")]),
        json!([{"kind": "User", "name": random_text(random, project), "apiGroup": "rbac.authorization.k8s.io"}]),
        json!([account("controller-manager", "system"), {"kind": "Group", "name": "g", "apiGroup": "rbac.authorization.k8s.io"}]),
    ];
    let subjects = &subjects[random.below(6)];
    json!({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": of, "name": role}, "subjects": subjects})
}

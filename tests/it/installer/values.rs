//! The values of the Helm chart.

use super::{helm, made, objects, templated};
use crate::support::{Plane, must, tool};
use serde_json::{Map, Value, json};

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn values_change_what_differs_between_clusters() {
    let (_folder, root) = made("webserver-operator", "prometheus,network-policy");
    let without = templated(
        &root,
        &["--set", "metrics.enabled=false,crds.enabled=false,rbac.helpers=false,networkPolicy.enabled=false"],
    );
    let whole = objects(&templated(&root, &[]));
    assert!(!without.contains("metrics") && !without.contains("CustomResourceDefinition"), "{without}");
    assert!(!without.contains("editor-role") && !without.contains("NetworkPolicy"), "{without}");
    let changed = templated(
        &root,
        &[
            "--set",
            "replicas=3,image.digest=sha256:0,image.pullPolicy=Always,resources.limits.memory=1Gi,crds.keep=false",
            "--set",
            "nodeSelector.disk=ssd,podAnnotations.a=b,podLabels.c=d,imagePullSecrets[0].name=key",
            "--set",
            "serviceAccount.name=other,serviceAccount.annotations.e=f",
            "--set",
            "args[0]=--watch-namespace=team-a,env[0].name=RUST_LOG,env[0].value=debug,priorityClassName=high",
            "--set",
            "podDisruptionBudget.maxUnavailable=50%",
        ],
    );
    for text in [
        "replicas: 3",
        "image: \"localhost:5000/web@sha256:0\"",
        "imagePullPolicy: Always",
        "memory: 1Gi",
        "disk: ssd",
        "a: b",
        "c: d",
        "- name: key",
        "serviceAccountName: \"other\"",
        "e: f",
        "- --watch-namespace=team-a\n",
        "- name: RUST_LOG\n",
        "value: debug\n",
        "priorityClassName: \"high\"",
        "maxUnavailable: 50%",
    ] {
        assert!(changed.contains(text), "{text}: {changed}");
    }
    assert!(!changed.contains("resource-policy: keep"), "{changed}");
    assert_eq!(objects(&changed).len(), whole.len());
    let none = templated(&root, &["--set", "rbac.create=false,serviceAccount.create=false"]);
    let without = templated(&root, &["--set", "podDisruptionBudget.enabled=false"]);
    assert!(!without.contains("PodDisruptionBudget"), "{without}");
    assert!(!none.contains("RoleBinding") && !none.contains("kind: ServiceAccount\nmetadata"), "{none}");
}

/// helm refuses a value that the chart does not know, or a value of the wrong type, and names it.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_schema_of_the_values_names_mistakes() {
    let (_folder, root) = made("webserver-operator", "prometheus,network-policy");
    for (set, said) in [
        ("replica=3", "replica"),
        ("replicas=three", "replicas"),
        ("image.repository=", "repository"),
        ("image.pullPolicy=Sometimes", "pullPolicy"),
        ("metrics.enable=false", "enable"),
        ("podDisruptionBudget.maxUnavailable=half", "maxUnavailable"),
        ("ports.metrics=70000", "metrics"),
        ("ports.metric=8443", "metric"),
        ("watchNamespaces[0]=Team", "watchNamespaces"),
        ("extraVolumeMounts[0].name=tmp", "mountPath"),
    ] {
        let output = helm().args(["template", "web", "dist/chart", "--set", set]).current_dir(&root).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains("schema") && told.contains(said), "{set}: {told}");
    }
}

/// Returns a different value for the chart value at `path`. `None` for a mapping with entries.
fn changed(path: &str, value: &Value) -> Option<Value> {
    let name = path.rsplit('.').next().unwrap();
    Some(match (name, value) {
        ("pullPolicy", _) => "Never".into(),
        ("digest", _) => "sha256:0".into(),
        ("args" | "watchNamespaces", _) => json!(["changed"]),
        (_, Value::Bool(value)) => (!value).into(),
        (_, Value::Number(value)) => (value.as_u64().unwrap() + 1).into(),
        (_, Value::String(_)) => "changed".into(),
        (_, Value::Array(_)) => json!([{"name": "changed", "mountPath": "/changed"}]),
        (_, Value::Object(entries)) if entries.is_empty() => json!({"changed": "true"}),
        (_, Value::Null) => 3.into(),
        (_, Value::Object(_)) => return None,
    })
}

/// Adds to `all` the path of each value, together with a different value.
fn add_changed(below: &str, values: &Map<String, Value>, all: &mut Vec<(String, Value)>) {
    for (key, value) in values {
        let path = format!("{below}{key}");
        match (changed(&path, value), value) {
            (Some(other), _) => all.push((path, other)),
            (None, Value::Object(inner)) => add_changed(&format!("{path}."), inner, all),
            (None, _) => unreachable!("each other value is changed"),
        }
    }
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn each_value_has_an_effect() {
    for name in ["webserver-operator", "platform-operator"] {
        let (_folder, root) = made(name, "prometheus,network-policy");
        let text = std::fs::read_to_string(root.join("dist/chart/values.yaml")).unwrap();
        let (values, mut all): (Map<String, Value>, _) = (serde_yaml::from_str(&text).unwrap(), Vec::new());
        add_changed("", &values, &mut all);
        assert!(all.len() > 40, "{all:?}");
        let without = templated(&root, &[]);
        for (path, value) in all {
            let set = format!("{path}={value}");
            assert_ne!(templated(&root, &["--set-json", &set]), without, "{name}: {set}");
        }
    }
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn ports_are_the_same_for_all_who_use_them() {
    let (_folder, root) = made("platform-operator", "prometheus,network-policy");
    let set = "ports.probes=18081,ports.metrics=18443,ports.webhooks=19443,hostNetwork=true";
    let all = objects(&templated(&root, &["--set", set]));
    let of = |name: &str, pointer: &str| all[name].pointer(pointer).cloned();
    let manager = "Deployment/platform-operator-controller-manager";
    let pod = of(manager, "/spec/template/spec").unwrap();
    assert_eq!((&pod["hostNetwork"], &pod["dnsPolicy"]), (&true.into(), &"ClusterFirstWithHostNet".into()));
    let container = pod["containers"][0].to_string();
    for text in [
        "\"--health-probe-bind-address=:18081\"",
        "\"--webhook-bind-address=:19443\"",
        "{\"name\":\"METRICS_BIND_ADDRESS\",\"value\":\":18443\"}",
        "\"containerPort\":18081",
        "\"containerPort\":18443",
        "\"containerPort\":19443",
    ] {
        assert!(container.contains(text), "{text}: {container}");
    }
    assert_eq!(of("Service/platform-operator-webhook-service", "/spec/ports/0/targetPort"), Some(19443.into()));
    for (policy, port) in [("metrics", 18443), ("webhook", 19443)] {
        let name = format!("NetworkPolicy/platform-operator-allow-{policy}-traffic");
        assert_eq!(of(&name, "/spec/ingress/0/ports/0/port"), Some(port.into()), "{policy}");
    }
    let left: Vec<&String> = all
        .iter()
        .filter(|(_, object)| object.to_string().contains("9443") && !object.to_string().contains("19443"))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(left, [""; 0]);
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn without_its_operator_a_release_has_definitions_and_roles() {
    let (_folder, root) = made("platform-operator", "prometheus,network-policy");
    let kinds = |arguments: &[&str]| {
        let objects = objects(&templated(&root, arguments));
        let kinds = objects.keys().map(|name| name.split('/').next().unwrap().to_owned());
        kinds.collect::<std::collections::BTreeSet<_>>()
    };
    let (whole, without) = (kinds(&[]), kinds(&["--set", "manager.enabled=false"]));
    let gone: Vec<&String> = whole.difference(&without).collect();
    let expected = [
        "Deployment",
        "MutatingWebhookConfiguration",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "Service",
        "ServiceMonitor",
        "ValidatingWebhookConfiguration",
    ];
    assert_eq!(gone, expected);
    assert!(without.contains("CustomResourceDefinition") && without.contains("ClusterRole"), "{without:?}");
}

/// A values file that an earlier opctl made, and that lacks values which opctl has added since, renders the same
/// objects. opctl keeps such a file if a user has edited it.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn values_of_an_earlier_chart_suffice() {
    let (_folder, root) = made("platform-operator", "prometheus,network-policy");
    let whole = objects(&templated(&root, &[]));
    let path = root.join("dist/chart/values.yaml");
    let mut values: Map<String, Value> = serde_yaml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let others = ["manager", "ports", "hostNetwork", "watchNamespaces", "extraVolumes", "deploymentAnnotations"];
    assert_eq!(others.into_iter().filter(|name| values.remove(*name).is_some()).count(), 5);
    std::fs::write(&path, serde_yaml::to_string(&values).unwrap()).unwrap();
    assert_eq!(objects(&templated(&root, &[])), whole);
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn rights_are_bound_in_the_namespaces_that_are_watched() {
    let (_folder, root) = made("webserver-operator", "prometheus,network-policy");
    let plane = Plane::start();
    let kubectl = |arguments: &[&str]| {
        let mut kubectl = tool("kubectl");
        kubectl.args(arguments).current_dir(&root).env("KUBECONFIG", &plane.kubeconfig);
        kubectl
    };
    for namespace in ["webserver-operator-system", "team-a", "team-b", "team-c"] {
        must(&mut kubectl(&["create", "namespace", namespace]));
    }
    let text = templated(&root, &["--set", "watchNamespaces={team-a,team-b},prometheus.enabled=false"]);
    assert!(text.contains("- --watch-namespace=team-a,team-b\n"), "{text}");
    std::fs::write(root.join("chart.yaml"), text).unwrap();
    must(&mut kubectl(&["apply", "--server-side", "--validate=strict", "-f", "chart.yaml"]));
    let may = |verb: &str, resource: &str, place: &[&str]| {
        let account = "--as=system:serviceaccount:webserver-operator-system:webserver-operator-controller-manager";
        let (resource, part) = resource.split_once('/').unwrap_or((resource, ""));
        let part = format!("--subresource={part}");
        let arguments = [&["auth", "can-i", verb, resource, &part, account][..], place].concat();
        kubectl(&arguments).output().unwrap().status.success()
    };
    for (namespace, expected) in [("team-a", true), ("team-b", true), ("team-c", false), ("default", false)] {
        for (verb, resource) in [
            ("list", "webservers.example.com"),
            ("patch", "webservers.example.com/status"),
            ("create", "events.events.k8s.io"),
        ] {
            let found = may(verb, resource, &["--namespace", namespace]);
            assert_eq!(found, expected, "{verb} {resource} in {namespace}");
        }
    }
    assert!(!may("list", "webservers.example.com", &["--all-namespaces"]));
    assert!(may("update", "leases.coordination.k8s.io", &["--namespace", "webserver-operator-system"]));
    assert!(may("create", "tokenreviews.authentication.k8s.io", &[]));
}

/// The chart has the value `watchNamespaces` only if the operator needs no rights outside of namespaces.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn only_rights_in_namespaces_can_be_bound_there() {
    for (name, expected) in [("platform-operator", false), ("webserver-operator", true)] {
        let (_folder, root) = made(name, "prometheus");
        let values = std::fs::read_to_string(root.join("dist/chart/values.yaml")).unwrap();
        assert_eq!(values.contains("watchNamespaces:"), expected, "{name}");
    }
}

//! `config/` with every part enabled and disabled: kubectl renders the folder, and a real API server accepts every
//! rendered object.

use crate::support::{Plane, must, opctl, temporary, tool};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;

/// A minimal CRD for `ServiceMonitor`, which accepts any `spec`.
pub(crate) const SERVICE_MONITORS: &str = r"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: servicemonitors.monitoring.coreos.com
spec:
  group: monitoring.coreos.com
  scope: Namespaced
  names: {kind: ServiceMonitor, listKind: ServiceMonitorList, plural: servicemonitors, singular: servicemonitor}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
";

/// Returns a minimal CRD for a kind of cert-manager.
pub(crate) fn cert_manager(kind: &str) -> String {
    let (of_monitors, of_kind) = ("servicemonitor", kind.to_lowercase());
    let definition = SERVICE_MONITORS.replace("ServiceMonitor", kind).replace(of_monitors, &of_kind);
    definition.replace("monitoring.coreos.com", "cert-manager.io")
}

fn rendered(root: &Path) -> String {
    let output = must(tool("kubectl").args(["kustomize", "config/default"]).current_dir(root));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns `kind/name` of each object, sorted.
fn names(objects: &[Value]) -> Vec<String> {
    let name = |object: &Value| {
        let name = object["metadata"]["name"].as_str().unwrap().trim_start_matches("webserver-operator-");
        format!("{}/{name}", object["kind"].as_str().unwrap())
    };
    let mut names: Vec<String> = objects.iter().map(name).collect();
    names.sort();
    names
}

fn kubectl(plane: &Plane, arguments: &[&str], input: &str) -> std::process::Output {
    use std::io::Write;
    let mut kubectl = tool("kubectl");
    kubectl.args(arguments).env("KUBECONFIG", &plane.kubeconfig);
    let mut child = kubectl.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

const METRICS: &[&str] =
    &["ClusterRole/metrics-auth-role", "ClusterRole/metrics-reader", "Service/controller-manager-metrics-service"];

/// The edits to test: the arguments of `opctl edit`, objects that must be rendered after the edit, and objects that
/// must not.
const EDITS: &[(&str, &[&str], &[&str])] = &[
    ("--enable metrics", METRICS, &["ServiceMonitor/controller-manager-metrics-monitor"]),
    (
        "--enable prometheus,network-policy",
        &["ServiceMonitor/controller-manager-metrics-monitor", "NetworkPolicy/allow-metrics-traffic"],
        &[],
    ),
    (
        "--enable cert-manager,grafana",
        &["Certificate/metrics-certs", "Issuer/selfsigned-issuer", "ConfigMap/grafana-dashboards"],
        &[],
    ),
    ("--disable cert-manager,grafana", &["PodDisruptionBudget/controller-manager"], &["Certificate/metrics-certs"]),
    ("--disable metrics,prometheus", &["NetworkPolicy/allow-metrics-traffic"], METRICS),
    ("--disable network-policy", &["Role/leader-election-role"], &["NetworkPolicy/allow-metrics-traffic"]),
    ("--enable metrics", METRICS, &[]),
];

#[test]
fn every_part_renders_and_is_accepted() {
    let plane = Plane::start();
    let folder = temporary();
    let root = folder.path().join("webserver-operator");
    std::fs::create_dir(&root).unwrap();
    let edit = |arguments: &[&str]| must(opctl(arguments).current_dir(&root));
    edit(&["init", "--domain", "example.com"]);
    edit(&["create", "api", "--kind", "WebServer"]);
    let server_side = ["apply", "--server-side", "--force-conflicts", "--validate=strict", "-f", "-"];
    let accepted = |input: &str| {
        let output = kubectl(&plane, &server_side, input);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    for definition in [SERVICE_MONITORS, &cert_manager("Issuer"), &cert_manager("Certificate")] {
        accepted(definition);
    }
    for &(arguments, has, lacks) in EDITS {
        edit(&[&["edit"], &arguments.split(' ').collect::<Vec<_>>()[..]].concat());
        let text = rendered(&root);
        let objects: Vec<Value> = serde_yaml::from_multiple(&text).unwrap();
        let names = names(&objects);
        assert!(has.iter().all(|name| names.iter().any(|own| own == name)), "{arguments}: {names:?}");
        assert!(!lacks.iter().any(|name| names.iter().any(|own| own == name)), "{arguments}: {names:?}");
        let listens = text.contains("METRICS_BIND_ADDRESS");
        assert_eq!(listens, names.iter().any(|name| name.starts_with("Service/")), "{arguments}: {text}");
        accepted(&text);
    }
    chosen_names_are_followed(&root);
    pods_are_admitted_only_with_their_security_context(&root, &plane);
}

/// Checks that the API server admits the pods of the Deployment to its Namespace, which enforces `restricted`, and
/// refuses them if their security context is weakened.
fn pods_are_admitted_only_with_their_security_context(root: &Path, plane: &Plane) {
    let objects: Vec<Value> = serde_yaml::from_multiple(&rendered(root)).unwrap();
    let find = |kind: &str| objects.iter().find(|object| object["kind"] == kind).unwrap();
    assert_eq!(find("Namespace")["metadata"]["labels"]["pod-security.kubernetes.io/enforce"], "restricted");
    let namespace = find("Namespace")["metadata"]["name"].as_str().unwrap();
    let mut pod = json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "manager", "namespace": namespace},
        "spec": find("Deployment")["spec"]["template"]["spec"],
    });
    let dry_run = ["create", "--dry-run=server", "--validate=strict", "-f", "-"];
    let output = kubectl(plane, &dry_run, &pod.to_string());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    pod["spec"]["containers"][0]["securityContext"]["allowPrivilegeEscalation"] = json!(true);
    let said = kubectl(plane, &dry_run, &pod.to_string()).stderr;
    assert!(String::from_utf8_lossy(&said).contains("violates PodSecurity"), "{}", String::from_utf8_lossy(&said));
}

/// Checks that the certificate is issued for the Service's DNS name, also after a user has changed the namespace and
/// the name prefix.
fn chosen_names_are_followed(root: &Path) {
    must(opctl(&["edit", "--enable", "prometheus,cert-manager"]).current_dir(root));
    let path = root.join("config/default/kustomization.yaml");
    let kustomization = std::fs::read_to_string(&path).unwrap();
    for (prefix, namespace) in [("webserver-operator-", "webserver-operator-system"), ("mine-", "elsewhere")] {
        let own = kustomization
            .replace("namePrefix: webserver-operator-", &format!("namePrefix: {prefix}"))
            .replace("namespace: webserver-operator-system", &format!("namespace: {namespace}"));
        std::fs::write(&path, own).unwrap();
        let objects: Vec<Value> = serde_yaml::from_multiple(&rendered(root)).unwrap();
        let find = |kind: &str| objects.iter().find(|object| object["kind"] == kind).unwrap();
        let name = format!("{prefix}controller-manager-metrics-service.{namespace}.svc");
        let certificate = &find("Certificate")["spec"];
        assert_eq!(certificate["dnsNames"], json!([name, format!("{name}.cluster.local")]));
        assert_eq!(certificate["issuerRef"]["name"], find("Issuer")["metadata"]["name"]);
        let tls = json!({"serverName": name, "ca": {"secret": {"name": certificate["secretName"], "key": "ca.crt"}}});
        assert_eq!(find("ServiceMonitor")["spec"]["endpoints"][0]["tlsConfig"], tls);
        let pod = &find("Deployment")["spec"]["template"]["spec"];
        assert_eq!(pod["volumes"][0]["secret"]["secretName"], certificate["secretName"]);
        let mount = &pod["containers"][0]["volumeMounts"][0];
        let env = pod["containers"][0]["env"].as_array().unwrap();
        assert!(env.contains(&json!({"name": "METRICS_CERT_PATH", "value": mount["mountPath"]})), "{env:?}");
    }
    std::fs::write(&path, kustomization).unwrap();
    must(opctl(&["edit", "--disable", "prometheus,cert-manager"]).current_dir(root));
}

#[test]
fn the_image_of_a_project_is_what_is_rendered() {
    let folder = temporary();
    let root = folder.path().join("webserver-operator");
    std::fs::create_dir(&root).unwrap();
    let run = |arguments: &[&str]| must(opctl(arguments).current_dir(&root));
    run(&["init", "--domain", "example.com"]);
    let image = || {
        let objects: Vec<Value> = serde_yaml::from_multiple(&rendered(&root)).unwrap();
        let deployment = objects.into_iter().find(|object| object["kind"] == "Deployment").unwrap();
        deployment["spec"]["template"]["spec"]["containers"][0]["image"].as_str().unwrap().to_owned()
    };
    let digest = format!("localhost:5000/web@sha256:{}", "0".repeat(64));
    for chosen in ["r.example.com/web:1.0", &digest, "web:v2"] {
        run(&["edit", "--image", chosen]);
        assert_eq!(image(), chosen);
    }
    // `opctl update` keeps the image.
    run(&["update"]);
    assert_eq!(image(), "web:v2");

    let manager = root.join("config/manager/manager.yaml");
    let text = std::fs::read_to_string(&manager).unwrap().replace("image: controller:latest", "image: mine:1");
    std::fs::write(&manager, text).unwrap();
    let refused = opctl(&["edit", "--image", "web:v3"]).current_dir(&root).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(1) && said.contains("image: controller:latest"), "{said}");
    assert_eq!(image(), "mine:1");
}

/// Checks that kustomize patches change only the operator's container, and neither a sidecar nor a second Deployment.
#[test]
fn patches_are_of_the_manager_alone() {
    let folder = temporary();
    let root = folder.path().join("webserver-operator");
    std::fs::create_dir(&root).unwrap();
    let edit = |arguments: &[&str]| must(opctl(arguments).current_dir(&root));
    edit(&["init", "--domain", "example.com"]);
    edit(&["create", "api", "--kind", "WebServer"]);
    edit(&["create", "webhook", "--kind", "WebServer", "--defaulting"]);
    edit(&["edit", "--enable", "cert-manager,prometheus,network-policy"]);
    // `opctl manifests` writes it.
    let webhooks = root.join("config/webhook");
    std::fs::create_dir(&webhooks).unwrap();
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: webhook-service, namespace: system}\n";
    std::fs::write(webhooks.join("service.yaml"), service).unwrap();
    std::fs::write(webhooks.join("kustomization.yaml"), "resources: [service.yaml]\n").unwrap();
    let manager = root.join("config/manager/manager.yaml");
    let text = std::fs::read_to_string(&manager).unwrap();
    let sidecar = "      containers:\n      - name: proxy\n        image: proxy:1\n        args: [--listen=:1]\n";
    let text = text.replacen("      containers:\n", sidecar, 1);
    let other = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cache, namespace: system}\n\
                 spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: manager, image: cache:1}]}}}\n";
    std::fs::write(&manager, format!("{text}---\n{other}")).unwrap();
    let objects: Vec<Value> = serde_yaml::from_multiple(&rendered(&root)).unwrap();
    let containers = |name: &str| -> Vec<Value> {
        let is = |object: &&Value| object["kind"] == "Deployment" && object["metadata"]["name"] == name;
        let found = objects.iter().find(is).unwrap();
        found["spec"]["template"]["spec"]["containers"].as_array().unwrap().clone()
    };
    assert_eq!(containers("webserver-operator-cache"), [json!({ "name": "manager", "image": "cache:1" })]);
    let of_manager = containers("webserver-operator-controller-manager");
    let named = |name: &str| of_manager.iter().find(|one| one["name"] == name).unwrap();
    assert_eq!(named("proxy"), &json!({ "name": "proxy", "image": "proxy:1", "args": ["--listen=:1"] }));
    let manager = named("manager").to_string();
    for part in ["METRICS_BIND_ADDRESS", "METRICS_CERT_PATH", "WEBHOOK_SERVICE_NAME", "8443", "9443"] {
        assert!(manager.contains(part), "{part}: {manager}");
    }
}

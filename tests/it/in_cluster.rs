//! Tests of an operator in the environment of its pod: with the token of the operator's `ServiceAccount`, the files and
//! arguments from the operator's manifests, and exactly the rights that the manifests grant. The API server's audit log
//! shows the requests that the operator made.

use crate::support::{Plane, cargo, lay, must, project, target_folder, temporary, tool, until, web_servers};
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, Patch, PatchParams};
use kube::config::Kubeconfig;
use kube::{Client, Config};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

const NAMESPACE: &str = "shop-operator-system";
const ACCOUNT: &str = "shop-operator-controller-manager";

/// A script that copies the files of a `ServiceAccount` to the kubelet's path, in a private mount namespace.
const IN_NAMESPACE: &str = r#"files=$1; shift
mount -t tmpfs tmpfs /var/run
mkdir -p /var/run/secrets/kubernetes.io/serviceaccount
cp "$files"/* /var/run/secrets/kubernetes.io/serviceaccount/
exec "$@""#;

/// A right: the API group, the resource (such as `pods`, or `pods/log` for a subresource), and the verb.
type Right = (String, String, String);

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a control plane with a simulated node and an audit log.
fn audited(folder: &Path) -> Plane {
    let rules = json!([{ "level": "Metadata", "omitStages": ["RequestReceived", "ResponseStarted"] }]);
    let policy = json!({ "apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": rules });
    fs::write(folder.join("policy.yaml"), policy.to_string()).unwrap();
    let argument = |flag: &str, file: &str| format!("--apiserver-arg=--{flag}={}", folder.join(file).display());
    let (policy, log) = (argument("audit-policy-file", "policy.yaml"), argument("audit-log-path", "audit.log"));
    Plane::start_with(&["--simulate-nodes", &policy, &log])
}

fn kubectl(plane: &Plane, arguments: &[&str]) -> String {
    let output = must(tool("kubectl").args(arguments).env("KUBECONFIG", &plane.kubeconfig));
    String::from_utf8(output.stdout).unwrap()
}

/// Starts the operator with the arguments of its Deployment, but with free ports, as processes on one host cannot share
/// the fixed ones.
fn start(plane: &Plane, folder: &Path, metrics: u16) -> Killed {
    must(&mut cargo("shop-operator", &["build", "--locked"]));
    let files = folder.join("files");
    fs::create_dir(&files).unwrap();
    let token = kubectl(plane, &["create", "token", ACCOUNT, "--namespace", NAMESPACE]);
    fs::write(files.join("token"), token.trim()).unwrap();
    fs::write(files.join("namespace"), NAMESPACE).unwrap();
    let authority = kubectl(plane, &["get", "configmap", "kube-root-ca.crt", "-o", "jsonpath={.data.ca\\.crt}"]);
    fs::write(files.join("ca.crt"), authority).unwrap();

    let deployment = kubectl(plane, &["get", "deployment", ACCOUNT, "--namespace", NAMESPACE, "-o", "json"]);
    let deployment: Value = serde_json::from_str(&deployment).unwrap();
    let container = &deployment["spec"]["template"]["spec"]["containers"][0];
    let arguments = container["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap());
    let kubeconfig = Kubeconfig::read_from(&plane.kubeconfig).unwrap();
    let server = kubeconfig.clusters[0].cluster.as_ref().unwrap().server.clone().unwrap();
    let (host, port) = server.strip_prefix("https://").unwrap().rsplit_once(':').unwrap();
    let log = fs::File::create(folder.join("operator.log")).unwrap();
    let child = tool("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-ec", IN_NAMESPACE, "sh"])
        .arg(&files)
        .arg(target_folder().join("debug/shop-operator"))
        .args(arguments)
        .arg("--health-probe-bind-address=127.0.0.1:0")
        .env("METRICS_BIND_ADDRESS", format!("127.0.0.1:{metrics}"))
        .envs([("HOME", "/nonexistent"), ("KUBERNETES_SERVICE_HOST", host), ("KUBERNETES_SERVICE_PORT", port)])
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap();
    Killed(child)
}

/// Returns the rights in the roles that are bound to the operator's account.
fn granted(plane: &Plane) -> BTreeSet<Right> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Rule {
        #[serde(default)]
        api_groups: Vec<String>,
        #[serde(default)]
        resources: Vec<String>,
        verbs: Vec<String>,
    }
    let mut rights = BTreeSet::new();
    for (bindings, role) in [("clusterrolebindings", "clusterrole"), ("rolebindings", "role")] {
        let found: Value =
            serde_json::from_str(&kubectl(plane, &["get", bindings, "--namespace", NAMESPACE, "-o", "json"])).unwrap();
        let of_account = |binding: &&Value| {
            let subjects = binding["subjects"].as_array();
            subjects.into_iter().flatten().any(|subject| subject["name"] == ACCOUNT)
        };
        for binding in found["items"].as_array().unwrap().iter().filter(of_account) {
            let name = binding["roleRef"]["name"].as_str().unwrap();
            let role: Value =
                serde_json::from_str(&kubectl(plane, &["get", role, name, "--namespace", NAMESPACE, "-o", "json"]))
                    .unwrap();
            for rule in serde_json::from_value::<Vec<Rule>>(role["rules"].clone()).unwrap() {
                for group in &rule.api_groups {
                    for resource in &rule.resources {
                        rights.extend(rule.verbs.iter().map(|verb| (group.clone(), resource.clone(), verb.clone())));
                    }
                }
            }
        }
    }
    rights
}

/// Returns the rights that the account used according to the audit log, and the rights that it was refused.
fn asked(log: &Path) -> (BTreeSet<Right>, BTreeSet<Right>) {
    let (mut given, mut refused) = (BTreeSet::new(), BTreeSet::new());
    let account = format!("system:serviceaccount:{NAMESPACE}:{ACCOUNT}");
    for line in fs::read_to_string(log).unwrap().lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let object = &entry["objectRef"];
        if entry["user"]["username"] != json!(account) {
            continue;
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let resource = match object["subresource"].as_str() {
            Some(subresource) => format!("{}/{subresource}", text(&object["resource"])),
            None => text(&object["resource"]),
        };
        let right = (text(&object["apiGroup"]), resource, text(&entry["verb"]));
        match entry["responseStatus"]["code"].as_u64() {
            Some(403) => drop(refused.insert(right)),
            status => {
                if status == Some(201) {
                    // An apply that creates an object needs the right to create, but is logged as a patch.
                    given.insert((right.0.clone(), right.1.clone(), "create".to_owned()));
                }
                given.insert(right);
            }
        }
    }
    (given, refused)
}

/// Requests the metrics as Prometheus does.
async fn scraped(port: u16, token: &str) -> Result<String, kube::Error> {
    let mut config = Config::new(format!("https://127.0.0.1:{port}").parse().unwrap());
    // The operator serves a self-signed certificate.
    config.accept_invalid_certs = true;
    config.auth_info.token = Some(token.to_owned().into());
    let request = http::Request::get("/metrics").body(Vec::new()).unwrap();
    Client::try_from(config).unwrap().request_text(request).await
}

/// Deploys the operator with its dashboards, and returns the folder of its project.
fn deployed(plane: &Plane, folder: &Path) -> PathBuf {
    let root = folder.join("shop-operator");
    lay(&project("shop-operator"), &root);
    must(crate::support::opctl(&["edit", "--enable", "grafana"]).current_dir(&root));
    let output = crate::support::opctl(&["deploy", "--image", "registry.example.com/shop:1", "--wait=false"])
        .current_dir(&root)
        .env("KUBECONFIG", &plane.kubeconfig)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    root
}

#[tokio::test]
async fn it_works_in_a_cluster_and_uses_every_right_that_it_has() {
    let temporary = temporary();
    let folder = temporary.path();
    let plane = audited(folder);
    let root = deployed(&plane, folder);
    let metrics = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut operator = start(&plane, folder, metrics);
    let log = folder.join("operator.log");
    let client = plane.client().await;

    let name = sample_that_became_ready_twice(&client, &root, &log).await;
    a_service_is_repaired(&client, &name, &log).await;
    metrics_are_for_those_who_may_read_them(&plane, &root, metrics).await;
    must(tool("kill").arg(operator.0.id().to_string()));
    assert_eq!(operator.0.wait().unwrap().code(), Some(0), "{}", fs::read_to_string(&log).unwrap());
    every_right_was_used_and_no_other(&plane, &folder.join("audit.log"));
}

/// Applies the sample, and waits until it becomes Ready a second time, so that an existing event is updated. Returns
/// its name.
async fn sample_that_became_ready_twice(client: &Client, root: &Path, log: &Path) -> String {
    let objects = web_servers(client);
    let sample = fs::read_to_string(root.join("config/samples/v1alpha1_webserver.yaml")).unwrap();
    let sample: DynamicObject = serde_yaml::from_str(&sample).unwrap();
    let name = sample.metadata.name.clone().unwrap();
    objects.patch(&name, &PatchParams::apply("test"), &Patch::Apply(&sample)).await.unwrap();
    let ready_with = |replicas: i32| {
        move |object: &DynamicObject| {
            let conditions = object.data["status"]["conditions"].as_array();
            object.data["status"]["readyReplicas"] == replicas
                && conditions.into_iter().flatten().any(|one| one["type"] == "Ready" && one["status"] == "True")
        }
    };
    until(&objects, &name, log, ready_with(2)).await;
    let three = json!({ "spec": { "replicas": 3 } });
    objects.patch(&name, &PatchParams::default(), &Patch::Merge(&three)).await.unwrap();
    until(&objects, &name, log, ready_with(3)).await;
    name
}

/// Checks that the operator restores the selector of a changed Service, and creates a deleted Service again.
async fn a_service_is_repaired(client: &Client, name: &str, log: &Path) {
    let kind = ApiResource::erase::<k8s_openapi::api::core::v1::Service>(&());
    let services: Api<DynamicObject> = Api::default_namespaced_with(client.clone(), &kind);
    let service = services.get(name).await.unwrap();
    let other = json!({ "spec": { "selector": { "app.kubernetes.io/name": "other" } } });
    services.patch(name, &PatchParams::default(), &Patch::Merge(&other)).await.unwrap();
    let is_right = |found: &DynamicObject| found.data["spec"]["selector"] == service.data["spec"]["selector"];
    until(&services, name, log, is_right).await;
    services.delete(name, &DeleteParams::default()).await.unwrap();
    until(&services, name, log, |again| again.metadata.uid != service.metadata.uid).await;
}

/// Checks that the operator refuses the metrics to an account without the right to read them. Then grants this right,
/// and checks that the dashboards show the same metrics as the operator's response, except
/// `process_virtual_memory_bytes`.
async fn metrics_are_for_those_who_may_read_them(plane: &Plane, root: &Path, port: u16) {
    let token = |account: &str| kubectl(plane, &["create", "token", account]).trim().to_owned();
    kubectl(plane, &["create", "serviceaccount", "prometheus"]);
    let refusal = scraped(port, &token("prometheus")).await.unwrap_err();
    assert!(refusal.to_string().contains("403"), "{refusal}");
    let reader = "--clusterrole=shop-operator-metrics-reader";
    let account = "--serviceaccount=default:prometheus";
    kubectl(plane, &["create", "clusterrolebinding", "prometheus", reader, account]);
    let text = scraped(port, &token("prometheus")).await.unwrap();
    crate::dashboards::are_of(root, &text);
}

fn every_right_was_used_and_no_other(plane: &Plane, audit_log: &Path) {
    let (given, refused) = asked(audit_log);
    assert_eq!(refused, BTreeSet::new(), "it asked for what it may not");
    let unused: Vec<Right> = granted(plane).difference(&given).cloned().collect();
    // The API server's admission checks this right for every child. Without it, no child could have been created.
    let right = |text: &str| text.to_owned();
    let asked_by_admission = [(right("example.com"), right("webservers/finalizers"), right("update"))];
    assert_eq!(unused, asked_by_admission, "rights that it never used");
}

//! Webhooks with the production manifests: the API server reaches two replicas through the Service. The replicas
//! act as the certificate authority of their webhooks, with exactly the rights that the manifests grant.
//!
//! Each replica checks the Secret every ten seconds, and the test waits for two of these checks.

use crate::support::{Plane, cargo, must, project, target_folder, temporary, tool};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const NAME: &str = "platform-operator";
const NAMESPACE: &str = "platform-operator-system";
const SECRET: &str = "platform-operator-webhook-server-cert";
const PATIENCE: Duration = Duration::from_secs(60);

/// A replica of the operator with the settings of its Deployment. It is killed when it is dropped.
struct Replica {
    process: Child,
    probes: u16,
    log: PathBuf,
}

impl Drop for Replica {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Replica {
    fn is_ready(&self) -> bool {
        ureq::get(format!("http://127.0.0.1:{}/readyz", self.probes)).call().is_ok()
    }

    fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    fn until_ready(&self) {
        let start = Instant::now();
        while !self.is_ready() {
            assert!(start.elapsed() < PATIENCE, "{}", self.said());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

struct Cluster {
    plane: Plane,
    folder: tempfile::TempDir,
    /// An address of this machine that is not a loopback address, because an `EndpointSlice` rejects loopback
    /// addresses.
    address: String,
    /// The names and values of the environment variables that the manifests set for the manager's container.
    environment: Vec<(String, String)>,
}

fn free_port() -> u16 {
    TcpListener::bind("0.0.0.0:0").unwrap().local_addr().unwrap().port()
}

impl Cluster {
    /// Starts a control plane, applies the production manifests to it without changes, and builds the operator.
    fn start() -> Self {
        let plane = Plane::start_with(&["--apiserver-arg=--enable-aggregator-routing=true"]);
        let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
        // Nothing is sent: connecting only selects the local address of the route.
        socket.connect("192.0.2.254:9").unwrap();
        let address = socket.local_addr().unwrap().ip().to_string();
        let cluster = Cluster { plane, folder: temporary(), address, environment: Vec::new() };
        let default = project(NAME).join("config/default");
        cluster.kubectl(&["apply", "--server-side", "-k", default.to_str().unwrap()]);
        let deployment = format!("deployment/{NAME}-controller-manager");
        let deployment = cluster.kubectl(&["get", &deployment, "--namespace", NAMESPACE, "-o", "json"]);
        let deployment: Value = serde_json::from_str(&deployment).unwrap();
        let environment = deployment.pointer("/spec/template/spec/containers/0/env").unwrap().as_array().unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let environment = environment.iter().map(|one| (text(&one["name"]), text(&one["value"]))).collect();
        must(&mut cargo(NAME, &["build", "--locked"]));
        Cluster { environment, ..cluster }
    }

    fn kubectl(&self, arguments: &[&str]) -> String {
        let output = must(tool("kubectl").args(arguments).env("KUBECONFIG", &self.plane.kubeconfig));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Creates, in a dry run, a pod that conforms to the `restricted` Pod Security Standard. Returns the API
    /// server's error if the pod is refused.
    fn pod(&self, namespace: &str) -> Result<(), String> {
        let security = json!({
            "allowPrivilegeEscalation": false, "runAsNonRoot": true, "capabilities": { "drop": ["ALL"] },
            "seccompProfile": { "type": "RuntimeDefault" },
        });
        let account = format!("{NAME}-controller-manager");
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "sample", "namespace": namespace },
            "spec": {
                "serviceAccountName": account,
                "containers": [{ "name": "main", "image": "sample", "securityContext": security }],
            },
        });
        let path = self.folder.path().join("pod.json");
        fs::write(&path, pod.to_string()).unwrap();
        let mut command = tool("kubectl");
        command.args(["create", "--dry-run=server", "-f"]).arg(&path).env("KUBECONFIG", &self.plane.kubeconfig);
        let output = command.output().unwrap();
        if output.status.success() { Ok(()) } else { Err(String::from_utf8(output.stderr).unwrap()) }
    }

    /// Returns a kubeconfig with the token of the operator's account, in the operator's namespace.
    fn kubeconfig(&self) -> PathBuf {
        let account = format!("{NAME}-controller-manager");
        let token = self.kubectl(&["create", "token", &account, "--namespace", NAMESPACE]);
        let mut config: Value = serde_yaml::from_str(&fs::read_to_string(&self.plane.kubeconfig).unwrap()).unwrap();
        config["users"][0]["user"] = json!({ "token": token.trim() });
        config["contexts"][0]["context"]["namespace"] = json!(NAMESPACE);
        let path = self.folder.path().join("kubeconfig");
        fs::write(&path, config.to_string()).unwrap();
        path
    }

    /// Starts a replica, and adds it to the endpoints of the Service.
    fn replica(&self, number: usize) -> Replica {
        self.replica_with(number, &[])
    }

    fn replica_with(&self, number: usize, arguments: &[String]) -> Replica {
        let (webhooks, probes) = (free_port(), free_port());
        let service = &self.environment.iter().find(|(name, _)| name == "WEBHOOK_SERVICE_NAME").unwrap().1;
        let slice = json!({
            "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
            "metadata": {
                "name": format!("replica-{number}"), "namespace": NAMESPACE,
                "labels": { "kubernetes.io/service-name": service },
            },
            "ports": [{ "name": "", "port": webhooks, "protocol": "TCP" }],
            "endpoints": [{ "addresses": [self.address], "conditions": { "ready": true } }],
        });
        let path = self.folder.path().join("slice.json");
        fs::write(&path, slice.to_string()).unwrap();
        self.kubectl(&["apply", "--server-side", "--force-conflicts", "-f", path.to_str().unwrap()]);
        let log = self.folder.path().join(format!("replica-{number}.log"));
        let output = fs::File::create(&log).unwrap();
        let process = tool(target_folder().join("debug").join(NAME))
            .arg("--leader-elect")
            .args(arguments)
            .arg(format!("--health-probe-bind-address=127.0.0.1:{probes}"))
            .arg(format!("--webhook-bind-address={}:{webhooks}", self.address))
            .env("KUBECONFIG", self.kubeconfig())
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            // Several replicas are on one machine.
            .env("METRICS_BIND_ADDRESS", "0")
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .spawn()
            .unwrap();
        Replica { process, probes, log }
    }
}

fn databases(client: &kube::Client) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("apps.example.org", "v1alpha1", "Database");
    Api::namespaced_with(client.clone(), "default", &ApiResource::from_gvk(&kind))
}

fn database(name: &str) -> DynamicObject {
    let metadata = json!({ "name": name, "annotations": { "apps.example.org/created-by": "" } });
    let object =
        json!({ "apiVersion": "apps.example.org/v1alpha1", "kind": "Database", "metadata": metadata, "spec": {} });
    serde_json::from_value(object).unwrap()
}

/// Creates an object in dry runs until a dry run succeeds, as a user would, and checks that a webhook was called.
async fn is_asked(databases: &Api<DynamicObject>, replicas: &[&Replica]) {
    let dry_run = PostParams { dry_run: true, ..PostParams::default() };
    let start = Instant::now();
    loop {
        match databases.create(&dry_run, &database("sample")).await {
            Ok(stored) => {
                let annotations = stored.metadata.annotations.unwrap_or_default();
                return assert_ne!(annotations["apps.example.org/created-by"], "", "{annotations:?}");
            }
            Err(error) if start.elapsed() > PATIENCE => {
                let logs: Vec<String> = replicas.iter().map(|replica| replica.said()).collect();
                panic!("{error}\n{}", logs.join("\n"));
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn data(secrets: &Api<Secret>) -> BTreeMap<String, ByteString> {
    secrets.get(SECRET).await.unwrap().data.unwrap_or_default()
}

/// Returns the CA bundles with which the API server verifies the webhooks: the `caBundle` of each admission webhook
/// and of the CRD's conversion webhook.
fn trusted(cluster: &Cluster) -> Vec<Value> {
    let mut found = Vec::new();
    for kind in ["mutating", "validating"] {
        let object = format!("{kind}webhookconfiguration/{NAME}-{kind}-webhook-configuration");
        let object: Value = serde_json::from_str(&cluster.kubectl(&["get", &object, "-o", "json"])).unwrap();
        let webhooks = object["webhooks"].as_array().unwrap();
        found.extend(webhooks.iter().map(|webhook| webhook["clientConfig"]["caBundle"].clone()));
    }
    let definition = cluster.kubectl(&["get", "crd", "tenants.example.org", "-o", "json"]);
    let definition: Value = serde_json::from_str(&definition).unwrap();
    found.push(definition["spec"]["conversion"]["webhook"]["clientConfig"]["caBundle"].clone());
    found
}

#[tokio::test]
async fn two_replicas_are_one_authority_that_outlives_them_and_its_secret() {
    let cluster = Cluster::start();
    let client = cluster.plane.client().await;
    let (databases, secrets) = (databases(&client), Api::<Secret>::namespaced(client, NAMESPACE));
    only_own_pods_start_while_nobody_serves(&cluster, &databases).await;

    let (one, other) = (cluster.replica(1), cluster.replica(2));
    one.until_ready();
    other.until_ready();
    for _ in 0..20 {
        is_asked(&databases, &[&one, &other]).await;
    }
    let first = data(&secrets).await;
    let authority = serde_json::to_value(&first["ca.crt"]).unwrap();
    let bundles = trusted(&cluster);
    assert_eq!(bundles.len(), 6);
    assert!(bundles.iter().all(|bundle| *bundle == authority), "{bundles:?}\n{}", one.said());
    a_change_that_is_not_allowed_is_refused(&databases).await;
    a_tenant_is_converted(&cluster);

    // The next replica continues with the existing certificates.
    drop((one, other));
    let next = cluster.replica(1);
    next.until_ready();
    is_asked(&databases, &[&next]).await;
    assert_eq!(data(&secrets).await, first, "a restart makes no new certificate");
    a_secret_without_certificates_is_repaired(&secrets, &databases, &next).await;
    drop(next);
    certificates_of_others_are_trusted_and_renewed(&cluster, &databases).await;
}

async fn only_own_pods_start_while_nobody_serves(cluster: &Cluster, databases: &Api<DynamicObject>) {
    let closed = databases.create(&PostParams::default(), &database("early")).await;
    assert!(closed.unwrap_err().to_string().contains("failed calling webhook"), "nobody serves yet");
    let refused = cluster.pod("default").unwrap_err();
    assert!(refused.contains("failed calling webhook \"mpod-v1.platform-operator.example.org\""), "{refused}");
    cluster.pod(NAMESPACE).expect("the operator's own pods start while nobody serves");
}

/// Checks that a validating webhook refuses a change, with the field that is the cause.
async fn a_change_that_is_not_allowed_is_refused(databases: &Api<DynamicObject>) {
    databases.create(&PostParams::default(), &database("kept")).await.unwrap();
    let change = json!({ "metadata": { "annotations": { "apps.example.org/created-by": "mallory" } } });
    let refused = databases.patch("kept", &PatchParams::default(), &Patch::Merge(change)).await.unwrap_err();
    let kube::Error::Api(status) = &refused else { panic!("{refused}") };
    let causes = &status.details.as_ref().unwrap().causes;
    assert_eq!((status.code, causes[0].field.as_str()), (422, "metadata.annotations"), "{refused}");
}

fn a_tenant_is_converted(cluster: &Cluster) {
    let tenant = "apiVersion: example.org/v1alpha1\nkind: Tenant\nmetadata: {name: sample}\nspec: {message: Hello}\n";
    let path = cluster.folder.path().join("tenant.yaml");
    fs::write(&path, tenant).unwrap();
    cluster.kubectl(&["apply", "-f", path.to_str().unwrap()]);
    let stored =
        cluster.kubectl(&["get", "tenants.v1.example.org", "sample", "-o", "jsonpath={.apiVersion} {.spec.message}"]);
    assert_eq!(stored, "example.org/v1 Hello", "the operator converts it");
}

/// Checks that a Secret that is emptied or filled with rubbish gets new certificates, which the API server trusts.
async fn a_secret_without_certificates_is_repaired(
    secrets: &Api<Secret>,
    databases: &Api<DynamicObject>,
    replica: &Replica,
) {
    for rubbish in
        [json!(null), json!({ "tls.crt": "cnViYmlzaA==", "ca.crt": "cnViYmlzaA==", "ca.key": "cnViYmlzaA==" })]
    {
        for data in [json!(null), rubbish] {
            secrets.patch(SECRET, &PatchParams::default(), &Patch::Merge(json!({ "data": data }))).await.unwrap();
        }
        let start = Instant::now();
        loop {
            let now = data(secrets).await;
            let is_pem = |key| now.get(key).is_some_and(|text: &ByteString| text.0.starts_with(b"-----BEGIN"));
            if ["ca.crt", "ca.key", "tls.crt", "tls.key"].into_iter().all(is_pem) {
                break;
            }
            assert!(start.elapsed() < PATIENCE, "{}", replica.said());
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        is_asked(databases, &[replica]).await;
    }
}

/// A certificate authority that acts as an issuer of cert-manager: it writes into the directory at which the
/// manager mounts its Secret.
struct Mounted {
    directory: PathBuf,
    host: String,
}

impl Mounted {
    /// Writes a certificate of a new authority. Returns the authority as PEM.
    fn issue(&self) -> String {
        let mut parameters = CertificateParams::new([]).unwrap();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let authority = parameters.self_signed(&key).unwrap().pem();
        let issuer = Issuer::new(parameters, key);
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new([self.host.clone()]).unwrap().signed_by(&key, &issuer).unwrap().pem();
        // All files are replaced at once, as the kubelet does it.
        let version = tempfile::Builder::new().tempdir_in(self.directory.parent().unwrap()).unwrap().keep();
        for (name, text) in [("tls.crt", certificate), ("tls.key", key.serialize_pem()), ("ca.crt", authority.clone())]
        {
            fs::write(version.join(name), text).unwrap();
        }
        let link = self.directory.with_extension("new");
        std::os::unix::fs::symlink(version, &link).unwrap();
        fs::rename(link, &self.directory).unwrap();
        authority
    }
}

async fn certificates_of_others_are_trusted_and_renewed(cluster: &Cluster, databases: &Api<DynamicObject>) {
    let service = &cluster.environment.iter().find(|(name, _)| name == "WEBHOOK_SERVICE_NAME").unwrap().1;
    let host = format!("{service}.{NAMESPACE}.svc");
    let mounted = Mounted { directory: cluster.folder.path().join("certificates"), host };
    let mut authority = mounted.issue();
    let next = cluster.replica_with(1, &[format!("--webhook-cert-path={}", mounted.directory.display())]);
    cluster.kubectl(&["delete", "endpointslice", "replica-2", "--namespace", NAMESPACE]);
    next.until_ready();
    let trusts = |authority: &str| {
        let bundle = |bundle: &Value| serde_json::from_value::<ByteString>(bundle.clone()).unwrap().0;
        trusted(cluster).iter().all(|found| String::from_utf8(bundle(found)).unwrap().starts_with(authority))
    };
    assert!(trusts(&authority), "{}", next.said());
    for _ in 0..20 {
        is_asked(databases, &[&next]).await;
    }

    // Every request is answered while a new authority replaces the old one.
    authority = mounted.issue();
    let dry_run = PostParams { dry_run: true, ..PostParams::default() };
    let (start, mut after) = (Instant::now(), 0);
    while after < 20 {
        assert!(start.elapsed() < PATIENCE, "{}", next.said());
        databases
            .create(&dry_run, &database("sample"))
            .await
            .unwrap_or_else(|error| panic!("{error}\n{}", next.said()));
        after += usize::from(after > 0 || trusts(&authority));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The number alone may be part of a port.
    assert!(!next.said().contains("403 Forbidden"), "{}", next.said());
}

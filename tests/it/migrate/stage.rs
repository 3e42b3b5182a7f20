//! A project of three kinds with CRDs that the tests write, and access to the etcd of a control plane.

use crate::support::{Place, Plane, opctl, text, tool};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt;
use futures_util::stream::iter;
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig};

pub(super) const KINDS: [&str; 3] = ["Disk", "Pool", "Tank"];
/// Returns a CRD of `kind` with these versions. `stored` is the storage version.
pub(super) fn definition(kind: &str, versions: &[&str], stored: &str) -> Value {
    let fields = json!({"size": {"type": "integer"}, "owner": {"type": "string"}});
    let spec = json!({"type": "object", "properties": fields});
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}});
    let version = |name: &&str| json!({"name": name, "served": true, "storage": *name == stored, "schema": schema});
    let (singular, plural) = (kind.to_lowercase(), format!("{}s", kind.to_lowercase()));
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com")},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": kind, "listKind": format!("{kind}List"), "plural": plural, "singular": singular},
            "versions": versions.iter().map(version).collect::<Vec<_>>(),
        },
    })
}

pub(super) fn write(root: &Path, definition: &Value) {
    let name = definition["spec"]["names"]["plural"].as_str().unwrap();
    std::fs::write(root.join(format!("config/crd/{name}.yaml")), definition.to_string()).unwrap();
}

/// Makes a project with the kinds in `KINDS`, but without CRDs: each test writes the CRDs itself.
pub(super) fn project() -> Place {
    let (scaffolded, place) = (Place::with_project(), Place::new());
    for kind in KINDS {
        scaffolded.ok(&["create", "api", "--kind", kind, "--controller=false"]);
    }
    std::fs::create_dir_all(place.root().join("config/crd")).unwrap();
    std::fs::copy(scaffolded.root().join("PROJECT"), place.root().join("PROJECT")).unwrap();
    let list = KINDS.map(|kind| format!("{}s.yaml", kind.to_lowercase()));
    let list = json!({"resources": list}).to_string();
    std::fs::write(place.root().join("config/crd/kustomization.yaml"), list).unwrap();
    place
}

pub(super) fn objects(client: &Client, kind: &str, version: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("example.com", version, kind);
    Api::namespaced_with(client.clone(), "default", &ApiResource::from_gvk(&kind))
}

pub(super) fn definitions(client: &Client) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    Api::all_with(client.clone(), &ApiResource::from_gvk(&kind))
}

pub(super) async fn create(client: &Client, kind: &str, specs: impl IntoIterator<Item = (String, Value)>) {
    let api = &objects(client, kind, "v1alpha1");
    let create = |(name, spec): (String, Value)| async move {
        let object = json!({
            "apiVersion": "example.com/v1alpha1", "kind": kind, "metadata": {"name": name}, "spec": spec,
        });
        let object = serde_json::from_value(object).unwrap();
        api.create(&PostParams::default(), &object).await.unwrap();
    };
    iter(specs).map(create).buffer_unordered(16).collect::<Vec<_>>().await;
}

pub(super) async fn stored_versions(client: &Client, kind: &str) -> Value {
    let name = format!("{}s.example.com", kind.to_lowercase());
    definitions(client).get(&name).await.unwrap().data["status"]["storedVersions"].clone()
}

/// Access to the etcd of a control plane, which answers only clients with the API server's client certificate.
pub(super) struct Etcd {
    url: String,
    agent: ureq::Agent,
}

/// Returns the objects of a kind in etcd by name: the version in which each is stored, and the revision of its last
/// write.
pub(super) fn in_etcd(etcd: &Etcd, kind: &str) -> BTreeMap<String, (String, u64)> {
    let prefix = format!("/registry/example.com/{}s/", kind.to_lowercase());
    let end = format!("{}0", prefix.trim_end_matches('/'));
    let range = json!({"key": STANDARD.encode(&prefix), "range_end": STANDARD.encode(end)});
    let mut answer = etcd.agent.post(format!("{}/v3/kv/range", etcd.url)).send(range.to_string()).unwrap();
    let answer: Value = serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap();
    let entry = |entry: &Value| {
        let object = STANDARD.decode(entry["value"].as_str().unwrap()).unwrap();
        let object: Value = serde_json::from_slice(&object).unwrap();
        let version = object["apiVersion"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let revision = entry["mod_revision"].as_str().unwrap().parse().unwrap();
        (object["metadata"]["name"].as_str().unwrap().to_owned(), (version, revision))
    };
    answer["kvs"].as_array().into_iter().flatten().map(entry).collect()
}

pub(super) fn number_in(etcd: &Etcd, kind: &str, version: &str) -> usize {
    in_etcd(etcd, kind).values().filter(|(stored, _)| stored == version).count()
}

/// Returns the command line of the running API server of `plane`: the program and its arguments.
pub(super) fn api_server(plane: &Plane) -> Vec<String> {
    let status = opctl(&["envtest", "status", "-o", "json"]).env("XDG_STATE_HOME", plane.state()).output().unwrap();
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    let process = &status["data"]["processes"]["kube-apiserver"];
    let line = std::fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap();
    line.split_terminator('\0').map(str::to_owned).collect()
}

pub(super) fn etcd_of(plane: &Plane) -> Etcd {
    let words = api_server(plane);
    let flag = |name: &str| words.iter().find_map(|word| word.strip_prefix(&format!("--etcd-{name}="))).unwrap();
    let file = |name: &str| std::fs::read(flag(name)).unwrap();
    let authority = Certificate::from_pem(&file("cafile")).unwrap();
    let own = [Certificate::from_pem(&file("certfile")).unwrap()];
    let own = ClientCert::new_with_certs(&own, PrivateKey::from_pem(&file("keyfile")).unwrap());
    let roots = RootCerts::new_with_certs(&[authority]);
    let tls = TlsConfig::builder().root_certs(roots).client_cert(Some(own)).build();
    let agent = ureq::Agent::config_builder().tls_config(tls).build().new_agent();
    Etcd { url: flag("servers").to_owned(), agent }
}

/// Fails unless opctl has exited with `code` and printed each of `texts`.
#[track_caller]
pub(super) fn exits(output: &Output, code: i32, texts: &[&str]) {
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{said}");
    for text in texts {
        assert!(said.contains(text), "it does not say `{text}`:\n{said}");
    }
}

pub(super) fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
}

/// A kube-controller-manager with the controller that migrates storage. It is killed when it is dropped.
pub(super) struct Migrator(Child);

impl Migrator {
    pub(super) fn start(plane: &Plane) -> Self {
        let program = Path::new(&api_server(plane)[0]).with_file_name("kube-controller-manager");
        let mut command = tool(program);
        command.arg("--kubeconfig").arg(&plane.kubeconfig).args([
            "--controllers=storage-version-migrator-controller,garbage-collector-controller",
            "--feature-gates=StorageVersionMigrator=true",
            "--leader-elect=false",
            "--secure-port=0",
        ]);
        Migrator(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Migrator {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
